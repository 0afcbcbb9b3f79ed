"""How far counts are apart: association, total variation and differences of shares, with bounds.

Every number is arithmetic on one table of counts. How much it varies follows from what each row
moves in it: from the squared weights in each cell, or from groups of clusters (the jackknife).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, inf, lgamma, pi, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.inference.deviations import less, wilson
from polars_fairness.inference.quantiles import student
from polars_fairness.inference.significance import chi_squared
from polars_fairness.question.audit_arguments import FEW_ROWS

_NORMAL: Final = NormalDist()
_LEAST_EXPECTED: Final = 1.0
_MOST_RARE, _SMALL = 0.1, 0.05  # shares of all rows
_HALVINGS: Final = 60
_NEGLIGIBLE: Final = 1e-16


@lru_cache
def reach(alpha: float, freedom: float) -> float:
    """How many standard errors a bound is away that misses so often, of both sides together."""
    probability = 1 - alpha / 2
    return float(student(probability, freedom)) if freedom < inf else _NORMAL.inv_cdf(probability)


class Span(NamedTuple):
    """A value with its bounds, and the p-value that it is 0; None without an interval."""

    value: float
    lower: float | None = None
    upper: float | None = None
    p_value: float | None = None

    @property
    def nearer(self) -> float:
        """How far the bound nearer to 0 is from it; 0 if 0 lies between the bounds."""
        return max(self.lower or 0.0, -(self.upper or 0.0), 0.0)


@dataclass(frozen=True)
class Tally:
    """A table of counts: groups by values.

    ``mass`` has the rows of each cell, or their weight, and ``squares`` the sums of their squared
    weights. Where rows belong together, ``parts`` has the mass of each group of clusters.
    """

    mass: Floats
    squares: Floats
    parts: Floats | None = None

    @property
    def total(self) -> float:
        return float(self.mass.sum())

    def changed(self, change: Callable[[Floats], Floats]) -> Tally:
        """The table with cells left out or added up, which are the last two axes."""
        parts = None if self.parts is None else change(self.parts)
        return Tally(change(self.mass), change(self.squares), parts)

    def chosen(self, kept: Bools) -> Tally:
        """The counts of some groups."""
        return self.changed(lambda counts: counts[..., kept, :])

    def of_values(self, kept: Bools) -> Tally:
        """The counts of some values."""
        return self.changed(lambda counts: counts[..., kept])

    def merged(self, kept: Bools) -> Tally:
        """The table with the values that are not kept counted as one."""
        if kept.all():
            return self
        return self.changed(
            lambda counts: np.concatenate(
                [counts[..., kept], counts[..., ~kept].sum(axis=-1, keepdims=True)], axis=-1
            )
        )

    def beside(self, other: Tally) -> Tally:
        """The groups of this table and those of another one, by the same values."""
        parts = None
        if self.parts is not None and other.parts is not None:
            parts = np.concatenate([self.parts, other.parts], axis=1)
        mass, squares = (
            np.concatenate(each)
            for each in ((self.mass, other.mass), (self.squares, other.squares))
        )
        return Tally(mass, squares, parts)

    def of_group(self, group: int) -> Tally:
        """The counts of one group."""
        return self.changed(lambda counts: counts[..., [group], :])

    def beside_rest(self, group: int) -> Tally:
        """The counts of one group, and those of all others together."""
        return self.changed(
            lambda counts: np.stack(
                [counts[..., group, :], counts.sum(axis=-2) - counts[..., group, :]], axis=-2
            )
        )

    @cached_property
    def rows(self) -> float:
        """So many rows of equal weight vary alike: (Σw)²/Σw² (Kish)."""
        return self.total**2 / float(self.squares.sum())

    @cached_property
    def units(self) -> float:
        """So many rows, or groups of clusters, of equal size vary alike."""
        if self.parts is None:
            return self.rows
        return self.total**2 / float((self.parts.sum(axis=(1, 2)) ** 2).sum())

    @cached_property
    def _occupied(self) -> float:
        return inf if self.parts is None else float((self.parts.sum(axis=(1, 2)) > 0).sum())

    @property
    def freedom(self) -> float:
        """The degrees of freedom of variances, which of equal weights follow from the shares."""
        if self.parts is not None:
            return min(self._occupied, self.units) - 1
        weights_differ = not np.allclose(
            self.squares * self.total, self.mass * self.squares.sum(), rtol=1e-9, atol=0
        )
        return max(self.rows - 1, 1.0) if weights_differ else inf

    @property
    def correction(self) -> float:
        """What a sum of squares over groups of clusters is multiplied by."""
        has_freedom = 1 < self._occupied < inf
        return self._occupied / (self._occupied - 1) if has_freedom else 1.0

    def covariance(self, moves: Floats, others: Floats) -> float:
        """The covariance of two sums in which each row of a cell moves so much."""
        if self.parts is None:
            return float((self.squares * moves * others).sum())
        one, other = ((self.parts * each).sum(axis=(1, 2)) for each in (moves, others))
        return float(one @ other) * self.correction

    @cached_property
    def expected(self) -> Floats:
        """The cells that independence of groups and values would give."""
        found: Floats = np.outer(self.mass.sum(axis=1), self.mass.sum(axis=0)) / self.total
        return found

    @cached_property
    def contingency(self) -> float:
        """Pearson's mean square contingency, the chi-squared statistic of a row: φ²."""
        return float(((self.mass - self.expected) ** 2 / self.expected).sum()) / self.total

    @cached_property
    def chance(self) -> tuple[float, float]:
        """The scale and the degrees of freedom of a chi-squared that φ² of chance is like.

        Its mean is their product, and its variance that of what rows or clusters move in φ²: Rao
        and Scott's correction of the second order.
        """
        groups, values = (self.mass.sum(axis=axis) / self.total for axis in (1, 0))
        if self.parts is None:
            # As independence gives them too: a heavy row makes its own cell large.
            squares = Tally(self.squares, self.squares).expected / self.total**2
            mean = float((squares * np.outer(1 / groups - 1, 1 / values - 1)).sum())
            across = (squares * (1 / values**2 - 2 / values)) @ squares.T
            across += np.outer(squares.sum(axis=1), squares.sum(axis=1))
            variance = float((across * (1 + np.diag(1 / groups**2 - 2 / groups))).sum())
        else:
            parts = self.parts[self.parts.any(axis=(1, 2))]
            moved = parts - groups[:, np.newaxis] * parts.sum(axis=1, keepdims=True)
            moved = moved - values * moved.sum(axis=2, keepdims=True)
            moved = moved / (np.sqrt(np.outer(groups, values)) * self.total)
            moved = (moved - moved.mean(axis=0)).reshape(len(moved), -1)
            products = moved @ moved.T
            mean = float(np.trace(products)) * self.correction
            # Without the squares of groups with themselves, whose mean is too large.
            np.fill_diagonal(products, 0)
            variance = float((products**2).sum()) * self.correction
        freedom = (len(groups) - 1) * (len(values) - 1)
        variance = max(variance, mean**2 / freedom)
        return variance / mean, mean**2 / variance

    @property
    def p_value(self) -> float:
        """The p-value of independence, which no rows of one value contradict."""
        if np.count_nonzero(self.mass.sum(axis=0)) < 2:
            return 1.0
        scale, freedom = self.chance
        return chi_squared(self.contingency / scale, freedom)


def effective(tally: Tally) -> float:
    """So many independent rows would make the share of the first value of one group vary alike."""
    share = float(tally.mass[0, 0]) / tally.total
    of_row = np.array([[1 - share, -share]]) / tally.total
    variance = tally.covariance(of_row, of_row)
    return min(share * (1 - share) / variance, tally.rows) if variance > 0 else tally.units


def difference(tally: Tally, alpha: float) -> Span:
    """The share of the first value in the first group, less that in the second (Newcombe 1998).

    Each share stands between Wilson's bounds of as many rows as have its variance.

    Examples
    --------
    >>> counts = np.array([[15.0, 85.0], [10.0, 190.0]])
    >>> [round(each, 4) for each in difference(Tally(counts, counts), 0.05)]
    [0.1, 0.0307, 0.1859, 0.0031]
    """
    limits, moves = [], []
    for group, counts in enumerate(tally.mass):
        size, alone = counts.sum(), tally.of_group(group)
        share, of_row = counts[0] / size, np.zeros_like(tally.mass)
        of_row[group] = np.array([1 - share, -share]) / size
        below, above = wilson(share, effective(alone), reach(alpha, alone.freedom))
        limits.append((below, share, above))
        moves.append(of_row)
    variances = [tally.covariance(each, each) for each in moves]
    spread = sqrt(variances[0] * variances[1])
    correlation = tally.covariance(*moves) / spread if spread > 0 else 0.0
    value = limits[0][1] - limits[1][1]
    bounds = less(limits[0], limits[1], correlation)
    lower, upper = map(float, bounds)
    return Span(float(value), lower, upper, tally.p_value)


def association(tally: Tally, alpha: float) -> Span:
    """Cramér's V of groups and values, corrected for chance (Bergsma 2013).

    Each bound is the wider of two: by the noncentral chi-squared distribution, and by what each row
    moves. The first holds near independence, where the second is too narrow.

    Examples
    --------
    >>> counts = np.array([[30.0, 70.0], [60.0, 40.0]])
    >>> [round(each, 3) for each in association(Tally(counts, counts), 0.05)]
    [0.294, 0.155, 0.441, 0.0]
    """
    scale, freedom = tally.chance
    chance = scale * freedom
    z, found = reach(alpha, tally.freedom), tally.contingency
    shares = tally.mass / tally.total
    groups, values = shares.sum(axis=1, keepdims=True), shares.sum(axis=0)
    squares = shares**2 / (groups * values)
    moves = 2 * shares / (groups * values)
    moves = moves - squares.sum(axis=1, keepdims=True) / groups - squares.sum(axis=0) / values
    error = z * sqrt(tally.covariance(moves, moves)) / tally.total
    # On the scale of V itself, where the error of a correlation hardly depends on its value.
    root = sqrt(found)
    error = error / (2 * root) if root > 0 else 0.0
    below = scale * noncentrality(found / scale, freedom, z)
    above = scale * noncentrality(found / scale, freedom, -z)
    below = min(below, max(root - error, 0.0) ** 2 - chance)
    above = max(above, (root + error) ** 2 - chance)
    r, k = tally.mass.shape
    rows = (r - 1) * (k - 1) / chance  # as many as rows of equal weight, without clusters
    widths = (size - (size - 1) ** 2 / (rows - 1) for size in (r, k))
    most = max(min(widths) - 1, _NEGLIGIBLE)
    chance *= tally.rows / (tally.rows - 1)
    value, lower, upper = (
        sqrt(min(max(each, 0.0) / most, 1.0)) for each in (found - chance, below, above)
    )
    return Span(value, min(lower, value), max(upper, value), tally.p_value)


def variation(tally: Tally, alpha: float) -> Span:
    """The total variation of two groups' distributions of values, less what chance alone gives.

    Half the sum of absolute errors is what chance gives. It is like a chi variable with its mean
    and its variance: that of two values has one degree of freedom. A distance is at most that of
    the true distributions and of the errors together, so its lower bound holds whatever these are.

    Examples
    --------
    >>> counts = np.array([[60.0, 40.0], [30.0, 70.0]])
    >>> [round(each, 3) for each in variation(Tally(counts, counts), 0.05)]
    [0.246, 0.151, 0.431, 0.0]
    """
    sizes = tally.mass.sum(axis=1, keepdims=True)
    shares = tally.mass / sizes
    apart = shares[1] - shares[0]
    # The covariance of errors: what is on its diagonal alone, and a product of two factors.
    if tally.parts is None:
        squares = tally.squares / sizes**2
        own = squares.sum(axis=0)
        of_groups = squares.sum(axis=1, keepdims=True) * shares - squares
        left = np.concatenate([shares, squares]).T
        right = np.concatenate([of_groups, -shares]).T
    else:
        own = np.zeros_like(apart)
        errors = tally.parts - shares * tally.parts.sum(axis=2, keepdims=True)
        moved = errors[:, 1] / sizes[1] - errors[:, 0] / sizes[0]
        left = right = moved.T * sqrt(tally.correction)
    product = (left * right).sum(axis=1)
    deviations = np.sqrt(np.clip(own + product, 0, None))
    weights = np.divide(1, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    squares = ((left.T * weights) @ left) * ((right.T * weights) @ right)
    total = float(squares.sum() + (own * weights**2 * (own + 2 * product)).sum())
    mean = sqrt(1 / (2 * pi)) * float(deviations.sum())
    # Exact of two values, and of more a little too much: |ρ| stands in place of what it brings.
    variance = (0.25 - 0.5 / pi) * total
    freedom = min(tally.of_group(group).freedom for group in range(2))
    z, signs = reach(alpha, freedom), np.sign(apart)
    found = 0.5 * float(np.abs(apart).sum())
    error = float((own * signs**2).sum() + (signs @ left) @ (signs @ right))
    upper = found + z * sqrt(max(0.25 * error, variance))
    lower = found - _chi(mean, variance, z)
    return Span(max(found - mean, 0.0), max(lower, 0.0), min(upper, 1.0), tally.p_value)


def comparable(tally: Tally) -> tuple[Tally, Bools, int]:
    """The table without small groups, rare values counted as one: which groups are kept, how many.

    A value is rare if the smallest group is expected to have less than one row of it. With five
    rows, as Cochran has it, intervals of a true association of 0.30 held in 57 % of samples. Groups
    of fewer than 30 rows are left out, and so are the next smallest ones, with at most a twentieth
    of all rows, where rare values would otherwise be more than a tenth of them.
    """
    weights = tally.rows / tally.total
    sizes = tally.mass.sum(axis=1)
    kept = sizes * weights >= FEW_ROWS
    while True:
        chosen = tally.chosen(kept)
        if not kept.any():
            return chosen, kept, 0
        values = chosen.mass.sum(axis=0)
        smallest = np.where(kept, sizes, inf).min()
        is_rare = values * smallest * weights < _LEAST_EXPECTED * chosen.total
        has_most = values[is_rare].sum() > _MOST_RARE * chosen.total
        if not has_most or kept.sum() <= 2 or smallest > _SMALL * tally.total:
            occur = values > 0
            return (
                chosen.of_values(occur).merged(~is_rare[occur]),
                kept,
                int((is_rare & occur).sum()),
            )
        kept = kept & (sizes > smallest)


@np.errstate(all="ignore")
def noncentrality(x: float, freedom: float, z: float) -> float:
    """The noncentrality at which a chi-squared is at most x with the probability of a normal one.

    By Sankaran's normal approximation (1963), without it that of Wilson and Hilferty.
    """

    def normal(noncentrality: float) -> float:
        mean, twice = freedom + noncentrality, freedom + 2 * noncentrality
        h = 1 - 2 * mean * (freedom + 3 * noncentrality) / (3 * twice**2)
        p = twice / mean**2
        m = (h - 1) * (1 - 3 * h)
        middle = 1 + h * p * (h - 1 - 0.5 * (2 - h) * m * p)
        return float(((x / mean) ** h - middle) / (h * sqrt(2 * p) * (1 + 0.5 * m * p)))

    low, high = 0.0, 4 * x + 100
    if normal(low) <= z:
        return low
    while normal(high) > z:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if normal(middle) > z else (low, middle)
    return low


_NORMAL_FROM: Final = 1_000.0


def _chi(mean: float, variance: float, z: float) -> float:
    """How large a multiple of a chi variable is, of this mean and variance, at most."""
    if not variance > 0:
        return mean
    ratio = mean**2 / (mean**2 + variance)
    low, high = 1.0, _NORMAL_FROM
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        gammas = 2 * (lgamma((middle + 1) / 2) - lgamma(middle / 2))
        low, high = (middle, high) if 2 / middle * exp(gammas) < ratio else (low, middle)
    freedom = 0.5 / (1 - ratio) if high == _NORMAL_FROM else low
    cubic = 1 - 2 / (9 * freedom) + z * sqrt(2 / (9 * freedom))
    return sqrt((mean**2 + variance) * cubic**3)
