"""Two-sided counts to values: every formula is evaluated here, on small frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import finest, prepare, with_terms
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.formula.levels import COMPARISON, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.neighbourhood import Neighbourhood
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections.groups import groups_of, joint_tables
from polars_fairness.values.levels import (
    aggregated,
    counted,
    keys_of,
    terms_of,
    valued,
)

SIDES: Final = ("facet", "disfavored", "favored")
SIZES: Final = ("n_disfavored", "n_favored", "n_unknown")

COLUMNS: Final = (*SIDES, *SIZES)
"""The columns of the result, between those of ``by`` and the metrics."""


def compared(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Evaluate metrics, each under the name given: one row per comparison."""
    return presented(evaluated(cells, roles, metrics), roles, metrics)


def evaluated(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Evaluate metrics beside the keys of each comparison, in columns ``metric.<name>``.

    Those of all facets together stand on a row of their own, which has no sides. So do, in a window
    in which no two sides of a facet can be compared, those that have no sides.
    """
    cells = prepare(cells, roles)
    apart = {name: metric for name, metric in metrics.items() if not metric.is_joint}
    if not roles.are_joint:
        return _compared_apart(cells, roles, apart)
    jointly = {name: metric for name, metric in metrics.items() if metric.is_joint}
    # What compares two sides, as an audit may beside what it is asked, has none of all facets.
    nobody = (pl.lit(None, pl.Float64).alias(f"metric.{name}") for name in apart)
    values = [_compared_jointly(cells, roles, jointly).with_columns(nobody)]
    if roles.are_apart:
        is_apart = pl.col("facet") != roles.joint_facet
        values.append(_compared_apart(cells.filter(is_apart), roles, apart))
    return pl.concat(values, how="diagonal")


def _compared_apart(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    cells = with_sides(cells, roles)
    together = _by_table(metrics)
    of_comparisons = together.pop((COMPARISON, Neighbourhood()), {})
    comparisons = valued(
        counted(cells, roles, COMPARISON),
        roles,
        COMPARISON,
        of_comparisons,
        keys_of(COMPARISON, roles),
    )
    values = _with_every_place(comparisons, cells, [*roles.windows.keys, "facet"])
    for (level, neighbourhood), alike in together.items():
        keys = keys_of(level, roles)
        if level.table == "points":
            # From the comparisons: `values` has the searches before in it, which would run again.
            parts = _with_votes(cells, comparisons, roles, level, neighbourhood)
        else:
            parts = counted(cells, roles, level)
        values = _beside(values, valued(parts, roles, level, alike, keys), keys)
    return values


def _with_every_place(
    values: pl.LazyFrame, cells: pl.LazyFrame, facet_keys: Sequence[str]
) -> pl.LazyFrame:
    """Add a row without sides for each window and facet that has rows but no comparison."""
    unknown = pl.when(pl.col("value").is_null()).then("mass").otherwise(0.0).sum()
    # From the cells: from the values, these would be computed twice.
    places = cells.group_by(facet_keys).agg(pl.col(COMPARISON_KEY).count(), unknown=unknown)
    lonely = places.filter(pl.col(COMPARISON_KEY) == 0).drop(COMPARISON_KEY)
    return pl.concat([values, lonely], how="diagonal")


def _compared_jointly(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """One row per window: metrics over the groups that all facets define together."""
    jointly, known = joint_tables(cells, roles)
    tables = {tuple(known): jointly.lazy()}
    values = jointly.lazy().select(*roles.windows.keys, "facet").unique(maintain_order=True)
    for groups in dict.fromkeys(metric.parsed.groups for metric in metrics.values()):
        asked = {name: each for name, each in metrics.items() if each.parsed.groups == groups}
        counts = groups_of(tables, known, roles, groups, roles.windows.keys).lazy()
        parts = with_terms(counts, terms_of(asked), roles)
        values = _beside(values, aggregated(parts, asked, roles.windows.keys), roles.windows.keys)
    nobody = pl.lit(None, pl.Float64)
    return values.with_columns(
        pl.lit(None, pl.String).alias(COMPARISON_KEY),
        nobody.alias("d.n"),
        nobody.alias("a.n"),
        pl.lit(0.0).alias("unknown"),
    )


def schema(roles: Roles, metrics: Iterable[str]) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    sides = dict.fromkeys(SIDES, pl.String())
    sizes = dict.fromkeys(SIZES, roles.size)
    values = dict.fromkeys(metrics, pl.Float64())
    return pl.Schema({**roles.windows.types, **sides, **sizes, **values})


def _by_table(
    metrics: Mapping[str, Metric],
) -> dict[tuple[Level, Neighbourhood], dict[str, Metric]]:
    """Put together the metrics that are evaluated on the same table."""
    together: dict[tuple[Level, Neighbourhood], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        formula = metric.parsed
        together.setdefault((formula.level, formula.neighbourhood), {})[name] = metric
    return together


def _with_votes(
    cells: pl.LazyFrame,
    comparisons: pl.LazyFrame,
    roles: Roles,
    level: Level,
    neighbourhood: Neighbourhood,
) -> pl.LazyFrame:
    """Count individuals by point, with the votes of their neighbours."""
    from polars_fairness.values.neighbours.points import voted  # brought by an extra

    individuals = voted(cells, roles, level, neighbourhood)
    if not level.has_sides:
        return individuals
    # Where d has no rows there are no points, and 0/0 is what the call says it is.
    [members] = level.counted
    zeros = [pl.lit(0.0).alias(f"{members.name}.{term}") for term in (*finest(roles), "vote")]
    empty = comparisons.filter(pl.col("d.n") == 0)
    without_rows = empty.select(*keys_of(level, roles), *zeros)
    return pl.concat([individuals, without_rows], how="diagonal")


def presented(values: pl.LazyFrame, roles: Roles, metrics: Iterable[str]) -> pl.LazyFrame:
    """Put rows in order and columns under the names that the caller reads."""
    size = roles.size
    undefined = pl.lit(roles.zero_division, pl.Float64)
    described = (
        pl.col("facet"),
        written_key(pl.col(COMPARISON_KEY), roles),
        pl.when(pl.col(COMPARISON_KEY).is_not_null()).then(favored(roles)),
        pl.col("d.n").cast(size),
        pl.col("a.n").cast(size),
        pl.col("unknown").cast(size),
    )
    # Two intersections may be written alike.
    order = [
        *map(pl.col, [*roles.windows.keys, "facet"]),
        written_key(pl.col(COMPARISON_KEY), roles),
        COMPARISON_KEY,
    ]
    return values.sort(order, nulls_last=True).select(
        *roles.windows.as_named(),
        *(column.alias(name) for name, column in zip(COLUMNS, described, strict=True)),
        # Infinity less infinity is the one NaN that a formula comes to.
        *(pl.col(f"metric.{name}").fill_nan(undefined).alias(name) for name in metrics),
    )


def _beside(values: pl.LazyFrame, summary: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    if not keys:
        return values.join(summary, how="cross")
    # The `first` of no groups is a column without chunks (streaming joins panic) or, before
    # polars 2, without a type; adding 0 makes it a column like any other.
    summary = summary.with_columns(pl.col("^metric\\..*$") + 0.0)
    return values.join(summary, on=keys, how="left", nulls_equal=True, maintain_order="left")
