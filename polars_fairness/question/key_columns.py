"""Columns that cells are counted by, and their names in cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import polars as pl

from polars_fairness.question.columns import Column, with_one_zero


@dataclass(frozen=True)
class KeyColumns:
    """Columns of one argument with their keys: names in cells that no user's column can have.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.question.columns import Column
    >>> strata = KeyColumns("subgroup", (Column("branch", pl.col("branch"), pl.String()),))
    >>> strata.keys, strata.names
    (['subgroup.0'], ['branch'])
    """

    argument: str
    columns: tuple[Column, ...]

    def __bool__(self) -> bool:
        return bool(self.columns)

    @cached_property
    def keys(self) -> list[str]:
        return list(self.by_key)

    @cached_property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @cached_property
    def types(self) -> dict[str, pl.DataType]:
        """The types of these columns by the names that the user gave."""
        return {column.name: column.dtype for column in self.columns}

    @cached_property
    def by_key(self) -> dict[str, Column]:
        return {f"{self.argument}.{i}": column for i, column in enumerate(self.columns)}

    def as_keys(self) -> Iterator[pl.Expr]:
        """The user's columns, named by their keys."""
        for key, column in self.by_key.items():
            value = column.expression
            yield (with_one_zero(value) if column.dtype.is_float() else value).alias(key)

    def as_named(self) -> Iterator[pl.Expr]:
        """The keys, renamed to the names that the user gave."""
        for key, column in self.by_key.items():
            yield pl.col(key).alias(column.name)

    def in_cells(self) -> Self:
        """The same columns, read from frames whose columns are the keys."""
        return self._with(column.at(pl.col(key)) for key, column in self.by_key.items())

    def named_by_keys(self) -> Self:
        """The same columns, named by their keys, which are no patterns and no other column's."""
        return self._with(replace(column, name=key) for key, column in self.by_key.items())

    def _with(self, columns: Iterator[Column]) -> Self:
        return replace(self, columns=tuple(columns))
