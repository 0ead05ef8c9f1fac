"""The classes of differences: constructs that other readers take for something else, each with what writes a document
without it. The table in docs/format-decisions.md has the same names and readers, with what they do and the authority."""
import re
from dataclasses import dataclass
from itertools import count
from typing import Callable

from lines import FIELD, KEY, QUOTED, at_root, beside_root, body, each_key, each_value, frontmatter
from lines import is_infinite, is_long_number, is_number_to_someone, replaced, root, word_for, word_if
from scopes import each_place, field_heading, popped_item, without_jump

LINE_ENDS = "[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]"
WHITE = "[\x1f\xa0\u3000\ufeff]"
BLANK_LINES = r"(?:^[ \t]*\r?\n)+"
EMPTY_FIELD = rf"(?m)^({KEY.pattern}):[ \t]*\r?(?:\n|$)(?:[ \t]*>.*(?:\n|$))*"
BLOCK_FIELD = rf"(?m)^({KEY.pattern}: )[|>][ \t]*\r?\n(?:(?:  |\t).*(?:\n|\Z)|[ \t]*\r?\n)+"


@dataclass(frozen=True)
class Class:
    """A construct, who differs because of it, and what takes it out of a text."""

    name: str
    readers: tuple
    mend: Callable[[str], str]


def loose_key(key):
    """A bare key in the place of what is none."""
    return key if KEY.fullmatch(key) else "loose" + re.sub("[^A-Za-z0-9]", "_", key)


def quoted_without_colon(line):
    """A quoted key without a colon and a blank in it."""
    found = re.match(rf"([ \t]*(?:#+[ \t]+)?(?:- )?)({QUOTED})", line)
    return found[1] + found[2].replace(": ", ":") + line[found.end():] if found else line


def lone_text(line):
    text = line.rstrip(" \t\r")
    if text == "" or re.fullmatch("-{3,}", text) or KEY.fullmatch(text) or ": " in text or text.endswith(":"):
        return line
    return None


def is_broken_string(value):
    return value.startswith('"') and not re.fullmatch(QUOTED, value)


def is_structure(value):
    return value == "-" or value.startswith(("- ", "# "))


def without_bars(text):
    """`|` and `>` with nothing indented behind them as words."""
    block = r"[ \t]*\r?\n(?:[ \t]*\r?\n)*(?:  |\t)[ \t]*[^ \t\r\n]"
    return re.sub(rf"(?m)(: |^- )[|>](?=[ \t]*\r?$)(?!{block})", r"\1word", text)


def unindented(line):
    return line.lstrip(" \t")


def with_item_values(text):
    """Items that are only a key and a colon, with a value."""

    def item(found):
        return found[1] + loose_key(found[2]) + ": word" + found[3]

    return re.sub(r"(?m)^([ \t]*(?:#+[ \t]+)?- )(.*?):([ \t]*\r?)$(?!\n[ \t]*>)", item, text)


def named_root(line):
    """A root heading with a label, and nothing between it and its brackets."""
    found = re.fullmatch(r"(#[?!-]?)[ \t]*(.*?)[ \t]*((?:\[\])?)([ \t]*\r?)", line, re.S)
    mark, label, brackets, end = found.groups()
    return f"{mark} {label or 'Label'}{brackets}{end}"


def data_root(line):
    """A label that does not begin like a mark."""
    return re.sub(r"^#([ \t]+)([-?!])", r"#\1x\2", line)


def narrow_heading(line):
    """A heading with one space; a bare key has an x in the place of further blanks."""
    line = re.sub(r"^(#+)\t[ \t]*", r"\1 ", line)
    return re.sub(r"^(#+) [ \t]+(?=([A-Za-z0-9_])?)", lambda found: found[1] + (" x" if found[2] else " "), line)


def without_empty_ends(text):
    """Blockquotes without empty lines at their ends."""
    empty = r"(?:^[ \t]*>[ \t]*\r?(?:\n|\Z))+"
    text = re.sub(rf"(?m)(?<=:\n){empty}(?=[ \t]*> )|(?<=:\r\n){empty}(?=[ \t]*> )", "", text)
    return re.sub(rf"(?m){empty}(?![ \t]*>[ \t\r\n])", "", text)


def spaces_for_tabs(line):
    found = re.match(r"[ \t]*", line)
    return found[0].replace("\t", "  ") + line[found.end():]


def without_items(text):
    """Frontmatter up to the first item or blockquote."""
    head, tail = at_root(text)
    return re.split(r"(?m)^[ \t]*(?:>|-(?:[ \t]|\r?$))", head)[0] + tail


def without_passed_over(text):
    """The text without its first heading, if that is indented, has a tab, or is a mark alone."""
    return re.sub(r"(?m)\A((?:[^#\n]*\n)*?)(?:[ \t]+#.*|#\t.*|#[?!-][ \t]*\r?)\n", r"\1", text, count=1)


def without_item_heading(line):
    return None if re.match(r"#+[ \t]+-([ \t]|$)", line) else line


def without_mark(line):
    return None if re.match(r"#(?:[-?!](?:[ \t]|$)|\t)", line) else line


def loose_heading(line):
    """A bare key in the place of what is none, in a heading of an object or array."""
    found = re.fullmatch(r"(##+[ \t]+)(.*?)((?:\[\])?[ \t]*\r?)", line, re.S)
    if not found or FIELD.fullmatch(found[2] + found[3].strip()) or found[2] in ("", "-") or found[2].startswith("- "):
        return line
    return found[1] + loose_key(found[2]) + found[3]


def without_frontmatter_blocks(text):
    """Frontmatter without block scalars."""
    head, tail = at_root(text)
    block = r"(?m)^(.*: )[|>][ \t]*\r?\n(?:[ \t]*\r?\n)*(?:[ \t]+[^ \t\r\n].*\n|[ \t]*\r?\n)+"
    return re.sub(block, r"\1word\n", head) + tail


def numbered_frontmatter(text):
    """Frontmatter without equal keys."""
    numbers = count()
    return frontmatter(lambda line: re.sub(rf"^{KEY.pattern}(?=:|[ \t]*\r?$)", f"k{next(numbers)}", line))(text)


def without_lone_returns(text):
    return re.sub(r"\r(?!\n)", "", re.sub(r"(?m)^(#+[?!-]?)\r(?!\n)", r"\1 ", text))


def without_root_brackets(line):
    return None if re.match(r"#[ \t]+\[\]", line) else line


def wide_indent(line):
    return re.sub(r"^[ \t](?=[^ \t\r])", "  ", line)


def unindented_item(line):
    return re.sub(r"^[ \t]+(?=-(?: |-*[ \t]*\r?$))", "", line)


def without_brackets(line):
    """A scalar heading whose value does not end in brackets."""
    return re.sub(r"^(##+[ \t]+.*?: .*?)[\[\] \t]*\[\]([ \t]*\r?)$", r"\1x\2", line)


CLASSES = [
    Class("byte order mark", ("js",), lambda text: text.removeprefix("\ufeff")),
    Class("other line ends", ("c", "python", "js"), word_for(LINE_ENDS)),
    Class("other white space", ("c", "python", "js"), word_for(WHITE)),
    Class("trailing blanks", ("c", "python", "js"), replaced(r"[ \t]+(?=\r?(?:\n|$))", "")),
    Class("tab as indent", ("c", "python"), beside_root(spaces_for_tabs)),
    Class("one blank as indent", ("c", "python", "js"), body(wide_indent)),
    Class("block scalar in frontmatter", ("c", "python", "js"), without_frontmatter_blocks),
    Class("indent in frontmatter", ("c", "python"), frontmatter(unindented)),
    Class("indented heading", ("python",), replaced(r"(?m)^[ \t]+(?=#)", "")),
    Class("number sign in block scalar", ("python",), replaced(r"(?m)^([ \t]+)#+", r"\1x")),
    Class("indented item", ("c", "python"), body(unindented_item)),
    Class("indented blockquote", ("js",), replaced(r"(?m)^[ \t]+(?=>)", "")),
    Class("number", ("c", "python"), each_value(word_if(is_number_to_someone))),
    Class("infinite number", ("c", "python", "js"), each_value(word_if(is_infinite))),
    Class("long number", ("c", "python", "js"), each_value(word_if(is_long_number))),
    Class("broken string", ("c", "python"), each_value(word_if(is_broken_string))),
    Class("structural value", ("c", "js"), each_value(word_if(is_structure))),
    Class("bar without block", ("c", "python", "js"), without_bars),
    Class("loose key", ("c", "python"), each_key(loose_key)),
    Class("__proto__", ("js",), replaced("__proto__", "proto")),
    Class("colon in quoted key", ("c", "python"), beside_root(quoted_without_colon)),
    Class("key twice in frontmatter", ("js",), numbered_frontmatter),
    Class("item or quote in frontmatter", ("c", "python"), without_items),
    Class("text in frontmatter", ("c", "python"), frontmatter(lone_text)),
    Class("heading passed over", ("c", "python"), without_passed_over),
    Class("root without label", ("c", "python", "js"), root(named_root)),
    Class("label like a mark", ("c", "python"), root(data_root)),
    Class("mark in the body", ("c",), body(without_mark)),
    Class("array heading like the root", ("js",), body(without_root_brackets)),
    Class("blanks in heading", ("c",), body(narrow_heading)),
    Class("loose key in heading", ("c", "python"), body(loose_heading)),
    Class("brackets at the end of a scalar heading", ("c", "python", "js"), body(without_brackets)),
    Class("item heading", ("c", "python", "js"), body(without_item_heading)),
    Class("item that ends in a colon", ("c", "python", "js"), with_item_values),
    Class("empty lines of blockquote", ("c", "python", "js"), without_empty_ends),
    Class("thematic break", ("c", "python", "js"), replaced(r"(?m)^-{3,}[ \t]*\r?(?:\n|$)", "")),
    Class("blank line before level-pop", ("c", "python"), replaced(rf"(?m){BLANK_LINES}(?=#+[ \t]*\r?$)", "")),
    Class("level-pop", ("c", "python", "js"), replaced(r"(?m)^#+[ \t]*\r?(?:\n|$)", "")),
    Class("blank line before item", ("js",), replaced(rf"(?m){BLANK_LINES}(?=-(?: |[ \t]*\r?$))", "")),
    Class("blank line in item", ("c", "python", "js"), replaced(rf"(?m){BLANK_LINES}(?=[ \t]*{KEY.pattern}:)", "")),
    Class("jump to a scalar heading", ("c", "python"), each_place(without_jump("scalars"))),
    Class("jump to a heading", ("js",), each_place(without_jump("all"))),
    Class("field behind an array", ("js",), each_place(field_heading)),
    Class("field without value in item", ("c", "python"), replaced(EMPTY_FIELD, r"\1: word\n")),
    Class("block scalar at column 0 of item", ("c", "python"), replaced(BLOCK_FIELD, r"\1word\n")),
    Class("item behind an object", ("c", "python", "js"), each_place(popped_item)),
    Class("carriage return", ("c", "js"), without_lone_returns),
]

# What stays different in what we write: no form is read right by those readers (section N of the decisions).
WRITTEN = ("infinite number", "long number", "__proto__")
