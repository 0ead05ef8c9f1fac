"""Columns of Spark dataframes between JSON and JMD.

>>> import jmdx.spark
>>> jmds = jmdx.spark.with_jmd(spark.read.text("data/"), "value", "jmd")   # doctest: +SKIP
>>> spark.sql("SELECT to_jmd(payload) FROM events")  # after jmdx.spark.register(spark)   # doctest: +SKIP

`with_jmd` and `with_json` convert a column and tell in a second one what was refused, and why. `to_jmd_udf` and `to_json_udf` are
functions over columns, for expressions; `register` gives them to SQL. All of them work on Arrow batches in Spark's Python workers.

The package must be importable on the executors; docs/spark.md of the project tells how it gets there. Of Spark, version 3.5 or later
is needed, and pyarrow. Options are those of `jmdx.to_jmd` and `jmdx.to_json`; see `jmdx.convert_column`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jmdx._batches import ERRORS, Conversion, Names, OnError, converted, halves, names

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["ERROR_TYPE", "register", "to_jmd_udf", "to_json_udf", "with_jmd", "with_json"]

#: The type of a column of errors, as Spark writes it. Null where the row is fine.
ERROR_TYPE = "struct<kind: string, line: bigint, column: bigint, offset: bigint, message: string>"


def with_jmd(
    df: DataFrame,
    column: str,
    into: str | None = None,
    *,
    errors: str | None = ERRORS,
    on_error: OnError = "null",
    **options: Any,
) -> DataFrame:
    """The dataframe with the JSON of a column as JMD.

    column: its name; strings, or binary with UTF-8. Null stays null.
    into: name of a new column for the text, the last one; None, or the name of the column: the text takes its place.
    on_error: what becomes of a row that is refused: ``"null"``, or ``"raise"``, which ends the query.
    errors: name of a new column that tells why a row is null (ERROR_TYPE), by default ``"{column}_error"``, in which
        ``{column}`` stands for the column with the text. None: no such column; then nothing tells a refused row from a null one. There is
        none with ``on_error="raise"``, which Spark makes a PythonException with the text of the JmdxError.
    options: those of `jmdx.to_jmd`, such as ``label="Order"``; ``threads`` is 1, because Spark runs a task on each core.

    All other columns stay as they are, also those of the same name twice. Where the text replaces the column, what a refused row held is
    gone: use ``into`` to keep it.

    Raises ValueError if there is no such column, it is ambiguous, or a new one would have the name of another; TypeError if it holds
    something else than text, or an option is none.
    """
    return _with_text(df, column, into, errors, Conversion("json", "jmd", on_error, options))


def with_json(
    df: DataFrame,
    column: str,
    into: str | None = None,
    *,
    errors: str | None = ERRORS,
    on_error: OnError = "null",
    **options: Any,
) -> DataFrame:
    """The dataframe with the JMD of a column as JSON: the way back of `with_jmd`, with the options of `jmdx.to_json`."""
    return _with_text(df, column, into, errors, Conversion("jmd", "json", on_error, options))


def to_jmd_udf(*, on_error: OnError = "raise", errors: bool = False, **options: Any) -> Callable[..., Any]:
    """A function from a column of JSON to one of JMD: ``df.select(to_jmd("payload"))`` after ``to_jmd = to_jmd_udf()``.

    on_error: ``"raise"`` ends the query at a row that is refused; ``"null"`` makes it null.
    errors: the function gives ``struct<text: string, error: ...>`` instead, with an ERROR_TYPE where text is null because the row was
        refused; on_error is ``"null"`` then. Needs Spark 4.1 or later.
    options: those of `jmdx.to_jmd`.
    """
    return _udf("to_jmd", Conversion("json", "jmd", "null" if errors else on_error, options), errors)


def to_json_udf(*, on_error: OnError = "raise", errors: bool = False, **options: Any) -> Callable[..., Any]:
    """A function from a column of JMD to one of JSON: the way back of `to_jmd_udf`, with the options of `jmdx.to_json`."""
    return _udf("to_json", Conversion("jmd", "json", "null" if errors else on_error, options), errors)


def register(
    spark: SparkSession,
    name: str = "to_jmd",
    *,
    from_: str = "json",
    to: str = "jmd",
    on_error: OnError = "raise",
    errors: bool = False,
    **options: Any,
) -> Callable[..., Any]:
    """Lets SQL call the function of `to_jmd_udf` by that name, and returns it.

    ``register(spark, "jmd_to_json", from_="jmd", to="json")`` is the way back. Name it so, not ``to_json``: Spark has a function of that name.
    """
    udf = _udf(name, Conversion(from_, to, "null" if errors else on_error, options), errors)
    return spark.udf.register(name, udf)


def _with_text(df: DataFrame, column: str, into: str | None, errors: str | None, conversion: Conversion) -> DataFrame:
    _pyspark()
    same_name = _same_name(df)
    at = _position(df.columns, column, same_name)
    _check_type(df.schema[at], column)
    place = names(df.columns[at], into, errors, conversion.on_error)
    place.check(df.columns[at], df.columns, same_name)
    conversion.check()
    replace = same_name(place.into) == same_name(df.columns[at])
    fields, titles = _fields(df, at, place, replace)
    # Numbers for names, so that names with dots, and names that are there twice, reach the mapper.
    numbered = df.toDF(*(str(number) for number in range(len(df.columns))))
    mapped = numbered.mapInArrow(_mapper(conversion, at, replace, place.errors is not None), fields)
    return mapped.toDF(*titles)


def _mapper(conversion: Conversion, at: int, replace: bool, keep_errors: bool) -> Callable[..., Iterator[pa.RecordBatch]]:
    def pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        try:
            columns = converted(batch.columns, at, conversion, replace, keep_errors)
        except OverflowError:
            if batch.num_rows < 2:
                raise
            for half in halves(batch):
                yield from pieces(half)
        else:
            yield pa.RecordBatch.from_arrays(columns, [str(number) for number in range(len(columns))])

    def mapper(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from pieces(batch)

    return mapper


def _fields(df: DataFrame, at: int, place: Names, replace: bool) -> tuple[Any, list[str]]:
    """The schema of what the mapper gives, with numbers for names, and the names."""
    from pyspark.sql.types import StringType, StructField, StructType

    fields, titles = list(df.schema.fields), list(df.columns)
    text = StructField(place.into, StringType())
    if replace:
        fields[at], titles[at] = text, place.into
    else:
        fields, titles = [*fields, text], [*titles, place.into]
    if place.errors is not None:
        fields, titles = [*fields, StructField(place.errors, _error_type())], [*titles, place.errors]
    numbered = [StructField(str(number), field.dataType, field.nullable, field.metadata) for number, field in enumerate(fields)]
    return StructType(numbered), titles


def _error_type() -> Any:
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    places = [StructField(name, LongType()) for name in ("line", "column", "offset")]
    return StructType([StructField("kind", StringType()), *places, StructField("message", StringType())])


def _udf(name: str, conversion: Conversion, errors: bool) -> Callable[..., Any]:
    _pyspark()
    conversion.check()
    functions = _functions()
    if not hasattr(functions, "arrow_udf"):  # Spark before 4.1
        return _pandas_udf(name, conversion, errors)

    def convert(array):  # type: ignore[no-untyped-def]  # Spark would resolve hints here, and wants pyarrow for that
        return _text_and_error(*conversion(array)) if errors else conversion(array)[0]

    convert.__name__ = name
    udf: Callable[..., Any] = functions.arrow_udf(convert, f"struct<text: string, error: {ERROR_TYPE}>" if errors else "string")
    return udf


def _pandas_udf(name: str, conversion: Conversion, errors: bool) -> Callable[..., Any]:
    if errors:
        raise NotImplementedError("errors=True needs Spark 4.1 or later; with_jmd and with_json have a column of errors in all versions")

    def convert(series):  # type: ignore[no-untyped-def]
        import pyarrow as pa

        return conversion(pa.Array.from_pandas(series))[0].to_pandas()

    convert.__name__ = name
    udf: Callable[..., Any] = _functions().pandas_udf(convert, "string")
    return udf


def _functions() -> Any:
    """Spark's module of functions, of whatever version."""
    from pyspark.sql import functions

    return functions


def _text_and_error(text: pa.Array, error: pa.Array) -> pa.StructArray:
    import pyarrow as pa

    return pa.StructArray.from_arrays([text, error], ["text", "error"])


def _pyspark() -> None:
    try:
        import pyspark.sql  # noqa: F401
    except ImportError as error:
        raise ImportError("jmdx.spark needs pyspark 3.5 or later with its Arrow parts: pip install 'pyspark[sql]'") from error


def _same_name(df: DataFrame) -> Callable[[str], str]:
    """What two names have in common that are one to Spark."""
    exact = df.sparkSession.conf.get("spark.sql.caseSensitive", "false") == "true"
    return str if exact else str.lower


def _position(columns: list[str], column: str, same_name: Callable[[str], str]) -> int:
    if not isinstance(column, str):
        raise TypeError(f"the name of a column is needed, not {type(column).__name__}; to_jmd_udf() takes expressions")
    found = [at for at, name in enumerate(columns) if same_name(name) == same_name(column)]
    if not found:
        hint = "; for a field inside a column use to_jmd_udf()" if "." in column else ""
        raise ValueError(f"there is no column {column}, only {', '.join(columns)}{hint}")
    if len(found) > 1:
        raise ValueError(f"there are {len(found)} columns {column}; rename one, or use to_jmd_udf()")
    return found[0]


def _check_type(field: Any, column: str) -> None:
    if field.dataType.typeName() not in ("string", "binary", "varchar", "char"):
        kind = field.dataType.simpleString()
        raise TypeError(f"column {column} is {kind}, not text; pyspark.sql.functions.to_json makes JSON text of structs, maps and variants")
