"""Quantiles: of Student's distribution, and of the largest of several differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from math import floor, inf
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from polars_fairness.formula.arrays import Floats

_NORMAL: Final = NormalDist()
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


@np.errstate(all="ignore")  # of degrees of freedom that are not known
def student(probability: ArrayLike, freedom: ArrayLike) -> Floats:
    """Quantiles above the median of Student's distribution.

    With t = √ν·tan θ, the share between -t and t is that of the area below cosᵛ⁻¹ from 0 to θ,
    which Newton's method finds, by rising steps. Up to one degree of freedom the area beyond is
    a power but for a part in 10,000.

    Examples
    --------
    >>> student(0.975, [1, 2, 3, 10, 1000]).round(3).tolist()
    [12.706, 4.303, 3.182, 2.228, 1.962]
    """
    probability, freedom = np.broadcast_arrays(probability, np.minimum(freedom, _NORMAL_FROM))
    power = freedom[..., np.newaxis] - 1
    # √π·Γ(ν/2)/Γ((ν+1)/2), by Stirling's series for a number 20 higher.
    half, later = freedom / 2, freedom / 2 + 20
    steps = half[..., np.newaxis] + np.arange(20)
    whole = np.sqrt(np.pi / later) * ((steps + 0.5) / steps).prod(axis=-1)
    whole = whole * np.exp(1 / (8 * later) - 1 / (192 * later**3) + 1 / (640 * later**5))
    beyond = np.sqrt(freedom) / np.tan((freedom * (1 - probability) * whole) ** (1 / freedom))
    target = ((probability - 0.5) * whole)[..., np.newaxis]

    def raised(angle: Floats, to: Floats) -> Floats:
        powers: Floats = np.exp(to / 2 * np.log1p(-(np.sin(angle) ** 2)))
        return powers

    angle = target
    for _ in range(60):
        nodes = angle * (_NODES + 1) / 2
        area = (raised(nodes, power + 4) @ _WEIGHTS)[..., np.newaxis] * angle / 2
        # The area of a power from that of a power 2 higher, which is smoother.
        for each in (power + 2, power):
            area = ((each + 2) * area - np.sin(angle) * raised(angle, each + 1)) / (each + 1)
        step = (target - area) / raised(angle, power)
        angle = angle + step
        if not (step > 1e-12 * angle).any():
            break
    quantiles: Floats = np.where(freedom > 1, np.sqrt(freedom) * np.tan(angle[..., 0]), beyond)
    return quantiles


_NORMAL_FROM: Final = 1e9


def critical_value(groups: int, confidence: float, freedom: float = inf) -> float:
    """The number of standard errors that all differences between so many groups stay within.

    It is the quantile of the studentized range over √2 (Tukey and Kramer), of two groups that of
    Student's t; for groups of unequal size it is a little more than needed (Hayter 1984).

    Examples
    --------
    >>> [round(critical_value(groups, 0.95), 3) for groups in (2, 3, 10)]
    [1.96, 2.344, 3.164]
    >>> [round(critical_value(groups, 0.95, 12), 3) for groups in (2, 3, 10)]
    [2.179, 2.668, 3.815]
    """
    if freedom > _MOST_FREEDOM:
        return _range_chance(groups, confidence)
    if groups <= 2:
        return float(student((1 + confidence) / 2, freedom))
    # Rounded down, so that few values are computed; 23 degrees are 23 whatever the last digits.
    return _studentized(groups, confidence, floor(freedom * 10 + 1e-6) / 10)


def critical_values(groups: Iterable[int], confidence: float, freedom: Floats) -> Floats:
    """The same for several pairs, each chosen among so many groups."""
    values = student((1 + confidence) / 2, freedom)
    for i, number in enumerate(groups):
        if number > 2:
            values[i] = critical_value(number, confidence, freedom[i])
    return values


_MOST_FREEDOM: Final = 1_000


@cache
def _studentized(groups: int, confidence: float, freedom: float) -> float:
    """The critical value where the standard error is estimated with these degrees of freedom."""
    ranges, within = _chances(groups)
    error = np.linspace(1e-3, 1 + 12 / np.sqrt(2 * freedom), 2_001)
    log_density = (freedom - 1) * np.log(error) - freedom * error**2 / 2
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        inside = (density * np.interp(np.sqrt(2) * middle * error, ranges, within)).sum()
        low, high = (middle, high) if inside < confidence else (low, middle)
    return low


@cache
def _chances(groups: int) -> tuple[Floats, Floats]:
    """Ranges of so many normal numbers, and how often the range is at most that."""
    ranges = np.linspace(0, 20, 2_001)
    return ranges, np.array([_chance_within(groups, each) for each in ranges])


def _chance_within(groups: int, width: float) -> float:
    """How often the range of so many normal numbers is at most a width."""
    grid, below, density = _normal_grid()
    within = below - np.interp(grid - width, grid, below)
    inside = groups * (grid[1] - grid[0]) * (density * within ** (groups - 1)).sum()
    return min(float(inside), 1.0)


_FAR: Final = 64.0


def chance_of_range(groups: int, width: float, spread: float) -> float:
    """How often normal numbers of means at equal distances over a spread are within a width.

    Examples
    --------
    >>> from math import sqrt
    >>> round(chance_of_range(5, sqrt(2) * critical_value(5, 0.95), 0.0), 4)
    0.95
    >>> round(chance_of_range(2, 3.0, 2.0), 4) == round(
    ...     _NORMAL.cdf(1.0 / sqrt(2)) - _NORMAL.cdf(-5.0 / sqrt(2)), 4
    ... )
    True
    """
    # For means so far apart, the first and the last are the smallest and the largest.
    width, spread = width - max(spread - _FAR, 0.0), min(spread, _FAR)
    if width <= 0:
        return 0.0
    means = np.linspace(0, spread, groups)[:, np.newaxis]
    smallest = np.linspace(-8, spread + 8, 201 + 12 * int(spread))
    grid, below, density = _normal_grid()

    def interpolate(numbers: Floats, of_normal: Floats) -> Floats:
        return np.interp(numbers - means, grid, of_normal)

    within = interpolate(smallest + width, below) - interpolate(smallest, below)
    # One of them is the smallest, and the others are between it and a width more.
    others = [np.delete(within, each, axis=0).prod(axis=0) for each in range(groups)]
    chance = (interpolate(smallest, density) * others).sum() * (smallest[1] - smallest[0])
    return min(float(chance), 1.0)


@cache
def _normal_grid() -> tuple[Floats, Floats, Floats]:
    """Points, the normal distribution below each, and its density there."""
    grid = np.linspace(-12, 12, 4801)
    below = np.array([_NORMAL.cdf(z) for z in grid])
    return grid, below, np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)


@cache
def _range_chance(groups: int, confidence: float) -> float:
    if groups <= 2:
        return _NORMAL.inv_cdf((1 + confidence) / 2)
    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_within(groups, middle) < confidence else (low, middle)
    return float(low / np.sqrt(2))


def widening(groups: int, confidence: float) -> float:
    """By how much an interval of one pair is wider if those of all pairs hold together.

    Examples
    --------
    >>> [round(widening(groups, 0.95), 2) for groups in (2, 3, 10)]
    [1.0, 1.2, 1.61]
    """
    return critical_value(groups, confidence) / critical_value(1, confidence)


def confidence_of_a_pair(groups: int, confidence: float) -> float:
    """The confidence of the interval of one pair at which those of all pairs hold together.

    Examples
    --------
    >>> [round(confidence_of_a_pair(groups, 0.95), 4) for groups in (2, 3, 10)]
    [0.95, 0.9809, 0.9984]
    """
    if groups <= 2:
        return confidence
    return 2 * _NORMAL.cdf(critical_value(groups, confidence)) - 1


def smallest(holds: Callable[[float], bool], most: float) -> float:
    """The smallest number from which on a condition holds, by bisection."""
    low, high = 0.0, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
