#!/usr/bin/env python3
"""Counts what `jmdx savings` counts, independently: scripts/check-savings.py JMDX FILE...

Files are .jsonl (a record a line) or .json (one record). The three kinds of JSON are written here by Python's json, with
the text of every number kept; JMD is written by `jmdx pipe`. Tokens are counted by tiktoken (pip install tiktoken), which
takes its vocabularies from the crate tiktoken-rs in cargo's registry and checks their hashes against those it knows.
Then the figures are compared with those of `jmdx savings --json`, and so are the fixed counts of the tests. Exit status
0: all equal; 1: not.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ENCODINGS = ("o200k_base", "cl100k_base")
HERE = os.path.dirname(os.path.abspath(__file__))


def encodings():
    metadata = json.loads(subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--manifest-path", f"{HERE}/../Cargo.toml"],
        check=True, capture_output=True).stdout)
    crate = next(package for package in metadata["packages"] if package["name"] == "tiktoken-rs")
    assets = os.path.join(os.path.dirname(crate["manifest_path"]), "assets")
    os.environ["TIKTOKEN_CACHE_DIR"] = tempfile.mkdtemp()
    import tiktoken
    import tiktoken.load
    tiktoken.load.read_file = lambda path: open(os.path.join(assets, os.path.basename(path)), "rb").read()
    print(f"tiktoken {tiktoken.__version__} for Python, vocabularies of {crate['name']} {crate['version']}")
    return [tiktoken.get_encoding(name) for name in ENCODINGS]


MARK = "\ue000"


def load(text):
    """The value, each number as a marked string with its text."""
    if MARK in text:
        raise ValueError("the text has the mark of numbers")
    number = lambda digits: f"{MARK}{digits}{MARK}"
    return json.loads(text, parse_int=number, parse_float=number)


def dump(value, **options):
    text = json.dumps(value, **options)
    mark = json.dumps(MARK)[1:-1] if options.get("ensure_ascii", True) else MARK
    return re.sub(f'"{re.escape(mark)}(.*?){re.escape(mark)}"', r"\1", text) + "\n"


def jmd(program, path, order):
    frame = "lines" if path.endswith(".jsonl") else "whole"
    with open(path, "rb") as file:
        command = [program, "pipe", "--in-frame", frame, "--out-frame", "len", "--order", order,
                   "--max-document", "1GiB"]
        out = subprocess.run(command, stdin=file, check=True, capture_output=True).stdout
    at = 0
    while at < len(out):
        length, = struct.unpack_from(">I", out, at)
        yield out[at + 4:at + 4 + length].decode()
        at += 4 + length


def texts(program, path):
    """All texts of a file by their form."""
    with open(path, encoding="utf-8", newline="") as file:
        content = file.read()
    records = content.split("\n") if path.endswith(".jsonl") else [content]
    for record in records:
        if record.strip():
            value = load(record)
            yield "json-compact", dump(value, ensure_ascii=False, separators=(",", ":"))
            yield "json-dumps", dump(value)
            yield "json-pretty", dump(value, ensure_ascii=False, indent=2)
    for form, order in (("jmd", "source"), ("jmd-grouped", "grouped")):
        for text in jmd(program, path, order):
            yield form, text


def check_records(program, paths, encodings):
    command = [program, "savings", "--json", "--no-throughput", "--forms", "jmd-grouped", "--encoding",
               ",".join(ENCODINGS), *paths]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    sums = {}
    for path in paths:
        for form, text in texts(program, path):
            counts = [len(encoding.encode_ordinary(text)) for encoding in encodings]
            old = sums.get(form, [0, 0, 0])
            sums[form] = [old[0] + counts[0], old[1] + counts[1], old[2] + len(text.encode())]
    bad = 0
    for form, (*counts, size) in sorted(sums.items()):
        ours = [tokenizer["forms"][form]["tokens"] for tokenizer in report["tokenizers"]]
        ours.append(report["bytes"][form]["text"])
        verdict = "equal" if ours == [*counts, size] else f"DIFFERENT from {ours} of jmdx"
        bad += verdict != "equal"
        print(f"{form}: {counts[0]} and {counts[1]} tokens, {size} bytes: {verdict}")
    return bad


def check_fixed(encodings):
    bad = 0
    path = f"{HERE}/../daemon/src/savings/tokens/counts.jsonl"
    for line in open(path, encoding="utf-8"):
        case = json.loads(line)
        counts = [len(encoding.encode_ordinary(case["text"])) for encoding in encodings]
        if counts != case["counts"]:
            bad += 1
            print(f"counts.jsonl: {case['text']!r} has {counts} tokens, not {case['counts']}")
    print(f"fixed counts: {'all equal' if bad == 0 else f'{bad} DIFFERENT'}")
    return bad


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, *paths = sys.argv[1:]
    rulers = encodings()
    bad = check_fixed(rulers) + check_records(program, paths, rulers)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
