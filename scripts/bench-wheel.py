#!/usr/bin/env python3
"""The Python package jmdx beside jmd-format and orjson: `bench-wheel.py [--rounds N] [FILE or FOLDER...]`.

Give it a release build of the package (`pip install ./bindings/python`), jmd-format, orjson and pyarrow. Without files it takes
corpora/samples. Contenders of one task take turns, round by round, so that what else the machine does hits all of them; each
has the processor time of its best round, and the ratios are those of these times. Before the first round all outputs are
compared: a contender that refuses a corpus, or brings another value back, has `-`. Prints two tables in Markdown.
"""

import argparse
import gc
import json
import math
import pathlib
import sys
import time

import jmd
import jmdx
import orjson
import pyarrow as pa

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST_SECONDS = 0.05


def corpora(paths):
    """Names and documents, as JSON text in bytes: a file of JSON lines has one a line."""
    for path in paths:
        files = sorted([*path.glob("*.json"), *path.glob("*.jsonl")]) if path.is_dir() else [path]
        for file in files:
            data = file.read_bytes()
            documents = [line for line in data.splitlines() if line.strip()] if file.suffix == ".jsonl" else [data]
            taken = [text for text in documents if is_common(text)]
            if len(taken) < len(documents):
                print(f"{file.stem}: {len(documents) - len(taken)} documents left out", file=sys.stderr)
            if taken:
                yield file.stem, taken


def is_common(text):
    """Whether a document is one for all contenders: orjson takes no number beyond floats and 64 bits."""
    try:
        value = orjson.loads(text)
        return isinstance(value, (dict, list)) and orjson.loads(orjson.dumps(value)) == json.loads(text)
    except ValueError:
        return False


def each(function):
    return lambda documents: [function(document) for document in documents]


def column(from_, to, threads):
    def convert(array):
        return jmdx.convert_column(array, from_=from_, to=to, on_error="raise", threads=threads)[0]

    return convert


class Corpus:
    """One corpus in all the forms that contenders take, and what must come out."""

    def __init__(self, documents):
        self.json = documents
        self.values = [orjson.loads(text) for text in documents]
        self.jmd = [jmdx.to_jmd(text) for text in documents]
        self.jmd_bytes = [text.encode() for text in self.jmd]
        self.json_column = pa.array([text.decode() for text in documents], pa.large_string())
        self.jmd_column = pa.array(self.jmd, pa.large_string())
        self.bytes = sum(map(len, documents))

    def is_value(self, outputs):
        return list(outputs) == self.values

    def is_json(self, outputs):
        return [orjson.loads(text) for text in plain(outputs)] == self.values

    def is_jmd(self, outputs):
        return [jmd_value(text) for text in plain(outputs)] == self.values


def plain(outputs):
    return outputs.to_pylist() if isinstance(outputs, pa.Array) else outputs


def jmd_value(text):
    return orjson.loads(jmdx.to_json(text))


# Task, form of the input, check of the output, contenders with ours first.
TASKS = [
    (
        "parse",
        "jmd",
        Corpus.is_value,
        {
            "jmdx.parse": each(jmdx.parse),
            "jmd.parse": each(jmd.parse),
        },
    ),
    ("loads", "json", Corpus.is_value, {"orjson.loads": each(orjson.loads), "json.loads": each(json.loads)}),
    (
        "serialize",
        "values",
        Corpus.is_jmd,
        {"jmdx.serialize": each(jmdx.serialize), "jmd.serialize": each(jmd.serialize)},
    ),
    ("dumps", "values", Corpus.is_json, {"orjson.dumps": each(orjson.dumps), "json.dumps": each(json.dumps)}),
    (
        "JSON to JMD",
        "json",
        Corpus.is_jmd,
        {
            "jmdx.to_jmd": each(jmdx.to_jmd),
            "orjson.loads, jmd.serialize": each(lambda text: jmd.serialize(orjson.loads(text))),
        },
    ),
    (
        "JMD to JSON",
        "jmd",
        Corpus.is_json,
        {
            "jmdx.to_json": each(jmdx.to_json),
            "jmd.parse, orjson.dumps": each(lambda text: orjson.dumps(jmd.parse(text).value)),
        },
    ),
    ("JSON column to JMD", "json_column", Corpus.is_jmd, {"convert_column": column("json", "jmd", 1)}),
    ("JMD column to JSON", "jmd_column", Corpus.is_json, {"convert_column": column("jmd", "json", 1)}),
]

# What a time is compared with, and the words for it.
RATIOS = [
    ("jmdx.parse", "jmd.parse"),
    ("jmdx.parse", "orjson.loads"),
    ("jmdx.parse", "json.loads"),
    ("jmdx.serialize", "jmd.serialize"),
    ("jmdx.serialize", "orjson.dumps"),
    ("jmdx.serialize", "json.dumps"),
    ("jmdx.to_jmd", "orjson.loads, jmd.serialize"),
    ("jmdx.to_json", "jmd.parse, orjson.dumps"),
    ("convert_column, JSON column to JMD", "jmdx.to_jmd"),
    ("convert_column, JMD column to JSON", "jmdx.to_json"),
]


def value_of(outputs):
    """What jmd and jmdx return is an envelope."""
    return [output.value if hasattr(output, "value") else output for output in plain(outputs)]


def agrees(corpus, check, contender, given):
    try:
        outputs = contender(given)
        return check(corpus, value_of(outputs) if check is Corpus.is_value else outputs)
    except Exception as error:  # whatever a library raises: it does not do this corpus
        print(f"  {type(error).__name__}: {str(error)[:120]}", file=sys.stderr)
        return False


def one_round(contender, given, times):
    start = time.thread_time_ns()
    for _ in range(times):
        contender(given)
    return (time.thread_time_ns() - start) / times


def measure(corpus, rounds):
    """The best time of each contender, in nanoseconds for the whole corpus; None where it fails."""
    best = {}
    # What the corpus itself holds is of no concern to the collector, which would walk it again and again.
    gc.collect()
    gc.freeze()
    for task, form, check, contenders in TASKS:
        given = getattr(corpus, form)
        running = []
        for name, contender in contenders.items():
            key = f"{name}, {task}" if name == "convert_column" else name
            best[key] = None
            if agrees(corpus, check, contender, given):
                first = max(one_round(contender, given, 1), 1)
                running.append((key, contender, max(1, math.ceil(LEAST_SECONDS * 1e9 / first))))
        for _ in range(rounds):
            for key, contender, times in running:
                spent = one_round(contender, given, times)
                best[key] = min(spent, best[key] or spent)
    return best


def table(title, names, rows):
    print(f"\n| {title} | " + " | ".join(names) + " |")
    print("|---|" + "---:|" * len(names))
    for label, cells in rows:
        print(f"| {label} | " + " | ".join("-" if cell is None else f"{cell:.3g}" for cell in cells) + " |")


def report(sizes, measured):
    names = list(measured)
    contenders = list(next(iter(measured.values())))
    speed = [
        (name, [measured[c][name] and sizes[c] / measured[c][name] * 1e3 for c in names]) for name in contenders
    ]
    table("MB of compact JSON a second", names, speed)

    def ratio(corpus, ours, other):
        ours, other = measured[corpus][ours], measured[corpus][other]
        return other / ours if ours and other else None

    rows = [(f"{ours}, times as fast as {other}", [ratio(c, ours, other) for c in names]) for ours, other in RATIOS]
    table("one core", names, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, default=[ROOT / "corpora" / "samples"])
    arguments = parser.parse_args()
    sizes, measured = {}, {}
    for name, documents in corpora(arguments.paths):
        print(name, file=sys.stderr)
        corpus = Corpus(documents)
        sizes[name] = sum(len(orjson.dumps(value)) for value in corpus.values)
        measured[name] = measure(corpus, arguments.rounds)
    print(f"jmdx {jmdx.__version__}, Python {sys.version.split()[0]}, best of {arguments.rounds} interleaved rounds")
    report(sizes, measured)


if __name__ == "__main__":
    main()
