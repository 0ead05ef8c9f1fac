"""Columns of Ray datasets between JSON and JMD.

>>> import jmdx.ray
>>> ds.map_batches(jmdx.ray.Convert("payload", "jmd"), batch_format="pyarrow")   # doctest: +SKIP

This module does not import Ray; `Convert` is a function from a pyarrow table to a pyarrow table, for any program that has such batches.
The package must be importable where Ray runs tasks: ``ray.init(runtime_env={"pip": ["jmdx"]})``, or a wheel in place of the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jmdx._batches import ERRORS, Conversion, OnError, converted, names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Convert"]


class Convert:
    """A function for ``Dataset.map_batches(..., batch_format="pyarrow")`` that converts a column of JSON to JMD, or back.

    column: its name; strings, or binary with UTF-8. Null stays null.
    into: name of a new column for the text, the last one; None: the text takes the place of the column.
    from_, to: ``"json"`` or ``"jmd"``.
    on_error: what becomes of a row that is refused: ``"null"``, or ``"raise"``, which ends the run.
    errors: name of a new column that tells why a row is null: a struct of kind, line, column, offset and message, null where the row is
        fine; ``{column}`` stands for the column with the text. None: no such column. There is none with ``on_error="raise"``.
    options: those of `jmdx.to_jmd` or `jmdx.to_json`; ``threads`` is 1, because Ray runs a task on each core.

    Where the text replaces the column, what a refused row held is gone: use ``into`` to keep it.
    Raises TypeError or ValueError for an option that makes no sense, here and now; for a missing or doubled column, at the first batch.
    """

    def __init__(
        self,
        column: str,
        into: str | None = None,
        *,
        from_: str = "json",
        to: str = "jmd",
        errors: str | None = ERRORS,
        on_error: OnError = "null",
        **options: Any,
    ) -> None:
        self._column = column
        self._conversion = Conversion(from_, to, on_error, options)
        self._place = names(column, into, errors, on_error)
        self._conversion.check()

    def __call__(self, table: pa.Table) -> pa.Table:
        if not hasattr(table, "schema"):
            raise TypeError(f'a batch is a pyarrow table, not {type(table).__name__}: map_batches(..., batch_format="pyarrow")')
        place, found = self._place, table.schema.get_all_field_indices(self._column)
        if not found:
            raise ValueError(f"there is no column {self._column}, only {', '.join(table.column_names)}")
        if len(found) > 1:
            raise ValueError(f"there are {len(found)} columns {self._column}; rename one")
        place.check(self._column, table.column_names)
        replace, keep_errors = place.into == self._column, place.errors is not None
        columns = converted(table.columns, found[0], self._conversion, replace, keep_errors)
        added = [] if replace else [place.into]
        return type(table).from_arrays(columns, names=[*table.column_names, *added, *([place.errors] if keep_errors else [])])

    def __repr__(self) -> str:
        way = f"from_={self._conversion.from_!r}, to={self._conversion.to!r}"
        return f"Convert({self._column!r}, {self._place.into!r}, {way}, errors={self._place.errors!r})"
