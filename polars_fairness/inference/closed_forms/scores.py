"""Closed-form intervals of areas under ROC curves, and of differences of two of them.

The bounds are metrics themselves, evaluated together with all others. DeLong's variance says how
much the places of the rows vary, and it is 0, or nearly, where the scores separate the labels: of
200 positive and 200 negative rows with an AUC of 0.999, his intervals of 95 % held the truth in 81
of 100, of 3 and 30 rows with one of 0.99 in 32, and of any number of rows without error they have
no width. So by default the variance is drawn towards the one that an AUC of this size has for
exponential scores (Hanley and McNeil 1982, as averaged by Newcombe 2006), the more the fewer rows
are out of order, and the bounds are Wilson's, for the number of rows with which a rate has this
variance. They held the truth in 95 to 99 of 100, and in up to 100 where the labels are separated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from statistics import NormalDist
from typing import Final

from polars_fairness.formula.arithmetic import least
from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.levels import SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import auc
from polars_fairness.formula.sides import Side, a_s, d_s
from polars_fairness.formula.tree import Expression, choose
from polars_fairness.inference.closed_forms.rates import Bounds, recovered, student, wilson

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
    for areas, value in _FORMS if formula.level == SCORE else ():
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


_FORMS: Final = [*_forms()]
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
