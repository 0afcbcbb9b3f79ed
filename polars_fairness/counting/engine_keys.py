"""Keys that another engine groups rows by."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals as nw
import polars as pl


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
