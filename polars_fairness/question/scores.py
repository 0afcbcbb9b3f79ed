"""Scores and thresholds, and scores rounded to multiples of a resolution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import inf, isfinite, lcm, nan
from operator import add
from typing import Final, Literal

import polars as pl

from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.question.columns import Column, with_one_zero

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


def _reached(number: pl.Expr, ascending: Sequence[float]) -> pl.Expr:
    """How many of some numbers, in ascending order, a number is at least equal to."""
    if len(ascending) <= _MOST_COMPARISONS:
        return reduce(add, ((number >= each).cast(pl.Float64) for each in ascending))
    number = number.cast(pl.Float64)
    if hasattr(number, "bin_intervals"):
        place: pl.Expr = number.bin_intervals([*ascending], labels=False)
        return place.cast(pl.Float64)
    # polars 1 has a search only, which takes all numbers into memory, and nulls for the least.
    places = pl.lit(pl.Series(ascending, dtype=pl.Float64)).search_sorted(number, side="right")
    return pl.when(number.is_not_null()).then(places.cast(pl.Float64))


@dataclass(frozen=True)
class Unrounded:
    """Each distinct score is counted."""

    def key(self, score: pl.Expr) -> pl.Expr:
        return score.cast(pl.Float64)

    def score(self, key: pl.Expr) -> pl.Expr:
        return with_one_zero(key)


@dataclass(frozen=True)
class Multiples:
    """Scores are rounded down to multiples of a step, each the float that its decimals give.

    The step is a fraction, 1/100 for 0.01: the multiple 29/100 is the float 0.29, which the product
    29 * 0.01 may miss by its last digit.

    Examples
    --------
    >>> hundredths = Multiples.of(0.01)
    >>> scores = pl.DataFrame({"score": [0.29, 0.2899, 0.57]})
    >>> scores.select(hundredths.score(hundredths.key(pl.col("score")))).to_series().to_list()
    [0.29, 0.28, 0.57]
    """

    step: Fraction
    is_short: bool = False  # a score of 32 bits is compared with a multiple in 32 bits too

    @classmethod
    def of(cls, resolution: float | Fraction, *, is_short: bool = False) -> Multiples:
        """The multiples of a number as it is written, 0.01 and not the nearest binary fraction."""
        if not isinstance(resolution, Fraction):
            resolution = as_written(resolution)
        return cls(resolution, is_short)

    def key(self, score: pl.Expr) -> pl.Expr:
        """The number of steps in a score, as a float: infinite scores have no whole number.

        The product of a score and a number of steps may be rounded up to a multiple, never over it.
        So the guess is this multiple or the one below it, and a comparison of the score with the
        multiple decides. Thus a score is at least a multiple if and only if its key is.
        """
        guess = _times(score.cast(pl.Float64), 1 / self.step).ceil()
        line = _times(guess, self.step)
        if self.is_short:
            line = line.cast(pl.Float32)
        # Twice as fast as the difference with a cast of the condition.
        return pl.when(score < line).then(guess - 1.0).otherwise(guess)

    def score(self, key: pl.Expr) -> pl.Expr:
        return with_one_zero(_times(key, self.step))

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
    >>> rounding = Thresholds((0.3, 0.5))
    >>> scores = pl.DataFrame({"score": [0.1, 0.3, 0.9]})
    >>> scores.select(rounding.score(rounding.key(pl.col("score")))).to_series().to_list()
    [-inf, 0.3, 0.5]
    """

    ascending: tuple[float, ...]
    is_short: bool = False

    def key(self, score: pl.Expr) -> pl.Expr:
        if self._common is None:
            lines = [short(each) if self.is_short else each for each in self.ascending]
            return _reached(score, lines)
        return self._common.key(score)

    def score(self, key: pl.Expr) -> pl.Expr:
        place = key
        if self._common is not None:
            # Clipping the keys of cells takes no time; clipping all scores took half as long again.
            below, highest = self._common.steps(self.ascending[0]) - 1, self.ascending[-1]
            within = key.clip(float(below), float(self._common.steps(highest)))
            place = _reached(self._common.score(within), self.ascending)
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


Rounding = Unrounded | Multiples | Thresholds
"""What scores are counted by: each has the number that rows are grouped by, and its score."""


def short(number: float) -> float:
    """The number of 32 bits that is nearest to a number, as scores of 32 bits are compared."""
    return float(pl.Series([number], dtype=pl.Float64).cast(pl.Float32).item())


def _times(number: pl.Expr, fraction: Fraction) -> pl.Expr:
    """The product with a fraction; a step of arithmetic over all rows is left out where it can be.

    The product with a whole number and the quotient of it are each the nearest float.
    """
    if fraction.numerator != 1:
        number = number * float(fraction.numerator)
    if fraction.denominator != 1:
        # By one number polars does not divide, but multiplies by its inverse: 57/100 would not be
        # 0.57. So it divides by a column of this number.
        number = number / (number * 0.0 + float(fraction.denominator))
    return number


EVERY: Final = "every"


@dataclass(frozen=True)
class Best:
    """Cuts that accept the best rows of a window each: shares of them, or numbers of rows."""

    amounts: tuple[float, ...]

    def __iter__(self) -> Iterator[float]:
        return iter(self.amounts)

    def __repr__(self) -> str:
        return f"pf.best({', '.join(map(str, self.amounts))})"

    @property
    def are_shares(self) -> bool:
        return self.amounts[0] < 1


def best(*amounts: float) -> Best:
    """Return a threshold that accepts the rows with the highest scores in each window.

    Rows are ranked within each window of ``by``, the highest score first, including rows of unknown
    facet or label. A share is rounded up to whole rows; with weights, it is a share of the total
    weight, while a number always counts rows. Rows that tie at the cut count in part: if four tie
    for one place, a quarter of each is accepted. If a window has fewer rows than the number, all
    are accepted.

    Parameters
    ----------
    *amounts
        Shares above 0 and below 1, such as 0.1 for the best tenth, or whole numbers of rows.
        Everything is computed for each, named in a column ``threshold``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> candidates = pl.DataFrame({"sex": ["F", "M", "F", "M"], "score": [4.5, 3.5, 3.5, 1.5]})
    >>> pf.rates(candidates, facet="sex", score="score", threshold=pf.best(2))[
    ...     "threshold", "value", "selection_rate"
    ... ].rows()
    [(2.0, 'F', 0.75), (2.0, 'M', 0.25), (2.0, None, 0.5)]
    """
    takes = "shares between 0 and 1, such as 0.1, or whole numbers of rows, such as 100"
    if not amounts:
        raise FairnessError(f"best: got nothing; give {takes}")
    for each in amounts:
        is_rows = isinstance(each, int) and not isinstance(each, bool)
        if not (each >= 1 if is_rows else 0 < require_number("best", each, takes) < 1):
            raise FairnessError(f"best: takes {takes}, got {each!r}")
    if len({each < 1 for each in amounts}) > 1:
        raise FairnessError(
            f"best: got both shares and numbers of rows, {listed(amounts)}; make one call for each "
            "kind"
        )
    return Best(tuple(sorted({*amounts})))


SeveralThresholds = Sequence[float] | Literal["every"] | Best
ThresholdLike = float | SeveralThresholds | Mapping[str, float]

SUMS: Final = ("score_sum", "score_sq")
"""The sums of the scores, and of their squares, that a cell of rounded scores keeps."""


@dataclass(frozen=True)
class Score:
    """The number behind a decision, and how finely rows are counted by it."""

    column: Column
    # The number whose multiples scores are rounded down to; None to count each score.
    resolution: float | Fraction | None = None
    # The thresholds that scores are rounded down to, where only decisions matter.
    thresholds: tuple[float, ...] = ()
    has_sums: bool = False  # whether the frame has cells of rounded scores, with their `SUMS`
    # The function, or the metric that was requested by name, that needs scores between 0 and 1.
    probabilities_for: str = ""

    @property
    def argument(self) -> str:
        """The argument that names the column."""
        return self.column.argument

    @cached_property
    def is_rounded(self) -> bool:
        """Whether the score of a cell is not the score of its rows, whose sums cells then keep."""
        return (self.resolution is not None or self.has_sums) and not self.thresholds

    def divides_bins(self, bins: int) -> bool:
        """Whether no cell has scores of two of these bins of equal width between 0 and 1."""
        if not self.is_rounded:
            return True
        return self.multiples is not None and self.multiples.has(1 / bins)

    @cached_property
    def expression(self) -> pl.Expr:
        """The scores of rows as floats, null where they are unknown."""
        if self.column.dtype.is_float():
            return self.column.expression.fill_nan(None)
        whole = self.column.expression
        number = whole.cast(pl.Float64)
        if self.thresholds or self.column.dtype not in (pl.Int64, pl.UInt64, pl.Int128):
            return number
        # Beyond 2^53 two whole numbers may be one float. NaN, which no whole number is, marks them
        # for the check of cells.
        is_rounded = number.cast(self.column.dtype, strict=False).ne_missing(whole)
        return pl.when(is_rounded).then(pl.lit(nan)).otherwise(number)

    @cached_property
    def rounding(self) -> Rounding:
        """What scores are counted by."""
        if self.thresholds:
            return Thresholds(self.thresholds, self._is_short)
        multiples = self.multiples
        return Unrounded() if multiples is None else multiples

    @cached_property
    def multiples(self) -> Multiples | None:
        """The multiples of the resolution."""
        if self.resolution is None:
            return None
        return Multiples.of(self.resolution, is_short=self._is_short)

    def as_compared(self, threshold: float) -> float:
        """A threshold as the scores of cells are compared with it."""
        if not self.thresholds and self.multiples is not None:
            return self.multiples.nearest(threshold)
        if isinstance(self.rounding, Unrounded) and self._is_short:
            return short(threshold)
        return threshold

    def as_returned(self, score: pl.Expr) -> pl.Expr:
        """The score of a cell as `cells` returns it, to be compared as its rows are."""
        is_that_of_rows = isinstance(self.rounding, Unrounded)
        return score.cast(pl.Float32) if is_that_of_rows and self._is_short else score

    def with_thresholds(self, thresholds: tuple[float, ...]) -> Score:
        """The same score, counted only as far as decisions at these thresholds need it."""
        return replace(self, thresholds=thresholds)

    @property
    def _is_short(self) -> bool:
        return self.column.dtype == pl.Float32


def find_score(
    column: Column | None, predicted: Column | None, resolution: object, *, is_decided: bool
) -> Score | None:
    """The score of a call: its own column, else the predictions unless these are decided."""
    scores = column if column is not None else predicted
    if scores is not None and column is None and (is_decided or not scores.dtype.is_numeric()):
        scores = None
    if resolution is not None:
        resolution = require_number("resolution", resolution)
        if not SMALLEST_STEP < resolution < inf:
            raise FairnessError(
                f"resolution: takes a number above 0, such as 0.001, got {resolution!r}"
            )
        if scores is None:
            raise FairnessError(
                f"resolution: got {resolution:g}, but no score to round; give score=, "
                f"or a threshold= for the predicted column"
            )
    return None if scores is None else Score(scores, resolution)


def numbers_of(column: Column) -> Column:
    """The column given as score, which has to have numbers; if all are missing, it has no type."""
    if column.dtype == pl.Null:
        return replace(column, expression=column.expression.cast(pl.Float64), dtype=pl.Float64())
    if not column.dtype.is_numeric():
        raise FairnessError(
            f"score: {column.name!r} is {column.dtype}, not a number; name a column of numbers"
        )
    return column


def find_thresholds(given: object, score: Score) -> tuple[float, ...] | Literal["every"] | Best:
    """The thresholds at which a score decides, in ascending order, "every", or the best."""
    if isinstance(given, Best):
        return given
    if isinstance(given, str):
        if given != EVERY:
            raise FairnessError(
                f"threshold: takes a number, several numbers or 'every', got {given!r}"
            )
        return EVERY
    numbers = _finite_numbers(given)
    if score.has_sums and score.resolution is None:
        raise FairnessError(
            "threshold: the scores of these cells were rounded down, so that counts are known only "
            "at multiples of their resolution; give the resolution= with which they were counted"
        )
    multiples = score.multiples
    if multiples is not None:
        if off := [each for each in numbers if not multiples.has(each)]:
            nearest = listed((multiples.nearest(each) for each in off), most=3)
            raise FairnessError(
                f"threshold: {listed(off, most=3)} is not a multiple of "
                f"resolution={float(multiples.step)!r}, so that its counts are not "
                f"known; give {nearest}, or a finer resolution"
            )
        numbers = [multiples.nearest(each) for each in numbers]
    return tuple(sorted({*numbers}))


def _finite_numbers(given: object) -> list[float]:
    """The numbers of a sequence, an array or a column."""
    if isinstance(given, Mapping):
        raise FairnessError(
            "threshold: a dictionary has the threshold of each model, but predicted= "
            "names no models; for thresholds by group, give an expression, such as "
            "predicted=pl.col('score') >= pl.when(...)"
        )
    if not isinstance(given, Sequence):
        given = list(given) if hasattr(given, "__iter__") else [given]
    if not given:
        raise FairnessError("threshold: got an empty list; give a number, several, or 'every'")
    if EVERY in given:
        raise FairnessError(f"threshold: {EVERY!r} means all thresholds; give it without numbers")
    numbers = [require_number("threshold", each) for each in given]
    if not all(map(isfinite, numbers)):
        raise FairnessError(f"threshold: takes finite numbers, got {listed(numbers, most=3)}")
    return numbers


def is_several(given: object) -> bool:
    """Whether thresholds are given that make windows: several numbers, or "every"."""
    return isinstance(given, str) or hasattr(given, "__iter__")
