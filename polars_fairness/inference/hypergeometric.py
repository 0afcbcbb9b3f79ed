"""P-values of Fisher's exact test for so many rows that scipy's products exceed 64 bits.

The probability of a table with given margins is a quotient of factorials. Their logarithms are up
to 10^20, and their difference would have no correct digit. Here the logarithm of the probability is
computed from the table's distance from the expected one (Loader 2000, as R's `dhyper`): then every
number in the sum is small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A table that is e^40 times less likely than the first of its tail does not change the tail's
# 16 digits.
NEGLIGIBLE: Final = 40.0

# Log probabilities this close are equal: they differ by rounding.
ROUNDING: Final = 1e-10

# Up to this many probabilities are added one by one. In longer tails, neighbours differ by less
# than 0.1 %. Their sum is then the integral, by Simpson's rule on this many points, plus half of
# both ends; it is correct to at least 8 digits.
MOST_ADDED: Final = 100_000
POINTS: Final = 10_001


@dataclass(frozen=True)
class Table:
    """A table of two sides by two outcomes.

    Any other table with the same margins is given by its distance: its first cell minus this one's.
    """

    d_yes: int
    d_no: int
    a_yes: int
    a_no: int

    def p_value(self) -> float:
        """The two-sided p-value: the probability of all tables at most as likely as this one."""
        least, most = -min(self.d_yes, self.a_no), min(self.d_no, self.a_yes)
        limit = self._likelihood(0) + ROUNDING
        is_below = self._mode >= 0
        own, opposite = (least, most) if is_below else (most, least)
        start = max(self._mode, 1) if is_below else min(self._mode, -1)
        total = self._tail(0, own)
        if least <= start <= most:
            nearest = _first(start, opposite, lambda at: self._likelihood(at) <= limit)
            total += 0.0 if nearest is None else self._tail(nearest, opposite)
        return min(total, 1.0)

    def _tail(self, start: int, end: int) -> float:
        """The probability of a tail: of all tables from one distance to the end."""
        limit = self._likelihood(start) - NEGLIGIBLE
        last = _first(start, end, lambda at: self._likelihood(at) < limit)
        last = end if last is None else last
        size = abs(last - start) + 1
        if size <= MOST_ADDED:
            return float(np.exp(self.log_probabilities(np.linspace(start, last, size))).sum())
        heights = np.exp(self.log_probabilities(np.linspace(start, last, POINTS)))
        inner = 4 * heights[1:-1:2].sum() + 2 * heights[2:-1:2].sum()
        ends = heights[0] + heights[-1]
        return float((inner + ends) * (size - 1) / (POINTS - 1) / 3 + ends / 2)

    def log_probabilities(self, distances: Floats) -> Floats:
        """Logarithms of the probabilities of the tables at some distances."""
        excess = self._excess + distances
        total = np.full_like(distances, self._margins_remainder)
        for cell, expected, sign in self._cells:
            at = np.maximum(cell + sign * distances, 0.0)
            total -= _deviance(at, expected, sign * excess) + _stirling_remainder(at)
        return total

    def _likelihood(self, distance: int) -> float:
        return float(self.log_probabilities(np.array([float(distance)]))[0])

    @cached_property
    def _margins(self) -> tuple[int, int, int, int]:
        """The numbers of rows that are d, a, yes and no."""
        return (
            self.d_yes + self.d_no,
            self.a_yes + self.a_no,
            self.d_yes + self.a_yes,
            self.d_no + self.a_no,
        )

    @cached_property
    def _cells(self) -> tuple[tuple[int, float, int], ...]:
        """Each cell, its expected count, and 1 if the cell grows with the distance, else -1."""
        n_d, n_a, yes, no = self._margins
        n = n_d + n_a
        return (
            (self.d_yes, n_d * yes / n, 1),
            (self.d_no, n_d * no / n, -1),
            (self.a_yes, n_a * yes / n, -1),
            (self.a_no, n_a * no / n, 1),
        )

    @cached_property
    def _excess(self) -> float:
        """The first cell less its expected count: whole numbers keep it exact to the last digit."""
        return (self.d_yes * self.a_no - self.d_no * self.a_yes) / sum(self._margins[:2])

    @cached_property
    def _margins_remainder(self) -> float:
        """The part of each log probability that depends on the margins only."""
        margins = _stirling_remainder(np.array(self._margins, float)).sum()
        return float(margins - _stirling_remainder(np.array([float(sum(self._margins[:2]))]))[0])

    @cached_property
    def _mode(self) -> int:
        """The distance of the likeliest table, the mode of the distribution."""
        n_d, n_a, yes, _ = self._margins
        return (n_d + 1) * (yes + 1) // (n_d + n_a + 2) - self.d_yes


def _first(start: int, end: int, holds: Callable[[int], bool]) -> int | None:
    """The first whole number, from start towards end, from which on a condition holds."""
    if not holds(end):
        return None
    step = 1 if end >= start else -1
    low, high = 0, abs(end - start)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(start + step * middle) else (middle + 1, high)
    return start + step * low


def _deviance(cell: Floats, expected: float, excess: Floats) -> Floats:
    """Compute cell·ln(cell/expected) − excess; by a series where cell and expected are close."""
    from scipy.special import xlogy  # brought by an extra

    v = excess / (cell + expected)
    powers = np.zeros_like(v)
    for j in range(8, 0, -1):
        powers = v * v * (1 / (2 * j + 1) + powers)
    series = excess * v + 2 * cell * v * powers
    return np.where(np.abs(v) < 0.1, series, xlogy(cell, cell / expected) - excess)


def _stirling_remainder(n: Floats) -> Floats:
    """The remainder of Stirling's formula: ln(n!) − (n·ln(n) − n)."""
    from scipy.special import gammaln, xlogy  # brought by an extra

    m = np.maximum(n, 16.0)
    series = np.log(2 * np.pi * m) / 2 + 1 / (12 * m) - 1 / (360 * m**3) + 1 / (1260 * m**5)
    return np.where(n > 16, series - 1 / (1680 * m**7), gammaln(n + 1) - xlogy(n, n) + n)
