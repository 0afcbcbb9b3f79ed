"""Numbers as outcomes: what formulas make of the sums of one side or group.

Sums are centred: of each number, a place near its mean is taken away before it is squared, so that
an offset of all numbers changes no digit. ``observed_place`` adds up the place itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from polars_fairness.formula.sides import Side, a, d, outcomes_of
from polars_fairness.formula.tree import Expression, choose, literal, ratio, term, unbounded_ratio

_ROUNDING: Final = 1e-13

# Sums of squares of a billion rows are below 0 by less, but for those of regressions.
_BELOW_0: Final = 1e-9

Of = Callable[[Side], Expression]
"""A number of a side or group, as an expression of its sums."""


def _sum(side: Side, word: str) -> Expression:
    return term(f"{side.name}.{word}")


def _unless_rounding(value: Expression, of: Expression) -> Expression:
    """A difference of sums; 0 where it is no more than what rounding leaves of them."""
    return choose(value.abs() <= _ROUNDING * of.abs(), 0.0, value)


def total(number: str) -> Of:
    """The sum of a number, ``observed`` or ``estimated``, over the rows of a side."""

    def formula(side: Side) -> Expression:
        place = _sum(side, f"{number}_place")
        return _unless_rounding(place + _sum(side, f"{number}_sum"), place)

    return formula


def mean(number: str) -> Of:
    """The mean of a number."""
    return lambda side: unbounded_ratio(total(number)(side), side.n)


def centred_mean(number: str) -> Of:
    """The mean of a number less its place, which all groups share: for differences of means."""
    return lambda side: unbounded_ratio(_sum(side, f"{number}_sum"), side.n)


def mean_log(number: str) -> Of:
    """The mean logarithm of a number, as far as it is added up: at equal controls."""
    return lambda side: unbounded_ratio(_sum(side, f"{number}_log"), side.n)


def _mean_of_squares(value: Expression, of: Expression) -> Expression:
    """A mean of squares; null where a regression gives one below 0."""
    is_rounding = value.abs() <= _ROUNDING * of.abs()
    rounded = choose(is_rounding, 0.0, value)
    return choose(rounded >= -_BELOW_0 * of.abs(), rounded.clip(0))


def spread(number: str) -> Of:
    """The mean of squared distances from the mean."""

    def formula(side: Side) -> Expression:
        around_place = unbounded_ratio(_sum(side, f"{number}_squares"), side.n)
        return _mean_of_squares(around_place - centred_mean(number)(side) ** 2, around_place)

    return formula


def variance(number: str) -> Of:
    """The sample variance; with weights, by the effective number of rows. For one row it is 0."""

    def formula(side: Side) -> Expression:
        rows, of_rows = side.effective_n, spread(number)(side)
        return choose(rows > 1, of_rows * rows / (rows - 1), of_rows)

    return formula


def deviation(number: str) -> Of:
    """The standard deviation."""
    return lambda side: variance(number)(side).sqrt()


def pooled_deviation(number: str) -> Expression:
    """The pooled standard deviation of both sides; 0 where there are two rows or fewer."""
    degrees = a.effective_n + d.effective_n - 2
    sides = ((side.effective_n - 1) * variance(number)(side) for side in (a, d))
    return choose(degrees > 0, (sum(sides, literal(0.0)) / degrees).sqrt(), 0.0)


def mean_residual(side: Side) -> Expression:
    """The mean of estimated less observed, without what the places of all groups share."""
    return centred_mean("estimated")(side) - centred_mean("observed")(side)


def actual_to_expected(side: Side) -> Expression:
    """The sum of observed numbers over that of estimated ones."""
    return ratio(total("observed")(side), total("estimated")(side))


def mean_distance(side: Side) -> Expression:
    """The mean absolute error."""
    return unbounded_ratio(side.residual_distance, side.n)


def mean_square(side: Side) -> Expression:
    """The mean squared error."""
    apart = unbounded_ratio(side.estimated_place - side.observed_place, side.n)
    around_place = unbounded_ratio(side.residual_squares, side.n) + apart**2
    return _mean_of_squares(around_place + 2 * apart * mean_residual(side), around_place)


def root_mean_square(side: Side) -> Expression:
    """The root of the mean squared error."""
    return mean_square(side).sqrt()


def correlation(side: Side) -> Expression:
    """Pearson's correlation of observed and estimated; undefined if either does not vary."""
    own, other = spread("estimated")(side), spread("observed")(side)
    residual = unbounded_ratio(side.residual_squares, side.n)
    apart = residual - mean_residual(side) ** 2
    products = _unless_rounding((own + other - apart) / 2, own + other + residual)
    return ratio(products, (own * other).sqrt()).clip(-1, 1)


def r2(side: Side) -> Expression:
    """1 minus the mean squared error divided by the variance of observed; undefined if it is 0."""
    return 1 - ratio(mean_square(side), spread("observed")(side))


def needing_all_groups(g: Side, own: Expression, value: Expression) -> Expression:
    """A value over groups; null where a group has rows, and not the number that is compared."""
    return choose((~own.is_null() | (g.n == 0)).all(), value)


def explained_by_group(g: Side, whole: Side) -> Expression:
    """The share of the variance of estimated that the groups explain, adjusted for their number."""
    within = needing_all_groups(g, spread("estimated")(g), (spread("estimated")(g) * g.n).sum())
    of_all = spread("estimated")(whole).first() * whole.n.first()
    rows, groups = whole.effective_n.first(), (g.n > 0).sum()
    left = ratio(within, of_all.first()) * (rows - 1) / (rows - groups)
    return choose(rows > groups, 1 - left)


@dataclass(frozen=True)
class NumberOfGroup:
    """A number of a group, as a column of `rates`.

    For a mean, ``variance`` is that of single rows. An error is bad for a group whatever is good.
    """

    name: str
    of: Of = field(compare=False, repr=False)
    title: str
    meaning: str
    variance: Of | None = field(default=None, compare=False, repr=False)
    is_error: bool = False

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words for the sums that it is made of."""
        return frozenset(name.partition(".")[2] for name in self.of(Side("g")).terms)

    @cached_property
    def needs(self) -> frozenset[str]:
        """The numbers without which it has no value."""
        return frozenset(need for word in self.terms for need in outcomes_of(word))


_ALL: Final = (
    *(
        NumberOfGroup(
            f"{number}_{word}",
            of(number),
            f"{title} {number}",
            f"the {meaning}",
            variance(number) if of is mean else None,
        )
        for number in ("observed", "estimated")
        for word, of, title, meaning in (
            ("mean", mean, "Mean", f"mean of {number}"),
            ("deviation", deviation, "Standard deviation of", f"standard deviation of {number}"),
        )
    ),
    NumberOfGroup("mae", mean_distance, "Mean absolute error",
                  "the mean distance between estimated and observed",
                  lambda side: mean_square(side) - mean_distance(side) ** 2, is_error=True),
    NumberOfGroup("rmse", root_mean_square, "Root mean squared error",
                  "the root of the mean squared distance between the two", is_error=True),
    NumberOfGroup("correlation", correlation, "Correlation",
                  "the correlation of observed and estimated"),
    NumberOfGroup("r2", r2, "R²",
                  "the share of the variance of observed that estimated explains"),
)  # fmt: skip

NUMBERS_OF_GROUPS: Final = {each.name: each for each in _ALL}
"""The columns of `rates` about the numbers of each group."""
