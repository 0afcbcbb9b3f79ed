"""Fisher's exact test of any number of rows, where scipy's own counts leave 64 bits.

The probability of a table with given margins is a quotient of factorials, whose logarithms are up
to 10^20 and would leave no digit of their difference. Taken as its distance from the expected table
(Loader 2000, as R's `dhyper`), all of it is small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# What is less likely than the first of a tail by e^-40 adds nothing to the tail's 16 digits.
NEGLIGIBLE: Final = 40.0

# Two tables are equally likely that differ by rounding.
ROUNDING: Final = 1e-10

# So many are added one by one. Of more, neighbours differ by less than 0.1 %, and their sum is the
# integral, by Simpson's rule on so many points, and half of both ends: to 8 digits at least.
MOST_ADDED: Final = 100_000
POINTS: Final = 10_001


@dataclass(frozen=True)
class Table:
    """Two sides by two outcomes. Others of the same margins lie at a distance of its first cell."""

    d_yes: int
    d_no: int
    a_yes: int
    a_no: int

    def p_value(self) -> float:
        """Add up the probabilities of all tables that are no more likely than this one."""
        least, most = -min(self.d_yes, self.a_no), min(self.d_no, self.a_yes)
        limit = self._likelihood(0) + ROUNDING
        is_below = self._likeliest >= 0
        own, opposite = (least, most) if is_below else (most, least)
        start = max(self._likeliest, 1) if is_below else min(self._likeliest, -1)
        total = self._tail(0, own)
        if least <= start <= most:
            nearest = _first(start, opposite, lambda at: self._likelihood(at) <= limit)
            total += 0.0 if nearest is None else self._tail(nearest, opposite)
        return min(total, 1.0)

    def _tail(self, start: int, end: int) -> float:
        """Add up the probabilities from one table to the last in its direction."""
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
        """Give the logarithm of the probability of the tables at some distances."""
        excess = self._excess + distances
        total = np.full_like(distances, self._of_margins)
        for cell, expected, sign in self._cells:
            at = np.maximum(cell + sign * distances, 0.0)
            total -= _deviance(at, expected, sign * excess) + _beyond_stirling(at)
        return total

    def _likelihood(self, distance: int) -> float:
        return float(self.log_probabilities(np.array([float(distance)]))[0])

    @cached_property
    def _margins(self) -> tuple[int, int, int, int]:
        """How many are d, a, yes and no."""
        return (
            self.d_yes + self.d_no,
            self.a_yes + self.a_no,
            self.d_yes + self.a_yes,
            self.d_no + self.a_no,
        )

    @cached_property
    def _cells(self) -> tuple[tuple[int, float, int], ...]:
        """Each cell, what is expected of it, and whether it grows with the distance."""
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
        """By how much the first cell is more than expected, of whole numbers to the last digit."""
        return (self.d_yes * self.a_no - self.d_no * self.a_yes) / sum(self._margins[:2])

    @cached_property
    def _of_margins(self) -> float:
        margins = _beyond_stirling(np.array(self._margins, float)).sum()
        return float(margins - _beyond_stirling(np.array([float(sum(self._margins[:2]))]))[0])

    @cached_property
    def _likeliest(self) -> int:
        """The distance of the likeliest table."""
        n_d, n_a, yes, _ = self._margins
        return (n_d + 1) * (yes + 1) // (n_d + n_a + 2) - self.d_yes


def _first(start: int, end: int, holds: Callable[[int], bool]) -> int | None:
    """Find the first whole number towards an end from which something holds on."""
    if not holds(end):
        return None
    step = 1 if end >= start else -1
    low, high = 0, abs(end - start)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(start + step * middle) else (middle + 1, high)
    return start + step * low


def _deviance(cell: Floats, expected: float, excess: Floats) -> Floats:
    """Give cell·ln(cell/expected) − excess, where the two are near as a series."""
    from scipy.special import xlogy  # brought by an extra

    v = excess / (cell + expected)
    powers = np.zeros_like(v)
    for j in range(8, 0, -1):
        powers = v * v * (1 / (2 * j + 1) + powers)
    series = excess * v + 2 * cell * v * powers
    return np.where(np.abs(v) < 0.1, series, xlogy(cell, cell / expected) - excess)


def _beyond_stirling(n: Floats) -> Floats:
    """Give what ln(n!) is beyond n·ln(n) − n."""
    from scipy.special import gammaln, xlogy  # brought by an extra

    m = np.maximum(n, 16.0)
    series = np.log(2 * np.pi * m) / 2 + 1 / (12 * m) - 1 / (360 * m**3) + 1 / (1260 * m**5)
    return np.where(n > 16, series - 1 / (1680 * m**7), gammaln(n + 1) - xlogy(n, n) + n)
