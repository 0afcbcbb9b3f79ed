"""Text that an engine compares by a collation, such as one for which "F" and "f" are the same."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl

from polars_fairness.counting.engine_keys import engine_column


def without_collations(frame: nw.LazyFrame[Any], schema: pl.Schema) -> nw.LazyFrame[Any]:
    """The frame whose columns of text are compared letter by letter, as polars compares them.

    Otherwise the rows of "F" and "f" are one group of the engine, named by the first row of each
    cell, and polars makes two groups of these cells.
    """
    engine, native = frame.implementation, nw.to_native(frame)
    if engine.is_duckdb():
        # DuckDB does not tell the collation of a column; to state none takes it no time.
        read = {_quoted(name): _in_sql(_quoted(name), dtype) for name, dtype in schema.items()}
        texts = [f"{sql} AS {name}" for name, sql in read.items() if sql != name]
        if texts:
            found: nw.LazyFrame[Any] = nw.from_native(
                native.project(f"* REPLACE ({', '.join(texts)})")
            )
            return found
    if engine.is_pyspark() or engine.is_pyspark_connect():
        types, of_spark = frame.collect_schema(), native.schema
        plain = [
            engine_column(engine, name).cast(types[name]).alias(name)
            for name in schema
            if "collate" in of_spark[name].dataType.simpleString()
        ]
        return frame.with_columns(plain) if plain else frame
    return frame


def _in_sql(value: str, dtype: Any) -> str:
    """A value in DuckDB, its text and the text in its fields without a collation."""
    if dtype in (pl.String, pl.Enum):
        return f'CAST({value} AS VARCHAR) COLLATE "C"'
    if not isinstance(dtype, pl.Struct):
        return value
    fields = (
        f"{_quoted(field.name)} := {_in_sql(f'{value}.{_quoted(field.name)}', field.dtype)}"
        for field in dtype.fields
    )
    return f"CASE WHEN {value} IS NOT NULL THEN struct_pack({', '.join(fields)}) END"


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
