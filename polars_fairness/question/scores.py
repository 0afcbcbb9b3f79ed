"""The score behind decisions, and the thresholds at which everything is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, nan
from typing import Final, Literal

import polars as pl

from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.question.columns import Column
from polars_fairness.question.rounding import (
    SMALLEST_STEP,
    Multiples,
    Rounding,
    Thresholds,
    Unrounded,
    short,
)

EVERY: Final = "every"

SeveralThresholds = Sequence[float] | Literal["every"]
ThresholdLike = float | SeveralThresholds | Mapping[str, float]

SUMS: Final = ("score_sum", "score_sq")
"""The sums of the scores, and of their squares, that a cell of rounded scores keeps."""


@dataclass(frozen=True)
class Score:
    """The number behind a decision, and how finely rows are counted by it.

    Parameters
    ----------
    column
        The column of numbers.
    resolution
        The number whose multiples scores are rounded down to; None to count each score.
    thresholds
        The thresholds that scores are rounded down to, where only decisions matter.
    has_sums
        Whether the frame has cells of rounded scores, with their sums in the columns `SUMS`.
    probabilities_for
        The function, or the metric that was requested by name, that needs scores between 0 and 1.
    """

    column: Column
    resolution: float | Fraction | None = None
    thresholds: tuple[float, ...] = ()
    has_sums: bool = False
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
        if isinstance(self.rounding, Unrounded) and self._is_short:
            return short(threshold)
        return threshold

    def as_returned(self, score: pl.Expr) -> pl.Expr:
        """The score of a cell as `cells` returns it, to be compared as its rows are."""
        is_that_of_rows = isinstance(self.rounding, Unrounded)
        return score.cast(pl.Float32) if is_that_of_rows and self._is_short else score

    def in_bins(self, bins: int, function: str) -> Score:
        """The same score, rounded down to bins of equal width between 0 and 1."""
        return replace(self, resolution=Fraction(1, bins), probabilities_for=function)

    def of_decisions(self, thresholds: tuple[float, ...]) -> Score:
        """The same score, counted only as far as decisions at these thresholds need it."""
        return replace(self, thresholds=thresholds)

    @property
    def _is_short(self) -> bool:
        return self.column.dtype == pl.Float32


def find_score(
    column: Column | None, predicted: Column | None, resolution: object, *, is_decided: bool
) -> Score | None:
    """The score of a call: its own column, else the predictions unless these are decided."""
    found = column if column is not None else predicted
    if found is not None and column is None and (is_decided or not found.dtype.is_numeric()):
        found = None
    if resolution is not None:
        resolution = require_number("resolution", resolution)
        if not SMALLEST_STEP < resolution < inf:
            msg = f"resolution: takes a number above 0, such as 0.001, got {resolution!r}"
            raise FairnessError(msg)
        if found is None:
            msg = (
                f"resolution: got {resolution:g}, but no score to round; give score=, or a "
                "threshold= for the predicted column"
            )
            raise FairnessError(msg)
    return None if found is None else Score(found, resolution)


def numbers_of(column: Column) -> Column:
    """The column given as score, which has to have numbers; if all are missing, it has no type."""
    if column.dtype == pl.Null:
        return replace(column, expression=column.expression.cast(pl.Float64), dtype=pl.Float64())
    if not column.dtype.is_numeric():
        msg = f"score: {column.name!r} is {column.dtype}, not a number; name a column of numbers"
        raise FairnessError(msg)
    return column


def find_thresholds(given: object, score: Score | None) -> tuple[float, ...] | Literal["every"]:
    """The thresholds of a call that gives several, in ascending order, or "every"."""
    if isinstance(given, str):
        if given != EVERY:
            msg = f"threshold: takes a number, several numbers or 'every', got {given!r}"
            raise FairnessError(msg)
        return EVERY
    numbers = _finite_numbers(given)
    if score is not None and score.has_sums and score.resolution is None:
        msg = (
            "threshold: the scores of these cells were rounded down, so that counts are known at "
            "multiples of their resolution only; give the resolution= by which they were counted"
        )
        raise FairnessError(msg)
    multiples = score.multiples if score is not None else None
    if multiples is not None:
        if off := [each for each in numbers if not multiples.has(each)]:
            nearest = listed((multiples.nearest(each) for each in off), most=3)
            msg = (
                f"threshold: {listed(off, most=3)} is no multiple of resolution="
                f"{float(multiples.step):g}, so that its counts are not known; give {nearest}, or "
                "a finer resolution"
            )
            raise FairnessError(msg)
        numbers = [multiples.nearest(each) for each in numbers]
    return tuple(sorted({*numbers}))


def _finite_numbers(given: object) -> list[float]:
    """The numbers of a sequence, an array or a column."""
    if isinstance(given, Mapping):
        msg = (
            "threshold: a dictionary has the threshold of each model, and predicted= names no "
            "models; for thresholds by group, give an expression, such as "
            "predicted=pl.col('score') >= pl.when(...), or see cutoffs_by_group"
        )
        raise FairnessError(msg)
    if not isinstance(given, Sequence):
        given = list(given) if hasattr(given, "__iter__") else [given]
    if not given:
        msg = "threshold: got an empty list; give a number, several, or 'every'"
        raise FairnessError(msg)
    if EVERY in given:
        msg = f"threshold: {EVERY!r} is all of them; give it alone, without numbers"
        raise FairnessError(msg)
    numbers = [require_number("threshold", each) for each in given]
    if not all(map(isfinite, numbers)):
        msg = f"threshold: takes finite numbers, got {listed(numbers, most=3)}"
        raise FairnessError(msg)
    return numbers


def is_several(given: object) -> bool:
    """Whether thresholds are given that make windows: several numbers, or "every"."""
    return isinstance(given, str) or hasattr(given, "__iter__")
