"""Readers of JMD, each a function from text to {"ok": envelope} or {"kind", "line"}."""
import json
import subprocess
from pathlib import Path

import jmd

NAMES = ("mode", "label", "frontmatter", "value")


def answer(parse, text):
    """What jmd-format's `parse` makes of a text. Any exception is a refusal, and not all are meant to be: the parser in C
    leaves some to the interpreter's next call. One without a kind goes by the name of its class."""
    try:
        envelope = parse(text)
    except Exception as error:
        return {"kind": getattr(error, "kind", type(error).__name__), "line": getattr(error, "line", None)}
    return {"ok": {name: getattr(envelope, name) for name in NAMES}}


def compiled(text):
    """jmd-format's parser in C."""
    return answer(jmd.parse, text)


def pure(text):
    """jmd-format's parser in Python."""
    return answer(lambda source: jmd.JMDParser().parse(source), text)


class JavaScript:
    """The reference in JavaScript, in a process of its own. All its numbers are doubles."""

    def __init__(self, module):
        served = ["node", str(Path(__file__).with_name("serve.mjs")), module]
        self.node = subprocess.Popen(served, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, text):
        self.node.stdin.write(json.dumps(text) + "\n")
        self.node.stdin.flush()
        return decoded(json.loads(self.node.stdout.readline(), parse_int=float))


def decoded(value):
    """The value with the infinities for which serve.mjs has written strings that begin with NUL."""
    if isinstance(value, dict):
        return {key: decoded(member) for key, member in value.items()}
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if isinstance(value, str) and value.startswith("\0"):
        return value[1:] if value.startswith("\0\0") else float(value[1:])
    return value


def readers(module):
    """All that are at hand, by name."""
    if not jmd._HAS_CPARSER:
        raise SystemExit("jmd-format is here without its parser in C")
    found = {"c": compiled, "python": pure}
    if module:
        found["js"] = JavaScript(module)
    return found

