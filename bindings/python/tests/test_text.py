"""to_jmd and to_json: every option, and what is refused."""

import json

import jmdx
import pytest

JSON = '{"id": 7, "price": 1.50, "tags": ["a", "b"], "zip": "01234"}'
JMD = '# Document\nid: 7\nprice: 1.50\n\n## tags[]\n- a\n- b\n## zip: "01234"\n'


@pytest.mark.parametrize("kind", [str, str.encode, lambda t: bytearray(t, "utf-8"), lambda t: memoryview(t.encode())])
def test_all_kinds_of_text(kind):
    assert jmdx.to_jmd(kind(JSON)) == JMD
    assert jmdx.to_json(kind(JMD)) == '{"id":7,"price":1.50,"tags":["a","b"],"zip":"01234"}'


def test_a_memoryview_may_have_gaps():
    assert jmdx.to_jmd(memoryview(b"[x1x]x")[::2]) == "# Document[]\n- 1\n"


@pytest.mark.parametrize("data", [None, 7, ["[1]"], {"a": 1}, object()])
def test_other_types_are_a_type_error(data):
    for function in (jmdx.to_jmd, jmdx.to_json, jmdx.parse):
        with pytest.raises(TypeError, match=type(data).__name__):
            function(data)


def test_head():
    assert jmdx.to_jmd("[1]", label="") == "# []\n- 1\n"
    assert jmdx.to_jmd('{"a":1}', label="Orders", mode="query") == "#? Orders\na: 1\n"
    assert jmdx.to_jmd('{"a":1}', mode="delete") == "#- Document\na: 1\n"
    fields = {"source": "crm", "page": 2, "rate": 0.5, "full": True, "next": None, "zip": "01"}
    head = 'source: crm\npage: 2\nrate: 0.5\nfull\nnext: null\nzip: "01"\n\n'
    assert jmdx.to_jmd('{"a":1}', frontmatter=fields) == head + "# Document\na: 1\n"
    assert jmdx.to_jmd("[1]", frontmatter=None) == jmdx.to_jmd("[1]", frontmatter={})


def test_frontmatter_holds_scalars_only():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd("[1]", frontmatter={"a": [1]})
    assert caught.value.kind == "invalid_frontmatter_value" and '"/a"' in str(caught.value)
    for wrong in ({1: 2}, [1], "a"):
        with pytest.raises(TypeError, match="frontmatter"):
            jmdx.to_jmd("[1]", frontmatter=wrong)


def test_a_label_that_would_not_be_read_back_is_refused():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd("[1]", label="a\nb")
    assert (caught.value.kind, caught.value.offset) == ("invalid_label", 0)
    kind(lambda: jmdx.to_jmd("[1]", label="\ud800"), "invalid_label")


def test_order_and_quote():
    json_text = '{"a":{"b":1},"c":"x"}'
    source, grouped = jmdx.to_jmd(json_text), jmdx.to_jmd(json_text, order="grouped")
    assert source.index("b: 1") < source.index("c: x") and grouped.index("c: x") < grouped.index("b: 1")
    assert json.loads(jmdx.to_json(source)) == json.loads(jmdx.to_json(grouped))
    assert jmdx.to_jmd('["x"]', quote="always") == '# Document[]\n- "x"\n'
    assert jmdx.to_jmd('["x"]', quote="auto") == "# Document[]\n- x\n"


def test_duplicate_keys():
    twice = '{"a":1,"b":2,"a":3}'
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd(twice)
    assert (caught.value.kind, caught.value.offset) == ("duplicate_key", 13)
    assert jmdx.to_jmd(twice, duplicate_keys="first") == "# Document\na: 1\nb: 2\n"
    assert jmdx.to_jmd(twice, duplicate_keys="last") == "# Document\nb: 2\na: 3\n"


def test_envelope_and_modes():
    envelope = '{"mode":"query","label":"Orders","frontmatter":{"page":2},"value":{"status":"open"}}'
    jmd = "page: 2\n\n#? Orders\nstatus: open\n"
    assert jmdx.to_jmd(envelope, envelope=True) == jmd
    assert jmdx.to_json(jmd, envelope=True) == envelope
    kind(lambda: jmdx.to_json(jmd), "mode_not_allowed")
    kind(lambda: jmdx.to_json(jmd, modes="query"), "frontmatter_not_allowed")
    assert jmdx.to_json(jmd, modes=["data", "query"], frontmatter="drop") == '{"status":"open"}'
    with pytest.raises(TypeError, match="envelope"):
        jmdx.to_jmd(envelope, envelope=True, label="Other")
    delete = '{"mode":"delete","label":"Order","frontmatter":{},"value":{"id":1}}'
    kind(lambda: jmdx.to_jmd(delete, envelope=True), "mode_not_allowed")
    assert jmdx.to_jmd(delete, envelope=True, modes="delete") == "#- Order\nid: 1\n"
    kind(lambda: jmdx.to_jmd("[1]", mode="query", modes="data"), "mode_not_allowed")


def test_pretty_and_ascii():
    assert jmdx.to_json("# A\na: é\n", pretty=True) == '{\n  "a": "é"\n}'
    assert jmdx.to_json("# A\na: é\n", ascii=True) == '{"a":"\\u00e9"}'


@pytest.mark.parametrize(
    ("work", "limit"),
    [
        (lambda n: jmdx.to_jmd("[[[]]]", max_depth=n + 2), "depth"),
        (lambda n: jmdx.to_jmd("[1,2,3]", max_document=n + 6), "document_bytes"),
        (lambda n: jmdx.to_jmd("[1]", max_output=n + len("# Document[]\n- 1\n") - 1), "output_bytes"),
        (lambda n: jmdx.to_jmd('{"a":1,"b":2,"c":3}', max_keys=n + 2), "keys"),
        (lambda n: jmdx.to_json("# A\n\n## b\n\n### c\n", max_depth=n + 2), "depth"),
        (lambda n: jmdx.to_json("# A\na: 1\n", max_document=n + 8), "document_bytes"),
        (lambda n: jmdx.to_json("# A\na: 1\n", max_output=n + 6), "output_bytes"),
        (lambda n: jmdx.to_json("# A\na: 1\nb: 2\n", max_keys=n + 1), "keys"),
        (lambda n: jmdx.to_json("# A\nab: 12\n", max_line=n + 5), "line_bytes"),
        (lambda n: jmdx.parse("# A\n\n## b\n\n### c\n", max_depth=n + 2), "depth"),
        (lambda n: jmdx.parse("# A\na: 1\n", max_document=n + 8), "document_bytes"),
        (lambda n: jmdx.parse("# A\na: 1\nb: 2\n", max_keys=n + 1), "keys"),
        (lambda n: jmdx.parse("# A\nab: 12\n", max_line=n + 5), "line_bytes"),
        (lambda n: jmdx.serialize([[[]]], max_depth=n + 2), "depth"),
        (lambda n: jmdx.serialize([1], max_output=n + len("# Document[]\n- 1\n") - 1), "output_bytes"),
        (lambda n: jmdx.serialize({"a": 1, "b": 2, "c": 3}, max_keys=n + 2), "keys"),
        (lambda n: list(jmdx.events(["# A\n\n## b\n\n### c\n"], max_depth=n + 2)), "depth"),
    ],
)
def test_each_bound_holds_at_one_less(work, limit):
    work(1)
    with pytest.raises(jmdx.JmdxError) as caught:
        work(0)
    assert (caught.value.kind, caught.value.limit) == ("resource_limit", limit)
    assert f"({limit})" in str(caught.value)


def test_a_bound_of_none_is_the_default():
    assert jmdx.to_jmd("[1]", max_depth=None, max_document=None, max_output=None, max_keys=None)
    assert jmdx.to_json("# A\n", max_line=None) == "{}"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"order": "any"}, ValueError),
        ({"order": None}, TypeError),
        ({"quote": "needed"}, ValueError),
        ({"duplicate_keys": "drop"}, ValueError),
        ({"mode": "Data"}, ValueError),
        ({"mode": 1}, TypeError),
        ({"modes": "all"}, ValueError),
        ({"modes": ["data", 7]}, TypeError),
        ({"modes": 7}, TypeError),
        ({"label": b"A"}, TypeError),
        ({"envelope": "yes"}, TypeError),
        ({"max_depth": -1}, ValueError),
        ({"max_depth": 1 << 40}, ValueError),
        ({"max_output": "8MiB"}, ValueError),
        ({"pretty": True}, TypeError),
        ({"nothing": 1}, TypeError),
    ],
)
def test_wrong_options_are_told(options, error):
    with pytest.raises(error) as caught:
        jmdx.to_jmd("[1]", **options)
    assert not isinstance(caught.value, jmdx.JmdxError)
    assert next(iter(options)) in str(caught.value)


def test_errors_tell_kind_and_place():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_json("# Order\nid: 1\nsome prose\n")
    error = caught.value
    assert (error.kind, error.line, error.column, error.offset) == ("prose_in_body", 3, 1, 14)
    assert (error.row, error.limit) == (None, None)
    assert str(error) == f"3:1: prose_in_body: {error.message}"
    assert isinstance(error, ValueError)


def test_a_lone_surrogate_has_its_place():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd('["é",\n"ab\ud800"]')
    error = caught.value
    assert (error.kind, error.line, error.column, error.offset) == ("invalid_utf8", 2, 4, 10)


def test_an_escaped_surrogate_stays_an_escape():
    jmd = jmdx.to_jmd('["\\ud800"]')
    assert jmdx.to_json(jmd) == '["\\ud800"]'


def kind(work, expected):
    with pytest.raises(jmdx.JmdxError) as caught:
        work()
    assert caught.value.kind == expected
