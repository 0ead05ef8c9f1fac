"""events: while chunks arrive."""

import jmdx
import pytest


def test_an_event_comes_out_before_the_next_chunk_is_asked_for():
    asked = []

    def chunks():
        for chunk in ("# Answer\nreasoning: because\nres", "ult: 42\n", "more: 1\n"):
            asked.append(chunk)
            yield chunk

    events = jmdx.events(chunks())
    assert iter(events) is events and asked == []
    seen = [next(events) for _ in range(3)]
    assert len(asked) == 1
    assert seen[0] == {"type": "DOCUMENT_START", "mode": "data", "label": "Answer", "frontmatter": {}}
    assert seen[2] == {"type": "FIELD", "key": "reasoning", "value": "because"}
    assert next(events) == {"type": "FIELD", "key": "result", "value": 42}
    assert len(asked) == 2
    assert [event["type"] for event in events] == ["FIELD", "OBJECT_END", "DOCUMENT_END"]
    assert next(events, None) is None


def test_bytes_may_be_cut_anywhere():
    jmd = "# Ä\nkey: é\U0001f600\n".encode()
    whole = list(jmdx.events([jmd]))
    assert whole == list(jmdx.events(jmd)) == list(jmdx.events(jmd.decode()))
    for size in range(1, len(jmd)):
        assert list(jmdx.events(jmd[at : at + size] for at in range(0, len(jmd), size))) == whole
    assert list(jmdx.events([b"", jmd[:3], bytearray(jmd[3:]), memoryview(b"")])) == whole


def test_an_error_comes_behind_the_events_before_it():
    events = jmdx.events(["# A\na: 1\nprose\n", "b: 2\n"])
    assert [next(events)["type"] for _ in range(3)] == ["DOCUMENT_START", "OBJECT_START", "FIELD"]
    with pytest.raises(jmdx.JmdxError) as caught:
        next(events)
    error = caught.value
    assert (error.kind, error.line, error.column, error.offset) == ("prose_in_body", 3, 1, 9)
    assert next(events, "over") == "over"


def test_a_document_that_is_cut_off_is_no_document():
    with pytest.raises(jmdx.JmdxError) as caught:
        list(jmdx.events([]))
    assert caught.value.kind == "no_root_heading"


def test_what_the_chunks_raise_passes_and_ends_it():
    def chunks():
        yield "# A\na: 1\n"
        raise OSError("the line is dead")

    events = jmdx.events(chunks())
    assert [next(events)["type"] for _ in range(3)] == ["DOCUMENT_START", "OBJECT_START", "FIELD"]
    with pytest.raises(OSError, match="dead"):
        next(events)
    assert next(events, "over") == "over"


@pytest.mark.parametrize("chunks", [7, None, [7], ["# A\n", None]])
def test_other_types_are_a_type_error(chunks):
    with pytest.raises(TypeError):
        list(jmdx.events(chunks))


def test_floats_and_modes():
    events = list(jmdx.events(["#- A\na: 1.50\nb: 1e400\n"], floats="exact", modes="delete"))
    assert [(type(event["value"]).__name__, str(event["value"])) for event in events[2:4]] == [
        ("float", "1.5"),
        ("Decimal", "1E+400"),
    ]
    with pytest.raises(jmdx.JmdxError) as caught:
        list(jmdx.events(["# A\n", "a: 1\nb: 1e400\n"]))
    assert (caught.value.kind, caught.value.line, caught.value.column) == ("invalid_value", 3, 4)
    with pytest.raises(jmdx.JmdxError) as caught:
        list(jmdx.events(["#- A\n"]))
    assert caught.value.kind == "mode_not_allowed"


def test_a_list_of_items_and_texts():
    jmd = "# []\n- 1\n- a: 2\n  b:\n  > x\n  > y\n"
    types = [event["type"] for event in jmdx.events([jmd])]
    assert types[0] == "DOCUMENT_START" and "ITEM_VALUE" in types and "ITEM_START" in types
    assert [e["value"] for e in jmdx.events(["# A\nb:\n> x\n> y\n"]) if e["type"] == "FIELD_CONTENT"] == ["x", "y"]


def test_a_lone_surrogate_is_refused_where_it_stands_behind_the_events_before_it():
    for chunks in (["# D\n", "a: 1\n", "b: \ud800\n"], ["# D\na: 1\nb: \ud800\n"], [b"# D\na: 1\nb: \xff\n"]):
        seen = []
        with pytest.raises(jmdx.JmdxError) as caught:
            for event in jmdx.events(chunks):
                seen.append(event["type"])
        error = caught.value
        assert (error.kind, error.line, error.column, error.offset) == ("invalid_utf8", 3, 4, 12)
        assert seen == ["DOCUMENT_START", "OBJECT_START", "FIELD"]
