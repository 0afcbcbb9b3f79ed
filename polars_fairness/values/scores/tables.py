"""Counts by score to the table on which formulas are plain arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from polars_fairness.counting.counts import tallied, with_terms
from polars_fairness.counting.sides import with_terms_of_sides
from polars_fairness.formula.levels import ROC, Level
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.sides import g, g_s
from polars_fairness.question.roles import Roles
from polars_fairness.values.scores.roc import roc_intervals


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
        table = with_terms_of_sides(with_resolution(counts, roles), terms, roles, level, keys)
        return roc_intervals(table, level, keys) if level == ROC else table
    group, all_rows = level.sums
    of_groups = measured(counts, roles, measures, [*keys, "value"])
    sums = (
        pl.col(f"{group.name}.{count}").sum().over(keys).alias(f"{all_rows.name}.{count}")
        for count in tallied(roles)
    )
    own = {f"{group.name}.{measure.name}" for measure in measures}
    return with_terms(of_groups.with_columns(sums), {*terms} - own, roles)


def with_resolution(counts: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Add the number to whose multiples scores were rounded: null for none, NaN if not known."""
    score, resolution = roles.score, None
    if score is not None and score.is_rounded:
        resolution = float("nan") if score.resolution is None else score.resolution
    return counts.with_columns(resolution=pl.lit(resolution, pl.Float64))


def measured(
    counts: pl.LazyFrame, roles: Roles, measures: Collection[Measure], keys: Sequence[str]
) -> pl.LazyFrame:
    """The measures and counts of each group, from its counts in the order of scores."""
    terms = {term for measure in measures for term in measure.terms}
    table = with_terms(with_resolution(counts, roles), terms, roles)
    sums = [
        pl.col(f"{g_s.name}.{count}").sum().alias(f"{g.name}.{count}") for count in tallied(roles)
    ]
    values = [measure.value for measure in measures]
    return table.group_by(keys, maintain_order=True).agg(*sums, *values)
