"""Numbers as outcomes: the columns of what was observed and estimated, and what is added up."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.formula.rates import SUMS_OF_NUMBERS
from polars_fairness.question.columns import Column

OBSERVED: Final = "observed"
ESTIMATED: Final = "estimated"
NUMBERS: Final = (OBSERVED, ESTIMATED)
"""The roles of numbers, in order."""


@dataclass(frozen=True)
class Number:
    """A column of numbers as an outcome.

    Cells that are counted again have their mean in the column, and sums beside it: ``has_sums``.
    """

    column: Column
    has_sums: bool = False

    @property
    def role(self) -> str:
        """Observed or estimated: the argument that names the column."""
        return self.column.argument

    @cached_property
    def expression(self) -> pl.Expr:
        """The numbers of rows as floats, null where they are unknown."""
        number = self.column.expression.cast(pl.Float64)
        return number.fill_nan(None) if self.column.dtype.is_float() else number


def number_of(column: Column) -> Number:
    """The column as an outcome; raise if it holds no numbers."""
    if column.dtype == pl.Null:
        column = replace(column, dtype=pl.Float64())
    if not column.dtype.is_numeric():
        raise FairnessError(
            f"{column.argument}: {column.name!r} is {column.dtype}, not a number; name a column of "
            "numbers"
        )
    return Number(column)


def with_sums_of_cells(numbers: Sequence[Number], of_cells: Container[str]) -> tuple[Number, ...]:
    """The numbers, with their sums if all of these are columns that cells alone have."""
    are_cells = all(name in of_cells for name in returned_sums(numbers).values())
    return tuple(replace(number, has_sums=are_cells) for number in numbers)


def returned_sums(numbers: Sequence[Number]) -> dict[str, str]:
    """The columns of `cells` with the sums of each cell, by what they add up.

    Squares are of distances from the mean of the cell.
    """
    found = {
        f"{number.role}_{word}": f"{number.column.name}_{ending}"
        for number in numbers
        for word, ending in (("squares", "sq"), ("negative", "negative"), ("nonzero", "nonzero"))
    }
    of_residuals = ("residual_distance", "residual_below", "residual_below_sq")
    between = {"residual_squares": "residual_sq", **{word: word for word in of_residuals}}
    return found | between if len(numbers) > 1 else found


def sums_of_numbers(numbers: Sequence[Number]) -> tuple[str, ...]:
    """What cells add up of numbers as outcomes."""
    roles = {number.role for number in numbers}
    return tuple(word for word, needs in SUMS_OF_NUMBERS.items() if roles.issuperset(needs))
