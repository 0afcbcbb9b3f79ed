"""Which outcome counts as positive, for the label and the prediction alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import polars as pl

from polars_fairness.errors import FairnessError, require_number
from polars_fairness.roles.columns import Column
from polars_fairness.roles.sides import fits, value_as

NUMBER_POSITIVE: Final = (1,)


@dataclass(frozen=True)
class Outcome:
    """One outcome column, and how to tell a positive value.

    ``expression`` is Boolean where the row alone settles the question (a Boolean column, a
    threshold). Everything else stays as it is until it is a key of a cell: an error can then
    name the values that occur, and the divergences weigh each of them.
    """

    role: Literal["label", "predicted"]
    column: Column
    threshold: float | None = None
    positive: tuple[object, ...] | None = None
    assumed: bool = False
    is_inverted: bool = False

    @property
    def settled(self) -> bool:
        return self.threshold is not None or self.column.dtype == pl.Boolean

    @property
    def expression(self) -> pl.Expr:
        value = self.column.expression
        if self.column.dtype.is_float():
            value = value.fill_nan(None)
        if self.threshold is not None:
            return value >= self.threshold
        return ~value if self.is_inverted else value

    def at(self, place: pl.Expr) -> Outcome:
        """The same outcome where its threshold has been applied, and nothing else."""
        if self.threshold is None:
            return replace(self, column=self.column.at(place))
        return replace(self, column=Column(self.column.name, place, pl.Boolean()), threshold=None)

    @property
    def is_binary(self) -> bool:
        """Whether positive and negative are told apart."""
        return self.settled or self.positive is not None

    def positive_of(self, value: pl.Expr) -> pl.Expr:
        """Whether an outcome is positive, given the key of a cell."""
        if self.settled or self.positive is None:
            return value
        values = pl.concat([value_as(each, self.column.dtype) for each in self.positive])
        return value.is_in(values.implode())

    def as_asked(self, value: pl.Expr) -> pl.Expr:
        """The outcome as the caller spoke of it: Boolean where they said what is positive."""
        return value if self.assumed else self.positive_of(value)


def find_outcome(
    role: Literal["label", "predicted"],
    column: Column | None,
    positive: tuple[object, ...] | None,
    threshold: float | None,
) -> Outcome | None:
    """Settle how a column tells positive from negative."""
    argument = "threshold" if role == "predicted" else "label_threshold"
    if column is None:
        if threshold is not None:
            msg = f"{argument}: there is no {role} to compare with {threshold}; give {role}="
            raise FairnessError(msg)
        return None
    dtype = column.dtype
    if threshold is not None:
        if not dtype.is_numeric():
            msg = (
                f"{argument}: {role} {column.name!r} is {dtype}, not a number; leave {argument} out"
            )
            raise FairnessError(msg)
        return Outcome(role, column, require_number(argument, threshold))
    chosen = tuple(value_as(each, dtype).item() for each in positive or () if fits(each, dtype))
    if dtype == pl.Boolean:
        return Outcome(role, column, is_inverted=bool(chosen) and not any(chosen))
    if chosen:
        return Outcome(role, column, positive=chosen)
    if role == "predicted" and dtype.is_float():
        msg = (
            f"predicted: {column.name!r} is {dtype}, a score; give threshold= to make a decision "
            "of it, or positive= if its values are decisions already"
        )
        raise FairnessError(msg)
    if dtype.is_numeric():
        return Outcome(role, column, positive=NUMBER_POSITIVE, assumed=True)
    return Outcome(role, column)


def refuse_unfit_positive(positive: Sequence[object] | None, outcomes: Sequence[Outcome]) -> None:
    """Refuse a positive value that no outcome column could ever hold."""
    open_to_it = [outcome.column for outcome in outcomes if outcome.threshold is None]
    for value in positive or ():
        if not any(fits(value, column.dtype) for column in open_to_it):
            types = ", ".join(f"{column.name!r} is {column.dtype}" for column in open_to_it)
            msg = (
                f"positive: {value!r} cannot be an outcome: {types}; name a value of that type"
                if types
                else f"positive: {value!r} speaks of no outcome; leave it out, or give label= or "
                "predicted= without a threshold"
            )
            raise FairnessError(msg)
