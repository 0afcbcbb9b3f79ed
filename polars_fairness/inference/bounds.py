"""Which interval a metric has: of the largest contrast, where it is one, or by drawing again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import prepare, with_terms
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.groups import Groups, Largest
from polars_fairness.formula.levels import GROUP
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap.bounds import bootstrapped
from polars_fairness.inference.bootstrap.draws import Drawing
from polars_fairness.inference.simultaneous import simultaneous, terms_of
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections.groups import groups_of, joint_tables
from polars_fairness.values.levels import counted, keys_of, with_level_terms


def bounded(
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], drawing: Drawing
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Find the bounds of metrics, in tables beside the keys that each is about."""
    together: dict[Groups, dict[str, Largest]] = {}
    others = {}
    for name, metric in metrics.items():
        if metric.parsed.largest is None:
            others[name] = metric
        else:
            together.setdefault(metric.parsed.groups, {})[name] = metric.parsed.largest
    yield from bootstrapped(cells, roles, others, drawing)
    for groups, largest in together.items():
        counts = _jointly if groups.are_joint else _apart
        terms = {term for each in largest.values() for term in terms_of(each)}
        table, keys = counts(cells, roles, groups, terms)
        yield keys, simultaneous(table, keys, largest, drawing.confidence)


def _apart(
    cells: pl.DataFrame, roles: Roles, _: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str]]:
    """The groups that the values of each facet define."""
    keys = keys_of(GROUP, roles)
    groups = counted(with_sides(prepare(cells.lazy(), roles), roles), roles, GROUP)
    with_terms_of_groups = with_level_terms(groups, roles, GROUP, terms, keys)
    return collected(with_terms_of_groups), keys


def _jointly(
    cells: pl.DataFrame, roles: Roles, groups: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str]]:
    """The groups that all facets define together."""
    jointly, values = joint_tables(prepare(cells.lazy(), roles), roles)
    tables = {tuple(values): jointly.lazy()}
    counts = groups_of(tables, values, roles, groups, roles.windows.keys).lazy()
    named = with_terms(counts, terms, roles).with_columns(facet=pl.lit(roles.joint_facet))
    return collected(named), [*roles.windows.keys, "facet"]
