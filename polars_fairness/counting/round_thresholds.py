"""Thresholds for a question that names none: round numbers from the lowest score to the highest."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isinf, log10

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.scores import SMALLEST_STEP, Multiples


def with_round_thresholds(question: Question, rows: pl.LazyFrame, about: int) -> Question:
    """The question with thresholds if it has none: about so many, at round numbers."""
    score = str(question.get("score", question.get("predicted", "")))
    resolution = question.get("resolution")
    is_number = rows.collect_schema().get(score, pl.String()).is_numeric()
    # Mistakes are left to the function that answers, which explains them.
    if "threshold" in question or not is_number or not (resolution is None or resolution > 0):
        return question
    thresholds = round_thresholds(rows.select(score), resolution, about)
    return {**question, "threshold": thresholds} if thresholds else question


def round_thresholds(scores: pl.LazyFrame, resolution: float | None, about: int) -> Sequence[float]:
    """Round numbers from the lowest score to the highest; none without known, finite scores.

    With a resolution, they are multiples of it. Whole scores have whole thresholds.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.counting.round_thresholds import round_thresholds
    >>> round_thresholds(pl.LazyFrame({"decile": [1, 4, 6]}), None, about=20)
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> round_thresholds(pl.LazyFrame({"score": [0.29, 0.52]}), 0.1, about=20)
    [0.3, 0.4, 0.5]
    """
    [(column, dtype)] = scores.collect_schema().items()
    score = pl.col(column).cast(pl.Float64).fill_nan(None)
    ends = scores.select(lowest=score.min(), highest=score.max()).collect(engine="streaming")
    [(lowest, highest)] = ends.rows()
    if lowest is None or isinf(lowest) or isinf(highest):
        return []
    if resolution is None and dtype.is_integer():
        resolution = 1.0
    if resolution is None and lowest == highest:
        return [lowest]
    least = (highest - lowest) / about
    if isinf(least) or (resolution is None and least < SMALLEST_STEP):
        raise FairnessError(
            "threshold: no round numbers lie between the lowest and the highest score; give "
            "threshold=, or scores on another scale"
        )
    step = _step(least, resolution)
    last = floor(Fraction(repr(highest)) / step)
    first = min(ceil(Fraction(repr(lowest)) / step), last)
    return Multiples(step).between(float(first * step), float(last * step))


def _step(least: float, resolution: float | None) -> Fraction:
    """A round number, at least so large: 1, 2 or 5, ten times as much, and so on."""
    unit = Fraction(1) if resolution is None else Fraction(repr(resolution))
    size = max(least / float(unit), 0 if resolution is None else 1)
    power = Fraction(10) ** floor(log10(size))
    return next(unit * n * power for n in (1, 2, 5, 10) if float(n * power) >= size)
