"""convert_column: Arrow in, Arrow out."""

import json
import random
import sys
import threading
import time

import jmdx
import pyarrow as pa
import pytest
from jmdx import _jmdx

TYPES = {
    pa.string(): pa.string(),
    pa.binary(): pa.string(),
    pa.large_string(): pa.large_string(),
    pa.large_binary(): pa.large_string(),
    pa.string_view(): pa.string_view(),
    pa.binary_view(): pa.string_view(),
}
ROWS = ['{"id": 7}', None, "{", '[1, {"a": "longer than what a view holds"}]', "[]", "7", None, '{"é": "\U0001f600"}']
MADE = [
    "# Document\nid: 7\n",
    None,
    None,
    "# Document[]\n- 1\n- a: longer than what a view holds\n",
    "# Document[]\n",
    None,
    None,
    '# Document\n"é": \U0001f600\n',
]
KINDS = [None, None, "invalid_json", None, None, "scalar_root", None, None]
ERRORS = pa.struct(
    [("kind", pa.string())]
    + [(name, pa.int64()) for name in ("line", "column", "offset")]
    + [("message", pa.string())]
)


def kinds(errors):
    return [error and error["kind"] for error in errors.to_pylist()]


def whole(converted):
    for array in converted:
        array.validate(full=True)
    return converted


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_every_type_of_text(kind, threads):
    texts, errors = whole(jmdx.convert_column(pa.array(ROWS, kind), threads=threads))
    assert isinstance(texts, pa.Array) and texts.type == TYPES[kind] and errors.type == ERRORS
    assert texts.to_pylist() == MADE and kinds(errors) == KINDS
    assert errors[2].as_py() == {
        "kind": "invalid_json",
        "line": 1,
        "column": 2,
        "offset": 1,
        "message": errors[2].as_py()["message"],
    }
    assert "early" in errors[2].as_py()["message"]
    back, errors = whole(jmdx.convert_column(texts, from_="jmd", to="json", threads=threads))
    assert back.type == TYPES[kind] and errors.null_count == len(errors) == len(ROWS)
    good = [row if made is not None else None for row, made in zip(ROWS, MADE, strict=True)]
    assert [text and json.loads(text) for text in back.to_pylist()] == [row and json.loads(row) for row in good]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_slices(kind):
    array = pa.array(ROWS * 3, kind)
    for start in range(len(ROWS) + 1):
        for length in (0, 1, 3, 9):
            texts, errors = whole(jmdx.convert_column(array.slice(start, length)))
            assert texts.to_pylist() == (MADE * 3)[start : start + length]
            assert kinds(errors) == (KINDS * 3)[start : start + length]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_empty_and_all_null(kind):
    for rows in ([], [None], [None] * 100):
        texts, errors = whole(jmdx.convert_column(pa.array(rows, kind)))
        assert texts.to_pylist() == errors.to_pylist() == rows
    texts, errors = whole(jmdx.convert_column(pa.chunked_array([], kind)))
    assert (texts.type, texts.num_chunks, len(errors)) == (TYPES[kind], 0, 0)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_chunks_stay_as_they_are(kind, threads):
    array = pa.array(ROWS, kind)
    chunked = pa.chunked_array([array[:3], array[:0], array[3:7], array[7:]])
    texts, errors = whole(jmdx.convert_column(chunked, threads=threads))
    assert isinstance(texts, pa.ChunkedArray) and isinstance(errors, pa.ChunkedArray)
    assert texts.to_pylist() == MADE and kinds(errors) == KINDS
    assert [len(chunk) for chunk in texts.chunks] == [len(chunk) for chunk in errors.chunks] == [3, 0, 4, 1]


def many(rows, seed=1):
    source = random.Random(seed)
    for number in range(rows):
        size = 20000 if source.random() < 0.01 else source.randrange(60)
        yield source.choice([None, "{", "[1,]"]) if source.random() < 0.1 else json.dumps({"n": number, "t": "x" * size})


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_threads_change_nothing(kind):
    array = pa.array(many(5000), kind)
    chunked = pa.chunked_array([array[:10], array[10:4000], array[4000:]])
    one = whole(jmdx.convert_column(chunked, threads=1))
    for threads in (2, 4, 16):
        several = whole(jmdx.convert_column(chunked, threads=threads))
        assert one[0].equals(several[0]) and one[1].equals(several[1])
    assert one[0].null_count > one[1].null_count * 0.05
    expected = [None if row is None else converted(row) for row in array.cast(pa.string()).to_pylist()]
    assert one[0].to_pylist() == expected


def converted(row):
    try:
        return jmdx.to_jmd(row)
    except jmdx.JmdxError:
        return None


@pytest.mark.parametrize("threads", [1, 4])
def test_the_first_bad_row_is_raised(threads):
    rows = ['{"a": "' + "x" * 3000 + '"}'] * 1000
    rows[321] = rows[322] = rows[900] = "{"
    array = pa.array(rows)
    for column, first in ((array, 0), (array[5:], 5), (pa.chunked_array([array[:300], array[300:]]), 0)):
        with pytest.raises(jmdx.JmdxError) as caught:
            jmdx.convert_column(column, on_error="raise", threads=threads)
        error = caught.value
        assert (error.row, error.kind, error.line, error.column, error.offset) == (321 - first, "invalid_json", 1, 2, 1)
        assert f"row {321 - first}" in str(error)
    jmdx.convert_column(array[:321], on_error="raise", threads=threads)


def test_invalid_utf8_is_a_bad_row():
    texts, errors = whole(jmdx.convert_column(pa.array([b'["\xff"]', b"[1]"])))
    assert texts.to_pylist() == [None, "# Document[]\n- 1\n"] and kinds(errors) == ["invalid_utf8", None]
    # A string array may lie about it.
    lies = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\5\0\0\0"), pa.py_buffer(b'["\xff"]'))
    assert kinds(jmdx.convert_column(lies)[1]) == ["invalid_utf8"]


def test_options_are_those_of_the_text_functions():
    json_rows = pa.array(['{"a": {"b": 1}, "c": "x", "c": "y"}'])
    options = {
        "label": "Order",
        "mode": "query",
        "frontmatter": {"p": 1},
        "order": "grouped",
        "quote": "always",
        "duplicate_keys": "last",
    }
    texts, _ = jmdx.convert_column(json_rows, **options)
    assert texts.to_pylist() == [jmdx.to_jmd(json_rows[0].as_py(), **options)]
    options = {"modes": "query", "frontmatter": "drop", "pretty": True, "ascii": True}
    back, _ = jmdx.convert_column(texts, from_="jmd", to="json", **options)
    assert back.to_pylist() == [jmdx.to_json(texts[0].as_py(), **options)]
    enveloped, _ = jmdx.convert_column(texts, from_="jmd", to="json", envelope=True)
    again, _ = jmdx.convert_column(enveloped, envelope=True, quote="always")
    assert again.equals(texts)
    assert kinds(jmdx.convert_column(json_rows, max_depth=1, duplicate_keys="last")[1]) == ["resource_limit"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"from_": "jmd"}, ValueError),
        ({"to": "json"}, ValueError),
        ({"from_": "xml"}, ValueError),
        ({"on_error": "skip"}, ValueError),
        ({"threads": 0}, ValueError),
        ({"threads": 257}, ValueError),
        ({"threads": -1}, OverflowError),
        ({"threads": "2"}, TypeError),
        ({"pretty": True}, TypeError),
        ({"from_": "jmd", "to": "json", "label": "A"}, TypeError),
        ({"floats": "exact"}, TypeError),
    ],
)
def test_wrong_options_are_told(options, error):
    with pytest.raises(error):
        jmdx.convert_column(pa.array(["[1]"]), **options)


@pytest.mark.parametrize(
    ("column", "name"),
    [
        (pa.array([1]), "Int64"),
        (pa.array(["[1]"]).dictionary_encode(), "Dictionary"),
        (pa.table({"a": ["[1]"]}), "Struct"),
        (pa.record_batch({"a": ["[1]"]}), "Struct"),
        (["[1]"], "list"),
        ("[1]", "str"),
        (None, "NoneType"),
    ],
)
def test_other_columns_are_a_type_error_that_names_them(column, name):
    with pytest.raises(TypeError, match=name):
        jmdx.convert_column(column)


def arrow(column, max_text, threads=1):
    texts, errors = _jmdx.convert_arrow(column, "json", "jmd", "null", threads, {}, max_text)
    return pa.chunked_array(texts), pa.chunked_array(errors)


@pytest.mark.parametrize("threads", [1, 4])
def test_text_that_overflows_offsets_is_an_error(threads):
    rows = ['{"a": "' + "x" * 2000 + '"}'] * 1000
    size = sum(len(jmdx.to_jmd(row)) for row in rows)
    column = pa.chunked_array([["[1]"], rows])
    assert len(arrow(column, size, threads)[0]) == 1001
    with pytest.raises(OverflowError, match=r"chunk 1 .*large_string"):
        arrow(column, size - 1, threads)
    large = column.cast(pa.large_string())
    assert len(arrow(large, 10, threads)[0]) == 1001


@pytest.mark.parametrize("threads", [1, 4])
def test_views_go_on_in_another_buffer(threads):
    column = pa.chunked_array([pa.array(many(1000), pa.string_view()), pa.array(ROWS, pa.string_view())])
    expected = whole(jmdx.convert_column(column))
    texts, errors = whole(arrow(column, 30000, threads))
    assert texts.to_pylist() == expected[0].to_pylist() and errors.equals(expected[1])
    assert len(texts.chunk(0).buffers()) > 5
    with pytest.raises(OverflowError, match="one row of chunk 0"):
        arrow(column, 15000, threads)


def test_polars():
    pl = pytest.importorskip("polars")
    series = pl.Series("docs", ROWS)
    texts, errors = jmdx.convert_column(series)
    assert isinstance(texts, pl.Series) and isinstance(errors, pl.Series)
    assert (texts.name, texts.dtype, texts.to_list()) == ("docs", pl.String, MADE)
    assert [error and error["kind"] for error in errors.to_list()] == KINDS
    assert errors.name == "errors" and isinstance(errors.dtype, pl.Struct)
    longer = series.append(pl.Series(["[2]"]))
    texts, errors = jmdx.convert_column(longer)
    assert texts.to_list() == [*MADE, "# Document[]\n- 2\n"] and len(errors) == len(ROWS) + 1
    frame = pl.DataFrame({"docs": ROWS}).with_columns(
        pl.col("docs").map_batches(lambda docs: jmdx.convert_column(docs)[0], return_dtype=pl.String).alias("jmd")
    )
    assert frame["jmd"].to_list() == MADE
    back, _ = jmdx.convert_column(frame["jmd"], from_="jmd", to="json")
    assert back[0] == '{"id":7}'
    assert jmdx.convert_column(pl.Series("empty", [], dtype=pl.String))[0].to_list() == []
    with pytest.raises(TypeError, match="Int64"):
        jmdx.convert_column(pl.Series([1]))


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    rows = pa.table({"docs": ROWS})
    connection.register("input", rows)
    column = connection.sql("select docs from input").to_arrow_table().column("docs")
    texts, errors = jmdx.convert_column(column)
    output = pa.table({"jmd": texts, "error": errors})
    connection.register("output", output)
    found = connection.sql("select jmd, error.kind from output").fetchall()
    assert found == list(zip(MADE, KINDS, strict=True))


def test_arro3_and_what_is_none_of_these():
    arro3 = pytest.importorskip("arro3.core")
    array = arro3.Array(pa.array(ROWS))
    texts, errors = jmdx.convert_column(array)
    assert type(texts).__module__ == "jmdx._jmdx" and len(texts) == len(errors) == len(ROWS)
    assert "Utf8" in repr(texts) and str(len(ROWS)) in repr(texts)
    assert arro3.Array(texts).to_pylist() == MADE
    assert pa.array(texts).to_pylist() == MADE and kinds(pa.array(errors)) == KINDS
    assert pa.field(texts).type == pa.string()
    assert pa.array(texts, type=pa.large_string()).type == pa.large_string()
    chunked = arro3.ChunkedArray([array, array])
    texts, errors = jmdx.convert_column(chunked)
    for _ in range(2):
        assert pa.chunked_array(texts).to_pylist() == MADE * 2
    assert len(errors) == 2 * len(ROWS) and "2 chunks" in repr(errors)


def test_a_stream_that_breaks_is_told():
    class Breaks:
        def __arrow_c_stream__(self, requested_schema=None):
            raise OSError("no stream")

    with pytest.raises(OSError, match="no stream"):
        jmdx.convert_column(Breaks())

    def batches():
        yield pa.record_batch({"a": ["[1]"]})
        raise OSError("the disk is gone")

    class Breaking:
        def __arrow_c_stream__(self, requested_schema=None):
            schema = pa.schema([("a", pa.string())])
            return pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()

    with pytest.raises(TypeError, match="Struct"):
        jmdx.convert_column(Breaking())


@pytest.mark.parametrize("threads", [1, 2])
def test_other_threads_go_on_meanwhile(threads):
    column = pa.array(['{"a": "' + "x\\n" * 2000 + '"}'] * 500)
    # pyarrow lets go of the GIL, too: from here on only this package is at work.
    (column, _) = _jmdx.convert_arrow(column, "json", "jmd", "null", 1, {})
    stop, count = threading.Event(), [0]

    def work():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0)

    before = sys.getswitchinterval()
    # A thread that holds the GIL would not be asked for it in all the test.
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        progress, deadline = 0, time.monotonic() + 60
        while progress == 0 and time.monotonic() < deadline:
            started = count[0]
            _jmdx.convert_arrow(column, "jmd", "json", "null", threads, {})
            progress = count[0] - started
    finally:
        stop.set()
        sys.setswitchinterval(before)
        thread.join(60)
    assert progress > 0


@pytest.mark.skipif(not hasattr(pa, "json_"), reason="this pyarrow has no type for JSON")
def test_a_column_of_arrows_json_type():
    column = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', None]))
    texts, errors = whole(jmdx.convert_column(column))
    assert (texts.type, texts.to_pylist(), errors.null_count) == (pa.string(), ["# Document\na: 1\n", None], 2)


def test_a_column_of_nulls_without_a_type():
    texts, errors = jmdx.convert_column(pa.nulls(2))
    assert texts.type == pa.string() and texts.to_pylist() == errors.to_pylist() == [None, None]
    texts, _ = jmdx.convert_column(pa.chunked_array([pa.nulls(2), pa.nulls(0), pa.nulls(1)]))
    assert texts.num_chunks == 3 and texts.to_pylist() == [None] * 3


@pytest.mark.parametrize("offsets", [(0, 7, 5, 16), (0, -7, 5, 6), (0, 99, 4, 5)])
@pytest.mark.parametrize("wide", [False, True])
def test_offsets_outside_of_the_text_are_an_error(offsets, wide):
    numbers = b"".join(offset.to_bytes(8 if wide else 4, "little", signed=True) for offset in offsets)
    buffers = [None, pa.py_buffer(numbers), pa.py_buffer(b'{"a":1}{"b":2}{}')]
    array = pa.Array.from_buffers(pa.large_string() if wide else pa.string(), 3, buffers)
    with pytest.raises(ValueError, match="row . of a chunk lies outside of its buffers"):
        jmdx.convert_column(array)


@pytest.mark.parametrize(("buffer", "start"), [(1, 0), (0, 1), (7, 2**31 - 1)])
def test_views_outside_of_their_buffers_are_an_error(buffer, start):
    text = b'{"a":"longer than a view"}'
    view = len(text).to_bytes(4, "little") + text[:4] + buffer.to_bytes(4, "little") + start.to_bytes(4, "little")
    array = pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(view), pa.py_buffer(text)])
    with pytest.raises(ValueError, match="row 0 of a chunk lies outside of its buffers"):
        jmdx.convert_column(array)


@pytest.mark.parametrize(
    ("options", "kind"),
    [({"label": "a\nb"}, "invalid_label"), ({"modes": "data", "mode": "delete"}, "mode_not_allowed")],
)
def test_a_head_that_no_row_can_have_is_told_at_once(options, kind):
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.convert_column(pa.array([], pa.string()), **options)
    assert (caught.value.kind, caught.value.row) == (kind, None)


def test_dictionaries_are_told_to_be_cast():
    with pytest.raises(TypeError, match="cast it"):
        jmdx.convert_column(pa.array(["{}"]).dictionary_encode())
