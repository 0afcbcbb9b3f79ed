"""Columns of another engine, and the keys that it groups rows by."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals as nw
import polars as pl

from polars_fairness.errors import FairnessError


@dataclass(frozen=True)
class EngineKey:
    """A key: its name in cells, the engine's column for it, its type in polars."""

    name: str
    column: nw.Expr
    dtype: pl.DataType

    @property
    def engine_name(self) -> str:
        """Its name in the engine, where a dot could be read as the field of a struct."""
        return self.name.replace(".", "_")

    @property
    def value(self) -> nw.Expr:
        """What the engine groups by."""
        if self.dtype.is_float():
            # Makes 0.0 of -0.0: for arrow they differ, and Dask then mixes up groups.
            return self.column + 0.0
        # Dask cannot group by values that arrow keeps in a dictionary.
        return self.column.cast(nw.String) if self._is_dictionary else self.column

    @property
    def null(self) -> nw.Expr:
        """A null of the type that the engine groups by."""
        of_type = pl.Series(dtype=pl.String if self._is_dictionary else self.dtype)
        return nw.lit(None, nw.from_native(of_type, series_only=True).dtype)

    @property
    def _is_dictionary(self) -> bool:
        return self.dtype in (pl.Enum, pl.Categorical)


def engine_column(engine: nw.Implementation, name: str) -> nw.Expr:
    """A column of an engine's frame, whatever characters its name has."""
    if engine.is_pyspark() or engine.is_pyspark_connect():
        # Unquoted, Spark reads a dot as the field of a struct and a star as all columns.
        name = "`" + name.replace("`", "``") + "`"
    elif engine.is_duckdb() and name == "*":
        msg = "DuckDB reads a column named '*' as all columns; rename the column there first"
        raise FairnessError(msg)
    return nw.col(name)
