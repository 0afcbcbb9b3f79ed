"""Checks of the scores that rows are counted by."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.errors import FairnessError
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import Score

# Beyond, memory grows to gigabytes, and no chart or metric shows a difference.
MOST_MULTIPLES: Final = 10_000_000

# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9


def refuse_impossible_scores(cells: pl.DataFrame, roles: Roles) -> None:
    """Raise for infinite scores, a resolution too fine for their range, and no probabilities."""
    known, score = cells["score"].drop_nulls(), roles.score
    # Rounded down to thresholds, scores below all of them are minus infinity.
    if known.is_empty() or score is None or score.thresholds:
        return
    lowest, highest = known.min(), known.max()
    assert isinstance(lowest, float)
    assert isinstance(highest, float)
    if score.column.dtype.is_integer() and known.is_nan().any():
        rows = cells.filter(pl.col("score").is_nan())["n"].sum()
        msg = (
            f"{score.argument}: {rows:,} values of {score.column.name!r} are whole numbers beyond "
            "2^53, where different ones have the same float; give smaller numbers, or their ranks"
        )
        raise FairnessError(msg)
    # An infinite score, divided into multiples, is NaN.
    if not known.is_finite().all():
        msg = (
            f"{score.argument}: {score.column.name!r} has infinite values, which have no mean and "
            "no distance to others; replace them, or leave these rows out with .filter()"
        )
        raise FairnessError(msg)
    multiples = score.multiples
    if multiples is not None and (highest - lowest) / float(multiples.step) >= MOST_MULTIPLES:
        coarser = (highest - lowest) / 1_000
        msg = (
            f"resolution: from {lowest:g} to {highest:g} there are more than {MOST_MULTIPLES:,} "
            f"multiples of {float(multiples.step):g}; give a coarser one, such as {coarser:.1g}, "
            "or leave it out to count each distinct score"
        )
        raise FairnessError(msg)
    if multiples is not None and score.has_sums:
        _refuse_coarser_cells(cells, roles, float(multiples.step))
    if score.probabilities_for:
        _refuse_no_probabilities(cells, roles, score)


def _refuse_coarser_cells(cells: pl.DataFrame, roles: Roles, step: float) -> None:
    """Raise if the mean of rounded scores is more than a step above the multiple that they have."""
    means = cells.select("score", mean=_mean(roles)).drop_nulls()
    most = pl.col("score") + step
    wrong = means.filter(pl.col("mean") > most + _ROUNDING * most.abs()).sort("score")
    if not wrong.is_empty():
        multiple, mean = wrong.row(0)
        msg = (
            f"resolution: scores rounded down to {multiple:g} have a mean of {mean:g} in these "
            f"cells, so they were not rounded by {step:g}; give the resolution= by which they were "
            "counted, or a multiple of it"
        )
        raise FairnessError(msg)


def _mean(roles: Roles) -> pl.Expr:
    """The mean of the rounded scores of a cell."""
    mass = pl.col("weight" if roles.weight else "n")
    return pl.when(mass > 0).then(pl.col("score_sum") / mass)


def _refuse_no_probabilities(cells: pl.DataFrame, roles: Roles, score: Score) -> None:
    """Raise if a score lies outside 0 and 1; of rounded scores, if the mean of a multiple does."""
    value = _mean(roles) if score.is_rounded else pl.col("score")
    needing = roles.needing({"label", "score"})
    used = of_complete_rows(cells.lazy(), needing).select(value)
    values = collected(used, is_cheap=True).to_series().drop_nulls()
    outside = values.filter((values < 0) | (values > 1 + _ROUNDING))
    if not outside.is_empty():
        msg = (
            f"{score.argument}: {score.column.name!r} has values outside 0 and 1, such as "
            f"{outside[0]:g}, and {score.probabilities_for!r} compares probabilities with labels; "
            "rescale the scores, leave these rows out with .filter(), or leave out what compares "
            "probabilities"
        )
        raise FairnessError(msg)
