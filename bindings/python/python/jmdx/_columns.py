"""Columns in the library they came from."""

from __future__ import annotations

import sys
from typing import Any

from ._jmdx import convert_arrow


def convert_column(
    array: Any,
    /,
    *,
    from_: str = "json",
    to: str = "jmd",
    on_error: str = "null",
    threads: int = 1,
    **options: Any,
) -> tuple[Any, Any]:
    """Convert a column of documents; returns the texts and the errors, row for row.

    array is anything with ``__arrow_c_array__`` or ``__arrow_c_stream__`` (pyarrow, polars, DuckDB, arro3 and others) of
    type string, large_string, string_view, binary, large_binary or binary_view. It is read where it is; the GIL is
    released while rows are converted. What is null stays null, and chunks stay as they are laid out.

    from_, to: 'json' and 'jmd', or the other way round
    on_error: 'null' makes a row that is refused null and tells why in errors; 'raise' raises JmdxError, whose row is its
        number
    threads: threads that work on it, 1 to 256; 1 is right under Spark and Ray, which run one task a core
    options: those of to_jmd, or those of to_json

    texts is string for string and binary, large_string for large_string and large_binary, string_view for both views. A
    chunk of string holds at most 2 GiB of text: more is an OverflowError. errors is a struct of kind, line, column, offset
    and message, null where the row is fine. pyarrow gives pyarrow (Array or ChunkedArray), polars gives polars
    (Series), all else an object that the libraries above take without a copy.

    >>> import pyarrow as pa
    >>> texts, errors = jmdx.convert_column(pa.array(['{"id": 7}', None, "{"]))
    >>> texts.to_pylist(), errors.field("kind").to_pylist()
    (['# Document\\nid: 7\\n', None, None], [None, None, 'invalid_json'])
    """
    texts, errors = convert_arrow(array, from_, to, on_error, threads, options)
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(array, pyarrow.Array):
        return pyarrow.array(texts), pyarrow.array(errors)
    if pyarrow is not None and isinstance(array, pyarrow.ChunkedArray):
        return pyarrow.chunked_array(texts), pyarrow.chunked_array(errors)
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(array, polars.Series):
        return polars.Series(array.name, texts), polars.Series("errors", errors)
    return texts, errors


convert_column.__module__ = "jmdx"
