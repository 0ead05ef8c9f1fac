"""Constructs of JMD that other readers take for something else: for each a function that writes a document without it.

A document is a text, and lines end in LF. The functions look at lines one by one, wherever they stand, so they may change
lines that mean nothing of the kind; this does no harm, because what they make is compared anew.
"""
import math
import re

BARE = r"[A-Za-z0-9_-]+"
QUOTED = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"'
KEY = re.compile(f"(?:{BARE}|{QUOTED})")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
LINE = re.compile(r"(?P<indent>[ \t]*)(?P<mark>(?:(?<![ \t])#+[ \t]+)?(?:- )?)(?P<content>.*?)(?P<end>[ \t]*\r?)", re.S)
STRICT_FIELD = re.compile(rf"{KEY.pattern}(?:: .*|:)", re.S)
# With anything for a key.
FIELD = re.compile(f"(?P<key>{KEY.pattern}|.*?)(?P<colon>: |:$)(?P<value>.*)", re.S)


def each_line(change):
    """A mend that puts `change(line)` in the place of every line, and nothing where that is None."""

    def mend(text):
        lines = (change(line) for line in text.split("\n"))
        return "\n".join(line for line in lines if line is not None)

    return mend


def body(change):
    """As each_line, from behind the root heading on."""

    def mend(text):
        head, tail = at_root(text)
        root, feed, rest = tail.partition("\n")
        return head + root + feed + each_line(change)(rest)

    return mend


def frontmatter(change):
    """As each_line, before the root heading."""

    def mend(text):
        head, tail = at_root(text)
        return "".join(line + "\n" for line in map(change, head.split("\n")[:-1]) if line is not None) + tail

    return mend


def beside_root(change):
    """As each_line, but not of the root heading."""
    return lambda text: body(change)(frontmatter(change)(text))


def root(change):
    """A mend of the root heading alone."""

    def mend(text):
        head, tail = at_root(text)
        line, feed, rest = tail.partition("\n")
        return head + change(line) + feed + rest if line else text

    return mend


def at_root(text):
    """The text before the root heading, and from it on."""
    found = re.search(r"^\ufeff?(#[?!-]?(?:[ \t]|\r?$))", text, re.M)
    at = found.start(1) if found else len(text)
    return text[:at], text[at:]


def each_value(change):
    """A mend of the scalar, if there is one, of every line."""

    def line(text):
        parts = LINE.fullmatch(text)
        start = parts["indent"] + parts["mark"]
        is_scalar_item = parts["mark"].endswith("- ") and not STRICT_FIELD.fullmatch(parts["content"])
        field = FIELD.fullmatch(parts["content"])
        if is_scalar_item and parts["content"]:
            return start + change(parts["content"]) + parts["end"]
        if field and field["value"]:
            return start + field["key"] + ": " + change(field["value"]) + parts["end"]
        return text

    return beside_root(line)


def beside_root(change):
    """As each_line, but not of the root heading."""
    return lambda text: body(change)(frontmatter(change)(text))


def root(change):
    """A mend of the root heading alone."""

    def mend(text):
        head, tail = at_root(text)
        line, feed, rest = tail.partition("\n")
        return head + change(line) + feed + rest if line else text

    return mend


def at_root(text):
    """The text before the root heading, and from it on."""
    found = re.search(r"^\ufeff?(#[?!-]?(?:[ \t]|\r?$))", text, re.M)
    at = found.start(1) if found else len(text)
    return text[:at], text[at:]


def each_value(change):
    """A mend of the scalar, if there is one, of every line."""

    def line(text):
        parts = LINE.fullmatch(text)
        start = parts["indent"] + parts["mark"]
        is_scalar_item = parts["mark"].endswith("- ") and not STRICT_FIELD.fullmatch(parts["content"])
        field = FIELD.fullmatch(parts["content"])
        if is_scalar_item and parts["content"]:
            return start + change(parts["content"]) + parts["end"]
        if field and field["value"]:
            return start + field["key"] + ": " + change(field["value"]) + parts["end"]
        return text

    return beside_root(line)


def each_key(change):
    """A mend of what stands where a key should, in every field."""

    def line(text):
        parts = LINE.fullmatch(text)
        field = FIELD.fullmatch(parts["content"])
        if not field or KEY.fullmatch(parts["content"]):
            return text
        return parts["indent"] + parts["mark"] + change(field["key"]) + field["colon"] + field["value"] + parts["end"]

    return beside_root(line)


def word_for(characters):
    """A mend of such characters: none at the ends of a line, a blank behind number signs, an x elsewhere."""

    def line(text):
        text = re.sub(f"^([ \t]*){characters}+|{characters}+([ \t]*\r?)$", r"\1\2", text)
        text = re.sub(f"^(#+[?!-]?){characters}+", r"\1 ", text)
        return re.sub(characters, "x", text)

    return each_line(line)


def replaced(pattern, by):
    """A mend that replaces a pattern in the whole text."""
    return lambda text: re.sub(pattern, by, text)


def is_number_to_someone(value):
    return value.lstrip("-")[:1].isdigit() and not NUMBER.fullmatch(value)


def is_infinite(value):
    return NUMBER.fullmatch(value) and len(value) <= 127 and math.isinf(float(value))


def is_long_number(value):
    return NUMBER.fullmatch(value) and len(value) > 127


def word_if(condition):
    return lambda value: "word" if condition(value) else value
