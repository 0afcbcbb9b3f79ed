"""Metrics of scores of each comparison, some comparisons at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import counted, keys_of, valued


def cells_by_score(seen: pl.LazyFrame, decided: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of all rows by score, with the groups found as side a if a facet needs them.

    ``decided`` has the groups that were found: at each threshold there may be another one, which
    then has comparisons of its own.
    """
    if not roles.reference_keys:
        return seen
    places = [*roles.windows.of_scores.keys, "facet"]
    found = decided.select(*places, *roles.reference_keys).unique(maintain_order=True)
    return seen.join(found, on=places, how="left", nulls_equal=True, maintain_order="left_right")


# Scores of comparisons at once: they take some 0.5 GB with all metrics.
_AT_ONCE: Final = 2_000_000


def values_of_comparisons(
    cells: pl.LazyFrame, roles: Roles, level: Level, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """The values of metrics of scores, from cells by score with their sides.

    Where each group is compared with all others, each comparison has the scores of all groups: ten
    comparisons of a million scores took 2.7 GB at once, and take 0.9 so.
    """
    by_score, keys = collected(cells), keys_of(level, roles)
    names = by_score[COMPARISON_KEY].drop_nulls().unique(maintain_order=True).to_list()
    several = max(1, _AT_ONCE // max(1, by_score.height))
    if len(names) <= several:
        return valued(counted(by_score.lazy(), roles, level), roles, level, metrics, keys)
    parts = []
    for start in range(0, len(names), several):
        # Cells of d in other comparisons stay: they are on side a of these.
        is_counted = pl.col(COMPARISON_KEY).is_in(names[start : start + several])
        kept = pl.when(is_counted).then(COMPARISON_KEY).alias(COMPARISON_KEY)
        counts = counted(by_score.lazy().with_columns(kept), roles, level)
        parts.append(collected(valued(counts, roles, level, metrics, keys)))
    return pl.concat(parts).lazy()
