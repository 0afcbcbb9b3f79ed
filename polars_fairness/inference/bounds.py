"""Bounds of metrics: simultaneous where the value is a maximum over groups, else bootstrapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_finest_counts, with_terms
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.groups import Groups, Largest
from polars_fairness.formula.levels import GROUP
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap import bootstrapped
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.simultaneous import interval_terms, simultaneous
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections import groups_of, joint_tables
from polars_fairness.values.levels import counted, keys_of, with_level_terms


def bounded(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    values: pl.DataFrame,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Compute the bounds of metrics: pairs of key columns, and a table of these with the bounds.

    Bounds of metrics of scores are computed from ``scored``, the cells by score, and from their
    values among ``values``.
    """
    maxima: dict[Groups, dict[str, Largest]] = {}
    bootstrapped_metrics = {}
    for name, metric in metrics.items():
        if metric.parsed.largest is None:
            bootstrapped_metrics[name] = metric
        else:
            maxima.setdefault(metric.parsed.groups, {})[name] = metric.parsed.largest
    yield from bootstrapped(cells, scored, roles, bootstrapped_metrics, drawing, values)
    for groups, largest in maxima.items():
        counts = _joint_groups if groups.are_joint else _groups_of_facets
        terms = {term for each in largest.values() for term in interval_terms(each)}
        table, keys = counts(cells, roles, groups, terms)
        yield keys, simultaneous(table, keys, largest, drawing.confidence)


def _groups_of_facets(
    cells: pl.DataFrame, roles: Roles, _: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str]]:
    """A row for each value of each facet, with the terms of formulas, and the key columns."""
    keys = keys_of(GROUP, roles)
    groups = counted(with_sides(with_finest_counts(cells.lazy(), roles), roles), roles, GROUP)
    return collected(with_level_terms(groups, roles, GROUP, terms, [], keys)), keys


def _joint_groups(
    cells: pl.DataFrame, roles: Roles, groups: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str]]:
    """A row for each intersection or conjunction, with the terms, and the key columns."""
    joint_cells, values = joint_tables(with_finest_counts(cells.lazy(), roles), roles)
    tables = {tuple(values): joint_cells.lazy()}
    counts = groups_of(tables, values, roles, groups, roles.windows.keys).lazy()
    named = with_terms(counts, terms, roles).with_columns(facet=pl.lit(roles.joint_facet))
    return collected(named), [*roles.windows.keys, "facet"]
