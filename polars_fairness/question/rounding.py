"""How finely scores are counted: as they are, by multiples of a resolution, or by thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from math import lcm
from operator import add
from typing import Any, Final, Literal, Protocol

import polars as pl

from polars_fairness.question.columns import with_one_zero

# Thresholds with a common step are found by one division; the sum of one comparison for each of 99
# thresholds takes five times as long.
_MOST_STEPS: Final = 10_000

# Of 20 million scores, 5 comparisons each take 0.4 s, 20 take 0.9 s, and 40 take 3 s; a search
# among as many thresholds takes 0.5, 0.6 and 1.2 s.
_MOST_COMPARISONS: Final = 10

SMALLEST_STEP: Final = 1e-300
"""The inverse of a smaller step may be no float."""

# Far above the rounding errors of a sum such as 0.1 + 0.2, far below any step.
_NEAR: Final = 1e-9


def as_written(number: float) -> Fraction:
    """The number as its digits say it: 0.8 is 4/5, which no float is.

    Examples
    --------
    >>> as_written(0.8)
    Fraction(4, 5)
    """
    return Fraction(repr(float(number)))


class Arithmetic(Protocol):
    """The parts of arithmetic in which polars and other engines differ."""

    def as_float(self, number: Any, bits: Literal[32, 64]) -> Any:
        """Cast to a float of so many bits."""
        ...

    def divided(self, number: Any, divisor: float) -> Any:
        """The float that is nearest to the quotient."""
        ...

    def less_one(self, number: Any, condition: Any) -> Any:
        """A number, less 1 where a condition holds."""
        ...

    def reached(self, number: Any, ascending: Sequence[float]) -> Any:
        """How many of some numbers, in ascending order, a number is at least equal to."""
        ...


class PolarsArithmetic:
    """Arithmetic on expressions of polars."""

    def as_float(self, number: pl.Expr, bits: Literal[32, 64]) -> pl.Expr:
        return number.cast(pl.Float32 if bits == 32 else pl.Float64)

    def divided(self, number: pl.Expr, divisor: float) -> pl.Expr:
        # By one number polars does not divide, but multiplies by its inverse: 57/100 would not be
        # 0.57. So it divides by a column of this number.
        return number / (number * 0.0 + divisor)

    def less_one(self, number: pl.Expr, condition: pl.Expr) -> pl.Expr:
        # Twice as fast as the difference with a cast of the condition.
        return pl.when(condition).then(number - 1.0).otherwise(number)

    def reached(self, number: pl.Expr, ascending: Sequence[float]) -> pl.Expr:
        if len(ascending) <= _MOST_COMPARISONS:
            return reduce(add, (self.as_float(number >= each, 64) for each in ascending))
        place = partial(_places, pl.Series(ascending, dtype=pl.Float64))
        return number.map_batches(place, return_dtype=pl.Float64, is_elementwise=True)


def _places(ascending: pl.Series, numbers: pl.Series) -> pl.Series:
    """The place of each number among others: how many of them it reaches."""
    places = ascending.search_sorted(numbers.cast(pl.Float64), side="right").cast(pl.Float64)
    return places.set(numbers.is_null(), None)


IN_POLARS: Final = PolarsArithmetic()


class Rounding(Protocol):
    """What scores are counted by."""

    def key(self, score: Any, arithmetic: Arithmetic = IN_POLARS) -> Any:
        """The number that rows are grouped by; infinite scores stay infinite, or get a bound."""
        ...

    def score(self, key: pl.Expr) -> pl.Expr:
        """The score of a cell, from its key."""
        ...


@dataclass(frozen=True)
class Unrounded:
    """Each distinct score is counted."""

    def key(self, score: Any, arithmetic: Arithmetic = IN_POLARS) -> Any:
        return arithmetic.as_float(score, 64)

    def score(self, key: pl.Expr) -> pl.Expr:
        return with_one_zero(key)


@dataclass(frozen=True)
class Multiples:
    """Scores are rounded down to multiples of a step, each the float that its decimals give.

    Parameters
    ----------
    step
        The step as a fraction: 1/100 for 0.01. The multiple 29/100 is the float 0.29, which the
        product 29 * 0.01 may miss by its last digit.
    is_short
        Whether scores have 32 bits: such a score is compared with a multiple in 32 bits too.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.question.rounding import Multiples
    >>> hundredths = Multiples.of(0.01)
    >>> scores = pl.DataFrame({"score": [0.29, 0.2899, 0.57]})
    >>> scores.select(hundredths.score(hundredths.key(pl.col("score")))).to_series().to_list()
    [0.29, 0.28, 0.57]
    """

    step: Fraction
    is_short: bool = False

    @classmethod
    def of(cls, resolution: float | Fraction, *, is_short: bool = False) -> Multiples:
        """The multiples of a number as it is written, 0.01 and not the nearest binary fraction."""
        if not isinstance(resolution, Fraction):
            resolution = as_written(resolution)
        return cls(resolution, is_short)

    def key(self, score: Any, arithmetic: Arithmetic = IN_POLARS) -> Any:
        """The number of steps in a score, as a float: infinite scores have no whole number.

        The product of a score and a number of steps may be rounded up to a multiple, never over it.
        So the guess is this multiple or the one below it, and a comparison of the score with the
        multiple decides. Thus a score is at least a multiple if and only if its key is.
        """
        guess = _times(arithmetic.as_float(score, 64), 1 / self.step, arithmetic).ceil()
        line = _times(guess, self.step, arithmetic)
        if self.is_short:
            line = arithmetic.as_float(line, 32)
        return arithmetic.less_one(guess, score < line)

    def score(self, key: pl.Expr) -> pl.Expr:
        score: pl.Expr = _times(key, self.step, IN_POLARS)
        return with_one_zero(score)

    def nearest(self, number: float) -> float:
        """The multiple that is nearest to a number."""
        return self._multiple(self.steps(number))

    def has(self, number: float) -> bool:
        """Whether a number is a multiple, but for the rounding errors of a computed number."""
        return abs(self.nearest(number) - number) <= _NEAR * min(float(self.step), 1.0)

    def between(self, lowest: float, highest: float) -> Sequence[float]:
        """All multiples from one multiple to another."""
        return [self._multiple(each) for each in range(self.steps(lowest), self.steps(highest) + 1)]

    def steps(self, number: float) -> int:
        """The number of steps in the multiple nearest to a number."""
        return round(Fraction(number) / self.step)

    def _multiple(self, steps: int) -> float:
        return float(steps) * float(self.step.numerator) / float(self.step.denominator)


@dataclass(frozen=True)
class Thresholds:
    """Scores are rounded down to thresholds; below all of them, to minus infinity.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.question.rounding import Thresholds
    >>> rounding = Thresholds((0.3, 0.5))
    >>> scores = pl.DataFrame({"score": [0.1, 0.3, 0.9]})
    >>> scores.select(rounding.score(rounding.key(pl.col("score")))).to_series().to_list()
    [-inf, 0.3, 0.5]
    """

    ascending: tuple[float, ...]
    is_short: bool = False

    def key(self, score: Any, arithmetic: Arithmetic = IN_POLARS) -> Any:
        if self._common is None:
            lines = [short(each) if self.is_short else each for each in self.ascending]
            return arithmetic.reached(score, lines)
        return self._common.key(score, arithmetic)

    def score(self, key: pl.Expr) -> pl.Expr:
        place = key
        if self._common is not None:
            # Clipping the keys of cells takes no time; clipping all scores took half as long again.
            below, highest = self._common.steps(self.ascending[0]) - 1, self.ascending[-1]
            within = key.clip(float(below), float(self._common.steps(highest)))
            place = IN_POLARS.reached(self._common.score(within), self.ascending)
        places = [float(each) for each in range(len(self.ascending) + 1)]
        return place.replace_strict(
            places, [float("-inf"), *self.ascending], return_dtype=pl.Float64
        )

    @cached_property
    def _common(self) -> Multiples | None:
        """The multiples of 1/n that hold all thresholds, if they are not too many.

        A step with another numerator would divide infinite scores to NaN, which is above all.
        """
        fractions = [Fraction(repr(each)) for each in self.ascending]
        n = lcm(*(each.denominator for each in fractions))
        if (fractions[-1] - fractions[0]) * n > _MOST_STEPS or n * Fraction(SMALLEST_STEP) > 1:
            return None
        return Multiples(Fraction(1, n), self.is_short)


def short(number: float) -> float:
    """The number of 32 bits that is nearest to a number, as scores of 32 bits are compared."""
    return float(pl.Series([number], dtype=pl.Float64).cast(pl.Float32).item())


def _times(number: Any, fraction: Fraction, arithmetic: Arithmetic) -> Any:
    """The product with a fraction; a step of arithmetic over all rows is left out where it can be.

    The product with a whole number and the quotient of it are each the nearest float.
    """
    if fraction.numerator != 1:
        number = number * float(fraction.numerator)
    if fraction.denominator != 1:
        number = arithmetic.divided(number, float(fraction.denominator))
    return number
