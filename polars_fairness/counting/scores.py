"""Checks of the scores that rows are counted by."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.question.scores import Score

# Beyond, memory grows to gigabytes, and no chart or metric shows a difference.
MOST_MULTIPLES: Final = 10_000_000


def refuse_impossible_scores(cells: pl.DataFrame, score: Score) -> None:
    """Raise for infinite scores, and for a resolution too fine for the range of the scores."""
    known = cells["score"].drop_nulls()
    # Rounded down to thresholds, scores below all of them are minus infinity.
    if known.is_empty() or score.thresholds:
        return
    lowest, highest = known.min(), known.max()
    assert isinstance(lowest, float)
    assert isinstance(highest, float)
    if known.is_infinite().any():
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
