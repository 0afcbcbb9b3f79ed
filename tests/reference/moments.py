"""Intervals of least squares and of means, row by row: what sums of powers have to give.

Written from the rule in words, with a residual for each row, and no sums of powers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

Floats = Any


@dataclass(frozen=True)
class Moments:
    """The value a less d, and for each side, a first: variance and third moment, and its rows."""

    value: float
    variance: Floats
    third: Floats
    rows: Floats

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The ends: both sides' score limits, joined."""
        t = stats.t.ppf((1 + confidence) / 2, self.freedom)
        ends = [score_limits(v, k, t) for v, k in zip(self.variance, self.third, strict=True)]
        below, above = (float(np.hypot(*each)) for each in zip(*ends, strict=True))
        return self.value - below, self.value + above

    @property
    def freedom(self) -> float:
        """Welch's degrees of freedom."""
        v = self.variance
        return float(max(v.sum() ** 2 / (v**2 / np.maximum(self.rows - 1, 1e-9)).sum(), 1))

    @property
    def p_value(self) -> float:
        """The level at which the interval touches 0, by halving."""
        low, high = 1e-12, 1.0
        for _ in range(80):
            middle = float(np.sqrt(low * high))
            lower, upper = self.interval(1 - middle)
            low, high = (middle, high) if lower <= 0 <= upper else (low, middle)
        return high


def score_limits(variance: float, third: float, t: float) -> tuple[float, float]:
    """The two solutions μ of (x − μ)² = t²(v + (k/v)(μ − x)), as distances below and above x."""
    lean = third / variance if variance > 0 else 0.0
    roots = np.roots([1, -(t**2) * lean, -(t**2) * variance])
    return float(-roots.min()), float(roots.max())


def of_rows(
    number: Floats, is_d: Floats, controls: Floats | None = None, weight: Floats | None = None
) -> Moments:
    """The moments of the effect of d on a number, at equal columns of controls."""
    n = len(number)
    w = np.ones(n) if weight is None else weight
    more = np.zeros((n, 0)) if controls is None else controls
    design = np.column_stack([np.ones(n), is_d, more]).astype(float)
    inverse = np.linalg.inv(design.T @ (design * w[:, None]))
    effects = inverse @ design.T @ (w * number)
    r, u = number - design @ effects, -(design @ inverse)[:, 1]
    q = np.einsum("ij,jk,ik->i", design, inverse, design)
    cell = np.unique(design, axis=0, return_inverse=True)[1].ravel()

    def summed(each: Floats) -> Floats:
        return np.bincount(cell, each)

    side = np.bincount(cell, is_d) > 0
    of_cell = {name: np.zeros(len(side)) for name in ("u", "q")}
    of_cell["u"][cell], of_cell["q"][cell] = u, q
    left = 1 - of_cell["q"] * summed(w**2) / summed(w)
    own = of_cell["u"] ** 2 * (summed(w**2 * r**2) + of_cell["q"] * summed(w**3 * r**2)) / left
    thirds = of_cell["u"] ** 3 * summed(w**3 * r**3) / left**3
    rows = summed(w**2) ** 2 / summed(w**4)
    common = (summed(w**2 * r**2) / left).sum() / (w**2).sum()
    common_third = (summed(w**3 * r**3) / left**1.5).sum() / (w**3).sum()
    variances, third, counts, kappa, skewness, pooled = [], [], [], [], [], []
    for member, cells in ((is_d == 0, ~side), (is_d == 1, side)):
        v = own[cells].sum()
        # The square of a variance of n rows is too large by 2/n: means alone have no such sum.
        of_each = rows[cells] + 2 * (controls is not None)
        counts.append(v**2 / (own[cells] ** 2 / of_each).sum() if v > 0 else rows[cells].sum())
        variances.append(v)
        third.append(thirds[cells].sum() * counts[-1] / (counts[-1] + 10))
        kappa.append(w[member].sum() ** 2 / (w[member] ** 2).sum())
        pooled.append(
            (
                common * ((u * w) ** 2)[member].sum(),
                common_third * ((u * w) ** 3)[member].sum(),
            )
        )
        m2 = (w**2 * r**2)[member].sum() / (w**2)[member].sum()
        m3 = (w**3 * r**3)[member].sum() / (w**3)[member].sum()
        skewness.append(m3**2 / m2**3 if m2 > 0 else np.nan)
    known = ~np.isnan(skewness)
    unseen = np.average(np.array(skewness)[known], weights=np.array(kappa)[known])
    seen = []
    for v, k, count, (v0, k0) in zip(variances, third, counts, pooled, strict=True):
        more_rows = unseen if v0 > v else 0.0
        both = count + more_rows
        seen.append(((count * v + more_rows * v0) / both, (count * k + more_rows * k0) / both))
    variance, third_moment = np.array(seen).T
    return Moments(float(-effects[1]), variance, third_moment, np.array(counts))
