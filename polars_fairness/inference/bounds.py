"""Bounds of metrics: simultaneous where the value is a maximum over groups, else bootstrapped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_finest_counts, with_terms
from polars_fairness.counting.left_out import without_key
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.groups import Groups, Largest
from polars_fairness.formula.levels import GROUP
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import COUNTS
from polars_fairness.inference.bootstrap import bootstrapped, bootstrapped_over_clusters
from polars_fairness.inference.bound_names import DEVIATIONS, REASON, bound_names
from polars_fairness.inference.deviations import LEAST_CLUSTERS, Floats
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.jackknife import (
    SAME,
    are_counted,
    is_fold,
    jackknifed,
    left_out,
)
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
    others = {name: each for name, each in metrics.items() if each.parsed.largest is None}
    yield from bootstrapped(cells, scored, roles, others, drawing, values)
    for groups, largest in _maxima(metrics).items():
        counts = _joint_groups if groups.are_joint else _groups_of_facets
        terms = {term for each in largest.values() for term in interval_terms(each)}
        table, keys, _ = counts(cells, roles, groups, terms)
        yield keys, simultaneous(table, keys, largest, drawing.confidence)


def bounded_over_clusters(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    places: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    values: pl.DataFrame,
) -> pl.DataFrame:
    """Compute the bounds of metrics from cells by cluster, beside their ``values``."""
    confidence = drawing.confidence
    found = jackknifed(cells, scored, places, roles, metrics, confidence, values)
    values = values.hstack(found)
    if are_counted(roles):
        return values
    folds = {name: each for name, each in metrics.items() if is_fold(each) and not each.is_joint}
    for keys, bounds in bootstrapped_over_clusters(cells, scored, roles, folds, drawing):
        own = [name for name in folds if f"metric.{bound_names(name)[0]}" in bounds.columns]
        values = _with_bounds(values, bounds, keys, own, roles, are_apart=True)
    for groups, largest in _maxima(metrics).items():
        counts = _joint_groups if groups.are_joint else _groups_of_facets
        terms = {term for each in largest.values() for term in interval_terms(each)}
        table, keys, own = counts(
            collected(without_key(cells.lazy(), CLUSTER)), roles, groups, terms
        )
        left = _terms_left(cells, roles, groups, terms, table.select(*keys, *own))
        bounds = simultaneous(table, keys, largest, confidence, left)
        values = _with_bounds(values, bounds, keys, largest, roles)
    return values


def _maxima(metrics: Mapping[str, Metric]) -> dict[Groups, dict[str, Largest]]:
    """The metrics whose value is a maximum, by the groups that it is one of."""
    maxima: dict[Groups, dict[str, Largest]] = {}
    for name, metric in metrics.items():
        if metric.parsed.largest is not None:
            maxima.setdefault(metric.parsed.groups, {})[name] = metric.parsed.largest
    return maxima


def _terms_left(
    cells: pl.DataFrame, roles: Roles, groups: Groups, terms: set[str], rows: pl.DataFrame
) -> dict[str, Floats]:
    """The terms of each group of a facet without each group of clusters."""
    within = replace(roles, windows=roles.windows.of_replicates())
    counts = _joint_groups if groups.are_joint else _groups_of_facets
    # A group that has the least number of rows with all clusters may have fewer without one.
    of_any_size = replace(groups, minimum_count=None)

    def evaluate(_: Sequence[int], left: pl.DataFrame) -> pl.DataFrame:
        return counts(left, within, of_any_size, terms)[0]

    left = left_out(cells, rows, terms, evaluate)
    # A group without rows has no count.
    return {
        term: np.nan_to_num(each[:, :-1]) if term.partition(".")[2] in COUNTS else each[:, :-1]
        for term, each in left.items()
    }


def _with_bounds(
    values: pl.DataFrame,
    bounds: pl.DataFrame,
    keys: Sequence[str],
    metrics: Collection[str],
    roles: Roles,
    *,
    are_apart: bool = False,
) -> pl.DataFrame:
    """The values with other bounds of these metrics, and why one of several groups has none.

    Bounds that stand apart have no reasons of their own: there are none where a reason is known.
    """
    names = [f"metric.{bound}" for name in metrics for bound in bound_names(name)]
    found = values.drop(names).join(
        bounds, on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    argument, clusters = roles.words_of_clusters
    words = pl.lit(
        f"{argument}: a group has fewer than {LEAST_CLUSTERS:.0f} effective {clusters}, and an "
        f"interval needs as many{', and rates of 0 to 1' if roles.uncertain_facets else ''}"
    )
    reasons = []
    for name in metrics:
        reason = f"metric.{name}{REASON}"
        has_bounds = pl.col(reason).is_null()
        if not are_apart:
            moved = pl.col(f"metric.{name}{DEVIATIONS}").list
            has_bounds = (moved.max() > SAME) | (moved.min() < -SAME) | (not roles.uncertain_facets)
        own = [f"metric.{bound}" for bound in bound_names(name)]
        found = found.with_columns(pl.when(has_bounds).then(pl.col(own)))
        is_known = pl.col(f"metric.{name}").is_not_null()
        has_none = is_known & pl.col(f"metric.{bound_names(name)[0]}").is_null()
        reasons.append(pl.when(has_none).then(pl.coalesce(reason, words)).alias(reason))
    return found.with_columns(reasons)


def _groups_of_facets(
    cells: pl.DataFrame, roles: Roles, _: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str], list[str]]:
    """A row for each value of each facet, with the terms of formulas.

    Beside it are the columns of its place, and those of the group itself.
    """
    keys = keys_of(GROUP, roles)
    groups = counted(with_sides(with_finest_counts(cells.lazy(), roles), roles), roles, GROUP)
    return collected(with_level_terms(groups, roles, GROUP, terms, keys)), keys, ["value"]


def _joint_groups(
    cells: pl.DataFrame, roles: Roles, groups: Groups, terms: set[str]
) -> tuple[pl.DataFrame, list[str], list[str]]:
    """A row for each intersection or conjunction, as `_groups_of_facets` has it for values."""
    joint_cells, values = joint_tables(with_finest_counts(cells.lazy(), roles), roles)
    tables = {tuple(values): joint_cells.lazy()}
    counts = groups_of(tables, values, roles, groups, roles.windows.keys).lazy()
    named = with_terms(counts, terms, roles).with_columns(facet=pl.lit(roles.joint_facet))
    return collected(named), [*roles.windows.keys, "facet"], [*values]
