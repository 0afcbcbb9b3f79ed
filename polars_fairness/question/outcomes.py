"""Which outcome counts as positive, for the label and the prediction alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, get_args

import polars as pl

from polars_fairness.errors import FairnessError, did_you_mean, require_number
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import fits, value_as

NUMBER_POSITIVE: Final = (1,)

Role = Literal["label", "predicted"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)


@dataclass(frozen=True)
class Positive:
    """The positive values of one outcome, of its own type.

    ``is_shared`` where the same list was given for both outcomes, so that a value may occur in
    one of them only.
    """

    values: tuple[object, ...] = ()
    is_shared: bool = False


@dataclass(frozen=True)
class Outcome:
    """One outcome column, and how to tell a positive value.

    ``expression`` is Boolean where the row alone settles the question (a Boolean column, a
    threshold). Everything else stays as it is until it is a key of a cell: an error can then
    name the values that occur, and the divergences weigh each of them.
    """

    role: Role
    column: Column
    threshold: float | None = None
    positive: tuple[object, ...] | None = None
    shares_positive: bool = False
    assumed: bool = False
    is_inverted: bool = False

    @cached_property
    def settled(self) -> bool:
        return self.threshold is not None or self.column.dtype == pl.Boolean

    @cached_property
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

    @cached_property
    def is_binary(self) -> bool:
        """Whether positive and negative are told apart."""
        return self.settled or self.positive is not None

    def surely_has(self, value: object, occurring: Sequence[object]) -> bool:
        """Whether a value exists though it may not occur: the column's type says so."""
        if self.column.dtype.is_numeric():
            return {value, *occurring} <= {0, 1}
        return isinstance(self.column.dtype, pl.Enum)

    def positive_of(self, value: pl.Expr) -> pl.Expr:
        """Whether an outcome is positive, given the key of a cell."""
        if self.settled or self.positive is None:
            return value
        values = pl.concat([value_as(each, self.column.dtype) for each in self.positive])
        return value.is_in(values.implode())

    def as_asked(self, value: pl.Expr) -> pl.Expr:
        """The outcome as the caller spoke of it: Boolean where they said what is positive."""
        return value if self.assumed else self.positive_of(value)


def find_outcomes(
    columns: Mapping[Role, Column | None],
    thresholds: Mapping[Role, float | None],
    positive: object,
) -> tuple[Outcome | None, Outcome | None]:
    """Settle how the label and the prediction tell positive from negative."""
    undecided = {
        role: column
        for role, column in columns.items()
        if column is not None and thresholds[role] is None
    }
    chosen = _find_positive(positive, undecided)
    label, predicted = (
        _find_outcome(role, columns[role], chosen.get(role, Positive()), thresholds[role])
        for role in ROLES
    )
    return label, predicted


def _find_positive(given: object, outcomes: Mapping[Role, Column]) -> dict[Role, Positive]:
    """Find the positive values of each outcome that no threshold decides."""
    if isinstance(given, Mapping):
        _refuse_what_is_no_outcome(given, outcomes.values())
        found = {}
        for role, column in outcomes.items():
            own = _listed(given.get(column.name))
            _refuse_unfit(own, [column])
            found[role] = _of_type(own, column, is_shared=False)
        return found
    values = _listed(given)
    _refuse_unfit(values, outcomes.values())
    is_shared = len(outcomes) > 1
    return {
        role: _of_type(values, column, is_shared=is_shared) for role, column in outcomes.items()
    }


def _find_outcome(
    role: Role, column: Column | None, positive: Positive, threshold: float | None
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
    if dtype == pl.Boolean:
        return Outcome(role, column, is_inverted=positive.values == (False,))
    if positive.values:
        return Outcome(role, column, positive=positive.values, shares_positive=positive.is_shared)
    if role == "predicted" and dtype.is_float():
        msg = (
            f"predicted: {column.name!r} is {dtype}, a score; give threshold= to make a decision "
            "of it, or positive= if its values are decisions already"
        )
        raise FairnessError(msg)
    if dtype.is_numeric():
        return Outcome(role, column, positive=NUMBER_POSITIVE, assumed=True)
    return Outcome(role, column)


def _listed(given: object) -> tuple[object, ...]:
    if given is None:
        return ()
    values = tuple(given) if isinstance(given, list | tuple | set | frozenset) else (given,)
    if not values:
        msg = "positive: an empty list; name a value, or leave it out"
        raise FairnessError(msg)
    return values


def _of_type(values: Sequence[object], column: Column, *, is_shared: bool) -> Positive:
    """Read the values that a column could hold as its own; the others mean another column."""
    fitting = [value_as(each, column.dtype).item() for each in values if fits(each, column.dtype)]
    if column.dtype == pl.Boolean and len({*fitting}) > 1:
        msg = (
            f"positive: both values of {column.name!r} would be positive, and none negative; "
            "name one of them"
        )
        raise FairnessError(msg)
    return Positive(tuple(dict.fromkeys(fitting)), is_shared)


def _refuse_what_is_no_outcome(named: Iterable[object], columns: Iterable[Column]) -> None:
    names = [column.name for column in columns]
    for name in named:
        if name not in names:
            msg = (
                f"positive: {name!r} is no outcome of this call without a threshold; "
                f"{did_you_mean(str(name), names)}"
            )
            raise FairnessError(msg)


def _refuse_unfit(values: Sequence[object], columns: Collection[Column]) -> None:
    """Refuse a positive value that none of these columns could ever hold."""
    for value in values:
        if not any(fits(value, column.dtype) for column in columns):
            types = ", ".join(f"{column.name!r} is {column.dtype}" for column in columns)
            msg = (
                f"positive: {value!r} cannot be an outcome: {types}; name a value of that type"
                if types
                else f"positive: {value!r} speaks of no outcome; leave it out, or give label= or "
                "predicted= without a threshold"
            )
            raise FairnessError(msg)
