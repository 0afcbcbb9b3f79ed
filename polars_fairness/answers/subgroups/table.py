"""Cells of blocks to a row per group: what it has, how far it is off, and which rank that is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import polars as pl

from polars_fairness.answers.subgroups.blocks import tables_of
from polars_fairness.answers.subgroups.shrunken import center, credible, shrunken, strength
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import of_complete_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_finest_counts, with_terms
from polars_fairness.errors import (
    FairnessError,
    listed,
    require_confidence,
    require_extra,
    require_flag,
)
from polars_fairness.formula.arithmetic import larger, smaller
from polars_fairness.formula.groups import Each, Groups
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import all_, g
from polars_fairness.inference.closed_forms.rates import wilson
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections.groups import Values, coded, groups_of, values_of
from polars_fairness.values.intersections.lattice import Attributes

# No window and no attribute is called like these inside.
FIXED, OF, DEPTH, RATE, ALPHA, BETA, PRODUCT, RANK = (
    f"{name}\x1f" for name in ("fixed", "of", "depth", "rate", "alpha", "beta", "product", "rank")
)


@dataclass(frozen=True)
class Asked:
    """What is asked of groups beside the question."""

    each: Each
    groups: Groups
    shrink: bool
    confidence: float | None


def find_asked(metric: Metric, groups: Groups, *, shrink: bool, confidence: float | None) -> Asked:
    """Check what is asked."""
    each = metric.parsed.each
    if each is None:
        known = [name for name, entry in CATALOGUE.items() if entry.parsed.each]
        msg = (
            f"metric: {metric.name!r} does not tell what each group has in it; give one that does, "
            f"{listed(known, 'or', most=len(known))}"
        )
        raise FairnessError(msg)
    require_flag("shrink", shrink)
    require_confidence(confidence)
    if shrink and confidence is not None:
        require_extra("shrink, confidence", "significance", "scipy")
    return Asked(each, groups, shrink, confidence)


def schema(roles: Roles, asked: Asked) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    attributes = {facet.name: facet.column.dtype for facet in roles.facets}
    return pl.Schema({**roles.windows.types, **attributes, **own_columns(roles, asked)})


def own_columns(roles: Roles, asked: Asked) -> dict[str, pl.DataType]:
    """The columns of the result that the caller did not name."""
    attributes = {facet.name: facet.column.dtype for facet in roles.facets}
    shrunken_rate = ("shrunken_rate",) if asked.shrink else ()
    bounds = (*shrunken_rate, "lower", "upper")
    numbers = ("share", "rate", *bounds, "rate_of_all", "alpha", "beta", "alpha*beta")
    return {
        "group": pl.Struct(attributes),
        "fixed": pl.Struct(dict.fromkeys(attributes, pl.Boolean())),
        "depth": pl.Int64(),
        "n": roles.size,
        **dict.fromkeys(numbers, pl.Float64()),
        "rank": pl.Int64(),
    }


def told_by_group(cells: pl.LazyFrame, roles: Roles, asked: Asked) -> pl.LazyFrame:
    """Say of every group what it has in the metric, the worst one first."""
    seen = collected(of_complete_rows(cells, roles))
    values = values_of(seen, roles.joint_keys)
    tables = _tables(seen, values, roles)
    counts = groups_of(tables, values, roles, asked.groups, roles.windows.keys)
    table = with_terms(counts.lazy(), _terms(asked.each, roles), roles).with_columns(
        pl.col(_effective(asked.each)).alias(OF),
        pl.sum_horizontal(pl.col(name).is_not_null() for name in values).alias(DEPTH),
        _rate(asked.each).alias(RATE),
    )
    # In one order always: sums of floats in another would differ in their last digits.
    rated = collected(table).sort(*roles.windows.keys, *values, nulls_last=True)
    if asked.shrink:
        rated = _with_shrunken(rated, roles, asked.each)
    ranked = _ranked(rated, roles, asked.each)
    return _presented(ranked, values, roles, asked).lazy()


def _tables(cells: pl.DataFrame, values: Values, roles: Roles) -> dict[Attributes, pl.LazyFrame]:
    """The cells of each block of attributes, ready to be added up."""
    tables = tables_of(cells) or {tuple(values): cells}
    return {
        attributes: coded(with_finest_counts(table.lazy(), roles), values)
        for attributes, table in tables.items()
    }


def _terms(each: Each, roles: Roles) -> set[str]:
    mentioned = [*each.share.meta.root_names(), *each.distance.meta.root_names()]
    return {
        *(name for name in mentioned if "." in name),
        *(
            f"{side.name}.{word}"
            for side in (g, all_)
            for word in ("n", each.rate, RATES[each.rate].whole)
        ),
        _effective(each),
    }


def _effective(each: Each) -> str:
    """The term for how many rows a group's rate is about; with weights, the effective number."""
    return f"{g.name}.{RATES[each.rate].rows}"


def _rate(each: Each) -> pl.Expr:
    return pl.col(f"{g.name}.{each.rate}")


def _with_shrunken(table: pl.DataFrame, roles: Roles, each: Each) -> pl.DataFrame:
    """Put in place of every rate one drawn to those of the groups that fix as many attributes."""
    rate, of, peers = _rate(each), pl.col(OF), [*roles.windows.keys, DEPTH]
    _, below = RATES[each.rate].sums(g.name)
    _, below_of_all = RATES[each.rate].sums(all_.name)
    # Peers overlap, so that their sum would count everybody several times.
    most = below_of_all * (of.sum() / below.sum()).fill_nan(0.0)
    mean, worth = center(rate, of), strength(rate, of, most.first())
    drawn = shrunken(rate, of, mean.over(peers), worth.over(peers))
    has_rate = pl.when(rate.is_not_null())
    return table.with_columns(
        has_rate.then(drawn).alias(rate.meta.output_name()), of + worth.over(peers)
    )


def _ranked(table: pl.DataFrame, roles: Roles, each: Each) -> pl.DataFrame:
    """Put the worst first; of those equally bad, those that fix less."""

    def in_window(value: pl.Expr) -> pl.Expr:
        return value.over(roles.windows.keys) if roles.windows.keys else value

    product = (pl.col(ALPHA) * pl.col(BETA)).alias(PRODUCT)
    # Two groups that make up everybody are equally far off, but for the last digits.
    rank = pl.col(PRODUCT).round(12).rank("min", descending=not each.is_worst_where_small)
    # A share that is the same for all is a literal, which has no window.
    share = in_window(each.share) if each.share.meta.root_names() else each.share
    return (
        table.with_columns(share.alias(ALPHA), in_window(each.distance).alias(BETA))
        .with_columns(product)
        .with_columns(pl.col(ALPHA, BETA, PRODUCT).fill_nan(None))
        .with_columns(in_window(rank).alias(RANK))
        .sort(*roles.windows.keys, RANK, DEPTH, *roles.joint_keys, nulls_last=True)
    )


def _presented(table: pl.DataFrame, values: Values, roles: Roles, asked: Asked) -> pl.DataFrame:
    """Put the values in place of their numbers, under the names that the caller reads."""
    named = {inside: facet.name for inside, facet in zip(values, roles.facets, strict=True)}
    is_fixed = [pl.col(inside).is_not_null().alias(name) for inside, name in named.items()]
    attributes = [pl.col(inside).alias(name) for inside, name in named.items()]
    lower, upper = _bounds(table, asked)
    shown: dict[str, pl.Expr | pl.Series] = {
        "depth": pl.col(DEPTH),
        "n": g.n,
        "share": g.n / all_.n,
        "rate": pl.col(RATE),
        "shrunken_rate": _rate(asked.each),
        "lower": lower,
        "upper": upper,
        "rate_of_all": pl.col(f"{all_.name}.{asked.each.rate}"),
        "alpha": pl.col(ALPHA),
        "beta": pl.col(BETA),
        "alpha*beta": pl.col(PRODUCT),
        "rank": pl.col(RANK),
    }
    types = own_columns(roles, asked)
    return (
        table.with_columns(pl.struct(is_fixed).alias(FIXED))
        .with_columns(known.gather(table[inside]).alias(inside) for inside, known in values.items())
        .select(
            *roles.windows.as_named(),
            *attributes,
            pl.struct(attributes).alias("group"),
            pl.col(FIXED).alias("fixed"),
            *(
                value.cast(types[name]).alias(name)
                for name, value in shown.items()
                if name in types
            ),
        )
    )


def _bounds(table: pl.DataFrame, asked: Asked) -> tuple[pl.Series, pl.Series]:
    """Between what the rate lies: by Wilson's formula, of a shrunken one as its Beta has it."""
    if asked.confidence is None:
        nothing = pl.repeat(None, table.height, dtype=pl.Float64, eager=True)
        return nothing, nothing
    tail, rate = (1 - asked.confidence) / 2, _rate(asked.each)
    if asked.shrink:
        drawn = table.select(rate).to_series()
        lower = pl.lit(credible(drawn, table[OF], tail))
        upper = pl.lit(credible(drawn, table[OF], 1 - tail))
    else:
        lower, upper = wilson(rate, pl.col(OF), NormalDist().inv_cdf(1 - tail))
    # An interval holds its rate, also of nobody or of everybody.
    bounds = table.select(
        smaller(lower, rate).alias("lower"),
        larger(upper, rate).alias("upper"),
    )
    return bounds["lower"], bounds["upper"]
