from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final, Literal, Protocol, TypeAlias, final

from ._envelope import Envelope

_Data: TypeAlias = str | bytes | bytearray | memoryview
_Mode: TypeAlias = Literal["data", "query", "schema", "delete"]
_Modes: TypeAlias = _Mode | Iterable[_Mode] | None
_Frontmatter: TypeAlias = dict[str, str | int | float | Decimal | bool | None] | None
_Floats: TypeAlias = Literal["float", "exact", "decimal"]

__all__ = [
    "ArrowArray",
    "ArrowStream",
    "Events",
    "__version__",
    "convert_arrow",
    "events",
    "parse",
    "serialize",
    "to_jmd",
    "to_json",
]

__version__: Final[str]

def to_jmd(
    data: _Data,
    /,
    *,
    label: str = "Document",
    mode: _Mode = "data",
    frontmatter: _Frontmatter = None,
    order: Literal["source", "grouped"] = "source",
    quote: Literal["auto", "always"] = "auto",
    duplicate_keys: Literal["error", "first", "last"] = "error",
    envelope: bool = False,
    modes: _Modes = None,
    max_depth: int | None = 32,
    max_document: int | None = None,
    max_output: int | None = None,
    max_keys: int | None = 1048576,
) -> str: ...
def to_json(
    data: _Data,
    /,
    *,
    modes: _Modes = None,
    frontmatter: Literal["error", "drop"] = "error",
    envelope: bool = False,
    pretty: bool = False,
    ascii: bool = False,
    max_depth: int | None = 32,
    max_document: int | None = None,
    max_output: int | None = None,
    max_keys: int | None = 1048576,
    max_line: int | None = None,
) -> str: ...
def parse(
    data: _Data,
    /,
    *,
    floats: _Floats = "float",
    modes: _Modes = None,
    max_depth: int | None = 32,
    max_document: int | None = None,
    max_keys: int | None = 1048576,
    max_line: int | None = None,
) -> Envelope: ...
def serialize(
    value: Any,
    /,
    *,
    label: str = "Document",
    mode: _Mode = "data",
    frontmatter: _Frontmatter = None,
    order: Literal["source", "grouped"] = "source",
    quote: Literal["auto", "always"] = "auto",
    max_depth: int | None = 32,
    max_output: int | None = None,
    max_keys: int | None = 1048576,
) -> str: ...
def events(
    chunks: Iterable[_Data] | _Data,
    /,
    *,
    floats: _Floats = "float",
    modes: _Modes = None,
    max_depth: int | None = 32,
    max_document: int | None = None,
    max_keys: int | None = 1048576,
    max_line: int | None = None,
) -> Iterator[dict[str, Any]]: ...
@final
class Events:
    def __iter__(self) -> Events: ...
    def __next__(self) -> dict[str, Any]: ...

@final
class ArrowArray:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

@final
class ArrowStream:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

class _ArrayLike(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...

class _StreamLike(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...

def convert_arrow(
    array: _ArrayLike | _StreamLike,
    /,
    from_: str,
    to: str,
    on_error: str,
    threads: int,
    options: dict[str, Any],
    max_text: int = 2147483647,
) -> tuple[ArrowArray | ArrowStream, ArrowArray | ArrowStream]: ...
