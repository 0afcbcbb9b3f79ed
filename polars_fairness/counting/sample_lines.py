"""Lines that the scores of all rows of a window draw: their median, and the best shares."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Final

import polars as pl

from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import as_written
from polars_fairness.question.windows import THRESHOLD

MEDIAN: Final = "median"
SHARE: Final = "share"
ACCEPTED_SHARE: Final = "accepted_share"

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12


def above_the_median(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The median score of each window, and as its threshold the smallest score above the median.

    Rows of unknown facet count too. The median of an even number of rows is the mean of the two
    in the middle. Where no score is above the median, the threshold is infinite.
    """
    scores = _scores(seen, roles)
    keys = roles.windows.of_scores.keys
    by_window = scores.group_by(keys, maintain_order=True)
    score, place, last = pl.col("score"), pl.col("n").cum_sum(), pl.col("n").sum()
    # In whole numbers, each at most the number of rows.
    low = score.filter(place >= last - last // 2).first()
    high = score.filter(place > last // 2).first()
    above = score.filter(score > low).min()
    found = {MEDIAN: low / 2 + high / 2, THRESHOLD: above.fill_null(float("inf"))}
    return by_window.agg(**found) if keys else scores.select(**found)


def at_best_shares(seen: pl.LazyFrame, roles: Roles, shares: Sequence[float]) -> pl.DataFrame:
    """The threshold of each share in each window, and the share of the rows that it accepts.

    The threshold is the highest score at which at least this share of all complete rows of the
    window is accepted, those of unknown facet included; with weights, this share of their weight.
    In a window without complete rows, it is infinite, and the share that it accepts null.
    """
    scores, keys = _scores(seen, roles), roles.windows.of_scores.keys
    if not keys:
        return _at_best_shares(scores, shares)
    of_rows = of_one_facet(seen, roles).select(keys).unique().sort(keys, nulls_last=True)
    windows = collected(of_rows)
    if windows.is_empty():
        return windows.join(_at_best_shares(scores, shares), how="cross")
    joined = windows.join(
        scores, on=keys, how="left", nulls_equal=True, maintain_order="left_right"
    )
    return pl.concat(
        window.select(keys).head(1).join(_at_best_shares(window, shares), how="cross")
        for window in joined.partition_by(keys, maintain_order=True)
    )


def _at_best_shares(scores: pl.DataFrame, shares: Sequence[float]) -> pl.DataFrame:
    """The threshold of each share, and the share that it accepts, from the scores of one window."""
    falling = scores.drop_nulls("n").reverse()
    if falling.is_empty():
        infinite, unknown = pl.lit(float("inf")), pl.lit(None, pl.Float64)
        numbers = (infinite.alias(THRESHOLD), unknown.alias(ACCEPTED_SHARE))
        return pl.DataFrame({SHARE: shares}).with_columns(numbers)
    accepted = falling["n"].cum_sum()
    total = accepted[-1]
    needed = [_needed(share, total) for share in shares]
    at = accepted.search_sorted(pl.Series(needed, dtype=accepted.dtype), side="left")
    # By one number polars does not divide, but multiplies by its inverse: 3/10 would not be 0.3.
    accepted_share = accepted / (accepted * 0 + total)
    return pl.DataFrame(
        {
            SHARE: shares,
            THRESHOLD: falling["score"].gather(at),
            ACCEPTED_SHARE: accepted_share.gather(at),
        }
    )


def _needed(share: float, total: float) -> float | int:
    """How many rows at least are a share of all of them, in whole numbers; or how much weight."""
    needed = as_written(share) * Fraction(total)
    if isinstance(total, int):
        return ceil(needed)
    return float(needed) - _ROUNDING * total


def _scores(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The number of complete rows of each score of a window, in the order of the scores.

    With weights, the sum of their weights.
    """
    cells = unlisted(of_complete_rows(of_one_facet(seen, roles), roles, by_score=True))
    keys = [*roles.windows.of_scores.keys, "score"]
    mass = pl.col("n" if roles.weight is None else "weight")
    counted = cells.group_by(keys, maintain_order=True).agg(mass.sum().alias("n"))
    return collected(counted.sort(keys))
