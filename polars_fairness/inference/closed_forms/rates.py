"""Closed-form intervals: Wilson's of a rate, Newcombe's of a difference, the log ones of ratios.

The bounds are metrics themselves, evaluated together with all others. So are those of sequences,
which hold at every look at the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import permutations, product
from math import log
from statistics import NormalDist
from typing import Any, Final

import polars as pl

from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.levels import POPULATION, SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import auc
from polars_fairness.formula.sides import PROPORTIONS, RATES, Side, a, a_s, d, d_s, g
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    least,
    literal,
    mapped,
    ratio,
    term,
    total,
    unbounded_ratio,
)

# At this number of rows the interval is tightest. It is fixed in advance: chosen by the data, no
# guarantee would be left. From 100 to 100,000 rows the interval is at most 22 % wider than if it
# were tightest at the very number of rows; below it widens fast, at 10 rows to 2.7 times as much.
TIGHTEST_AT: Final = 1_000


Bounds = tuple[Expression, Expression]

Form = tuple[Callable[[Metric], tuple[Any, ...] | None], Callable[..., Bounds]]


@dataclass(frozen=True)
class Proportion:
    """A rate of one side as two counts: ``count`` of the ``of`` rows."""

    count: Expression
    of: Expression

    @property
    def rate(self) -> Expression:
        return ratio(self.count, self.of)


def wilson(rate: Expression, of: Expression, z: float) -> tuple[Expression, Expression]:
    """Bounds of a rate, given its number of rows: Wilson's score interval (Wilson 1927).

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.formula.in_polars import rendered
    >>> bounds = wilson(literal(0.8), literal(10.0), 1.96)
    >>> low, high = (pl.select(rendered(bound)).item() for bound in bounds)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    middle = rate + z**2 / (2 * of)
    reach = z * (rate * (1 - rate) / of + z**2 / (4 * of**2)).sqrt()
    whole = 1 + z**2 / of
    # For rates of 0 and 1, rounding puts a bound a little below 0 or above 1.
    # A rate of no rows, where 0/0 has a number, may be anything from 0 to 1.
    lower = choose((rate == 0) | (of == 0), 0.0, (middle - reach) / whole)
    upper = choose((rate == 1) | (of == 0), 1.0, (middle + reach) / whole)
    is_known = ~rate.is_null() & ~of.is_null()
    return choose(is_known, lower), choose(is_known, upper)


def wilson_of(rate: pl.Expr, of: pl.Expr, confidence: float) -> tuple[pl.Expr, pl.Expr]:
    """The same for columns of polars, at a confidence level."""
    columns, z = {"rate": rate, "of": of}, NormalDist().inv_cdf((1 + confidence) / 2)
    lower, upper = (
        rendered(bound, term=columns.__getitem__) for bound in wilson(term("rate"), term("of"), z)
    )
    return lower, upper


def student(z: float, freedom: Expression) -> Expression:
    """Student's quantile of the probability of a normal one."""
    return mapped(_student_at(NormalDist().cdf(z)), freedom)


@cache
def _student_at(probability: float) -> Callable[[Any], Any]:
    def quantiles(freedom: Any) -> Any:
        from polars_fairness.inference.quantiles import student  # it needs numpy

        return student(probability, freedom)

    return quantiles


def bounds(metric: Metric, method: str, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if the method does not fit its formula.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [bounds(pf.CATALOGUE[name], "newcombe", 0.95) is None for name in ("rd", "di", "cddpl")]
    [False, True, True]
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    for found_in, write in _FORMS[method]:
        if parts := found_in(metric):
            lower, upper = write(*parts, z)
            return replace(metric, formula=lower), replace(metric, formula=upper)
    return None


def _newcombe(one: Proportion, other: Proportion, z: float) -> tuple[Expression, Expression]:
    """Bounds of a difference of rates from their score intervals (Newcombe 1998, method 10)."""
    of_one, of_other = (wilson(p.rate, p.of, z) for p in (one, other))
    return recovered(one.rate, of_one, other.rate, of_other)


def recovered(
    one: Expression,
    of_one: tuple[Expression, Expression],
    other: Expression,
    of_other: tuple[Expression, Expression],
) -> tuple[Expression, Expression]:
    """Bounds of a difference of two numbers from the bounds of each (Zou and Donner 2008)."""
    difference, (low, high), (other_low, other_high) = one - other, of_one, of_other
    down = ((one - low) ** 2 + (other_high - other) ** 2).sqrt()
    up = ((high - one) ** 2 + (other - other_low) ** 2).sqrt()
    return difference - down, difference + up


def logs(ends: Bounds) -> Bounds:
    """The logarithms of bounds."""
    return ends[0].log(), ends[1].log()


def _log(one: Proportion, other: Proportion, z: float) -> tuple[Expression, Expression]:
    """Bounds of a ratio of rates, by a normal distribution of its logarithm (Katz et al. 1978).

    A rate of 1 has no deviation there, though ten of ten rows leave a rate of 0.7 possible. Then
    the deviations are recovered from the score intervals of both rates, as for a difference. By
    Katz, 10 of 100 intervals held the true ratio of two rates of 0.99 of 10 and of 1,000 rows.
    """
    deviation = sum((ratio(1 - p.rate, p.count) for p in (one, other)), literal(0.0)).sqrt()
    logarithm = ratio(one.rate, other.rate).log()
    lower, upper = recovered(
        one.rate.log(),
        logs(wilson(one.rate, one.of, z)),
        other.rate.log(),
        logs(wilson(other.rate, other.of, z)),
    )
    has_rate_of_1 = (one.count == one.of) | (other.count == other.of)
    # A rate of 0 has no logarithm: the bounds are 0 and infinity.
    is_bounded = (one.count > 0) & (other.count > 0)
    low, high = (
        choose(has_rate_of_1, bound, logarithm + sign * deviation)
        for bound, sign in ((lower, -z), (upper, z))
    )
    return choose(is_bounded, low.exp(), 0.0), choose(is_bounded, high.exp(), INFINITY)


def _woolf(
    yes: Expression, no: Expression, other_yes: Expression, other_no: Expression, z: float
) -> tuple[Expression, Expression]:
    """Bounds of an odds ratio, by a normal distribution of its logarithm (Woolf 1955)."""
    deviation = sum((ratio(literal(1.0), n) for n in (yes, no, other_yes, other_no)), literal(0.0))
    logarithm, reach = (yes * other_no / (no * other_yes)).log(), z * deviation.sqrt()
    # A count of 0 has no inverse: the bounds are 0 and infinity.
    is_bounded = least(yes, no, other_yes, other_no) > 0
    return (
        choose(is_bounded, (logarithm - reach).exp(), 0.0),
        choose(is_bounded, (logarithm + reach).exp(), INFINITY),
    )


def differences(one: Expression, other: Expression) -> Sequence[Expression]:
    """The ways in which a formula writes the difference of two rates."""
    return [one - other]


def ratios(one: Expression, other: Expression) -> Sequence[Expression]:
    """The ways in which a formula writes the ratio of two rates."""
    return [ratio(one, other), unbounded_ratio(one, other)]


def rates_compared(
    metric: Metric, ways: Callable[[Expression, Expression], Sequence[Expression]]
) -> tuple[Proportion, Proportion] | None:
    """The rate that a formula compares in one of these ways, of both sides; else None."""
    formula = metric.parsed.expression
    for name in PROPORTIONS:
        rate = RATES[name]
        for one, other in ((a.name, d.name), (d.name, a.name)):
            rates = (term(f"{side}.{name}") for side in (one, other))
            if any(formula is way for way in ways(*rates)):
                return Proportion(*rate.sums(one)), Proportion(*rate.sums(other))
    return None


def _odds_compared(metric: Metric) -> tuple[Expression, ...] | None:
    """The counts of the odds that a formula compares as a ratio, one side after the other."""
    formula = metric.parsed.expression
    for yes, no in (("accepted", "rejected"), ("positive", "negative")):
        for one, other in permutations((a.name, d.name)):
            counts = [term(f"{side}.{count}") for side in (one, other) for count in (yes, no)]
            products = counts[0] * counts[3], counts[1] * counts[2]
            if any(formula is way for way in ratios(*products)):
                return tuple(counts)
    return None


_FORMS: Final[Mapping[str, Sequence[Form]]] = {
    "newcombe": [(partial(rates_compared, ways=differences), _newcombe)],
    "log": [(partial(rates_compared, ways=ratios), _log), (_odds_compared, _woolf)],
}
"""For each method: what it finds in a formula that it fits, and the bounds of that."""


# An ordinary interval of 95 % is right in 95 of 100 audits. Of 100 streams without any difference,
# looked at 52 times, about 30 have a look at which it is wrong; if each look has rows of its own,
# up to 94 (`benchmarks/looks.py`). A confidence sequence is right at every look of 95 of 100
# streams, however often and for whatever reason one looks (Waudby-Smith et al. 2021).
def sequence_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it is no rate, nor compares two rates.

    Of two rates, each has half of the chance to be ever wrong. So the bounds hold together, even
    if the sides share rows.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [sequence_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("rd", "di", "cddpl")]
    [False, False, True]
    """
    alpha = 1 - confidence
    if rates := rates_compared(metric, differences):
        (low, high), (other_low, other_high) = (_bounds(rate, alpha / 2) for rate in rates)
        limits = low - other_high, high - other_low
    elif rates := rates_compared(metric, ratios):
        (low, high), (other_low, other_high) = (_bounds(rate, alpha / 2) for rate in rates)
        limits = low / other_high, high / other_low
    elif rates := rates_compared(metric, _alone):
        limits = _bounds(rates[0], alpha)
    elif of_all := _rate_of_all_rows(metric):
        limits = _bounds(of_all, alpha)
    else:
        return None
    level = metric.parsed.level
    lower, upper = (replace(metric, formula=Formula(level, limit)) for limit in limits)
    return lower, upper


def _alone(one: Expression, _: Expression) -> Sequence[Expression]:
    return [one]


def _rate_of_all_rows(metric: Metric) -> Proportion | None:
    """The rate that a formula is for all rows as one group; None if it is none."""
    for name in PROPORTIONS if metric.parsed.level == POPULATION else ():
        above, below = (part.sum() for part in RATES[name].sums(g.name))
        for written in (ratio(above, below), total(term(f"{g.name}.{name}"))):
            if metric.parsed.expression is written:
                return Proportion(above, below)
    return None


def _bounds(proportion: Proportion, alpha: float) -> tuple[Expression, Expression]:
    """Bounds of a rate that hold at every number of rows, but for a chance of ``alpha``.

    The deviation is estimated from the rows and from -2·ln(alpha) more, half of them positive. The
    deviation of the rows alone is 0 until both outcomes were seen, and too small as long as one is
    rare: with it, intervals of 2.5 % were ever wrong in up to 96 of 100 streams of 52 looks, and
    with these rows in at most 2.
    """
    rows, rate = proportion.of, proportion.count / proportion.of
    start = -2 * log(alpha)
    share = (proportion.count + start / 2) / (rows + start)
    spread = rows * (start + log(start) + 1) / TIGHTEST_AT  # t·rho² of the paper
    factor = 2 * (spread + 1) / (rows * spread)
    reach = (share * (1 - share) * factor * ((spread + 1).sqrt() / alpha).log()).sqrt()
    # A rate of no rows may be anything from 0 to 1.
    lower = choose(rows > 0, (rate - reach).clip(lower=0), 0.0)
    upper = choose(rows > 0, (rate + reach).clip(upper=1), 1.0)
    return lower, upper


Area = tuple[Side, Side]
"""The sides whose positive and whose negative rows an AUC compares."""

# With fewer positive or negative rows out of order, DeLong's intervals are too short: with 20 and
# 20 rows and an AUC of 0.95 they held the truth in 83 of 100, and with this limit in 97.
LEAST_OUT_OF_ORDER: Final = 20
"""With so many rows out of order, the variance of an AUC is known from them."""

# Of sums of weights: a place nearer to 0 or 1 than this is there.
_ROUNDING: Final = 1e-12


def area_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it is no AUC nor a difference of two.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [area_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("bpsn_auc", "abroca")]
    [False, True]
    """
    return _found(metric, confidence, _recovered)


def delong_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The same by DeLong, DeLong and Clarke-Pearson (1988) where they hold, else `area_bounds`.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [delong_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("auc_difference", "abroca")]
    [False, True]
    """
    return _found(metric, confidence, _delong)


def numbers_of_area(side: Side, confidence: float) -> dict[str, Formula]:
    """The AUC of a side, its bounds, and how many rows are out of order."""
    estimate = _estimated((side, side), NormalDist().inv_cdf((1 + confidence) / 2))
    numbers = {
        "area": estimate.area,
        "low": estimate.low,
        "high": estimate.high,
        "out_of_order": estimate.out_of_order,
    }
    return {word: over_scores(number) for word, number in numbers.items()}


def _found(
    metric: Metric, confidence: float, write: Callable[[Sequence[_Estimate], float], Bounds]
) -> tuple[Metric, Metric] | None:
    formula = metric.parsed
    for areas, value in _FORMS_OF_AREAS if formula.level == SCORE else ():
        if formula.expression is value:
            z = NormalDist().inv_cdf((1 + confidence) / 2)
            bounds = write([_estimated(area, z) for area in areas], z)
            lower, upper = map(over_scores, bounds)
            return replace(metric, formula=lower), replace(metric, formula=upper)
    return None


def _forms() -> Iterator[tuple[Sequence[Area], Expression]]:
    areas = [*product((a_s, d_s), (a_s, d_s))]
    for area in areas:
        yield [area], auc(*area)
    for one, other in permutations(areas, 2):
        # If the two had rows in common, their variances would not add up.
        if one[0] != other[0] and one[1] != other[1]:
            yield [one, other], auc(*one) - auc(*other)


_FORMS_OF_AREAS: Final = [*_forms()]
"""The areas and differences of areas that have such bounds, each as a formula writes it."""


@dataclass(frozen=True)
class _Estimate:
    """An AUC, its bounds, its variance by DeLong, and how many rows are out of order."""

    area: Expression
    low: Expression
    high: Expression
    variance: Expression
    out_of_order: Expression


def _estimated(area: Area, z: float) -> _Estimate:
    """An AUC with its bounds.

    Each positive row has a place, the share of negative rows below it, and each negative row the
    share of positive rows above it. The mean of either is the AUC, and the sum of the variances of
    the two means is its variance (DeLong, DeLong and Clarke-Pearson 1988). A row is out of order
    if its place is not 1; of rows that are ranked in reverse, if it is not 0.
    """
    positives, negatives = area
    p, n = positives.positive, negatives.negative
    below = (n.running_sum() - n / 2) / n.sum()
    above = 1 - (p.running_sum() - p / 2) / p.sum()
    value = auc(positives, negatives)
    kinds = [
        _placed(value, p, positives.effective_positive, below),
        _placed(value, n, negatives.effective_negative, above),
    ]
    (rows, _, _), (other_rows, _, _) = kinds
    # Without bias: divided by one row less.
    one, other = (variance * of / (of - 1) for of, variance, _ in kinds)
    variance = one + other
    parts = one**2 / (rows - 1) + other**2 / (other_rows - 1)
    out_of_order = least(*(of * share for of, _, share in kinds))
    # The fewer the rows behind the variance, the less certain it is (Satterthwaite). The quantile
    # is at most that of two degrees of freedom.
    widened = variance * (student(z, (variance**2 / parts).clip(lower=2)) / z) ** 2
    # 1 over the number of rows with which a rate would vary as the AUC does: by DeLong, and drawn
    # towards the number for exponential scores if that is smaller.
    own = choose(variance > 0, widened / (value * (1 - value)), 0.0)
    alike = ((rows + other_rows) / 2 - 1) * ((1 - value) / (2 - value) + value / (1 + value))
    weight = (2 / out_of_order.sqrt()).clip(upper=1)
    per_row = own + weight * ((1 + alike) / (rows * other_rows) - own).clip(lower=0)
    low, high = wilson(value, 1 / per_row, z)
    # How much the place of a single row varies is not known.
    is_known = least(rows, other_rows) > 1
    return _Estimate(
        value, choose(is_known, low, 0.0), choose(is_known, high, 1.0), variance, out_of_order
    )


def _placed(
    area: Expression, count: Expression, effective: Expression, place: Expression
) -> tuple[Expression, Expression, Expression]:
    """The rows of one label, the variance of their places, and the share out of order."""
    squares, together = choose(count > 0, count**2 / effective, 0.0), count.sum()
    below_1, above_0 = (
        (count * is_there).sum() / together
        for is_there in (place < 1 - _ROUNDING, place > _ROUNDING)
    )
    return (
        choose(together > 0, together**2 / squares.sum(), 0.0),
        (squares * (place - area) ** 2).sum() / together**2,
        least(below_1, above_0),
    )


def _recovered(areas: Sequence[_Estimate], _: float) -> Bounds:
    """Bounds of an AUC; of a difference, with the variances recovered from those of both.

    Newcombe's method 10 does the same for rates (1998).
    """
    if len(areas) == 1:
        return areas[0].low, areas[0].high
    one, other = areas
    return recovered(one.area, (one.low, one.high), other.area, (other.low, other.high))


def _delong(areas: Sequence[_Estimate], z: float) -> Bounds:
    one, *others = areas
    value, variance, lowest = one.area, one.variance, -1.0 if others else 0.0
    for other in others:
        value, variance = value - other.area, variance + other.variance
    reach = z * variance.sqrt()
    are_many = least(*(each.out_of_order for each in areas)) >= LEAST_OUT_OF_ORDER
    lower, upper = _recovered(areas, z)
    return (
        choose(are_many, (value - reach).clip(lowest, 1.0), lower),
        choose(are_many, (value + reach).clip(lowest, 1.0), upper),
    )
