"""DeLong's closed-form intervals of areas under ROC curves, and of differences of two of them.

The bounds are metrics themselves, evaluated together with all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.formula.formulas import over_scores
from polars_fairness.formula.levels import SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import auc
from polars_fairness.formula.sides import Side, a_s, d_s

Area = tuple[Side, Side]
"""The sides whose positive and whose negative rows an AUC compares."""


def delong_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it is no AUC nor a difference of two.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [delong_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("auc_difference", "abroca")]
    [False, True]
    """
    formula = metric.parsed
    for areas, value in _FORMS if formula.level == SCORE else ():
        if formula.expression.meta.eq(value):
            z = NormalDist().inv_cdf((1 + confidence) / 2)
            lower, upper = map(over_scores, _bounds(areas, value, z))
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


def _bounds(areas: Sequence[Area], value: pl.Expr, z: float) -> tuple[pl.Expr, pl.Expr]:
    lowest, highest = (0.0 if len(areas) == 1 else -1.0), 1.0
    counts = [count for one, other in areas for count in (one.positive, other.negative)]
    # The variance of a single row is not known.
    is_known = pl.all_horizontal(count.sum() > 1 for count in counts)
    reach = z * pl.sum_horizontal(_variance(*area) for area in areas).sqrt()
    return (
        pl.when(is_known).then((value - reach).clip(lowest, highest)).otherwise(lowest),
        pl.when(is_known).then((value + reach).clip(lowest, highest)).otherwise(highest),
    )


def _variance(positives: Side, negatives: Side) -> pl.Expr:
    """The variance of an AUC (DeLong, DeLong and Clarke-Pearson 1988).

    Each positive row has a place, the share of negative rows below it, and each negative row the
    share of positive rows above it. The mean of either is the AUC.
    """
    p, n = positives.positive, negatives.negative
    below = (n.cum_sum() - n / 2) / n.sum()
    above = 1 - (p.cum_sum() - p / 2) / p.sum()
    area = auc(positives, negatives)
    return sum(
        (
            (count * (place - area) ** 2).sum() / (count.sum() - 1) / count.sum()
            for count, place in ((p, below), (n, above))
        ),
        pl.lit(0.0),
    )
