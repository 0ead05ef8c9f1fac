"""Hostile input: bounded, refused with a kind, and never a crash."""

import random
import time

import jmdx
import pytest

FUNCTIONS = {
    "to_jmd": jmdx.to_jmd,
    "to_json": jmdx.to_json,
    "parse": jmdx.parse,
    "events": lambda data: list(jmdx.events([data])),
}
JMD = b'# A\na: 1\nb: "\\ud800"\nc:\n> x\n\n## d[]\n- 1\n- e: |\n    y\n\n## f\ng: -1.5e3\n\n## f\nh: true\n'
JSON = b'{"a":[1,-1.5e3,{"b":"\\ud800 x","c":null}],"d":true,"e":"\xc3\xa9"}'


@pytest.mark.parametrize("name", FUNCTIONS)
def test_damaged_documents_are_read_or_refused(name):
    source = random.Random(11)
    refused = 0
    for seed in (JMD, JSON):
        for _ in range(2000):
            data = bytearray(seed)
            for _ in range(source.randrange(1, 4)):
                place = source.randrange(len(data) + 1)
                data[place : place + source.randrange(3)] = source.randbytes(source.randrange(3))
            try:
                FUNCTIONS[name](bytes(data))
            except jmdx.JmdxError as error:
                refused += 1
                assert 0 <= error.offset <= len(data) and error.line >= 1 and error.column >= 1 and error.kind
    assert refused > 500


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nesting_is_bounded(name):
    for data in (b"[" * 10**6, b'{"a":' * 10**6, b"# A\n" + b"".join(b"#" * n + b" a\n" for n in range(2, 2000))):
        with pytest.raises(jmdx.JmdxError):
            FUNCTIONS[name](data)


def test_keys_that_were_made_to_collide_take_no_longer():
    for make in (lambda n: f"k{n}", lambda n: f"{'x' * 24}{n:08}", lambda n: "a" * (n % 33) + str(n)):
        jmd = "# A\n" + "".join(f"{make(n)}: 1\n" for n in range(50_000))
        start = time.monotonic()
        assert len(jmdx.parse(jmd).value) == len({make(n) for n in range(50_000)})
        assert time.monotonic() - start < 60


def test_promotion_takes_time_in_proportion():
    jmd = "# A\n" + "\n## x\na: 1\n" * 50_000
    start = time.monotonic()
    assert len(jmdx.parse(jmd).value["x"]) == 50_000
    assert time.monotonic() - start < 60


def test_a_long_number_is_refused_before_it_takes_long():
    digits = "9" * 2_000_000
    start = time.monotonic()
    with pytest.raises(jmdx.JmdxError):
        jmdx.parse(f"# A\na: {digits}\n")
    for floats in ("float", "exact"):
        assert jmdx.parse(f"# A\na: 0.{digits}\n", floats=floats).value["a"] <= 1
    assert time.monotonic() - start < 60


def test_text_cannot_become_structure():
    value = {"a": "x\n# B\nb: 1", "## c": "- 1", "d": ["# E", "> f", "---", "null", "1.0", ""]}
    for quote in ("auto", "always"):
        assert jmdx.parse(jmdx.serialize(value, quote=quote)).value == value


def test_ansi_and_controls_do_not_get_into_messages():
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_json("# A\n\x1b[31mprose\n")
    assert "\x1b" not in str(caught.value)
