"""The fixtures of the folder conformance/ and the options they ask for."""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3] / "conformance"
LIMITS = {
    "keys": "max_keys",
    "line_bytes": "max_line",
    "document_bytes": "max_document",
    "output_bytes": "max_output",
}


@dataclass(frozen=True)
class Fixture:
    folder: str
    name: str

    def path(self, ending):
        return ROOT / self.folder / f"{self.name}{ending}"

    def has(self, ending):
        return self.path(ending).exists()

    def bytes(self, ending):
        return self.path(ending).read_bytes()

    def text(self, ending):
        """A text of the expectation, without its last line feed."""
        return self.bytes(ending).decode().removesuffix("\n")

    def asks(self):
        return json.loads(self.text(".options.json")) if self.has(".options.json") else {}

    def options(self, *names):
        """Options of a function that takes those of these names: depth 128 and all modes unless the fixture says else."""
        asked = self.asks()
        options = {"max_depth": asked.get("depth", 128), "modes": ("data", "query", "schema", "delete")}
        options |= {LIMITS[name]: value for name, value in asked.items() if name in LIMITS}
        if "modes" in asked:
            options["modes"] = asked["modes"]
        if "frontmatter" in names and "frontmatter" not in asked:
            options["frontmatter"] = "drop"
        if "duplicate_keys" in asked:
            options["duplicate_keys"] = asked["duplicate_keys"]
        return {name: value for name, value in options.items() if name in (*names, "max_depth", "modes")}


def all_of(folder, ending=".jmd"):
    paths = sorted((ROOT / folder).glob(f"*{ending}"))
    names = [path.name.removesuffix(ending) for path in paths]
    fixtures = [Fixture(folder, name) for name in names if "." not in name]
    assert fixtures, folder
    return fixtures


def names(fixture):
    return f"{fixture.folder}/{fixture.name}"


def exact(text):
    """A JSON text with all digits of its numbers, in the order of its members."""
    return json.loads(text, parse_float=Decimal, object_pairs_hook=Ordered)


def ordered(value):
    """The same of a value that parse() made."""
    if isinstance(value, dict):
        return Ordered((key, ordered(value)) for key, value in value.items())
    return [ordered(item) for item in value] if isinstance(value, list) else value


class Ordered(list):
    """The members of an object: equal only in the same order, and never equal to an array."""

    def __eq__(self, other):
        return isinstance(other, Ordered) and list.__eq__(self, other)

    def __ne__(self, other):
        return not self == other
