"""Counts by score to the table on which formulas are plain arithmetic."""

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
from polars_fairness.values.scores.keys import KEY, key_after_key, summed_up_by_key
from polars_fairness.values.scores.roc import roc_intervals

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
        counts = with_facts_of_scores(key_after_key(counts, keys), roles, level.counted, [KEY])
        table = with_terms_of_sides(counts, terms, roles, level, keys)
        return roc_intervals(table, level, keys) if level == ROC else table
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
    table = with_terms(key_after_key(counts, keys), terms, roles)
    sums = [
        pl.col(f"{g_s.name}.{count}").sum().alias(f"{g.name}.{count}") for count in tallied(roles)
    ]
    values = [measure.value for measure in measures]
    return summed_up_by_key(table, keys, [*sums, *values])
