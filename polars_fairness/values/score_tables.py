"""Counts by score to the table on which formulas of scores are plain arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import SCORES, finest, tallied, with_terms
from polars_fairness.counting.sides import with_terms_of_sides
from polars_fairness.formula.levels import ROC, Level
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.sides import Side, g, g_s
from polars_fairness.question.roles import Roles

_KEY: Final = "key\x1f"
"""The number of the key of a row."""

DRAW: Final = "draw\x1f"
"""The number of the random draw that a row belongs to, in a table of draws."""


def _key_after_key(counts: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Number the keys, and sort the rows by them, those of a key in the order that they have.

    Each key is a slice of rows then. With rows of other keys between, or with several key columns,
    all metrics of ten comparisons of 100,000 scores took four times as long. Draws are sorted where
    they are made, once for all: sorting each took up to a fifth of the time of their evaluation.
    """
    if DRAW in keys:
        return counts.with_columns(pl.struct(keys).rle_id().alias(_KEY))
    numbered = counts.with_columns(pl.struct(keys).rank("dense").alias(_KEY))
    return numbered.sort(_KEY, maintain_order=True)


def summed_up_by_key(
    table: pl.LazyFrame, keys: Sequence[str], values: Sequence[pl.Expr]
) -> pl.LazyFrame:
    """Aggregate a table whose rows stand key after key."""
    slices = table.with_columns(pl.col(_KEY).set_sorted()).group_by(_KEY, maintain_order=True)
    return slices.agg(pl.col(keys).first(), *values).drop(_KEY)


_FPR, _TPR, _HAS_CURVES = "fpr\x1f", "tpr\x1f", "has curves\x1f"
_SETTINGS: Final = ("undefined", "no_divisor")
_COUNTS: Final = ("negative", "positive")


def _roc_intervals(table: pl.LazyFrame, level: Level, keys: Sequence[str]) -> pl.LazyFrame:
    """The intervals between the false positive rates at which one of two ROC curves has a corner.

    The counts stand key after key, and so do the intervals.
    ``start`` and ``end`` of a side are its true positive rates at the ends of the interval. If one
    of four counts is 0, a curve is missing, and they are null.
    """
    sides = [side.name for side in level.counted]
    totals = [pl.col(f"{side}.{count}").sum() for side in sides for count in _COUNTS]
    are_curves = pl.all_horizontal(total > 0 for total in totals).over(_KEY)
    table = table.with_columns(are_curves.alias(_HAS_CURVES))
    corners = pl.concat([_corners(table, side, keys) for side in sides], how="diagonal")
    # A curve rises with both rates: at equal false positive rates its corners keep their order.
    # Each key begins with the corner (0, 0) of both curves and ends with (1, 1), so that no value
    # is filled in from another key.
    sorted_corners = corners.sort(_KEY, _FPR, _TPR, maintain_order=True)
    at_corners = sorted_corners.with_columns(_at_each_corner(side) for side in sides)
    x = pl.col(_FPR)
    return at_corners.select(
        *keys,
        _KEY,
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
        .then(count.cum_sum(reverse=True).over(_KEY) / count.sum().over(_KEY))
        .otherwise(0.0)
        .alias(name)
        for count, name in zip(counts, (_FPR, _TPR), strict=True)
    )
    beside = [*keys, *_SETTINGS, _KEY, _HAS_CURVES]
    at_scores = table.filter(pl.sum_horizontal(counts) > 0).select(*beside, *rates)
    origins = table.select(beside).unique(_KEY, keep="first", maintain_order=True)
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


# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9


def with_terms_by_score(
    counts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    terms: Collection[str],
    measures: Collection[Measure],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """The table of a level whose counts are by score, with the terms of formulas.

    It has a row for each score; for ROC curves, a row for each interval between two corners; for
    groups, a row for each group, with its measures.
    """
    if level.has_sides:
        counts = with_facts_of_scores(_key_after_key(counts, keys), roles, level.counted, [_KEY])
        table = with_terms_of_sides(counts, terms, roles, level, keys)
        return _roc_intervals(table, level, keys) if level == ROC else table
    group, all_rows = level.sums
    counts = with_facts_of_scores(counts, roles, level.counted, keys)
    of_groups = measured(counts, roles, measures, [*keys, "value"])
    sums = (
        pl.col(f"{group.name}.{count}").sum().over(keys).alias(f"{all_rows.name}.{count}")
        for count in tallied(roles)
    )
    own = {f"{group.name}.{measure.name}" for measure in measures}
    return with_terms(of_groups.with_columns(sums), {*terms} - own, roles)


def with_facts_of_scores(
    counts: pl.LazyFrame, roles: Roles, sides: Sequence[Side], keys: Sequence[str]
) -> pl.LazyFrame:
    """Add whether the scores of each key are probabilities, and the resolution.

    The resolution is null if scores are not rounded, and NaN if it is not known.
    """
    score, resolution = roles.score, None
    are_probabilities = pl.col("score").is_between(0, 1)
    if score is not None and score.is_rounded:
        resolution = float("nan") if score.resolution is None else score.resolution
        mass, scores = (
            pl.sum_horizontal(
                f"{side.name}.{count}{ending}" for side in sides for count in finest(roles)
            )
            for ending in ("", SCORES)
        )
        # Rounded down to 1, a score may be above it. Then the mean is, if only by a last digit.
        are_probabilities &= scores <= mass * (1 + _ROUNDING)
    return counts.with_columns(
        are_probabilities=are_probabilities.all().over(keys),
        resolution=pl.lit(resolution, pl.Float64),
    )


def measured(
    counts: pl.LazyFrame, roles: Roles, measures: Collection[Measure], keys: Sequence[str]
) -> pl.LazyFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    terms = {term for measure in measures for term in measure.terms}
    table = with_terms(_key_after_key(counts, keys), terms, roles)
    sums = [
        pl.col(f"{g_s.name}.{count}").sum().alias(f"{g.name}.{count}") for count in tallied(roles)
    ]
    values = [measure.value for measure in measures]
    return summed_up_by_key(table, keys, [*sums, *values])
