"""What the scores say of each group of several facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import added_up
from polars_fairness.formula.measures import Measure
from polars_fairness.formula.sides import g_s
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections import Attributes
from polars_fairness.values.scores.tables import measured, with_facts_of_scores


def with_measures(
    groups: pl.DataFrame,
    tables: Mapping[Attributes, pl.LazyFrame],
    attributes: Sequence[str],
    roles: Roles,
    measures: Sequence[Measure],
) -> pl.DataFrame:
    """Add measures of scores to groups, in which an attribute that is not fixed is null.

    The groups that fix the same attributes are measured together: the scores of each combination
    of attributes are in memory by themselves.
    """
    is_fixed = groups.select(pl.col(name).is_not_null() for name in attributes)
    parts = []
    for fixes in is_fixed.unique(maintain_order=True).rows(named=True):
        fixed = [name for name in attributes if fixes[name]]
        keys = [*roles.windows.keys, *fixed]
        alike = groups.filter(pl.col(name).is_not_null() == fixes[name] for name in attributes)
        cells = next(table for held, table in tables.items() if {*fixed} <= {*held})
        kept = cells.join(alike.lazy().select(keys), on=keys, how="semi", nulls_equal=True)
        counts = added_up(kept, [*keys, "score"], g_s.name, roles).sort("score")
        table = measured(with_facts_of_scores(counts, roles, [g_s], keys), roles, measures, keys)
        found = table.select(*keys, *(measure.term for measure in measures))
        parts.append(alike.lazy().join(found, on=keys, how="left", nulls_equal=True))
    if not parts:
        return groups.with_columns(
            pl.lit(None, pl.Float64).alias(measure.term.meta.output_name()) for measure in measures
        )
    return collected(pl.concat(parts))
