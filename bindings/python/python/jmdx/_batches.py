"""A column of Arrow batches converted, the others left as they are: what `jmdx.spark` and `jmdx.ray` share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import jmdx

if TYPE_CHECKING:
    import pyarrow as pa

OnError = Literal["null", "raise"]

#: Where the errors go unless the caller says so.
ERRORS = "{column}_error"


@dataclass(frozen=True)
class Conversion:
    """`jmdx.convert_column` with all that it is told, ready to be sent to another process."""

    from_: str
    to: str
    on_error: str
    options: dict[str, Any]

    def check(self) -> None:
        """Raises what wrong options raise, before any process is asked to work with them."""
        import pyarrow as pa

        if self.on_error not in ("null", "raise"):
            raise ValueError(f'on_error is "null" or "raise", not {self.on_error!r}')
        self(pa.array([], pa.string()))

    def __call__(self, array: Any) -> tuple[Any, Any]:
        return jmdx.convert_column(array, from_=self.from_, to=self.to, on_error=self.on_error, **self.options)


@dataclass(frozen=True)
class Names:
    """Where the text goes, and where the errors go (None: nowhere)."""

    into: str
    errors: str | None

    def check(self, column: str, present: list[str], same_name: Any = str) -> None:
        """ValueError where a new column would push out one that is there."""
        taken = {same_name(name) for name in present}
        if same_name(self.into) != same_name(column) and same_name(self.into) in taken:
            raise ValueError(f"there is a column {self.into} already; name another one with into=")
        if self.errors is not None and same_name(self.errors) in taken | {same_name(self.into)}:
            raise ValueError(f"there is a column {self.errors} already; name another one with errors=")


def names(column: str, into: str | None, errors: str | None, on_error: str) -> Names:
    """`{column}` in `errors` stands for the column with the text; where errors are raised there is no column of them."""
    target = column if into is None else into
    if on_error == "raise" and errors not in (None, ERRORS):
        raise ValueError(f'there is no column {errors} with on_error="raise", which ends at the first error')
    kept = errors is not None and on_error == "null"
    return Names(target, errors.replace("{column}", target) if kept and errors is not None else None)


def converted(columns: list[Any], at: int, conversion: Conversion, replace: bool, keep_errors: bool) -> list[Any]:
    """The columns of the result: the text in place of column `at` or behind them all, then the errors."""
    text, errors = conversion(columns[at])
    result = [*columns[:at], text, *columns[at + 1 :]] if replace else [*columns, text]
    return [*result, errors] if keep_errors else result


def halves(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch cut in two, for one whose text does not fit into 32-bit offsets."""
    middle = batch.num_rows // 2
    yield batch.slice(0, middle)
    yield batch.slice(middle)
