"""`jmdx.spark` on small dataframes: what comes out for each row, and what is refused before a job begins."""

import datetime
import json

import jmdx
import pytest

pyspark = pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")

from pyspark.errors import PythonException  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import jmdx.spark  # noqa: E402

GOOD = ['{"id":1,"name":"Müller","tags":["a","b"],"big":123456789012345678901234567890}', '{"n":1.50,"t":"a\\nb"}', "[]"]
BAD = ['{"a":1,"a":2}', '{"a":', "7", ""]
ROWS = [(at, text, f"row {at}") for at, text in enumerate([*GOOD, None, *BAD, *GOOD])]


@pytest.fixture(scope="module")
def rows(spark):
    return spark.createDataFrame(ROWS, "id int, payload string, note string").repartition(3).cache()


def expected(text, way=jmdx.to_jmd, **options):
    """Text and error of a row, from the function for one text."""
    if text is None:
        return None, None
    try:
        return way(text, **options), None
    except jmdx.JmdxError as error:
        return None, (error.kind, error.line, error.column, error.offset, error.message)


def collected(df):
    return [tuple(tuple(value) if isinstance(value, pyspark.sql.Row) else value for value in row) for row in df.orderBy("id").collect()]


def test_a_new_column_and_its_errors(rows):
    got = jmdx.spark.with_jmd(rows, "payload", "jmd")
    assert got.columns == ["id", "payload", "note", "jmd", "jmd_error"]
    assert got.schema["jmd_error"].dataType.simpleString() == jmdx.spark.ERROR_TYPE.replace(": ", ":").replace(", ", ",")
    assert collected(got) == [(*row, *expected(row[1])) for row in ROWS]


def test_the_text_takes_the_place_of_the_column(rows):
    got = jmdx.spark.with_jmd(rows, "payload", label="Order", order="grouped")
    assert got.columns == ["id", "payload", "note", "payload_error"]
    wanted = [(row, *expected(row[1], label="Order", order="grouped")) for row in ROWS]
    assert collected(got) == [(row[0], text, row[2], error) for row, text, error in wanted]


def test_the_way_back(rows):
    there = jmdx.spark.with_jmd(rows, "payload", "jmd", errors="refused")
    back = jmdx.spark.with_json(there, "jmd", "json")
    assert back.columns == ["id", "payload", "note", "jmd", "refused", "json", "json_error"]
    for row in back.collect():
        assert row.json == (None if row.refused else row.payload)
        assert row.json_error is None


def test_bad_jmd_is_told_as_bad_json_is(spark):
    texts = [(0, "# A\nx: 1\n"), (1, "no heading"), (2, "# A\nx: 1\nx: 2\n"), (3, None)]
    got = jmdx.spark.with_json(spark.createDataFrame(texts, "id int, text string"), "text", "json")
    assert collected(got) == [(*row, *expected(row[1], jmdx.to_json)) for row in texts]


def test_without_errors(rows):
    assert jmdx.spark.with_jmd(rows, "payload", "jmd", errors=None).columns == ["id", "payload", "note", "jmd"]
    got = collected(jmdx.spark.with_jmd(rows, "payload", "jmd", errors=None))
    assert got == [(*row, expected(row[1])[0]) for row in ROWS]


def test_raise_ends_the_query_and_tells_kind_and_place(rows):
    got = jmdx.spark.with_jmd(rows.where(F.col("id") == 4), "payload", on_error="raise")
    assert got.columns == ["id", "payload", "note"]
    with pytest.raises(PythonException, match=r"JmdxError: row 0: 1:8: duplicate_key"):
        got.collect()
    assert jmdx.spark.with_jmd(rows.where("id < 4"), "payload", on_error="raise").count() == 4


def test_binary_and_bytes_that_are_no_utf8(spark):
    texts = [(0, b'{"a":"\xc3\xbc"}'), (1, b'{"a":"\xff"}'), (2, None)]
    got = collected(jmdx.spark.with_jmd(spark.createDataFrame(texts, "id int, raw binary"), "raw"))
    assert [row[1] for row in got] == ["# Document\na: ü\n", None, None]
    assert [row[2] and row[2][0] for row in got] == [None, expected(b'{"a":"\xff"}')[1][0], None]


def test_other_columns_of_all_types_stay_as_they_are(spark):
    df = spark.sql(
        """select '{"a":1}' payload, 1Y b, 2L c, 1.5F d, 2.5D e, 12.34BD f, date'2020-01-01' g, timestamp'2020-01-01 00:00:00.123456' h,
        timestamp_ntz'2020-01-01 00:00:00' i, array(1, null) j, map('k', 1) k, named_struct('x', 1, 'y', array(named_struct('z', 'q'))) l,
        x'00ff' m, true n, null o, interval 3 days p, cast(null as string) q, cast('NaN' as double) r, 's' collate UTF8_LCASE s"""
    )
    df = df.withMetadata("b", {"unit": "m"})
    got = jmdx.spark.with_jmd(df, "payload", "jmd")
    assert got.schema.fields[: len(df.columns)] == df.schema.fields
    assert got.schema["b"].metadata == {"unit": "m"}
    assert str(got.first()[:-2]) == str(tuple(df.first()))
    assert got.first().g == datetime.date(2020, 1, 1)


def test_names_with_dots_names_that_are_there_twice_and_names_in_other_cases(spark):
    df = spark.createDataFrame([(1, '{"a":1}', 2)], "id int, t string, x int").toDF("id", "a.b", "id")
    got = jmdx.spark.with_jmd(df, "A.B", "c d")
    assert got.columns == ["id", "a.b", "id", "c d", "c d_error"]
    assert tuple(got.first()) == (1, '{"a":1}', 2, "# Document\na: 1\n", None)
    assert jmdx.spark.with_jmd(df, "a.b").columns == ["id", "a.b", "id", "a.b_error"]


@pytest.mark.parametrize(
    ("kind", "words", "arguments", "options"),
    [
        (ValueError, "no column other, only id, payload, note", ["other"], {}),
        (ValueError, "to_jmd_udf", ["payload.x"], {}),
        (ValueError, "a column note already", ["payload", "note"], {}),
        (ValueError, "a column NOTE already", ["payload", "NOTE"], {}),
        (ValueError, "a column id already", ["payload"], {"errors": "id"}),
        (ValueError, "a column jmd already", ["payload", "jmd"], {"errors": "jmd"}),
        (ValueError, "on_error", ["payload"], {"on_error": "skip"}),
        (TypeError, "column id is int, not text", ["id"], {}),
        (TypeError, "not Column", [F], {}),
        (TypeError, "lable", ["payload"], {"lable": "Order"}),
        (ValueError, "order", ["payload"], {"order": "sorted"}),
    ],
)
def test_what_makes_no_sense_is_told_at_once(rows, kind, words, arguments, options):
    first, *rest = arguments
    with pytest.raises(kind, match=words):
        jmdx.spark.with_jmd(rows, F.col("payload") if first is F else first, *rest, **options)


def test_ambiguous_columns_are_refused(spark):
    df = spark.createDataFrame([("{}", "{}")], "a string, b string").toDF("a", "A")
    with pytest.raises(ValueError, match="2 columns a"):
        jmdx.spark.with_jmd(df, "a")


def test_functions_over_columns(rows):
    to_jmd, to_json = jmdx.spark.to_jmd_udf(on_error="null", label="X"), jmdx.spark.to_json_udf()
    got = rows.select("id", to_jmd("payload").alias("jmd"), to_json(to_jmd("payload")).alias("json"))
    wanted = [(row[0], expected(row[1], label="X")[0]) for row in ROWS]
    assert collected(got) == [(at, jmd, jmd and ROWS[at][1]) for at, jmd in wanted]


def test_functions_inside_of_structs(spark):
    df = spark.createDataFrame([(1, ('{"a":1}',))], "id int, s struct<json: string>")
    got = df.withColumn("s", F.col("s").withField("jmd", jmdx.spark.to_jmd_udf()("s.json"))).first().s
    assert tuple(got) == ('{"a":1}', "# Document\na: 1\n")


def test_functions_that_tell_errors(rows):
    got = rows.select("id", jmdx.spark.to_jmd_udf(errors=True)("payload").alias("got"))
    assert got.schema["got"].dataType.fieldNames() == ["text", "error"]
    pairs = [(row.got.text, row.got.error and tuple(row.got.error)) for row in got.orderBy("id").collect()]
    assert pairs == [expected(row[1]) for row in ROWS]


def test_functions_raise_unless_told_otherwise(rows):
    # Whichever partition comes first.
    kinds = [error[0] for _, error in (expected(row[1]) for row in ROWS) if error]
    with pytest.raises(PythonException, match=f"JmdxError: row [0-9]+: [0-9:]+ ({'|'.join(kinds)})"):
        rows.select(jmdx.spark.to_jmd_udf()("payload")).collect()


def test_sql_calls_functions(spark, rows):
    jmdx.spark.register(spark)
    jmdx.spark.register(spark, "try_to_jmd", errors=True)
    jmdx.spark.register(spark, "jmd_to_json", from_="jmd", to="json", pretty=True)
    rows.createOrReplaceTempView("rows")
    got = spark.sql("SELECT id, to_jmd(payload) AS jmd, jmd_to_json(to_jmd(payload)) AS json FROM rows WHERE id < 4 ORDER BY id").collect()
    assert [row.jmd for row in got] == [expected(row[1])[0] for row in ROWS[:4]]
    assert [row.json for row in got] == [row.jmd and jmdx.to_json(row.jmd, pretty=True) for row in got]
    kinds = spark.sql("SELECT try_to_jmd(payload).error.kind AS kind, count(*) AS n FROM rows GROUP BY kind").collect()
    wanted = [error and error[0] for _, error in (expected(row[1]) for row in ROWS)]
    assert {row.kind: row.n for row in kinds} == {kind: wanted.count(kind) for kind in wanted}
    assert tuple(spark.sql("SELECT to_jmd(NULL), try_to_jmd(NULL).text, try_to_jmd(NULL).error").first()) == (None, None, None)


def test_strings_with_64_bit_offsets(spark, rows):
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        assert collected(jmdx.spark.with_jmd(rows, "payload", "jmd")) == [(*row, *expected(row[1])) for row in ROWS]
        got = rows.select("id", jmdx.spark.to_jmd_udf(on_error="null")("payload"))
        assert collected(got) == [(row[0], expected(row[1])[0]) for row in ROWS]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def test_before_arrow_functions_there_are_those_of_pandas(monkeypatch, rows):
    pytest.importorskip("pandas")
    monkeypatch.delattr(F, "arrow_udf", raising=False)
    to_jmd = jmdx.spark.to_jmd_udf(on_error="null")
    assert to_jmd.evalType == pyspark.util.PythonEvalType.SQL_SCALAR_PANDAS_UDF
    assert collected(rows.select("id", to_jmd("payload"))) == [(row[0], expected(row[1])[0]) for row in ROWS]
    with pytest.raises(NotImplementedError, match=r"4\.1"):
        jmdx.spark.to_jmd_udf(errors=True)


def test_one_huge_row_and_one_full_partition_beside_empty_ones(spark):
    huge = json.dumps({"items": [{"n": n, "text": "wörd " * 10} for n in range(100_000)]}, ensure_ascii=False, separators=(",", ":"))
    small = [(n, f'{{"n":{n}}}') for n in range(20_000)]
    df = spark.createDataFrame([(-1, huge), *small], "id int, payload string").repartition(4, (F.col("id") < 0))
    back = jmdx.spark.with_json(jmdx.spark.with_jmd(df, "payload", "jmd"), "jmd", "json")
    sizes = back.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()
    assert sorted(sizes)[-1] >= 20_000 and sizes.count(0) >= 2
    assert back.where("jmd_error is null and json_error is null and json = payload").count() == 20_001
    assert back.where("id = -1").first().jmd == jmdx.to_jmd(huge)


def test_empty_and_null_columns(spark):
    empty = spark.createDataFrame([], "id int, payload string")
    assert jmdx.spark.with_jmd(empty, "payload", "jmd").collect() == []
    nulls = spark.createDataFrame([(1, None), (2, None)], "id int, payload string")
    assert collected(jmdx.spark.with_jmd(nulls, "payload")) == [(1, None, None), (2, None, None)]
