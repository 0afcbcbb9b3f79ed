"""Counts by score to the intervals on which the ROC curves of both sides are straight lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.formula.levels import Level
from polars_fairness.values.scores.keys import KEY

_FPR, _TPR, _HAS_CURVES = "fpr\x1f", "tpr\x1f", "has curves\x1f"
_SETTINGS: Final = ("undefined", "no_divisor")
_COUNTS: Final = ("negative", "positive")


def roc_intervals(table: pl.LazyFrame, level: Level, keys: Sequence[str]) -> pl.LazyFrame:
    """The intervals between the false positive rates at which one of two ROC curves has a corner.

    The counts stand key after key, and so do the intervals.
    ``start`` and ``end`` of a side are its true positive rates at the ends of the interval. If one
    of four counts is 0, a curve is missing, and they are null.
    """
    sides = [side.name for side in level.counted]
    totals = [pl.col(f"{side}.{count}").sum() for side in sides for count in _COUNTS]
    are_curves = pl.all_horizontal(total > 0 for total in totals).over(KEY)
    table = table.with_columns(are_curves.alias(_HAS_CURVES))
    corners = pl.concat([_corners(table, side, keys) for side in sides], how="diagonal")
    # A curve rises with both rates: at equal false positive rates its corners keep their order.
    # Each key begins with the corner (0, 0) of both curves and ends with (1, 1), so that no value
    # is filled in from another key.
    sorted_corners = corners.sort(KEY, _FPR, _TPR, maintain_order=True)
    at_corners = sorted_corners.with_columns(_at_each_corner(side) for side in sides)
    x = pl.col(_FPR)
    return at_corners.select(
        *keys,
        KEY,
        *_SETTINGS,
        (x - x.shift(1)).fill_null(0.0).clip(lower_bound=0).alias("width"),
        *(
            pl.when(_HAS_CURVES).then(value.fill_null(0.0)).alias(name)
            for side in sides
            for name, value in (
                (f"{side}.start", pl.col(side).shift(1)),
                (f"{side}.end", pl.col(side)),
            )
        ),
    )


def _corners(table: pl.LazyFrame, side: str, keys: Sequence[str]) -> pl.LazyFrame:
    """The corners of the curve of one side: (0, 0), and one at each of its scores."""
    counts = [pl.col(f"{side}.{count}") for count in _COUNTS]
    rates = (
        pl.when(_HAS_CURVES)
        .then(count.cum_sum(reverse=True).over(KEY) / count.sum().over(KEY))
        .otherwise(0.0)
        .alias(name)
        for count, name in zip(counts, (_FPR, _TPR), strict=True)
    )
    beside = [*keys, *_SETTINGS, KEY, _HAS_CURVES]
    at_scores = table.filter(pl.sum_horizontal(counts) > 0).select(*beside, *rates)
    origins = table.select(beside).unique(KEY, keep="first", maintain_order=True)
    zeros = (pl.lit(0.0).alias(name) for name in (_FPR, _TPR))
    corners = pl.concat([origins.with_columns(zeros), at_scores])
    return corners.with_columns(pl.col(_TPR).alias(side))


def _at_each_corner(side: str) -> pl.Expr:
    """The true positive rate of one side at the corners of both, along straight lines."""
    x, y = pl.col(_FPR), pl.col(side)
    own_x = pl.when(y.is_not_null()).then(x)
    before, after = (
        (own_x.forward_fill(), y.forward_fill()),
        (own_x.backward_fill(), y.backward_fill()),
    )
    share = pl.when(after[0] > before[0]).then((x - before[0]) / (after[0] - before[0]))
    return (before[1] + share.otherwise(0.0) * (after[1] - before[1])).alias(side)
