"""Two-sided counts to values: every formula is evaluated here, on small frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counts import added_up, finest, prepare, tallied, with_terms
from polars_fairness.intersections import coded, groups_of, joint_attributes, values_of
from polars_fairness.metric import Metric
from polars_fairness.opposed import (
    COMPARISON,
    favored,
    two_sided,
    with_sides,
    with_terms_of_sides,
)
from polars_fairness.roles import Roles
from polars_fairness.terms import (
    UNDEFINED,
    Level,
    Neighbourhood,
    Standing,
    all_,
    g,
    unbounded_ratio,
)

STRATUM_SIZE: Final = "both_i.n"

SIDES: Final = ("facet", "disfavored", "favored")
SIZES: Final = ("n_disfavored", "n_favored", "n_unknown")

COLUMNS: Final = (*SIDES, *SIZES)
"""The columns of the result, between those of ``by`` and the metrics."""


def compared(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Evaluate metrics, each under the name given: one row per comparison.

    Those of all facets together stand on a row of their own, which has no sides.
    """
    cells = prepare(cells, roles)
    apart = {name: metric for name, metric in metrics.items() if not metric.is_joint}
    if not roles.are_joint:
        return _presented(_compared_apart(cells, roles, apart), roles, metrics)
    jointly = {name: metric for name, metric in metrics.items() if metric.is_joint}
    are_joint = pl.col("facet") == roles.joint_facet
    # What compares two sides, as an audit may beside what it is asked, has none of all facets.
    nobody = (pl.lit(None, pl.Float64).alias(f"metric.{name}") for name in apart)
    values = [_compared_jointly(cells.filter(are_joint), roles, jointly).with_columns(nobody)]
    if roles.are_apart:
        values.append(_compared_apart(cells.filter(~are_joint), roles, apart))
    return _presented(pl.concat(values, how="diagonal"), roles, metrics)


def _compared_apart(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    cells = with_sides(cells, roles)
    facet_keys = [*roles.window, "facet"]
    keys = [*facet_keys, COMPARISON]

    def at(*levels: Level) -> dict[str, Metric]:
        return {name: metric for name, metric in metrics.items() if metric.parsed.level in levels}

    plain = at("comparison")
    table = _of_sides(cells, roles, plain, "comparison", [])
    values = table.with_columns(_values(plain))
    if asked := at("stratum"):
        parts = in_strata(cells, roles, asked)
        values = _beside(values, parts.group_by(keys, maintain_order=True).agg(_averages(asked)), keys)
    parts_of: dict[Level, list[str]] = {"across strata": roles.strata, "label value": ["label"]}
    for level, index in parts_of.items():
        if asked := at(level):
            parts = _of_sides(cells, roles, asked, level, index)
            values = _with_summary(values, parts, keys, asked)
    known = cells.filter(pl.col("value").is_not_null())
    for asked, everybody in ((at("group"), known), (at("population", "partition"), cells)):
        if asked:
            groups = added_up(everybody, [*facet_keys, "value"], g.name, roles)
            parts = with_terms(_with_all(groups, facet_keys, roles), _terms(asked), roles)
            values = _with_summary(values, parts, facet_keys, asked)
    index_of: dict[Standing, list[str]] = {"member of d": keys, "individual": roles.window}
    for standing, index in index_of.items():
        for neighbourhood, asked in _by_neighbourhood(at(standing)).items():
            # From `table`: `values` has the searches before in it, which would run again.
            parts = _with_votes(cells, table, roles, standing, neighbourhood)
            values = _with_summary(values, with_terms(parts, _terms(asked), roles), index, asked)
    return values


def _compared_jointly(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """One row per window: metrics over the groups that all facets define together."""
    attributes = roles.joint_attributes
    jointly = joint_attributes(cells, roles).collect(engine="in-memory")
    known = values_of(jointly, attributes)
    tables = {tuple(attributes): coded(jointly.lazy(), known)}
    values = jointly.lazy().select(*roles.window, "facet").unique(maintain_order=True)
    for groups in dict.fromkeys(metric.parsed.groups for metric in metrics.values()):
        asked = {name: each for name, each in metrics.items() if each.parsed.groups == groups}
        parts = with_terms(groups_of(tables, known, roles, groups).lazy(), _terms(asked), roles)
        values = _with_summary(values, parts, roles.window, asked)
    nobody = pl.lit(None, pl.Float64)
    return values.with_columns(
        pl.lit(None, pl.String).alias(COMPARISON),
        nobody.alias("d.n"),
        nobody.alias("a.n"),
        pl.lit(0.0).alias("unknown"),
    )


def in_strata(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Evaluate conditional metrics inside every stratum, before they are averaged."""
    parts = _of_sides(cells, roles, metrics, "stratum", roles.strata)
    # A stratum whose value is infinity less infinity has none, and stays out of the average.
    return parts.with_columns(value.fill_nan(UNDEFINED) for value in _values(metrics))


def _of_sides(
    cells: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    level: Level,
    index: Sequence[str],
) -> pl.LazyFrame:
    keys = [*roles.window, "facet", COMPARISON]
    terms = _terms(metrics) | ({STRATUM_SIZE} if level == "stratum" else set())
    return with_terms_of_sides(two_sided(cells, roles, level, index), terms, roles, level, keys)


def schema(roles: Roles, metrics: Iterable[str]) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    sides = dict.fromkeys(SIDES, pl.String())
    sizes = dict.fromkeys(SIZES, roles.size)
    values = dict.fromkeys(metrics, pl.Float64())
    return pl.Schema({**roles.types_of_windows, **sides, **sizes, **values})


def _by_neighbourhood(metrics: Mapping[str, Metric]) -> dict[Neighbourhood, dict[str, Metric]]:
    """Put together the metrics that the same search serves."""
    together: dict[Neighbourhood, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        together.setdefault(metric.parsed.neighbourhood, {})[name] = metric
    return together


def _with_votes(
    cells: pl.LazyFrame,
    comparisons: pl.LazyFrame,
    roles: Roles,
    standing: Standing,
    neighbourhood: Neighbourhood,
) -> pl.LazyFrame:
    """Count everybody asked by point, with the votes there."""
    from polars_fairness.neighbours import voted  # brought by an extra

    asked = voted(cells, roles, standing, neighbourhood)
    if standing == "individual":
        return asked
    # Where d has no rows nobody is asked, and 0/0 is what the call says it is.
    nothing = [pl.lit(0.0).alias(f"d_x.{term}") for term in (*finest(roles), "vote")]
    empty = comparisons.filter(pl.col("d.n") == 0)
    nobody = empty.select(*roles.window, "facet", COMPARISON, *nothing)
    return pl.concat([asked, nobody], how="diagonal")


def _presented(values: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Put rows in order and columns under the names that the caller reads."""
    size = roles.size
    undefined = pl.lit(roles.zero_division, pl.Float64)
    described = (
        pl.col("facet"),
        roles.written(pl.col(COMPARISON)),
        pl.when(pl.col(COMPARISON).is_not_null()).then(favored(roles)),
        pl.col("d.n").cast(size),
        pl.col("a.n").cast(size),
        pl.col("unknown").cast(size),
    )
    # Two intersections may be written alike.
    order = [*map(pl.col, [*roles.window, "facet"]), roles.written(pl.col(COMPARISON)), COMPARISON]
    return values.sort(order, nulls_last=True).select(
        *roles.windows_as_named,
        *(column.alias(name) for name, column in zip(COLUMNS, described, strict=True)),
        # Infinity less infinity is the one NaN that a formula comes to.
        *(pl.col(f"metric.{name}").fill_nan(undefined).alias(name) for name in metrics),
    )


def _with_all(groups: pl.LazyFrame, facet_keys: Sequence[str], roles: Roles) -> pl.LazyFrame:
    return groups.with_columns(
        pl.col(f"{g.name}.{count}").sum().over(facet_keys).alias(f"{all_.name}.{count}")
        for count in tallied(roles)
    )


def _terms(metrics: Mapping[str, Metric]) -> set[str]:
    return {term for metric in metrics.values() for term in metric.terms}


def _with_summary(
    values: pl.LazyFrame, parts: pl.LazyFrame, keys: Sequence[str], metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """Evaluate aggregating formulas on their parts and set the results beside the others."""
    # What 0/0 is stands in a column, so a value may come out once per row of its group.
    aggregated = [value.first() for value in _values(metrics)]
    if not keys:
        return values.join(parts.select(aggregated), how="cross")
    return _beside(values, parts.group_by(keys, maintain_order=True).agg(aggregated), keys)


def _averages(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    """Average over strata by their size; those without a value stay out."""
    size = pl.col(STRATUM_SIZE)
    return [
        unbounded_ratio((value * size).sum(), pl.when(value.is_not_null()).then(size).sum())
        .first()
        .alias(value.meta.output_name())
        for value in (pl.col(f"metric.{name}") for name in metrics)
    ]


def _beside(values: pl.LazyFrame, summary: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    # The `first` of no groups is a column without chunks (streaming joins panic) or, before
    # polars 2, without a type; adding 0 makes it a column like any other.
    summary = summary.with_columns(pl.col("^metric\\..*$") + 0.0)
    return values.join(summary, on=keys, how="left", nulls_equal=True, maintain_order="left")


def _values(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    return [
        metric.parsed.expression.cast(pl.Float64).alias(f"metric.{name}")
        for name, metric in metrics.items()
    ]
