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
from dataclasses import replace
from itertools import permutations, product
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.levels import SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import auc
from polars_fairness.formula.sides import Side, a_s, d_s
from polars_fairness.inference.closed_forms.rates import wilson
from polars_fairness.inference.closed_forms.strata import student

Area = tuple[Side, Side]
"""The sides whose positive and whose negative rows an AUC compares."""

Bounds = tuple[pl.Expr, pl.Expr]

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
    numbers = _ends((side, side), NormalDist().inv_cdf((1 + confidence) / 2))
    places = {"area": 0, "low": 1, "high": 2, "out_of_order": 4}
    return {word: over_scores(numbers.list.get(place)) for word, place in places.items()}


def _found(
    metric: Metric, confidence: float, write: Callable[[int, float], Bounds]
) -> tuple[Metric, Metric] | None:
    formula = metric.parsed
    for areas, value in _FORMS if formula.level == SCORE else ():
        if formula.expression.meta.eq(value):
            z = NormalDist().inv_cdf((1 + confidence) / 2)
            numbers = pl.concat_list(_ends(area, z) for area in areas)
            bounds = (numbers.list.eval(bound).list.first() for bound in write(len(areas), z))
            lower, upper = map(over_scores, bounds)
            return replace(metric, formula=lower), replace(metric, formula=upper)
    return None


def _forms() -> Iterator[tuple[Sequence[Area], pl.Expr]]:
    areas = [*product((a_s, d_s), (a_s, d_s))]
    for area in areas:
        yield [area], auc(*area)
    for one, other in permutations(areas, 2):
        # If the two had rows in common, their variances would not add up.
        if one[0] != other[0] and one[1] != other[1]:
            yield [one, other], auc(*one) - auc(*other)


_FORMS: Final = [*_forms()]
"""The areas and differences of areas that have such bounds, each as a formula writes it."""


def _ends(area: Area, z: float) -> pl.Expr:
    """An AUC, its bounds, its variance by DeLong, and how many rows are out of order, as a list.

    It is computed in steps, each a list made of the list before: polars would compute the numbers
    of a step, such as sums over a million scores, as often as the next step mentions them.
    """
    numbers = pl.concat_list(_numbers(*area))
    for step in (_own_rows, _with_others, _wilson):
        first, *others = step(z)
        for other in others:
            first = first.append(other)
        numbers = numbers.list.eval(first)
    return numbers


def _numbers(positives: Side, negatives: Side) -> Iterator[pl.Expr]:
    """An AUC, and the rows, variance and share out of order of positive and of negative rows.

    Each positive row has a place, the share of negative rows below it, and each negative row the
    share of positive rows above it. The mean of either is the AUC, and the sum of the variances of
    the two means is its variance (DeLong, DeLong and Clarke-Pearson 1988). A row is out of order
    if its place is not 1; of rows that are ranked in reverse, if it is not 0.
    """
    p, n = positives.positive, negatives.negative
    of_p, of_n = positives.effective_positive, negatives.effective_negative
    below = (n.cum_sum() - n / 2) / n.sum()
    above = 1 - (p.cum_sum() - p / 2) / p.sum()
    area = auc(positives, negatives)
    yield area
    for count, effective, place in ((p, of_p, below), (n, of_n, above)):
        squares = pl.when(count > 0).then(count**2 / effective).otherwise(0.0)
        total = count.sum()
        below_1, above_0 = (
            (count * is_there).sum() / total
            for is_there in (place < 1 - _ROUNDING, place > _ROUNDING)
        )
        yield pl.when(total > 0).then(total**2 / squares.sum()).otherwise(0.0)
        yield (squares * (place - area) ** 2).sum() / total**2
        yield pl.min_horizontal(below_1, above_0)


def _own_rows(z: float) -> Iterator[pl.Expr]:
    """1 over the number of rows with which a rate would vary as the AUC does, by DeLong.

    The fewer the rows behind the variance, the less certain it is (Satterthwaite). The quantile is
    at most that of two degrees of freedom.
    """
    area, *of_kinds = map(_number, range(7))
    kinds = [of_kinds[:3], of_kinds[3:]]
    (p, _, _), (n, _, _) = kinds
    # Without bias: divided by one row less.
    variances = [variance * rows / (rows - 1) for rows, variance, _ in kinds]
    total = variances[0] + variances[1]
    parts = variances[0] ** 2 / (p - 1) + variances[1] ** 2 / (n - 1)
    widened = total * (student(z, (total**2 / parts).clip(lower_bound=2)) / z) ** 2
    yield area
    yield p
    yield n
    yield pl.when(total > 0).then(widened / (area * (1 - area))).otherwise(0.0)
    yield total
    yield pl.min_horizontal(rows * share for rows, _, share in kinds)


def _with_others(_: float) -> Iterator[pl.Expr]:
    """The same, drawn towards the number for exponential scores if that is smaller."""
    area, p, n, own, variance, out_of_order = map(_number, range(6))
    alike = ((p + n) / 2 - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    weight = (2 / out_of_order.sqrt()).clip(upper_bound=1)
    yield area
    yield pl.min_horizontal(p, n)
    yield own + weight * ((1 + alike) / (p * n) - own).clip(lower_bound=0)
    yield variance
    yield out_of_order


def _wilson(z: float) -> Iterator[pl.Expr]:
    area, fewest_rows, per_row, variance, out_of_order = map(_number, range(5))
    low, high = wilson(area, 1 / per_row, z)
    # How much the place of a single row varies is not known.
    yield area
    yield pl.when(fewest_rows > 1).then(low).otherwise(0.0)
    yield pl.when(fewest_rows > 1).then(high).otherwise(1.0)
    yield variance
    yield out_of_order


def _number(place: int) -> pl.Expr:
    """A number of the list of the step before."""
    return pl.element().get(place)


def _recovered(areas: int, _: float) -> Bounds:
    """Bounds of an AUC; of a difference, with the variances recovered from those of both.

    Newcombe's method 10 does the same for rates (1998).
    """
    area, low, high = map(_number, range(3))
    if areas == 1:
        return low, high
    other, other_low, other_high = map(_number, range(5, 8))
    down = ((area - low) ** 2 + (other_high - other) ** 2).sqrt()
    up = ((high - area) ** 2 + (other - other_low) ** 2).sqrt()
    return area - other - down, area - other + up


def _delong(areas: int, z: float) -> Bounds:
    lowest, value, variance, out_of_order = 0.0, *map(_number, (0, 3, 4))
    if areas == 2:
        lowest, value, variance = -1.0, value - _number(5), variance + _number(8)
        out_of_order = pl.min_horizontal(out_of_order, _number(9))
    reach = z * variance.sqrt()
    lower, upper = _recovered(areas, z)
    are_many = out_of_order >= LEAST_OUT_OF_ORDER
    return (
        pl.when(are_many).then((value - reach).clip(lowest, 1.0)).otherwise(lower),
        pl.when(are_many).then((value + reach).clip(lowest, 1.0)).otherwise(upper),
    )
