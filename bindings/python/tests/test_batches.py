"""What `jmdx.spark` and `jmdx.ray` do without Spark and Ray."""

import pickle
import subprocess
import sys

import jmdx
import pytest

pa = pytest.importorskip("pyarrow")

import jmdx.ray  # noqa: E402
import jmdx.spark  # noqa: E402
from jmdx._batches import Conversion  # noqa: E402

TEXTS = ['{"a":1}', None, "{", '{"b":[true]}', "[]"]


def batch(texts):
    return pa.record_batch({"0": pa.array(range(len(texts))), "1": pa.array(texts, pa.string())})


def test_a_batch_that_overflows_is_cut(monkeypatch):
    whole = list(jmdx.spark._mapper(Conversion("json", "jmd", "null", {}), 1, False, True)(iter([batch(TEXTS)])))
    convert = jmdx.convert_column

    def narrow(array, **options):
        if len(array) > 1:
            raise OverflowError("too much text")
        return convert(array, **options)

    monkeypatch.setattr(jmdx, "convert_column", narrow)
    pieces = list(jmdx.spark._mapper(Conversion("json", "jmd", "null", {}), 1, False, True)(iter([batch(TEXTS)])))
    assert len(pieces) == len(TEXTS)
    assert pa.Table.from_batches(pieces).combine_chunks().equals(pa.Table.from_batches(whole).combine_chunks())


def test_a_row_that_overflows_alone_is_told(monkeypatch):
    def narrow(array, **options):
        raise OverflowError("too much text")

    monkeypatch.setattr(jmdx, "convert_column", narrow)
    with pytest.raises(OverflowError, match="too much text"):
        list(jmdx.spark._mapper(Conversion("json", "jmd", "null", {}), 1, False, True)(iter([batch(TEXTS)])))


def test_a_table_with_a_new_column():
    table = pa.table({"id": [1, 2, 3, 4, 5], "payload": pa.chunked_array([TEXTS[:2], TEXTS[2:]], pa.string())})
    got = jmdx.ray.Convert("payload", "jmd", label="X")(table)
    text, errors = jmdx.convert_column(table["payload"], label="X")
    assert got.column_names == ["id", "payload", "jmd", "jmd_error"]
    assert got["jmd"].equals(text) and got["jmd_error"].equals(errors)
    assert got.select(["id", "payload"]).equals(table)


def test_a_table_with_a_replaced_column_and_the_way_back():
    table = pa.table({"payload": pa.array(['{"a":1}', '{"b":[]}']), "id": [1, 2]})
    there = jmdx.ray.Convert("payload", errors=None)(table)
    assert there.column_names == ["payload", "id"]
    assert there["payload"].to_pylist() == [jmdx.to_jmd('{"a":1}'), jmdx.to_jmd('{"b":[]}')]
    assert jmdx.ray.Convert("payload", from_="jmd", to="json", on_error="raise")(there).equals(table)


def test_a_column_of_nulls_alone_has_no_type():
    got = jmdx.ray.Convert("payload")(pa.table({"payload": pa.nulls(2)}))
    assert got["payload"].to_pylist() == [None, None] and got["payload"].type == pa.string()


@pytest.mark.parametrize(
    ("kind", "words", "arguments", "options"),
    [
        (ValueError, "no column other, only id, payload", ["other"], {}),
        (ValueError, "a column id already", ["payload", "id"], {}),
        (ValueError, "a column id already", ["payload"], {"errors": "id"}),
        (ValueError, "on_error", ["payload"], {"on_error": "skip"}),
        (TypeError, "lable", ["payload"], {"lable": "X"}),
        (TypeError, "not Int64", ["id"], {}),
    ],
)
def test_what_makes_no_sense_is_told(kind, words, arguments, options):
    table = pa.table({"id": [1], "payload": ["{}"]})
    with pytest.raises(kind, match=words):
        jmdx.ray.Convert(*arguments, **options)(table)


def test_a_doubled_column_is_refused():
    table = pa.table([pa.array(["{}"]), pa.array(["{}"])], names=["a", "a"])
    with pytest.raises(ValueError, match="2 columns a"):
        jmdx.ray.Convert("a")(table)


def test_what_raises_tells_kind_and_place():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.ray.Convert("payload", on_error="raise")(pa.table({"payload": ["{}", '{"a":1,"a":2}']}))
    assert (caught.value.kind, caught.value.row, caught.value.column) == ("duplicate_key", 1, 8)


def test_a_callable_is_pickled_and_shown():
    convert = pickle.loads(pickle.dumps(jmdx.ray.Convert("payload", "jmd", label="X")))
    assert convert(pa.table({"payload": ["{}"]}))["jmd"].to_pylist() == [jmdx.to_jmd("{}", label="X")]
    assert repr(convert) == "Convert('payload', 'jmd', from_='json', to='jmd', errors='jmd_error')"


def test_importing_takes_neither_spark_nor_ray_nor_pyarrow():
    code = "import sys, jmdx.spark, jmdx.ray; print([m for m in ('pyspark', 'ray', 'pyarrow') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout == "[]\n"


def test_a_missing_pyspark_is_told():
    code = "import sys; sys.modules['pyspark'] = None; import jmdx.spark; jmdx.spark.to_jmd_udf()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "pip install 'pyspark[sql]'" in done.stderr


def test_a_column_of_errors_that_there_would_not_be():
    with pytest.raises(ValueError, match="there is no column e with"):
        jmdx.ray.Convert("j", "jmd", on_error="raise", errors="e")


def test_a_batch_of_another_kind():
    with pytest.raises(TypeError, match='batch_format="pyarrow"'):
        jmdx.ray.Convert("j")({"j": ["{}"]})
