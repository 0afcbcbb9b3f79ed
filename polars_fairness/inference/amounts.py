"""Intervals of means of amounts, which are mostly 0 or skewed, and of what compares such means.

A share of rows has Wilson's interval; so has a mean of amounts, in units of the amount R that a row
has if it has any. Rows of 0 and R vary as these do if R is Σx²/Σx. Few rows do not know R: it is
drawn towards the largest of their own, that of both sides, and that by the mean amount of rows that
are not 0. Both sides' limits are joined as Zou and Donner (2008) do, of ratios by logarithms. With
30 to 100 rows beside 1,000, one in ten to twenty of them not 0, Fieller's intervals of ratios held
in 84 to 89 % of data sets and these in 97 to 98.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from polars_fairness.inference.deviations import Floats

# So many rows of the amount R know it as well as the largest of all estimates does.
_LIKE_ROWS: Final = 50

# The skewness of few amounts is estimated too small, since the largest are seldom among them.
_TOO_SMALL: Final = 2.0
_MOST_SKEWED: Final = 1.5

_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Limited:
    """Values between limits, and what each group of clusters moves in them."""

    low: Floats
    value: Floats
    high: Floats
    moved: Floats

    @property
    def logarithm(self) -> Limited:
        """The logarithm, whose limits are those of the logarithms."""
        low, value, high = (np.log(each) for each in (self.low, self.value, self.high))
        return Limited(low, value, high, self.moved / self.value[:, np.newaxis])

    def less(self, other: Limited) -> Limited:
        """The difference: the variances of both are recovered from their limits (Zou and Donner).

        A mean that no group moves adds no variance, and neither do limits that are not known.
        """
        scale = np.sqrt((self.moved**2).sum(axis=1) * (other.moved**2).sum(axis=1))
        product = (self.moved * other.moved).sum(axis=1)
        together = np.divide(product, scale, out=np.zeros_like(scale), where=scale > 0)

        def far(one: Floats, two: Floats) -> Floats:
            squares = one**2 + two**2 - 2 * together * one * two
            found: Floats = np.sqrt(np.clip(squares, 0, None))
            return found

        value = self.value - other.value
        low = value - far(self.value - self.low, other.high - other.value)
        high = value + far(self.high - self.value, other.value - other.low)
        return Limited(low, value, high, self.moved - other.moved)

    def in_units(self, unit: Limited) -> Limited:
        """The quotient by a positive unit, which varies too."""
        size = unit.value[:, np.newaxis]
        low, value, high = (each / unit.value for each in (self.low, self.value, self.high))
        own = Limited(low, value, high, self.moved / size)
        relative = own.value / unit.value
        low, high = relative * unit.low, relative * unit.high
        part = Limited(
            np.fmin(low, high), own.value, np.fmax(low, high), relative[:, np.newaxis] * unit.moved
        )
        found = own.less(part)
        # The unit of few skewed amounts moves with their mean, and would hide how that varies.
        return Limited(
            np.fmin(own.low, own.value + found.low),
            own.value,
            np.fmax(own.high, own.value + found.high),
            found.moved,
        )


def of_skewed(times: Floats, moved: Floats, factor: float = _TOO_SMALL) -> tuple[Floats, Floats]:
    """How many standard errors the ends are below and above a value that is skewed by chance.

    By Hall's transformation (1992), and at least as many as without. With Student's alone,
    intervals of the mean of 50 log-normal amounts, beside 5,000, held in 90 % of data sets; where
    seven in ten amounts are 0, in 88 %.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # What is left without a group moves the other way.
        skewness = -(moved**3).sum(axis=1) / (moved**2).sum(axis=1) ** 1.5
        skewness = np.clip(factor * np.nan_to_num(skewness), -_MOST_SKEWED, _MOST_SKEWED)
        skewness = np.where(np.abs(skewness) < _ROUNDING, _ROUNDING, skewness)

        def quantile(normal: Floats) -> Floats:
            root = np.cbrt(1 + skewness * (normal - skewness / 6))
            found: Floats = 3 / skewness * (root - 1)
            return found

        return np.fmax(times, quantile(times)), np.fmax(times, -quantile(-times))


def limits(values: Floats, moved: Floats, times: Floats, factor: float = _TOO_SMALL) -> Limited:
    """Values with the limits of `of_skewed`."""
    error = np.sqrt((moved**2).sum(axis=1))
    below, above = of_skewed(times, moved, factor)
    return Limited(values - below * error, values, values + above * error, moved)


def limits_of_amounts(
    sides: Sequence[Mapping[str, Floats]], moved: Sequence[Floats], times: Sequence[Floats]
) -> list[Limited]:
    """The mean amounts of both sides between limits: those of `limits` if any number is below 0.

    A side has its ``rows``, the ``mean`` and ``spread`` of its amounts, and the ``share`` not 0.
    """
    squares = [each["spread"] + each["mean"] ** 2 for each in sides]
    known = [np.nan_to_num(each["rows"] * each["share"]) for each in sides]
    own = [square / each["mean"] for square, each in zip(squares, sides, strict=True)]
    pooled = sum(s["rows"] * np.nan_to_num(of) for s, of in zip(sides, squares, strict=True)) / sum(
        s["rows"] * np.nan_to_num(s["mean"]) for s in sides
    )
    relative = sum(
        rows * np.nan_to_num(each["share"] * square / each["mean"] ** 2)
        for rows, each, square in zip(known, sides, squares, strict=True)
    ) / sum(known)
    found = []
    for each, of_own, move, t in zip(sides, own, moved, times, strict=True):
        mean, variance = each["mean"], (move**2).sum(axis=1)
        plain = limits(mean, move, t)
        # As many independent rows vary as the groups of clusters do.
        rows = each["spread"] / variance
        at_least = np.fmax(np.fmax(of_own, pooled), mean / each["share"] * relative)
        like = rows * mean / of_own
        unit = (like * of_own + _LIKE_ROWS * at_least) / (like + _LIKE_ROWS)
        middle, whole = mean + unit * t**2 / (2 * rows), 1 + t**2 / rows
        reach = t * np.sqrt(mean * (unit - mean) / rows + (unit * t / (2 * rows)) ** 2)
        low, high = (middle - reach) / whole, (middle + reach) / whole
        high = np.fmax(high, mean + t * np.sqrt(variance))
        # Where no row is 0, none of those that were not seen need be.
        low = np.where(each["share"] < 1 - _ROUNDING, low, np.fmax(low, plain.low))
        are_amounts = (mean > 0) & np.isfinite(low + high)
        for side in sides:
            are_amounts = are_amounts & (side.get("negative", np.zeros(len(mean))) == 0)
        found.append(
            Limited(
                np.where(are_amounts, np.clip(low, 0, mean), plain.low),
                mean,
                np.where(are_amounts, high, plain.high),
                move,
            )
        )
    return found
