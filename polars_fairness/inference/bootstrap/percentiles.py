"""Percentiles of draws as bounds, widened where rows are few."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf, isinf, pi, sqrt, tan
from statistics import NormalDist
from typing import Any, Final

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]

_NORMAL: Final = NormalDist()


def percentiles(values: Floats, rows: Sequence[float], confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper bounds from ``values``: a line for each place, a column for each draw.

    A bound is one of the values, never a number between two of them. So the bounds of 1/x are the
    inverses of the bounds of x, and where the sides change places the verdict is mirrored. ``rows``
    are the numbers of rows on the smaller sides. Draws without a value do not count; where no draw
    has a value there are no bounds.
    """
    ordered = np.sort(values, axis=1)
    last = np.maximum(ordered.shape[1] - np.isnan(ordered).sum(axis=1) - 1, 0)
    # Effective numbers of rows carry rounding errors, and below two rows there is a step.
    tails = np.array([_tail(round(each, 6), confidence) for each in rows])
    line = np.arange(len(ordered))
    lower = np.floor(tails * last + _ROUNDING).astype(int)
    return ordered[line, lower], ordered[line, last - lower]


_ROUNDING: Final = 1e-9


def widened(
    bounds: tuple[Floats, Floats],
    values: Floats,
    factors: Floats,
    limits: tuple[float, float] = (-inf, inf),
    *,
    is_ratio: bool = False,
) -> tuple[Floats, Floats]:
    """Bounds moved away from the median of the draws by a factor for each place, within limits.

    For all pairs of 20 groups, the share of draws beyond a bound is 0.0002: less than one draw of a
    thousand. So a bound is moved as far as the critical value of all pairs is above that of one.
    Bounds of ratios are moved on the scale of logarithms.
    """
    if (factors == 1).all():
        return bounds
    ordered = np.sort(values, axis=1)
    last = np.maximum(ordered.shape[1] - np.isnan(ordered).sum(axis=1) - 1, 0)
    line = np.arange(len(ordered))
    # Of two draws in the middle the one at the bound's side, so that 1/x has the inverse bounds.
    medians = ordered[line, last // 2], ordered[line, last - last // 2]
    lower, upper = (
        _moved(bound, median, factors, is_ratio=is_ratio)
        for bound, median in zip(bounds, medians, strict=True)
    )
    least, most = limits
    return (
        np.where(factors == 1, bounds[0], np.clip(lower, least, most)),
        np.where(factors == 1, bounds[1], np.clip(upper, least, most)),
    )


def _moved(bound: Floats, median: Floats, factors: Floats, *, is_ratio: bool) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # of 0 and infinity
        if is_ratio:
            moved = median * (bound / median) ** factors
        else:
            moved = median + (bound - median) * factors
    return np.where(np.isnan(moved), bound, moved)


@cache
def _tail(rows: float, confidence: float) -> float:
    """The share of draws to leave out at either end, given the rows on the smaller side.

    The percentiles of a bootstrap are too narrow for few rows, by √((n−1)/n) and by the
    difference between the normal and Student's distribution (Hesterberg 2015, 'expanded
    percentiles'). With 25 rows on one side, 95 % intervals of a difference of true positive rates
    held the truth in 91 of 100 without this correction, and hold it in 94 with it.
    """
    if rows < 2:
        return 0.0
    student = _student((1 + confidence) / 2, rows - 1)
    return 0.0 if isinf(student) else _NORMAL.cdf(-sqrt(rows / (rows - 1)) * student)


def student_ratio(rows: float, higher: float, confidence: float) -> float:
    """How many times as wide an interval of a higher confidence is, by Student's distribution.

    Below three rows it is that of three: with one or two, percentiles are the outermost draws.
    """
    if higher == confidence:
        return 1.0
    freedom = max(rows, 3.0) - 1
    return _student((1 + higher) / 2, freedom) / _student((1 + confidence) / 2, freedom)


def _student(probability: float, freedom: float) -> float:
    """A quantile of Student's distribution; from 3 degrees by Cornish and Fisher's series.

    Examples
    --------
    >>> [round(_student(0.975, freedom), 2) for freedom in (1, 2, 3, 10, 1000)]
    [12.71, 4.3, 3.18, 2.23, 1.96]
    """
    if freedom < 2:
        return tan(pi * (probability - 0.5))
    if freedom < 3:
        return (2 * probability - 1) * sqrt(2 / (4 * probability * (1 - probability)))
    z = _NORMAL.inv_cdf(probability)
    coefficients = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(each / freedom**power for power, each in enumerate(coefficients))
