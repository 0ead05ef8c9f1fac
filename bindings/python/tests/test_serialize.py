"""serialize: Python objects to JMD."""

import enum
import json
import random
import struct
from collections import OrderedDict, defaultdict, namedtuple
from decimal import Decimal

import jmdx
import pytest


class Color(enum.Enum):
    RED = "red"


class Size(str, enum.Enum):
    BIG = "big"


class Level(enum.IntEnum):
    HIGH = 10**20
    LOW = 1


class Text(str):
    def __str__(self):
        return "not this"


class Whole(int):
    def __repr__(self):
        return "not this"

    __str__ = __index__ = __int__ = __repr__


class Real(float):
    def __repr__(self):
        return "not this"


Point = namedtuple("Point", "x y")


def same_as_json(value, **options):
    assert jmdx.serialize(value, **options) == jmdx.to_jmd(json.dumps(value, ensure_ascii=False), **options)


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        (),
        {"a": None, "b": True, "c": False, "d": 0, "e": -1, "f": "x"},
        [2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 10**4000],
        [1.0, -0.0, 0.1, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308, 1e22, 2.5e-7],
        ["", '"', "\\", "\n\t\r\b\f", "\x00\x1f", "é", "\U0001f600", "a" * 100 + '"', "12345678", "1234567\\", "\x7f"],
        {"a": {"b": [1, [2, [], {}], {"c": ()}]}, "": 1, "a.b": 2, "é": 3},
        [Level.LOW, Level.HIGH, Size.BIG, Text("a"), Point(1, 2)],
        OrderedDict(b=1, a=2),
        defaultdict(list, a=[1]),
    ],
)
def test_what_json_writes(value):
    same_as_json(value, label="Order")
    same_as_json(value, order="grouped", quote="always")


def test_subclasses_of_numbers_are_their_values():
    assert jmdx.serialize([Real(1.5)]) == "# Document[]\n- 1.5\n"
    assert jmdx.serialize([Whole(7), Whole(10**30)]) == f"# Document[]\n- 7\n- {10**30}\n"


def test_an_ordered_dict_has_its_own_order():
    members = OrderedDict(a=1, b=2)
    members.move_to_end("a")
    assert jmdx.serialize(members) == "# Document\nb: 2\na: 1\n"


def test_random_floats_are_written_as_repr_does():
    source = random.Random(3)
    floats = [struct.unpack("<d", source.randbytes(8))[0] for _ in range(5000)]
    floats = [number for number in floats if number - number == 0] + [10.0**n for n in range(-30, 30)]
    floats += [source.randrange(10**17) / 10 ** source.randrange(20) for _ in range(5000)]
    floats += [source.randrange(2**52) + source.randrange(16) / 16 for _ in range(5000)]
    lines = jmdx.serialize(floats).splitlines()[1:]
    assert lines == [f"- {number!r}" for number in floats]


def test_decimals_are_written_with_all_digits():
    texts = ["1.50", "-0", "1E+400", "0E-7", "123456789012345678901234567890.5"]
    assert jmdx.serialize([Decimal(text) for text in texts]).splitlines()[1:] == [f"- {text}" for text in texts]


def test_there_and_back():
    value = {"a": [1, 2.5, "x", None, True, {"b": [[], {}, [[1]]]}], "c": {"d": "1", "e": "true", "f": ""}}
    assert jmdx.parse(jmdx.serialize(value)).value == value
    envelope = jmdx.Envelope("query", "Orders", {"page": 2}, {"status": "open"})
    assert jmdx.parse(jmdx.serialize(envelope)) == envelope
    deletes = jmdx.Envelope("delete", "Order", {}, {"id": 1})
    assert jmdx.serialize(deletes) == "#- Order\nid: 1\n"


def test_an_envelope_brings_its_head():
    for head in ({"label": "A"}, {"mode": "data"}, {"frontmatter": {"a": 1}}):
        with pytest.raises(TypeError, match="Envelope"):
            jmdx.serialize(jmdx.Envelope(value={}), **head)
    with pytest.raises(ValueError, match="mode"):
        jmdx.serialize(jmdx.Envelope(mode="other", value={}))


def test_head():
    assert jmdx.serialize({"a": 1}, label="A", mode="query", frontmatter={"p": 1}) == "p: 1\n\n#? A\na: 1\n"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": [{1: 2}]}, '"/a/0"'),
        ({None: 1}, '""'),
        ({"a": {b"b": 1}}, '"/a"'),
        ({"a": [1, object()]}, '"/a/1"'),
        ([{"a/b~": {1, 2}}], '"/0/a~1b~0"'),
        ({"a": Color.RED}, '"/a"'),
        ([b"bytes"], '"/0"'),
        (object(), '""'),
    ],
)
def test_what_has_no_form_is_a_type_error_with_its_place(value, place):
    with pytest.raises(TypeError) as caught:
        jmdx.serialize(value)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("value", "kind", "place"),
    [
        ([float("nan")], "invalid_value", '"/0"'),
        ({"a": float("-inf")}, "invalid_value", '"/a"'),
        ([Decimal("NaN")], "invalid_value", '"/0"'),
        ([Decimal("sNaN")], "invalid_value", '"/0"'),
        ([Decimal("Infinity")], "invalid_value", '"/0"'),
        ([Real("inf")], "invalid_value", '"/0"'),
        ({"a": ["x\ud800"]}, "invalid_value", '"/a/0"'),
        ({"a": {"\udfff": 1}}, "invalid_value", '"/a/'),
        ("text", "scalar_root", ""),
        (None, "scalar_root", ""),
        (7, "scalar_root", ""),
    ],
)
def test_what_is_refused(value, kind, place):
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.serialize(value)
    error = caught.value
    assert (error.kind, error.line, error.column, error.offset) == (kind, None, None, None)
    assert place in str(error)


@pytest.mark.parametrize("depth", [None, 5, 1000])
def test_cycles_are_told(depth):
    ring = {"a": []}
    ring["a"].append(ring)
    with pytest.raises(jmdx.JmdxError, match="contains itself") as caught:
        jmdx.serialize(ring, max_depth=depth)
    assert (caught.value.kind, caught.value.limit) == ("resource_limit", "depth")


def nested(shape, depth):
    value = []
    for _ in range(depth):
        value = {"a": value} if shape == "dict" or (shape == "both" and isinstance(value, list)) else [value]
    return value


@pytest.mark.parametrize("shape", ["dict", "list", "both"])
def test_depth_is_counted_as_in_json_text(shape):
    for depth in range(20):
        value = nested(shape, depth)
        for bound in range(1, 22):
            both = [works(lambda: jmdx.serialize(value, max_depth=bound))]
            both.append(works(lambda: jmdx.to_jmd(json.dumps(value), max_depth=bound)))
            assert both[0] == both[1], (shape, depth, bound)


def works(call):
    try:
        return call()
    except jmdx.JmdxError as error:
        return (error.kind, error.limit)


def test_a_value_may_be_as_deep_as_max_depth_says():
    value = nested("list", 2000)
    jmd = jmdx.serialize(value, max_depth=2001)
    read = jmdx.parse(jmd, max_depth=2001).value
    depth = 0
    while read:
        (read,) = read
        depth += 1
    assert depth == 2000


def test_a_list_that_shrinks_while_it_is_read():
    items = []

    class Shrinks(dict):
        def items(self):
            items.clear()
            return {"a": 1}.items()

    items.extend([Shrinks(), 1, 2])
    assert jmdx.serialize(items) == "# Document[]\n- a: 1\n"


def test_exceptions_of_the_values_pass():
    class Breaks(dict):
        def items(self):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        jmdx.serialize([Breaks()])


def test_the_interpreters_limit_on_digits():
    with pytest.raises(ValueError, match="set_int_max_str_digits"):
        jmdx.serialize([10**5000])


def test_an_int_with_too_many_digits_is_told_with_its_place():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.serialize({"a": [1, 10**5000]})
    assert caught.value.kind == "invalid_value" and '"/a/1"' in str(caught.value)
