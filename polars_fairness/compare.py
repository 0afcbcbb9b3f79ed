"""Cells to two-sided counts to values: everything here works on small frames.

A *comparison* sets side d of one facet against side a, within one window. Its counts are laid
out on one row, ``d.tp`` beside ``a.tp``, so that a formula of the catalogue is plain arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counts import added_up, finest, prepare, with_terms
from polars_fairness.metric import Metric
from polars_fairness.roles import Facet, Roles
from polars_fairness.terms import Level, ratio

_SUFFIX: Final[Mapping[Level, str]] = {"comparison": "", "stratum": "_i", "label value": "_v"}

_COMPARISON: Final = "comparison"

COLUMNS: Final = ("facet", "disfavored", "favored", "n_disfavored", "n_favored", "n_unknown")
"""The columns of the result, between those of ``by`` and the metrics."""


def compared(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    """Evaluate metrics, each under the name given: one row per comparison."""
    cells = prepare(cells, roles).with_columns(**_sides(roles))
    comparisons = _comparisons(cells, roles)
    facet_keys = [*roles.window, "facet"]
    keys = [*facet_keys, _COMPARISON]

    def at(*levels: Level) -> dict[str, Metric]:
        return {name: metric for name, metric in metrics.items() if metric.parsed.level in levels}

    table = _two_sided(cells, comparisons, roles, metrics, "comparison", [])
    values = table.with_columns(_values(at("comparison"), roles))
    split: dict[Level, list[str]] = {"stratum": roles.strata, "label value": ["label"]}
    for level, index in split.items():
        if asked := at(level):
            parts = _two_sided(cells, comparisons, roles, metrics, level, index)
            values = _with_summary(values, parts, keys, asked, roles)
    known = cells.filter(pl.col("value").is_not_null())
    for asked, everybody in ((at("group"), known), (at("population", "partition"), cells)):
        if asked:
            groups = _groups(everybody, roles, metrics)
            values = _with_summary(values, groups, facet_keys, asked, roles)
    size = pl.Float64 if roles.weight else pl.Int64
    described = (
        pl.col("facet"),
        roles.written(_COMPARISON),
        roles.written("opponent"),
        pl.col("d.n").cast(size),
        pl.col("a.n").cast(size),
        pl.col("n_unknown"),
    )
    ordered = values.sort(*facet_keys, roles.written(_COMPARISON), nulls_last=True)
    return ordered.select(
        *(pl.col(name).alias(by.name) for name, by in zip(roles.window, roles.by, strict=True)),
        *(column.alias(name) for name, column in zip(COLUMNS, described, strict=True)),
        *(pl.col(f"metric.{name}").alias(name) for name in metrics),
    )


def _sides(roles: Roles) -> dict[str, pl.Expr]:
    """Say of every cell which comparison it belongs to, and on which side."""
    value = pl.col("value")
    nothing = pl.lit(None, pl.String)

    def comparison(facet: Facet) -> pl.Expr:
        if facet.disfavored:
            return pl.lit(", ".join(facet.disfavored))
        return pl.when(~value.is_in(facet.favored)).then(value) if facet.favored else value

    def opponent(facet: Facet) -> pl.Expr:
        return pl.lit(", ".join(facet.favored)) if facet.favored else nothing

    def in_d(facet: Facet) -> pl.Expr:
        if facet.disfavored:
            return value.is_in(facet.disfavored)
        return ~value.is_in(facet.favored)

    def in_a(facet: Facet) -> pl.Expr:
        if facet.favored:
            return value.is_in(facet.favored)
        return ~value.is_in(facet.disfavored) if facet.disfavored else pl.lit(False)

    def of_each_facet(describe: Callable[[Facet], pl.Expr], otherwise: pl.Expr) -> pl.Expr:
        for facet in reversed(roles.facets):
            is_this = pl.col("facet") == facet.name
            otherwise = pl.when(is_this).then(describe(facet)).otherwise(otherwise)
        return otherwise

    return {
        # Without a facet there is one comparison, of nobody with nobody.
        _COMPARISON: of_each_facet(comparison, pl.lit("")),
        "opponent": of_each_facet(opponent, nothing),
        "in_d": of_each_facet(in_d, pl.lit(False)),
        "in_a": of_each_facet(in_a, pl.lit(False)),
        "against_the_rest": of_each_facet(
            lambda facet: pl.lit(facet.one_against_the_rest), pl.lit(False)
        ),
    }


def _comparisons(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """List who is compared with whom, in every window."""
    keys = [*roles.window, "facet"]
    unknown = pl.col("mass").filter(pl.col("value").is_null()).sum().over(keys)
    return (
        cells.select(*keys, _COMPARISON, "opponent", "against_the_rest", unknown.alias("n_unknown"))
        .filter(pl.col(_COMPARISON).is_not_null())
        .unique()
    )


def _two_sided(
    cells: pl.LazyFrame,
    comparisons: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    level: Level,
    index: Sequence[str],
) -> pl.LazyFrame:
    """Count both sides of every comparison, once per value of the index; absent is 0."""
    place = [*roles.window, "facet", *index]
    counts = finest(roles)
    d, a, both = (f"{side}{_SUFFIX[level]}" for side in ("d", "a", "both"))

    table = comparisons
    if index:
        places = cells.filter(pl.col("in_d") | pl.col("in_a")).select(place).unique()
        table = table.join(places, on=[*roles.window, "facet"], nulls_equal=True)
    for name, members, keys in (
        (d, "in_d", [*place, _COMPARISON]),
        (a, "in_a", place),
    ):
        side = added_up(cells.filter(members), keys, name, roles)
        table = table.join(side, on=keys, how="left", nulls_equal=True)
    table = table.with_columns(
        pl.col(f"{name}.{count}").fill_null(0) for name in (d, a) for count in counts
    )
    if any(facet.one_against_the_rest for facet in roles.facets):
        table = table.with_columns(
            pl.when("against_the_rest")
            .then(_all_others(f"{d}.{count}", place))
            .otherwise(f"{a}.{count}")
            .alias(f"{a}.{count}")
            for count in counts
        )
    table = table.with_columns(
        (pl.col(f"{d}.{count}") + pl.col(f"{a}.{count}")).alias(f"{both}.{count}")
        for count in counts
    )
    terms = _mentioned((d, a, both), metrics)
    shares = {term for term in terms if term.endswith(".share")}
    sizes = {f"{d}.n", f"{a}.n"}
    table = with_terms(table, (terms | sizes) - shares, roles)
    whole = [*roles.window, "facet", _COMPARISON]
    return table.with_columns(
        ratio(size, size.sum().over(whole)).alias(term)
        for term in sorted(shares)
        for size in [pl.col(term.replace(".share", ".n"))]
    )


def _all_others(count: str, place: Sequence[str]) -> pl.Expr:
    """Add up the other values' counts, those before and those after.

    The total less one's own would do for integers, but leave 1e-17 of a weight where there is
    nothing, and a quotient by that looks like a number.
    """
    before = pl.col(count).cum_sum().shift(1, fill_value=0)
    after = pl.col(count).cum_sum(reverse=True).shift(-1, fill_value=0)
    return (before + after).over(place, order_by=_COMPARISON)


def _groups(cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.LazyFrame:
    groups = added_up(cells, [*roles.window, "facet", "value"], "g", roles)
    return with_terms(groups, _mentioned("g", metrics), roles)


def _mentioned(sides: Collection[str], metrics: Mapping[str, Metric]) -> set[str]:
    """The terms of these sides that some formula mentions."""
    return {
        term
        for metric in metrics.values()
        for term in metric.terms
        if term.partition(".")[0] in sides
    }


def _with_summary(
    values: pl.LazyFrame,
    parts: pl.LazyFrame,
    keys: Sequence[str],
    metrics: Mapping[str, Metric],
    roles: Roles,
) -> pl.LazyFrame:
    """Evaluate aggregating formulas on their parts and set the results beside the others."""
    # In an aggregation the answers to "what is x/0" are columns, so that a single value may
    # come out once per row of its group.
    aggregated = [value.first() for value in _values(metrics, roles)]
    summary = parts.group_by(keys).agg(aggregated)
    return values.join(summary, on=keys, how="left", nulls_equal=True)


def _values(metrics: Mapping[str, Metric], roles: Roles) -> list[pl.Expr]:
    return [_value(metric, roles).alias(f"metric.{name}") for name, metric in metrics.items()]


def _value(metric: Metric, roles: Roles) -> pl.Expr:
    value = metric.parsed.expression.cast(pl.Float64)
    if roles.zero_division is None and not metric.unbounded:
        return pl.when(value.is_finite()).then(value)
    # Infinity less infinity is no number either.
    return value.fill_nan(pl.lit(roles.zero_division, pl.Float64))
