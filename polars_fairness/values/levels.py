"""The tables of counts that formulas range over, and the values of formulas on them.

A table has a row for each comparison, stratum, label value, group or point, as its level says. On a
table, formulas are plain arithmetic. A bootstrap draws the counts of a table again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import added_up, tallied, with_terms
from polars_fairness.counting.sides import COMPARISON_KEY, two_sided, with_terms_of_sides
from polars_fairness.errors import FairnessError
from polars_fairness.formula.arithmetic import UNDEFINED, unbounded_ratio
from polars_fairness.formula.levels import (
    ACROSS_STRATA,
    AMONG_ALL,
    BOTH_VALUES,
    COMPARISON,
    GROUP,
    GROUP_BY_SCORE,
    INDIVIDUAL,
    LABEL_VALUE,
    MEMBER_OF_D,
    PARTITION,
    POPULATION,
    PREDICTED_VALUE,
    ROC,
    SCORE,
    STRATUM,
    Level,
)
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.score_tables import summed_up_by_key, with_terms_by_score

Evaluation = Callable[[pl.LazyFrame, Mapping[str, Metric], Sequence[str]], pl.LazyFrame]
"""Takes a table with all terms, metrics and keys; returns a row of values for each of the keys."""

_EVALUATIONS: Final[dict[Level, Evaluation]] = {}


def evaluates(*levels: Level) -> Callable[[Evaluation], Evaluation]:
    """Register a function as the evaluation of formulas at some levels."""

    def register(evaluation: Evaluation) -> Evaluation:
        _EVALUATIONS.update(dict.fromkeys(levels, evaluation))
        return evaluation

    return register


def keys_of(level: Level, roles: Roles) -> list[str]:
    """The key columns of values at a level: each combination has one value per metric.

    Scores are the same at each threshold, except that another group may be the reference.
    """
    windows = roles.windows.of_scores if level.is_by_score else roles.windows
    facet = [] if level == INDIVIDUAL else ["facet"]
    comparison = [COMPARISON_KEY] if level.has_sides else []
    reference = roles.reference_keys if level.is_by_score and level.has_sides else []
    return [*windows.keys, *facet, *comparison, *reference]


def counted(cells: pl.LazyFrame, roles: Roles, level: Level) -> pl.LazyFrame:
    """The table of counts of a level, from cells with their finest counts and sides.

    That of a level by score is made by `polars_fairness.values.score_comparisons`.
    """
    if level.divides_values and roles.windows.has_classes:
        cells = cells.filter(pl.col(roles.windows.class_key).is_null())
    if level.table == "sides":
        return two_sided(cells, roles, level, index_of(level, roles))
    if level.compares_groups:
        cells = cells.filter(pl.col("value").is_not_null())
    group = ["value"] if level.keeps_groups_apart else []
    [side] = level.counted
    keys = [*keys_of(level, roles), *group, *index_of(level, roles)]
    return added_up(cells, keys, side.name, roles)


def index_of(level: Level, roles: Roles) -> list[str]:
    """The columns that divide a comparison or a group into rows."""
    label, predicted = roles.value_keys
    index = {
        "subgroup": roles.strata.keys,
        "label values": [label],
        "predicted values": [predicted],
        "both values": [label, predicted],
        "score": ["score"],
    }
    return index[level.divided_by] if level.divided_by else []


def with_level_terms(
    parts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    terms: Collection[str],
    measures: Collection[Measure],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """Add the terms of formulas to the table of counts of a level."""
    if level.is_by_score:
        return with_terms_by_score(parts, roles, level, terms, measures, keys)
    if level.table == "sides":
        size = {level.size} if level.decomposes else set[str]()
        return with_terms_of_sides(parts, size.union(terms), roles, level, keys)
    [side] = level.counted
    for total in level.sums:
        if any(term.startswith(f"{total.name}.") for term in terms):
            parts = parts.with_columns(
                pl.col(f"{side.name}.{count}").sum().over(keys).alias(f"{total.name}.{count}")
                for count in tallied(roles)
            )
    return with_terms(parts, terms, roles)


def valued(
    parts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """The values of formulas on the table of their level, a row for each of the keys."""
    table = with_level_terms(parts, roles, level, terms_of(metrics), measures_of(metrics), keys)
    if level not in _EVALUATIONS:
        raise FairnessError(
            f"formula: the level {level.name!r} has no evaluation; register one with "
            "polars_fairness.values.levels.evaluates, in every process that runs the plan"
        )
    return _EVALUATIONS[level](table, metrics, keys)


@evaluates(COMPARISON)
def on_each_row(
    table: pl.LazyFrame, metrics: Mapping[str, Metric], _keys: Sequence[str]
) -> pl.LazyFrame:
    """A value on each row, beside its counts."""
    return table.with_columns(_values(metrics))


@evaluates(STRATUM)
def averaged(
    table: pl.LazyFrame, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.LazyFrame:
    """The average over strata, weighted by size; strata whose value is undefined are left out."""
    return summed_up(in_strata(table, metrics), keys, _averages(metrics))


@evaluates(ACROSS_STRATA, LABEL_VALUE, PREDICTED_VALUE, BOTH_VALUES, GROUP, GROUP_BY_SCORE)
@evaluates(POPULATION, PARTITION, MEMBER_OF_D, INDIVIDUAL, AMONG_ALL)
def aggregated(
    table: pl.LazyFrame, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.LazyFrame:
    """One value of all rows, as the formula aggregates them."""
    # The value of 0/0 is a column of the table, so polars may repeat a value on each row.
    return summed_up(table, keys, [value.first() for value in _values(metrics)])


@evaluates(SCORE, ROC)
def aggregated_over_scores(
    table: pl.LazyFrame, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.LazyFrame:
    """One value of all scores, from the lowest to the highest, as the formula aggregates them."""
    return summed_up_by_key(table, keys, [value.first() for value in _values(metrics)])


def in_strata(table: pl.LazyFrame, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """The values of conditional metrics in each stratum, before they are averaged."""
    # A value of infinity minus infinity is undefined, and left out of the average.
    return table.with_columns(value.fill_nan(UNDEFINED) for value in _values(metrics))


def summed_up(parts: pl.LazyFrame, keys: Sequence[str], values: Sequence[pl.Expr]) -> pl.LazyFrame:
    """Aggregate by keys, in the order of rows; without keys the result is one row."""
    return parts.group_by(keys, maintain_order=True).agg(values) if keys else parts.select(values)


def terms_of(metrics: Mapping[str, Metric]) -> set[str]:
    """The terms that formulas mention."""
    return {term for metric in metrics.values() for term in metric.terms}


def measures_of(metrics: Mapping[str, Metric]) -> list[Measure]:
    """The different measures of groups that formulas mention."""
    measures = dict.fromkeys(metric.parsed.measure for metric in metrics.values())
    return [measure for measure in measures if measure is not None]


def _values(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    return [metric.value.alias(f"metric.{name}") for name, metric in metrics.items()]


def _averages(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    size = pl.col(next(iter(metrics.values())).parsed.level.size)
    return [
        unbounded_ratio((value * size).sum(), pl.when(value.is_not_null()).then(size).sum())
        .first()
        .alias(value.meta.output_name())
        for value in (pl.col(f"metric.{name}") for name in metrics)
    ]
