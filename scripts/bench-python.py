#!/usr/bin/env python3
"""jmd-format with orjson as a contender of scripts/bench.sh: `bench-python.py FOLDER` answers requests on stdin.

A request is a line with direction and corpus, the answer a line with the nanoseconds of processor time of one round, or `-` if a document
is refused or its value comes back changed (told on stderr), or if jmd-format has no such direction. Before the first round the output is read
back and compared as a value: jmd-format puts scalars first, so its text is another than ours.
"""

import functools
import pathlib
import sys
import time

import jmd
import orjson


def frames(path):
    data, at = path.read_bytes(), 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        yield data[at + 4 : at + 4 + length]
        at += 4 + length


def json_to_jmd(text):
    return jmd.serialize(orjson.loads(text), "Document").encode()


def jmd_to_json(text):
    return orjson.dumps(jmd.parse(text.decode()).value)


DIRECTIONS = {"json_to_jmd": json_to_jmd, "jmd_to_json": jmd_to_json}


def agrees(direction, text, value):
    """Whether the output is that value."""
    output = direction(text)
    read = jmd.parse(output.decode()).value if direction is json_to_jmd else orjson.loads(output)
    return read == value


@functools.cache
def documents(folder, direction, corpus):
    """The documents to convert; nothing if one is not converted to its value."""
    json = list(frames(folder / f"{corpus}.json"))
    source = json if direction is json_to_jmd else list(frames(folder / f"{corpus}.jmd"))
    try:
        for number, (text, original) in enumerate(zip(source, json, strict=True)):
            if not agrees(direction, text, orjson.loads(original)):
                raise ValueError(f"document {number} comes back changed")
    except Exception as error:  # whatever the library raises: it does not convert this corpus
        print(f"jmd-format: {direction.__name__} {corpus}: {str(error)[:200]}", file=sys.stderr)
        return None
    return source


def one_round(direction, source):
    start = time.thread_time_ns()
    for text in source:
        direction(text)
    return time.thread_time_ns() - start


def main():
    folder = pathlib.Path(sys.argv[1])
    for request in sys.stdin:
        name, corpus = request.rstrip("\n").split(" ", 1)
        direction = DIRECTIONS.get(name)
        source = documents(folder, direction, corpus) if direction else None
        print("-" if source is None else one_round(direction, source), flush=True)


if __name__ == "__main__":
    main()
