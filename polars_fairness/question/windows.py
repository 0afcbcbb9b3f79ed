"""Windows: groups of rows with results of their own, for each combination of ``by``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import polars as pl

from polars_fairness.question.key_columns import KeyColumns

THRESHOLD: Final = "threshold"


@dataclass(frozen=True)
class Windows(KeyColumns):
    """The columns of ``by`` and, given several thresholds, the threshold.

    Each combination of their values is a window. They are the first columns of every result.
    """

    has_thresholds: bool = False

    def __bool__(self) -> bool:
        return bool(self.keys)

    @cached_property
    def of_rows(self) -> Windows:
        """The windows that rows have by themselves: those of ``by``."""
        return replace(self, has_thresholds=False)

    @cached_property
    def keys(self) -> list[str]:
        return [*super().keys, *self.made]

    @cached_property
    def names(self) -> list[str]:
        return [*super().names, *self.made]

    @cached_property
    def types(self) -> dict[str, pl.DataType]:
        return super().types | dict.fromkeys(self.made, pl.Float64())

    def as_named(self) -> Iterator[pl.Expr]:
        yield from super().as_named()
        yield from map(pl.col, self.made)

    @property
    def made(self) -> list[str]:
        """The columns that the question makes, which are no columns of the user."""
        return [THRESHOLD] if self.has_thresholds else []
