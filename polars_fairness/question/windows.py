"""Windows: everything is computed once for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from polars_fairness.question.columns import Column


@dataclass(frozen=True)
class Windows:
    """The columns whose combinations are the windows of a call, those of ``by``.

    They lead every result. In cells they stand under the names of ``keys``, which no column of a
    user can have.
    """

    columns: tuple[Column, ...]

    @cached_property
    def keys(self) -> list[str]:
        return [f"by.{i}" for i in range(len(self.columns))]

    @cached_property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @cached_property
    def types(self) -> dict[str, pl.DataType]:
        """The leading columns of a result with their types."""
        return {column.name: column.dtype for column in self.columns}

    def as_named(self) -> Iterator[pl.Expr]:
        """The keys under the names that the user gave."""
        for key, name in zip(self.keys, self.names, strict=True):
            yield pl.col(key).alias(name)

    def in_cells(self) -> Windows:
        """The same windows of frames that have their keys."""
        pairs = zip(self.columns, self.keys, strict=True)
        return Windows(tuple(column.at(pl.col(key)) for column, key in pairs))

    def named_by_keys(self) -> Windows:
        """The same windows under names that are no pattern and no other column's."""
        pairs = zip(self.columns, self.keys, strict=True)
        return Windows(tuple(replace(column, name=key) for column, key in pairs))
