"""Answers requests about JMD from the executable model, one JSON object a line, until stdin ends.

{"parse": HEX}                          -> {"ok": ENVELOPE_TEXT} or {"kind": KIND, "line": LINE}
{"emit": ENVELOPE_TEXT}                 -> {"source": TEXT, "grouped": TEXT, "envelope": TEXT}
"""
import json
import sys

sys.path.insert(0, sys.argv[1])
import model

sys.setrecursionlimit(10_000)
NAMES = ("mode", "label", "frontmatter", "value")


def envelope(document):
    return model.dumps({name: document[name] for name in NAMES})


def parse(text):
    answer = model.model(bytes.fromhex(text))
    return {"ok": envelope(answer["ok"])} if "ok" in answer else answer["err"]


def emit(text):
    e = model.loads(text)
    written = {
        name: model.serialize(e["value"], e["label"], e["frontmatter"], e["mode"], keep)
        for name, keep in (("source", True), ("grouped", False))
    }
    return written | {"envelope": envelope(e)}


for line in sys.stdin:
    request = json.loads(line)
    answer = parse(request["parse"]) if "parse" in request else emit(request["emit"])
    print(json.dumps(answer), flush=True)
