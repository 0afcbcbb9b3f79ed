"""Closed-form intervals: of rates, areas and means, and of metrics across strata.

The bounds are metrics themselves, evaluated together with all others. So are those of sequences,
which hold at every look at the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from itertools import chain, permutations, product
from math import log
from operator import add
from statistics import NormalDist
from typing import Any, Final, Literal

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.formulas import Formula, across_strata, over_scores
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.levels import ACROSS_STRATA, POPULATION, SCORE, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import (
    auc,
    brier,
    mean_score,
    mean_score_of_negative,
    mean_score_of_positive,
    overshoot,
)
from polars_fairness.formula.sides import (
    PROPORTIONS,
    RATES,
    Side,
    a,
    a_i,
    a_s,
    both_i,
    d,
    d_i,
    d_s,
    g,
)
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    greatest,
    least,
    literal,
    mapped,
    or_undefined,
    ratio,
    smaller,
    term,
    total,
    unbounded_ratio,
)
from polars_fairness.values.formula_checks import once_for_entries

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


def _newcombe(one: Proportion, other: Proportion, z: float) -> Bounds:
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


# An ordinary interval of 95 % is right in 95 of 100 audits. Of 100 streams without any difference,
# looked at 52 times, about 30 have a look at which it is wrong; if each look has rows of its own,
# up to 94 (`benchmarks/looks.py`). A confidence sequence is right at every look of 95 of 100
# streams, however often and for whatever reason one looks (Waudby-Smith et al. 2021). Of two rates,
# each has half of the chance to be ever wrong: so the bounds hold together, even if the sides share
# rows.
def _difference_of_sequences(one: Proportion, other: Proportion, z: float) -> Bounds:
    (low, high), (other_low, other_high) = (_sequence(each, z, 2) for each in (one, other))
    return low - other_high, high - other_low


def _ratio_of_sequences(one: Proportion, other: Proportion, z: float) -> Bounds:
    (low, high), (other_low, other_high) = (_sequence(each, z, 2) for each in (one, other))
    return low / other_high, high / other_low


def _one_rate(metric: Metric) -> tuple[Proportion] | None:
    """The rate that a formula is, of one side or of all rows as one group."""
    if rates := rates_compared(metric, lambda one, _: [one]):
        return rates[:1]
    for name in PROPORTIONS if metric.parsed.level == POPULATION else ():
        above, below = (part.sum() for part in RATES[name].sums(g.name))
        for written in (ratio(above, below), total(term(f"{g.name}.{name}"))):
            if metric.parsed.expression is written:
                return (Proportion(above, below),)
    return None


def _sequence(proportion: Proportion, z: float, rates: int = 1) -> Bounds:
    """Bounds of one of some rates that hold together at every number of rows.

    The deviation is estimated from the rows and from -2·ln(α) more, half of them positive. The
    deviation of the rows alone is 0 until both outcomes were seen, and too small as long as one is
    rare: with it, intervals of 2.5 % were ever wrong in up to 96 of 100 streams of 52 looks, and
    with these rows in at most 2.
    """
    alpha = 2 * NormalDist().cdf(-z) / rates
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

# For sums of weights: a place nearer to 0 or 1 than this is there.
_ROUNDING: Final = 1e-12


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


def _areas_compared(metric: Metric) -> tuple[Sequence[Area]] | None:
    """The AUC that a formula is, or both AUCs that it compares."""
    formula = metric.parsed
    for areas, value in _FORMS_OF_AREAS if formula.level == SCORE else ():
        if formula.expression is value:
            return (areas,)
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


def _areas(areas: Sequence[Area], z: float) -> Bounds:
    """Bounds of an AUC; of a difference, with the variances recovered from those of both.

    Newcombe's method 10 does the same for rates (1998).
    """
    one, *others = (_estimated(area, z) for area in areas)
    if not others:
        return one.low, one.high
    [other] = others
    return recovered(one.area, (one.low, one.high), other.area, (other.low, other.high))


def _delong(areas: Sequence[Area], z: float) -> Bounds:
    """Bounds by DeLong, DeLong and Clarke-Pearson (1988) where they hold, else by `_areas`."""
    one, *others = estimates = [_estimated(area, z) for area in areas]
    value, variance, lowest = one.area, one.variance, -1.0 if others else 0.0
    for other in others:
        value, variance = value - other.area, variance + other.variance
    reach = z * variance.sqrt()
    are_many = least(*(each.out_of_order for each in estimates)) >= LEAST_OUT_OF_ORDER
    lower, upper = _areas(areas, z)
    return (
        choose(are_many, (value - reach).clip(lowest, 1.0), lower),
        choose(are_many, (value + reach).clip(lowest, 1.0), upper),
    )


# A bootstrap of small strata varies too little: for 200 strata of five rows, its 95 % intervals of
# `cddpl` held the truth in 83 of 100. In closed forms the variance inside each stratum is estimated
# without bias, and the variances are added up.
_TINY: Final = 1e-300


@dataclass(frozen=True)
class Share(Proportion):
    """A share inside a stratum, ``count`` of ``of``; ``rows`` is the effective number of ``of``."""

    rows: Expression

    def with_rows(self, more: Expression) -> Share:
        """The share with more rows of its count, of a mean weight, and as many of the others."""
        weight = more * both_i.n / both_i.effective_n
        return Share(self.count + weight, self.of + 2 * weight, self.rows + 2 * more)


def _means_of_strata(metric: Metric) -> tuple[Share, Share, Expression] | None:
    """The two shares inside each stratum whose difference a formula averages, and that."""
    if metric.parsed.level == STRATUM:
        for shares in _differences():
            if metric.parsed.expression is shares[2]:
                return shares
    return None


def _mantel_haenszel(metric: Metric) -> tuple[Callable[[float], Bounds]] | None:
    if metric.parsed.level == ACROSS_STRATA:
        for name, bounds in _OF_MANTEL_HAENSZEL.items():
            if metric.parsed.expression is CATALOGUE[name].parsed.expression:
                return (bounds,)
    return None


def _differences() -> Iterator[tuple[Share, Share, Expression]]:
    """Every difference of two shares of disjoint rows of a stratum, with its formula."""
    for less, more in (("accepted", "rejected"), ("positive", "negative")):
        shares = [
            Share(
                term(f"{d_i.name}.{word}"),
                term(f"{both_i.name}.{word}"),
                term(f"{both_i.name}.effective_{word}"),
            )
            for word in (more, less)
        ]
        yield shares[0], shares[1], shares[0].rate - shares[1].rate
    for rate in PROPORTIONS:
        of_a, of_d = (term(f"{side.name}.{rate}") for side in (a_i, d_i))
        in_a, in_d = (
            Share(*RATES[rate].sums(side.name), term(f"{side.name}.{RATES[rate].rows}"))
            for side in (a_i, d_i)
        )
        yield in_a, in_d, of_a - of_d
        yield in_d, in_a, of_d - of_a


def _mean_difference(one: Share, other: Share, difference: Expression, z: float) -> Bounds:
    """Bounds of the mean difference, from the sum of the variances inside the strata.

    The strata are fixed, not a sample: differences between forty branches do not widen the
    interval. Each share has one row more of either outcome, as in Agresti and Caffo's interval of a
    difference of two rates (2000), in parts over the strata by the rows of the smaller share.
    Shares of 0 and 1 have no variance without these: 80 of 100 intervals of a stratum of 20 rows
    held the true `cddpl` where d had few of them; with these, at least 95. In many strata they
    change little.
    """
    size = choose(~or_undefined(difference).is_null(), both_i.n)
    rows = smaller(one.of, other.of)
    # Where no stratum has both shares, 0 and not 0/0.
    more = rows / rows.sum().clip(lower=_TINY)
    one, other = one.with_rows(more), other.with_rows(more)
    variance = size**2 * _variance(one, other)
    total = variance.sum()
    # Satterthwaite: the fewer the rows behind a variance, the less certain it is.
    freedom = total**2 / (variance**2 / (both_i.effective_n - 1).clip(lower=1)).sum()
    # Undefined shares that are counted as numbers have no variance.
    reach = choose(total > 0, student(z, freedom) * total.sqrt(), 0.0)
    middle, people = ((one.rate - other.rate) * size).sum(), size.sum()
    return (
        choose(people > 0, ((middle - reach) / people).clip(-1, 1)),
        choose(people > 0, ((middle + reach) / people).clip(-1, 1)),
    )


def _variance(one: Share, other: Share) -> Expression:
    """An estimate of the variance of a difference of shares, even of one row each.

    p(1−p)/(n−1) is unbiased from two rows on, and small where all rows have the same outcome. The
    same with both shares pooled is unbiased where the shares are equal; it counts as one row of n.
    """
    rows = one.rows + other.rows
    together = _row_variance((one.count + other.count) / (one.of + other.of))
    pooled = together / (1 - 1 / rows).clip(lower=0.5)
    return sum(
        (
            choose(
                each.rows > 0,
                (_row_variance(each.count / each.of) + pooled / each.rows) / each.rows,
                0.0,
            )
            for each in (one, other)
        ),
        literal(0.0),
    )


def _row_variance(rate: Expression) -> Expression:
    """The variance of one row, p(1−p)."""
    return 0.25 - (rate - 0.5) ** 2


def _robins_breslow_greenland(z: float) -> Bounds:
    """Bounds of the common odds ratio (Robins, Breslow and Greenland 1986), normal on its log."""
    # The weight of an effective row of the stratum: 1 without weights.
    weight = both_i.n / both_i.effective_n
    has_both = (_sum(_numerator(literal(0.0))) > 0) & (_sum(_denominator(literal(0.0))) > 0)
    # An outcome absent from all strata counts as half a row, spread over the strata.
    half = choose(has_both, 0.0, 0.5 * weight / (both_i.n > 0).sum())
    numerator, denominator, n = _numerator(half), _denominator(half), both_i.n + 4 * half
    p = (d_i.accepted + a_i.rejected + 2 * half) / n
    q = (d_i.rejected + a_i.accepted + 2 * half) / n
    above, below = _sum(numerator), _sum(denominator)
    variance = (
        _sum(weight * p * numerator) / (2 * above**2)
        + _sum(weight * (p * denominator + q * numerator)) / (2 * above * below)
        + _sum(weight * q * denominator) / (2 * below**2)
    )
    logarithm, reach = (above / below).log(), z * variance.sqrt()
    has_bounds = (above > 0) & (below > 0)
    return (
        choose(has_bounds, (logarithm - reach).exp(), 0.0),
        choose(has_bounds, (logarithm + reach).exp(), INFINITY),
    )


def _numerator(half: Expression) -> Expression:
    return (d_i.accepted + half) * (a_i.rejected + half) / (both_i.n + 4 * half)


def _denominator(half: Expression) -> Expression:
    return (d_i.rejected + half) * (a_i.accepted + half) / (both_i.n + 4 * half)


def _sum(value: Expression) -> Expression:
    return choose(both_i.n > 0, value).sum()


# The weight of a stratum in the common ratio and difference of rates; null without both sides.
_has_both_sides: Final = (d_i.n > 0) & (a_i.n > 0)
_weight: Final = choose(_has_both_sides, d_i.n * a_i.n / both_i.n)

_pooled: Final = both_i.accepted / both_i.n

# From the rates of a side alone, that of one row has no variance: so it is that of both together.
_of_row: Final = _row_variance(_pooled) / (1 - 1 / both_i.effective_n).clip(lower=0.5)

_total: Final = _weight.sum()
_common: Final = choose(_total > 0, (_weight * _pooled).sum() / _total)


def _rate(side: Side) -> Expression:
    """The mean of a side's rates over the strata, by the weights of Mantel and Haenszel."""
    return choose(_total > 0, (_weight * side.accepted / side.n).sum() / _total)


def _rows(side: Side) -> Expression:
    """The rows of one rate that vary as much as a side's mean rate over the strata.

    With weights, a side has as many rows as its own effective number. Strata that differ in their
    rates leave less variance, but as much as without strata if none has both outcomes.
    """
    squares = _weight**2 / side.effective_n
    whole, inside = squares.sum(), (squares * _of_row).sum()
    of_strata = least(whole, inside / _row_variance(_common))
    return _total**2 / choose(inside > 0, of_strata, whole)


def fewest_events(metric: Metric) -> Metric | None:
    """The rows of the rarer outcome that are expected of a side, for common ratios and differences.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [fewest_events(pf.CATALOGUE[name]) is None for name in ("mh_ratio", "mh_odds_ratio")]
    [False, True]
    """
    if _mantel_haenszel(metric) not in ((_common_ratio,), (_common_difference,)):
        return None
    rarer = least(_common, 1 - _common)
    events = least(*(rarer * _rows(side) for side in (d_i, a_i)))
    return replace(metric, formula=across_strata(events))


def _limits(side: Side, z: float) -> tuple[Expression, Expression]:
    """Wilson's bounds of a side's mean rate; of few events, the outer of these and exact ones."""
    rate, rows = _rate(side), _rows(side)
    lower, upper = wilson(rate, rows, z)
    is_rare, is_usual = (each * rows < 1 for each in (_common, 1 - _common))
    return (
        choose(is_rare, least(lower, _least(rate, rows, z)), lower),
        choose(is_usual, greatest(upper, 1 - _least(1 - rate, rows, z)), upper),
    )


def _least(rate: Expression, rows: Expression, z: float) -> Expression:
    """The lower bound of Clopper and Pearson, by Paulson's approximation (1942) of F.

    It is lower than theirs: 0.013 for 0.025 of one event, 0.603 for 0.619 of three.
    """
    events, others = rate * rows, (1 - rate) * rows + 1
    one, other = 1 / (9 * others), 1 / (9 * events)
    whole = (1 - one) ** 2 - one * z**2
    spread = (1 - one) ** 2 * other + (1 - other) ** 2 * one - one * other * z**2
    root = ((1 - one) * (1 - other) - z * spread.clip(lower=0).sqrt()) / whole
    odds = events / others * root.clip(lower=0) ** 3
    return choose((events > 0) & (whole > 0), odds / (1 + odds), 0.0)


def _common_difference(z: float) -> Bounds:
    """Bounds of the common difference, recovered from those of both sides' mean rates.

    The variances of Sato and of Greenland and Robins are those of many events: of five strata of 60
    rows beside 2,000, 1 % accepted, 89 of 100 intervals held the truth, and 95 of these do.
    """
    return recovered(_rate(a_i), _limits(a_i, z), _rate(d_i), _limits(d_i, z))


def _common_ratio(z: float) -> Bounds:
    """Bounds of the common ratio, recovered in the same way on its logarithm."""
    (of_d, ends_of_d), (of_a, ends_of_a) = ((_rate(side), _limits(side, z)) for side in (d_i, a_i))
    lower, upper = recovered(of_d.log(), logs(ends_of_d), of_a.log(), logs(ends_of_a))
    # A rate of 0 has no logarithm.
    low = choose(of_a == 0, ends_of_d[0] / ends_of_a[1], lower.exp())
    high = choose(of_d == 0, ends_of_d[1] / ends_of_a[0], upper.exp())
    return choose(of_d == 0, 0.0, low), choose(of_a == 0, INFINITY, high)


_OF_MANTEL_HAENSZEL: Final[Mapping[str, Callable[[float], Bounds]]] = {
    "mh_odds_ratio": _robins_breslow_greenland,
    "mh_ratio": _common_ratio,
    "mh_difference": _common_difference,
}
"""For each common value of strata by Mantel and Haenszel, its bounds."""


# The effective number of one row may be above 1, by a last digit.
_ONE_ROW: Final = 1 + 1e-6


@dataclass(frozen=True)
class _Mean:
    """A mean over the rows of a side: as formulas write it, and the number that each row has.

    ``numbers`` has a function of the score for each count of rows that the mean is taken over.
    """

    formula: Callable[[Side], Expression]
    numbers: Mapping[str, Callable[[Expression], Expression]]
    of_probabilities: bool = False


_MEAN_SCORE: Final = _Mean(mean_score, {"n": lambda s: s})

_MEANS: Final = (
    _MEAN_SCORE,
    _Mean(mean_score_of_positive, {"positive": lambda s: s}),
    _Mean(mean_score_of_negative, {"negative": lambda s: s}),
    _Mean(overshoot, {"positive": lambda s: 1 - s, "negative": lambda s: -s}, True),
    _Mean(brier, {"positive": lambda s: (1 - s) ** 2, "negative": lambda s: s**2}, True),
)

_SMD: Final = CATALOGUE["smd"].parsed.expression


@dataclass(frozen=True)
class _Sums:
    """Sums over the rows of a side.

    ``weights`` has those of powers of weights, from the first on, of each count and score. Rounded
    scores count as the mean of those at their multiple: so they vary between the multiples, and not
    within them. ``distances`` are those of numbers from their mean.
    """

    weights: Sequence[Sequence[Expression]]
    distances: Sequence[Expression]

    @classmethod
    def of(cls, side: Side, mean: _Mean) -> _Sums:
        """The sums of a mean over the rows of a side."""
        weights, numbers = [], []
        for count, number in mean.numbers.items():
            scores = "scores" if count == "n" else f"{count}_scores"
            words = (count, scores, f"effective_{count}")
            weight, summed, rows = (term(f"{side.name}.{word}") for word in words)
            has_rows = weight > 0
            # Rows of one count and score are taken to weigh alike.
            weights.append([choose(has_rows, weight * (weight / rows) ** i, 0.0) for i in range(4)])
            numbers.append(choose(has_rows, number(summed / weight), 0.0))
        firsts = [each[0] for each in weights]
        average = _products(firsts, numbers) / _added(firsts).sum()
        return cls(weights, [number - average for number in numbers])

    def weight(self, power: int) -> Expression:
        """The sum of powers of weights."""
        return _added(each[power - 1] for each in self.weights).sum()

    def total(self, power: int, numbers: Iterable[Expression]) -> Expression:
        """The sum of numbers times powers of weights."""
        return _products((each[power - 1] for each in self.weights), numbers)

    def moved(self, moved: Sequence[Expression]) -> _Moved:
        """The sums of what rows move in a mean, times the weight of the side."""
        powers = ((2, 2), (3, 2), (3, 3))
        sums = (self.total(i, (each**j for each in moved)) for i, j in powers)
        return [*map(self.weight, (1, 2, 3, 4)), *sums]

    @property
    def effective(self) -> Expression:
        """The effective number of rows (Kish)."""
        return self.weight(1) ** 2 / self.weight(2)

    @property
    def variance(self) -> Expression:
        """The mean of squared distances."""
        return self.total(1, (each**2 for each in self.distances)) / self.weight(1)


_Moved = Sequence[Expression]
"""Sums over the rows of a side: Σw to Σw⁴, Σw²m², Σw³m² and Σw³m³ of what a row moves in a mean."""


def _means_compared(metric: Metric) -> tuple[Metric, Sequence[_Moved]] | None:
    """The metric that compares two means over scores, and what the rows of each side move in it."""
    formula = metric.parsed
    if formula.level != SCORE:
        return None
    if formula.expression is _SMD:
        return metric, [*_in_units(*(_Sums.of(side, _MEAN_SCORE) for side in (a_s, d_s)))]
    for mean in _MEANS:
        for one, other in permutations((a_s, d_s)):
            difference = mean.formula(one) - mean.formula(other)
            written = over_scores(difference, of_probabilities=mean.of_probabilities)
            if formula.expression is written.expression:
                sides = (_Sums.of(side, mean) for side in (one, other))
                return metric, [each.moved(each.distances) for each in sides]
    return None


def _limited_means(metric: Metric, sides: Sequence[_Moved], z: float) -> Bounds:
    # The variance of a single row is not known.
    is_known = least(*(n**2 / squares for n, squares, *_ in sides)) > _ONE_ROW
    value, (lowest, highest) = metric.parsed.expression, metric.range
    below, above = (
        mapped(_reach_of_means(NormalDist().cdf(z), end), *chain(*sides)) for end in (0, 1)
    )
    return (
        choose(is_known, (value - below).clip(lowest, highest), lowest),
        choose(is_known, (value + above).clip(lowest, highest), highest),
    )


@cache
def _reach_of_means(probability: float, end: int) -> Callable[..., Any]:
    """How far the truth may be below a difference of two means, or above it at the other end."""

    def reach(*sums: Any) -> Any:
        from polars_fairness.inference.moments import difference_reaches  # it needs numpy

        return difference_reaches(sums, probability)[end]

    return reach


def _in_units(*sides: _Sums) -> Iterator[_Moved]:
    """What rows move in a difference in units of the pooled standard deviation.

    A row moves the mean by its distance from it, and the pooled variance by its squared distance
    less the variance.
    """
    freedom = _added(each.effective for each in sides) - 2
    pooled = _added(each.effective * each.variance for each in sides) / freedom
    for side, sign in zip(sides, (-1, 1), strict=True):
        unit = _SMD * side.effective / freedom / (2 * pooled)
        moved = [
            choose(
                pooled > 0,
                each / pooled.sqrt() + sign * unit * (each**2 - side.variance),
                0.0,
            )
            for each in side.distances
        ]
        yield side.moved(moved)


def _products(weights: Iterable[Expression], numbers: Iterable[Expression]) -> Expression:
    return _added(weight * number for weight, number in zip(weights, numbers, strict=True)).sum()


def _added(values: Iterable[Expression]) -> Expression:
    return reduce(add, values)


Method = Literal["newcombe", "log", "delong", "areas", "strata", "means", "sequence"]

_differ, _divide = (partial(rates_compared, ways=ways) for ways in (differences, ratios))
_FORMS: Final[Mapping[Method, Sequence[Form]]] = {
    "newcombe": [(_differ, _newcombe)],
    "log": [(_divide, _log), (_odds_compared, _woolf)],
    "delong": [(_areas_compared, _delong)],
    "areas": [(_areas_compared, _areas)],
    "strata": [(_means_of_strata, _mean_difference), (_mantel_haenszel, lambda write, z: write(z))],
    "means": [(_means_compared, _limited_means)],
    "sequence": [
        *((_differ, _difference_of_sequences), (_divide, _ratio_of_sequences)),
        (_one_rate, _sequence),
    ],
}
"""For each method: what it finds in a formula that it fits, and the bounds of that."""


@once_for_entries
def closed_form(metric: Metric, method: Method, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if the method does not fit its formula.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> named = ("rd", "di", "cddpl", "mh_ratio", "auc_difference", "smd")
    >>> for method in ("newcombe", "log", "strata", "delong", "means", "sequence"):
    ...     fits = [name for name in named if closed_form(pf.CATALOGUE[name], method, 0.95)]
    ...     print(method, *fits)
    newcombe rd
    log di
    strata cddpl mh_ratio
    delong auc_difference
    means smd
    sequence rd di
    """
    z, formula = NormalDist().inv_cdf((1 + confidence) / 2), metric.parsed
    level = ACROSS_STRATA if formula.level == STRATUM else formula.level
    for found_in, write in _FORMS[method]:
        if parts := found_in(metric):
            lower, upper = (
                replace(metric, formula=replace(formula, level=level, expression=bound))
                for bound in write(*parts, z)
            )
            return lower, upper
    return None
