"""Counts by score to the table on which formulas of scores are plain arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import SCORES, finest, tallied, with_rules, with_terms
from polars_fairness.counting.sides import with_terms_of_sides
from polars_fairness.formula.levels import ROC, Level
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.scores import ARE_PROBABILITIES
from polars_fairness.formula.sides import Side, g, g_s
from polars_fairness.question.roles import Roles

_KEY: Final = "key\x1f"
"""The number of the key of a row."""

DRAW: Final = "draw\x1f"
"""The number of the random draw that a row belongs to, in a table of draws."""


def _key_after_key(counts: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Number the keys, and sort the rows by them, those of a key in the order that they have.

    Each key is a slice of rows then; without keys, all rows are one. With rows of other keys
    between, or with several key columns, all metrics of ten comparisons of 100,000 scores took four
    times as long. Draws are sorted where they are made, once for all: sorting each took up to a
    fifth of the time of their evaluation.
    """
    if not keys:
        return counts
    if DRAW in keys:
        return counts.with_columns(pl.struct(keys).rle_id().alias(_KEY))
    numbered = counts.with_columns(pl.struct(keys).rank("dense").alias(_KEY))
    return numbered.sort(_KEY, maintain_order=True)


def summed_up_by_key(
    table: pl.LazyFrame, keys: Sequence[str], values: Sequence[pl.Expr]
) -> pl.LazyFrame:
    """Aggregate a table whose rows stand key after key."""
    if not keys:
        return table.select(values)
    slices = table.with_columns(pl.col(_KEY).set_sorted()).group_by(_KEY, maintain_order=True)
    return slices.agg(pl.col(keys).first(), *values).drop(_KEY)


_FPR, _HAS_CURVES = "fpr\x1f", "has curves\x1f"
_COUNTS: Final = ("negative", "positive")


def _of_key(value: pl.Expr, keys: Sequence[str]) -> pl.Expr:
    """A value of all rows of a key, on each of them."""
    return value.over(_KEY) if keys else value


def _roc_intervals(table: pl.LazyFrame, level: Level, keys: Sequence[str]) -> pl.LazyFrame:
    """The intervals between the false positive rates at which one of two ROC curves has a corner.

    The counts stand key after key, and so do the intervals.
    ``start`` and ``end`` of a side are its true positive rates at the ends of the interval. If one
    of four counts is 0, a curve is missing, and they are null.
    """
    sides = [side.name for side in level.counted]
    totals = [pl.col(f"{side}.{count}").sum() for side in sides for count in _COUNTS]
    are_curves = _of_key(pl.all_horizontal(total > 0 for total in totals), keys)
    table = table.with_columns(are_curves.alias(_HAS_CURVES))
    key = [_KEY] if keys else []
    beside = [*keys, *key, _HAS_CURVES]
    corners = pl.concat([_corners(table, side, beside) for side in sides], how="diagonal")
    # The corners of each curve rise, and keep their order where rates are equal. Only there, on
    # intervals without width, may a value be filled in from another key. Sorting by both rates
    # took two thirds of the time of `abroca`.
    sorted_corners = corners.sort(*key, _FPR, maintain_order=True)
    at_corners = sorted_corners.with_columns(_at_each_corner(side) for side in sides)
    x = pl.col(_FPR)
    return at_corners.select(
        *keys,
        *key,
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


def _corners(table: pl.LazyFrame, side: str, beside: Sequence[str]) -> pl.LazyFrame:
    """The corners of the curve of one side, rising: (0, 0), and one at each of its scores."""
    keys = [_KEY] if _KEY in beside else []
    counts = [pl.col(f"{side}.{count}") for count in _COUNTS]
    rates = (
        pl.when(_HAS_CURVES)
        .then(_of_key(count.cum_sum(reverse=True), keys) / _of_key(count.sum(), keys))
        .otherwise(0.0)
        .alias(name)
        for count, name in zip(counts, (_FPR, side), strict=True)
    )
    at_scores = table.filter(pl.sum_horizontal(counts) > 0).select(*beside, *rates)
    rows = table.select(beside)
    origins = rows.unique(keys, keep="first", maintain_order=True) if keys else rows.head(1)
    zeros = (pl.lit(0.0).alias(name) for name in (_FPR, side))
    return pl.concat([origins.with_columns(zeros), at_scores.reverse()])


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
        key = [_KEY] if keys else []
        counts = with_facts_of_scores(_key_after_key(counts, keys), roles, level.counted, key)
        table = with_terms_of_sides(counts, terms, roles, level, keys)
        return with_rules(_roc_intervals(table, level, keys), roles) if level == ROC else table
    of_groups = measured(counts, roles, level, measures, [*keys, "value"])
    return with_terms_of_groups(of_groups, roles, level, terms, measures, keys)


def with_terms_of_groups(
    of_groups: pl.LazyFrame,
    roles: Roles,
    level: Level,
    terms: Collection[str],
    measures: Collection[Measure],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """Add the sums of all groups, and the terms of formulas, to the measures of each group.

    What is about probabilities is null in all groups if the scores of one of them are none.
    """
    are_probabilities = ARE_PROBABILITIES.all().over(keys) if keys else ARE_PROBABILITIES.all()
    of_groups = of_groups.with_columns(
        pl.when(are_probabilities).then(measure.term)
        for measure in measures
        if measure.is_about_probabilities
    )
    group, all_rows = level.sums
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
        are_probabilities=are_probabilities.all().over(keys) if keys else are_probabilities.all(),
        resolution=pl.lit(resolution, pl.Float64),
    )


def measured(
    counts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    measures: Collection[Measure],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    terms = {term for measure in measures for term in measure.terms}
    counts = with_facts_of_scores(counts, roles, level.counted, keys)
    table = with_terms(_key_after_key(counts, keys), terms, roles)
    sums = [
        pl.col(f"{g_s.name}.{count}").sum().alias(f"{g.name}.{count}") for count in tallied(roles)
    ]
    values = [measure.value for measure in measures]
    return summed_up_by_key(table, keys, [*sums, *values, ARE_PROBABILITIES.first()])
