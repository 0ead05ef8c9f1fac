"""Lossless and fast between JSON and JMD (JSON Markdown).

Text:     to_jmd(json) and to_json(jmd)
Objects:  parse(jmd) and serialize(value)
Arriving: events(chunks), one dict an event while a document arrives
Columns:  convert_column(array), over anything that speaks the Arrow C data interface

What cannot be carried over is refused with JmdxError, which knows kind, line, column and offset.
"""

from __future__ import annotations

from ._error import JmdxError
from ._envelope import Envelope
from ._columns import convert_column
from ._jmdx import __version__, events, parse, serialize, to_jmd, to_json

__all__ = [
    "Envelope",
    "JmdxError",
    "__version__",
    "convert_column",
    "events",
    "parse",
    "serialize",
    "to_jmd",
    "to_json",
]
