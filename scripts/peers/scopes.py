"""What is open at each line of a document, as far as it can be told without refusing anything, and mends that need it."""
import re

from lines import KEY, STRICT_FIELD, at_root

HEADING = re.compile(r"(?P<marks>#+)(?:[ \t]+(?P<content>.*?))?[ \t]*\r?", re.S)
INDENTED_FIELD = re.compile(rf"[ \t]*(?={KEY.pattern}:(?: |[ \t]*\r?$))")


def is_item(line):
    return line.startswith("- ") or line.rstrip(" \t\r") == "-"


def opens_record(line):
    """Whether an item is an object."""
    content = line[2:].rstrip(" \t\r")
    return content == "" or bool(STRICT_FIELD.fullmatch(content))


class Scopes:
    """The stack of what is open: depth and kind, which is object, array or record, an item that is an object."""

    def __init__(self, root):
        self.open = [(1, "array" if root.rstrip(" \t\r").endswith("[]") else "object")]
        self.blank = False

    @property
    def kind(self):
        return self.open[-1][1]

    def array_depth(self):
        """The depth of the innermost open array; 0 if there is none."""
        return max((depth for depth, kind in self.open if kind == "array"), default=0)

    def close(self, condition):
        while len(self.open) > 1 and condition(*self.open[-1]):
            self.open.pop()

    def closed_for(self, depth, parents):
        """The greatest depth up to this one that a heading may have which goes into one of these kinds."""
        fitting = (d + 1 for d, kind in reversed(self.open) if kind in parents and d < depth)
        return next(fitting, depth)

    def take(self, line):
        """Goes on behind a line."""
        heading = HEADING.fullmatch(line)
        if line.strip() == "":
            self.blank = True
        elif heading:
            self.blank = False
            self.heading(len(heading["marks"]), heading["content"] or "")
        else:
            self.settle(line)

    def settle(self, line):
        """Goes on behind a line that is neither blank nor a heading."""
        if self.blank and not (is_item(line) and self.array_depth()):
            self.close(lambda depth, kind: True)
        self.blank = False
        if is_item(line):
            self.close(lambda depth, kind: kind != "array")
            if self.kind == "array" and opens_record(line):
                self.open.append((self.open[-1][0], "record"))
        elif INDENTED_FIELD.match(line):
            self.close(lambda depth, kind: kind == "array")

    def heading(self, depth, content):
        if content == "":
            self.close(lambda d, kind: d > depth or (d == depth and kind == "record"))
            return
        self.close(lambda d, kind: d >= depth)
        if content == "[]":
            self.close(lambda d, kind: d == depth - 1 and kind == "record")
        if not STRICT_FIELD.fullmatch(content):
            self.open.append((depth, "array" if content.endswith("[]") else "object"))


def each_place(change):
    """A mend that puts the lines `change(line, scopes)` in the place of every line behind the root heading."""

    def mend(text):
        head, tail = at_root(text)
        root, *rest = tail.split("\n")
        scopes, lines = Scopes(root), [root]
        for line in rest:
            for changed in change(line, scopes):
                scopes.take(changed)
                lines.append(changed)
        return head + "\n".join(lines)

    return mend


def without_jump(of):
    """Headings, of scalars or of all, no deeper than what is open allows."""

    def change(line, scopes):
        found = HEADING.fullmatch(line)
        content = found and found["content"]
        if not content or len(found["marks"]) == 1 or (of == "scalars" and not STRICT_FIELD.fullmatch(content)):
            return [line]
        parents = ("array",) if content == "[]" else ("object", "record")
        return ["#" * scopes.closed_for(len(found["marks"]), parents) + line.lstrip("#")]

    return change


def field_heading(line, scopes):
    """A field right behind an array as a heading of a scalar."""
    field = INDENTED_FIELD.match(line)
    if not field or scopes.blank or scopes.kind != "array":
        return [line]
    owner = max((depth for depth, kind in scopes.open if kind != "array"), default=0)
    return ["#" * (owner + 1) + " " + line[field.end():]] if owner else [line]


def popped_item(line, scopes):
    """An item right behind an object: behind a level-pop to its array, or nothing if no array is open."""
    if not is_item(line) or scopes.kind != "object":
        return [line]
    depth = scopes.array_depth()
    return ["#" * depth, line] if depth else []
