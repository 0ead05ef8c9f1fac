"""parse: Python objects from JMD."""

import json
import math
import random
import struct
import sys
from decimal import Decimal

import jmdx
import pytest


def value(jmd, **options):
    return jmdx.parse(jmd, **options).value


def numbers(*texts, **options):
    return value("# []\n" + "".join(f"- {text}\n" for text in texts), **options)


def test_an_envelope():
    envelope = jmdx.parse('page: 2\nby: "x"\n\n#? Orders\nstatus: open\n')
    assert envelope == jmdx.Envelope("query", "Orders", {"page": 2, "by": "x"}, {"status": "open"})
    assert envelope != jmdx.Envelope("data", "Orders", {"page": 2, "by": "x"}, {"status": "open"})
    assert list(envelope.frontmatter) == ["page", "by"]
    assert eval(repr(envelope), {"Envelope": jmdx.Envelope}) == envelope
    match envelope:
        case jmdx.Envelope("query", label, _, {"status": status}):
            assert (label, status) == ("Orders", "open")
        case _:
            raise AssertionError("an envelope has match args")


def test_modes():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.parse("#- Order\nid: 1\n")
    assert (caught.value.kind, caught.value.line) == ("mode_not_allowed", 1)
    assert jmdx.parse("#- Order\nid: 1\n", modes="delete").mode == "delete"
    assert jmdx.parse("#! Order\nid: 1\n").mode == "schema"


def test_repeated_headings_become_a_list_at_the_place_of_the_first():
    jmd = "# A\n\n## x\nn: 1\n\n## y\nn: 2\n\n## x\nn: 3\n\n## x\nn: 4\n"
    assert list(value(jmd).items()) == [("x", [{"n": 1}, {"n": 3}, {"n": 4}]), ("y", {"n": 2})]


def test_multi_line_strings():
    jmd = "# A\na:\n> one\n>\n> two\nb: |\n  x\n   y\nc: >\n  p\n  q\n\nd:\n"
    expected = json.loads(jmdx.to_json(jmd))
    assert value(jmd) == expected
    assert expected["a"] == "one\n\ntwo" and expected["c"] == "p q"


def test_integers_have_any_size():
    texts = ["0", "-0", "-1", str(2**63 - 1), str(-(2**63)), str(2**63), "9" * 4000]
    read = numbers(*texts)
    assert read == [int(text) for text in texts] and all(type(number) is int for number in read)


def test_an_integer_beyond_the_limit_of_the_interpreter_is_refused_at_its_place():
    with pytest.raises(jmdx.JmdxError, match="set_int_max_str_digits") as caught:
        numbers("1", "9" * (sys.get_int_max_str_digits() + 1))
    assert (caught.value.kind, caught.value.line, caught.value.column) == ("invalid_value", 3, 3)


FLOATS = ["1.0", "1.50", "-0.0", "1e5", "1E+5", "0.1", "5e-324", "1e-400", "1.7976931348623157e308", "123456789012345678.5"]


def test_floats_are_those_of_json():
    read = numbers(*FLOATS)
    assert [repr(number) for number in read] == [repr(json.loads(text)) for text in FLOATS]


def test_what_would_be_infinite_is_refused():
    for text in ("1e400", "-1e309", "1" + "0" * 400 + ".0"):
        with pytest.raises(jmdx.JmdxError, match='floats="exact"') as caught:
            numbers("1.5", text)
        assert (caught.value.kind, caught.value.line, caught.value.column) == ("invalid_value", 3, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.50", 1.5),
        ("0.1", 0.1),
        ("-0.0", -0.0),
        ("0e99999999999999999999", 0.0),
        ("100e-2", 1.0),
        ("1e22", 1e22),
        ("1e23", 1e23),
        ("0.10000000000000001", Decimal("0.10000000000000001")),
        ("1e400", Decimal("1e400")),
        ("1e-400", Decimal("1e-400")),
        ("123456789012345678.5", Decimal("123456789012345678.5")),
    ],
)
def test_exact_floats(text, expected):
    (read,) = numbers(text, floats="exact")
    assert (type(read), read) == (type(expected), expected)
    if expected == 0:
        assert math.copysign(1, read) == math.copysign(1, expected)


def test_exact_is_exact_for_random_numbers():
    source = random.Random(7)
    floats = [struct.unpack("<d", source.randbytes(8))[0] for _ in range(2000)]
    texts = [repr(number) for number in floats if math.isfinite(number)]
    texts += [f"{source.randrange(10**source.randrange(1, 25))}.{source.randrange(10**9)}" for _ in range(2000)]
    texts += [f"{source.randrange(10**5)}e{source.randrange(-330, 330)}" for _ in range(2000)]
    for text, read in zip(texts, numbers(*texts, floats="exact"), strict=True):
        told = Decimal(text) == Decimal(repr(float(text))) if math.isfinite(float(text)) else False
        assert type(read) is (float if told else Decimal), text
        assert Decimal(repr(read) if told else read) == Decimal(text)


def test_decimals_keep_all_digits():
    assert [str(number) for number in numbers("1.50", "1e2", "7", floats="decimal")] == ["1.50", "1E+2", "7"]
    assert type(numbers("7", floats="decimal")[0]) is int
    for floats in ("decimal", "exact"):
        with pytest.raises(jmdx.JmdxError, match="Decimal"):
            numbers("1e99999999999999999999", floats=floats)


def test_strings():
    texts = ["", "é", "\U0001f600", 'a"b\\c', "\x00\x1f", "  spaced  ", "x" * 10000, "null", "1"]
    jmd = jmdx.to_jmd(json.dumps({"texts": texts, "🔑 é": 1, 'q"': 2}))
    assert value(jmd) == {"texts": texts, "🔑 é": 1, 'q"': 2}


def test_lone_surrogates_are_read_as_json_reads_them():
    jmd = '# A\na: "x\\ud800y"\n"\\udc00": 1\n'
    assert value(jmd) == {"a": "x\ud800y", "\udc00": 1}


def test_repeated_keys_are_one_object():
    rows = value("# []\n" + "- id: 1\n  name: x\n" * 3)
    keys = [list(row) for row in rows]
    assert keys[0] == ["id", "name"]
    assert all(left is right for other in keys[1:] for left, right in zip(keys[0], other, strict=True))


def test_keys_of_all_lengths_are_told_apart():
    keys = [c * n for n in range(1, 70) for c in "abé"] + [f"key{n}" for n in range(5000)]
    for _ in range(2):
        read = value(jmdx.to_jmd(json.dumps(dict.fromkeys(keys, 1))))
        assert list(read) == keys


def test_errors_tell_kind_and_place():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.parse("# Order\nid: 1\nid: 2\n")
    error = caught.value
    assert (error.kind, error.line, error.column, error.offset) == ("repeated_scalar_key", 3, 1, 14)
