"""Counts by score to the tables on which formulas of scores are evaluated."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import Counts, tallied
from polars_fairness.formula.in_polars import with_values
from polars_fairness.formula.levels import GROUP, GROUP_BY_SCORE, Level
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import ARE_PROBABILITIES
from polars_fairness.formula.sides import g, g_s
from polars_fairness.formula.tree import Expression, choose, rewritten, term
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import computed_by_key, in_table

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


_ARE_PROBABILITIES: Final = "are probabilities\x1f"
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


def roc_intervals(
    counts: pl.DataFrame, roles: Roles, level: Level, keys: Sequence[str]
) -> pl.DataFrame:
    """The intervals between two corners of ROC curves, from counts by score."""
    counts_of = Counts.of(roles)
    made = {
        name: each
        for side in level.counted_names
        for count in _COUNTS
        if (each := counts_of.term(name := f"{side}.{count}")) is not term(name)
    }
    table = with_values(_key_after_key(counts.lazy(), keys), made, None)
    return collected(_roc_intervals(table, level, keys))


def measured(
    counts: pl.DataFrame, roles: Roles, measures: Collection[Measure], keys: Sequence[str]
) -> pl.DataFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    values = {
        **{f"{g.name}.{count}": term(f"{g_s.name}.{count}").sum() for count in tallied(roles)},
        **{measure.column: in_table(measure.value, GROUP_BY_SCORE, roles) for measure in measures},
        _ARE_PROBABILITIES: in_table(ARE_PROBABILITIES, GROUP_BY_SCORE, roles),
    }
    return computed_by_key(counts, values, GROUP_BY_SCORE, keys, roles.zero_division)


def values_of_measures(
    of_groups: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.DataFrame:
    """The values of metrics of measures, from the measures of each group.

    What is about probabilities is null in all groups if the scores of one of them are none.
    """
    are_probabilities = (term(_ARE_PROBABILITIES) == 1).all()
    of_probabilities = {
        measure.term for measure in measures_of(metrics) if measure.is_about_probabilities
    }
    counts = Counts.of(roles)

    def change(part: Expression) -> Expression | None:
        if part.op != "term":
            return None
        if part in of_probabilities:
            return choose(are_probabilities, part)
        return counts.term(part.args[0])

    values = {
        f"metric.{name}": rewritten(metric.parsed.expression, change)
        for name, metric in metrics.items()
    }
    return computed_by_key(of_groups, values, GROUP, keys, roles.zero_division)


def measures_of(metrics: Mapping[str, Metric]) -> list[Measure]:
    """The different measures of groups that formulas mention."""
    measures = dict.fromkeys(metric.parsed.measure for metric in metrics.values())
    return [measure for measure in measures if measure is not None]
