"""What a JMD document holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Envelope:
    """A whole JMD document: what stands before the body, and the value.

    mode: ``data`` (``# LABEL``), ``query`` (``#?``), ``schema`` (``#!``) or ``delete`` (``#-``).
    label: of the root heading; empty for an anonymous one.
    frontmatter: the fields before the root heading, in order; scalars only.
    value: the body, a dict or a list.
    """

    mode: str = "data"
    label: str = "Document"
    frontmatter: dict[str, Any] = field(default_factory=dict)
    value: Any = None


Envelope.__module__ = "jmdx"
