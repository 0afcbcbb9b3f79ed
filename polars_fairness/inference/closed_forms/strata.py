"""Closed-form intervals of conditional metrics, for many small strata as for few large ones.

A bootstrap of small strata varies too little: for 200 strata of five rows, its 95 % intervals of
`cddpl` held the truth in 83 of 100. Here the variance inside each stratum is estimated without
bias, and the variances are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from operator import add
from statistics import NormalDist
from typing import Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.formulas import across_strata, over_scores
from polars_fairness.formula.levels import ACROSS_STRATA, SCORE, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import (
    brier,
    mean_score,
    mean_score_of_negative,
    mean_score_of_positive,
    overshoot,
)
from polars_fairness.formula.sides import PROPORTIONS, RATES, Side, a_i, a_s, both_i, d_i, d_s
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    greatest,
    least,
    literal,
    or_undefined,
    ratio,
    smaller,
    term,
)
from polars_fairness.inference.closed_forms.rates import Bounds, logs, recovered, student, wilson

_TINY: Final = 1e-300


@dataclass(frozen=True)
class Share:
    """A share inside a stratum, ``count`` of ``of``; ``rows`` is the effective number of ``of``."""

    count: Expression
    of: Expression
    rows: Expression

    @property
    def rate(self) -> Expression:
        return ratio(self.count, self.of)

    def with_rows(self, more: Expression) -> Share:
        """The share with more rows of its count, of a mean weight, and as many of the others."""
        weight = more * both_i.n / both_i.effective_n
        return Share(self.count + weight, self.of + 2 * weight, self.rows + 2 * more)


def conditional_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a conditional metric as metrics, or None if its formula has no closed form.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [conditional_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("cddpl", "cmh")]
    [False, True]
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    bounds = _bounds(metric, z)
    if bounds is None:
        return None
    lower, upper = (replace(metric, formula=across_strata(bound)) for bound in bounds)
    return lower, upper


def _bounds(metric: Metric, z: float) -> Bounds | None:
    formula = metric.parsed
    if bounds := _mantel_haenszel_bounds(metric):
        return bounds(z)
    if formula.level == STRATUM:
        for one, other, difference in _differences():
            if formula.expression is difference:
                return _mean_difference(one, other, difference, z)
    return None


def _mantel_haenszel_bounds(metric: Metric) -> Callable[[float], Bounds] | None:
    formula = metric.parsed
    if formula.level == ACROSS_STRATA:
        for name, bounds in _OF_MANTEL_HAENSZEL.items():
            if formula.expression is CATALOGUE[name].parsed.expression:
                return bounds
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
    """Sum over the strata that have rows."""
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
    if _mantel_haenszel_bounds(metric) not in (_common_ratio, _common_difference):
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
    """Sums over the rows of a side, of powers of their distances from the mean.

    ``squares[k]`` is the sum of squared weights times the kth power of the distance.
    """

    weight: Expression
    variance: Expression
    squares: Sequence[Expression]

    @property
    def effective(self) -> Expression:
        """The effective number of rows (Kish)."""
        return self.weight**2 / self.squares[0]

    def variance_of_mean(self, squares: Expression) -> Expression:
        """The variance of a mean, from the sum of the squares of what rows add to it."""
        return squares / self.weight**2 * self.effective / (self.effective - 1)


def mean_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it compares no two means over scores.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [mean_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("smd", "score_ks")]
    [False, True]
    """
    formula, z = metric.parsed, NormalDist().inv_cdf((1 + confidence) / 2)
    if formula.level != SCORE:
        return None
    if formula.expression is _SMD:
        sides = [_sums(side, _MEAN_SCORE) for side in (a_s, d_s)]
        return _bounds_of_means(metric, [*_variances_of_smd(*sides)], sides, z)
    for mean in _MEANS:
        for one, other in permutations((a_s, d_s)):
            difference = mean.formula(one) - mean.formula(other)
            written = over_scores(difference, of_probabilities=mean.of_probabilities)
            if formula.expression is written.expression:
                sides = [_sums(side, mean) for side in (one, other)]
                variances = [each.variance_of_mean(each.squares[2]) for each in sides]
                return _bounds_of_means(metric, variances, sides, z)
    return None


def _bounds_of_means(
    metric: Metric, variances: Sequence[Expression], sides: Sequence[_Sums], z: float
) -> tuple[Metric, Metric]:
    """The bounds of a metric, given what the rows of each side add to its variance."""
    formula, (lowest, highest) = metric.parsed, metric.range
    (one, other), (rows, other_rows) = variances, (each.effective for each in sides)
    # Welch's and Satterthwaite's degrees of freedom.
    together = one + other
    freedom = together**2 / (one**2 / (rows - 1) + other**2 / (other_rows - 1))
    reach = choose(together > 0, student(z, freedom) * together.sqrt(), 0.0)
    # The variance of a single row is not known.
    is_known = least(rows, other_rows) > _ONE_ROW
    lower, upper = (
        choose(is_known, (formula.expression + sign * reach).clip(lowest, highest), limit)
        for sign, limit in ((-1, lowest), (1, highest))
    )
    return (
        replace(metric, formula=replace(formula, expression=lower)),
        replace(metric, formula=replace(formula, expression=upper)),
    )


def _variances_of_smd(*sides: _Sums) -> Iterator[Expression]:
    """The variances that the rows of each side add, by the delta method.

    A row moves the mean by its distance from it, and the pooled variance by its squared distance
    less the variance.
    """
    freedom = _added(each.effective for each in sides) - 2
    shares = [each.effective / freedom for each in sides]
    pooled = _added(share * each.variance for share, each in zip(shares, sides, strict=True))
    for side, share, sign in zip(sides, shares, (1, -1), strict=True):
        linear, squared = sign / pooled.sqrt(), _SMD * share / (2 * pooled)
        q, v = side.squares, side.variance
        squares = (
            linear**2 * q[2]
            - 2 * linear * squared * (q[3] - v * q[1])
            + squared**2 * (q[4] - 2 * v * q[2] + v**2 * q[0])
        )
        yield side.variance_of_mean(choose(pooled > 0, squares))


def _sums(side: Side, mean: _Mean) -> _Sums:
    """The sums over the rows of a side.

    Rounded scores count as the mean of those at their multiple: so they vary between the multiples,
    and not within them.
    """
    weights, squares, numbers = [], [], []
    for count, number in mean.numbers.items():
        weight, scores, rows = (
            term(f"{side.name}.{word}")
            for word in (
                count,
                "scores" if count == "n" else f"{count}_scores",
                f"effective_{count}",
            )
        )
        has_rows = weight > 0
        weights.append(weight)
        squares.append(choose(has_rows, weight**2 / rows, 0.0))
        numbers.append(choose(has_rows, number(scores / weight), 0.0))
    total = _added(weights).sum()
    average = _products(weights, numbers) / total
    distances = [number - average for number in numbers]
    return _Sums(
        weight=total,
        variance=_products(weights, (each**2 for each in distances)) / total,
        squares=[_products(squares, (each**power for each in distances)) for power in range(5)],
    )


def _products(weights: Iterable[Expression], numbers: Iterable[Expression]) -> Expression:
    return _added(weight * number for weight, number in zip(weights, numbers, strict=True)).sum()


def _added(values: Iterable[Expression]) -> Expression:
    return reduce(add, values)
