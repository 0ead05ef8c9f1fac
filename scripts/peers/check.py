"""Compares our answers with those of other readers of JMD: check.py FOLDER MODEL [JAVASCRIPT].

FOLDER has `documents.jsonl` and `values.jsonl` as engine/tests/differential/peers.rs writes them, MODEL is the folder of the
executable model, JAVASCRIPT the module of the reference in that language. A difference has to belong to classes of
constructs.py: without their constructs the document is read by both, and the same, and not with fewer of them taken out.
What has no such classes is printed, the smallest first, and fails.
"""
import json
import math
import os
import sys
from collections import Counter
from itertools import chain, combinations
from pathlib import Path

FOLDER, MODEL, *MODULE = sys.argv[1:]
sys.path.insert(0, MODEL)
sys.setrecursionlimit(10_000)

import model
from constructs import CLASSES, WRITTEN
from readers import NAMES, readers

READERS = readers(MODULE[0] if MODULE else None)
DECISIONS = Path(__file__).parents[2] / "docs/format-decisions.md"
# So many documents have every class among them.
MANY = 20_000
# What is counted of differences whose document both refuse without the constructs, which proves less; and how many may be.
REFUSED = "refused by both without them"
FEW = 0.01


def equal(ours, theirs):
    """Equal values, members in any order. Our numbers are texts: integers are equal as such where the reader has integers,
    all others as doubles, which have to be finite."""
    if isinstance(ours, model.N) and not isinstance(theirs, model.N):
        return is_number(ours, theirs)
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(equal(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(equal, ours, theirs))
    return ours == theirs


def is_number(text, number):
    if type(number) is int:
        return not set(text) & set(".eE") and int(text) == number
    return type(number) is float and math.isfinite(number) and float(text) == number


def differ(ours, theirs):
    """How two answers differ, in words; else None. Kinds of errors are not compared."""
    if ("ok" in ours) != ("ok" in theirs):
        return f"ours {brief(ours)}, theirs {brief(theirs)}"
    if "ok" not in ours or all(equal(ours["ok"][name], theirs["ok"][name]) for name in NAMES):
        return None
    return f"ours {brief(ours)}, theirs {brief(theirs)}"


def brief(answer):
    return str(answer.get("ok") or answer)[:300]


def asked(text):
    """The model's answer, in the form of the readers'."""
    answer = model.model(text)
    return {"ok": answer["ok"]} if "ok" in answer else answer["err"]


def mended(text, classes):
    for one in classes:
        text = one.mend(text)
    return text


def effective(text, classes):
    """Those classes that change the text, one after the other."""
    changed = []
    for one in classes:
        before, text = text, one.mend(text)
        if before != text:
            changed.append(one)
    return changed


def agreed_without(text, some, reader):
    """Whether the text without these constructs is read, and the same; None if both refuse it, for other reasons."""
    other = mended(text, some)
    ours = asked(other)
    same = differ(ours, READERS[reader](other)) is None
    return same if "ok" in ours or not same else None


def classes(text, reader, known):
    """The fewest of the known classes without whose constructs the document is read, and the same. Where there are none
    such, those without which both refuse it, and True. None where there are none at all, or the model sees no difference."""
    if agreed_without(text, (), reader) is not False:
        return None
    mine = [one for one in known if reader in one.readers]
    alone = [one for one in mine if one.mend(text) != text]
    for few in chain.from_iterable(combinations(alone, size) for size in (1, 2, 3)):
        if agreed_without(text, few, reader):
            return few, False
    needed = effective(text, mine)
    found = agreed_without(text, needed, reader)
    if found is False:
        return None
    for one in reversed(needed):
        others = [other for other in needed if other is not one]
        if agreed_without(text, others, reader) is found:
            needed = others
    return needed, found is None


class Findings:
    """What was compared: counts by reader, and what has no class."""

    def __init__(self, known):
        self.known, self.counts, self.unclassed = known, Counter(), []

    def compare(self, text, ours):
        fault = differ(ours, asked(text))
        if fault:
            self.unclassed.append((len(text), "the model", text, fault))
        for reader, read in READERS.items():
            self.counts[reader, "compared"] += 1
            difference = differ(ours, read(text))
            if difference:
                self.explain(text, reader, difference)

    def explain(self, text, reader, difference):
        self.counts[reader, "differ"] += 1
        found = classes(text, reader, self.known)
        if found is None:
            self.unclassed.append((len(text), reader, self.shrunk(text, reader), difference))
            return
        few, refused = found
        self.counts[reader, REFUSED] += refused
        for one in few:
            self.counts[reader, one.name] += 1

    def shrunk(self, text, reader):
        """The text without the lines that the difference can do without."""
        lines = text.split("\n")
        for at in reversed(range(len(lines))):
            fewer = "\n".join(lines[:at] + lines[at + 1 :])
            if differ(asked(fewer), READERS[reader](fewer)) and classes(fewer, reader, self.known) is None:
                del lines[at]
        return "\n".join(lines)

    def report(self, title):
        """Prints all of it; how many differences have no class."""
        print(f"\n{title}")
        for reader in READERS:
            counts = [(name, n) for (who, name), n in self.counts.items() if who == reader]
            print(f"  {reader}: " + ", ".join(f"{name} {n}" for name, n in sorted(counts, key=lambda one: -one[1])))
        for _, reader, text, difference in sorted(self.unclassed)[:10]:
            print(f"  NO CLASS, {reader}: {text!r}\n    before it was cut down: {difference}")
        return len(self.unclassed) + sum(self.unproven(reader) for reader in READERS)

    def unproven(self, reader):
        """Whether too many classes are of documents that both refuse without the constructs."""
        too_many = self.counts[reader, REFUSED] > max(1, FEW * self.counts[reader, "differ"])
        if too_many:
            print(f"  {reader}: too many are {REFUSED}")
        return too_many


def rows(name):
    return (json.loads(line) for line in open(Path(FOLDER) / name, encoding="utf-8"))


def check_documents():
    """Mutated documents; those that are no text cannot be shown to readers of text."""
    findings = Findings(CLASSES)
    for row in rows("documents.jsonl"):
        ours, document = row["ours"], bytes.fromhex(row["document"])
        try:
            text = document.decode()
        except UnicodeDecodeError:
            findings.counts["-", "not UTF-8"] += 1
            continue
        findings.compare(text, {"ok": model.loads(ours["ok"])} if "ok" in ours else ours)
    return findings


def check_values():
    """What we have written, in both orders."""
    findings = Findings([one for one in CLASSES if one.name in WRITTEN])
    for row in rows("values.jsonl"):
        envelope = {"ok": model.loads(row["envelope"])}
        for order in ("source", "grouped"):
            findings.compare(row[order], envelope)
    return findings


def documented():
    """Construct and readers of each row of the table in the documentation."""
    text = DECISIONS.read_text(encoding="utf-8")
    section = text.split("\n## JMD documents that others read differently\n")[1].split("\n## ")[0]
    cells = (line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `"))
    return [(name.strip().strip("`"), tuple(who.strip().split(", "))) for name, who in cells]


def undocumented():
    known = [(one.name, one.readers) for one in CLASSES]
    wrong = sorted(set(known) ^ set(documented()))
    for row in wrong:
        print(f"  not both in constructs.py and in {DECISIONS.name}: {row}")
    return len(wrong)


def never_met(*findings):
    """Classes that nothing of much was of, from the start that is always the same; and, not counted, who never met one."""
    met = {key for one in findings for key in one.counts}
    few = findings[0].counts["c", "compared"] < MANY
    if few or "JMDX_SEED" in os.environ:
        return 0
    pairs = [(reader, one.name) for one in CLASSES for reader in one.readers if reader in READERS]
    print(f"  met by no document: {[pair for pair in pairs if pair not in met]}")
    return len({name for _, name in pairs} - {name for _, name in met})


def main():
    documents, values = check_documents(), check_values()
    failures = documents.report("Mutated documents, classes of differences:")
    print(f"  left out, not UTF-8: {documents.counts['-', 'not UTF-8']}")
    failures += values.report("What we write, read by others:") + never_met(documents, values) + undocumented()
    print(f"\n{failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
