"""The one exception of this package."""

from __future__ import annotations


class JmdxError(ValueError):
    """A document, or a row of a column, was refused: why, and where.

    kind: a stable name, such as ``prose_in_body``; programs match this. Empty where a library made the error anew from its text alone, as Polars
        does.
    line, column: from 1, column in bytes. None where no text was read (serialize).
    offset: in bytes from 0 (a str counts as its UTF-8). None where no text was read.
    message: a sentence for people. Its wording may change.
    row: of a column, from 0; else None.
    limit: the bound that was passed where kind is ``resource_limit``, such as ``depth``; else None.

    It can be pickled, so it crosses from one process to another.
    """

    def __init__(
        self,
        message: str,
        kind: str = "",
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        row: int | None = None,
        limit: str | None = None,
    ) -> None:
        super().__init__(message, kind, line, column, offset, row, limit)
        self.message = message
        self.kind = kind
        self.line = line
        self.column = column
        self.offset = offset
        self.row = row
        self.limit = limit

    def __str__(self) -> str:
        row = "" if self.row is None else f"row {self.row}: "
        place = "" if self.line is None else f"{self.line}:{self.column}: "
        limit = "" if self.limit is None else f" ({self.limit})"
        kind = f"{self.kind}{limit}: " if self.kind else ""
        return f"{row}{place}{kind}{self.message}"


JmdxError.__module__ = "jmdx"
