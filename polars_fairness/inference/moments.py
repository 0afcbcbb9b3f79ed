"""Intervals of means, and of all that is made of means: of numbers, of scores, of least squares.

A side is known by the variance of its mean and by the third moment of what its rows move in it:
both are sums over rows, so that they add up, and no interval depends on the order of rows. A normal
distribution with the variance of the rows alone held in 68 % of data sets where 2 % of 60 people
have a bonus of 20,000, beside 600, and in 73 % where 1 % of 200 have a claim, beside 2,000: most
sides had no such row, and a variance without it. These intervals held in 95 to 100 %, at a width of
1.00 to 1.05 of the usual one for normal numbers, and gave p-values below 0.01 to at most 2 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np

from polars_fairness.formula.arrays import Floats
from polars_fairness.inference.quantiles import student

Number = TypeVar("Number", bound=Any)

_TINY: Final = 1e-300
_ROUNDING: Final = 1e-9

LIKE_ROWS: Final = 10.0
"""So many rows know nothing of a third moment. Without them intervals of numbers whose spread grows
tenfold from grade to grade held in 86 % of data sets."""


@dataclass(frozen=True)
class Moments:
    """How a mean of each side, or what its rows move in an effect, varies; a row for each side.

    Attributes
    ----------
    variance, third
        The variance of a side's mean, and the third central moment.
    rows
        How many rows the variance is made of.
    unseen_variance, unseen_third
        The same if its rows varied as those of all sides together do.
    unseen
        How many such rows a side has beside its own: γ², the squared skewness of rows.
    """

    variance: Floats
    third: Floats
    rows: Floats
    unseen_variance: Floats
    unseen_third: Floats
    unseen: Floats

    @classmethod
    def of_means(
        cls,
        variance: Floats,
        third: Floats,
        rows: Floats,
        weights: Sequence[Floats] | None = None,
    ) -> Moments:
        """The moments of means of sides whose rows have Σw, Σw² and Σw³; else as many as rows."""
        w, squares, cubes = (rows, rows, rows) if weights is None else weights
        of_rows, third_of_rows = variance * w**2, third * w**3
        with np.errstate(divide="ignore", invalid="ignore"):
            common = of_rows.sum(axis=0) / squares.sum(axis=0) * squares / w**2
            common_third = third_of_rows.sum(axis=0) / cubes.sum(axis=0) * cubes / w**3
            unseen = unseen_rows((w, squares, cubes), of_rows, third_of_rows)
        return cls(variance, third, rows, common, common_third, unseen)

    @property
    def with_unseen(self) -> Moments:
        """The moments of a side's own rows, and of γ² rows of all sides if these vary more.

        A share p of rows that have an amount has a γ² of about 1/p, normal numbers have 0.
        """
        third = self.third * self.rows / (self.rows + LIKE_ROWS)
        # Two sides that vary alike do so up to last digits, which would decide.
        is_more = self.unseen_variance > self.variance * (1 + _ROUNDING)
        more = np.where(is_more, self.unseen, 0.0)
        both = self.rows + more
        return replace(
            self,
            variance=(self.rows * self.variance + more * self.unseen_variance) / both,
            third=(self.rows * third + more * self.unseen_third) / both,
        )

    @property
    def freedom(self) -> Floats:
        """Welch's degrees of freedom of the sum of all sides."""
        return freedom_of(self.variance, self.rows)

    def reaches(self, t: Floats) -> Floats:
        """How far the truth may be below, and above, the mean of each side."""
        return np.stack(reach(self.variance, self.third, t))

    def reaches_of_sum(self, t: Floats) -> Floats:
        """How far the truth may be below, and above, the sum of all sides (Zou and Donner)."""
        reaches: Floats = np.sqrt((self.reaches(t) ** 2).sum(axis=1))
        return reaches


def unseen_rows(weights: Sequence[Floats], squares: Floats, cubes: Floats) -> Floats:
    """γ²: the squared skewness of the rows of sides, by their effective numbers; NaN of none.

    Each argument has a row for each side: Σw, Σw² and Σw³, and what the second and third powers of
    rows add up to.
    """
    w, w2, w3 = weights
    rows, skewness = w**2 / w2, (cubes / w3) ** 2 / (squares / w2) ** 3
    is_known = np.isfinite(skewness)
    total = np.where(is_known, rows, 0.0).sum(axis=0)
    summed = np.where(is_known, rows * np.where(is_known, skewness, 0.0), 0.0).sum(axis=0)
    mean: Floats = summed / np.maximum(total, _TINY)
    return mean


def freedom_of(variance: Floats, rows: Floats) -> Floats:
    """Welch's degrees of freedom of a sum of means, each known by so many rows."""
    parts = (variance**2 / np.maximum(rows - 1, 1e-9)).sum(axis=0)
    degrees: Floats = np.maximum(variance.sum(axis=0) ** 2 / np.maximum(parts, _TINY), 1.0)
    return degrees


def reach(variance: Number, third: Number, t: Number) -> tuple[Number, Number]:
    """How far the truth may be below, and above, an estimate.

    These are score limits, (x − μ)² = t²(v + (k/v)(μ − x)): of a count those of Poisson, of a rate
    nearly Wilson's.
    """
    lean = np.divide(third, variance, out=np.zeros_like(variance * t), where=variance > 0)
    half = t * lean / 2
    root = t * np.sqrt(variance + half**2)
    return root - t * half, root + t * half


@np.errstate(all="ignore")  # of sides that have no interval
def difference_reaches(sums: Sequence[Floats], probability: float) -> Floats:
    """How far the truth may be below, and above, a difference of two means.

    Each side has Σw to Σw⁴, Σw²m², Σw³m² and Σw³m³ of what its rows move, times its weight. The
    variance is as if each row were left out once.
    """
    n, w2, w3, w4, squares, heavier, cubes = np.stack(
        [sums[: len(sums) // 2], sums[len(sums) // 2 :]], axis=1
    )
    share = 1 / (1 - w2 / n**2)
    variance, third = (squares + heavier / n) * share / n**2, cubes * share**3 / n**3
    seen = Moments.of_means(variance, third, w2**2 / w4, (n, w2, w3)).with_unseen
    reaches = seen.reaches(student(probability, seen.freedom))
    (below, below_other), (above, above_other) = reaches
    return np.stack([np.hypot(below, above_other), np.hypot(above, below_other)])
