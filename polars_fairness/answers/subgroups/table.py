"""Cells of blocks to a table of groups: rate, share, distance and rank of each group."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.answers.subgroups.blocks import tables_of
from polars_fairness.answers.subgroups.harm import harm_of
from polars_fairness.answers.subgroups.measures import with_measures
from polars_fairness.answers.subgroups.shrinkage import (
    beta_quantile,
    prior_mean,
    prior_rows,
    shrunken_rate,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.counts import with_finest_counts, with_terms
from polars_fairness.counting.decisions import decided
from polars_fairness.errors import (
    FairnessError,
    listed,
    require_confidence,
    require_extra,
    require_flag,
)
from polars_fairness.formula.arithmetic import larger, smaller
from polars_fairness.formula.groups import Each, Groups
from polars_fairness.formula.measures import MEASURES, Measure
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import all_, g
from polars_fairness.inference.closed_forms.rates import wilson
from polars_fairness.question.audit_arguments import Harm, Harms, harm_given, refuse_invalid_harm
from polars_fairness.question.roles import Roles
from polars_fairness.values.intersections import Attributes, Values, coded, groups_of, values_of

# Inner columns: no window and no attribute has such a name.
FIXED, ROWS, DEPTH, RATE, ALPHA, BETA, PRODUCT, DIRECTION, IS_HARMED, RANK = (
    f"{name}\x1f"
    for name in (
        *("fixed", "rows", "depth", "rate"),
        *("alpha", "beta", "product", "direction", "is_harmed", "rank"),
    )
)

# Numbers that are equal except for the last digits, as of two groups that make up all rows.
_DIGITS: Final = 12


@dataclass(frozen=True)
class SubgroupOptions:
    """What a table of groups needs besides the question."""

    each: Each
    groups: Groups
    shrink: bool
    confidence: float | None
    harm: Harm
    measure: Measure | None = None

    @property
    def measures(self) -> list[Measure]:
        """The measures of scores in the table: that of the metric, and the mean score."""
        return [self.measure, MEASURES["mean_score"]] if self.measure else []


def find_options(
    metric: Metric,
    groups: Groups,
    *,
    shrink: bool,
    confidence: float | None,
    harm: Harms | None,
    favorable: bool,
) -> SubgroupOptions:
    """Check the options of a table of groups."""
    each = metric.parsed.each
    if each is None:
        known = [name for name, entry in CATALOGUE.items() if entry.parsed.each]
        msg = (
            f"metric: {metric.name!r} does not rank groups; give a metric that does, "
            f"{listed(known, 'or', most=len(known))}"
        )
        raise FairnessError(msg)
    require_flag("shrink", shrink)
    require_confidence(confidence)
    if shrink and confidence is not None:
        require_extra("shrink, confidence", "significance", "scipy")
    refuse_invalid_harm(harm)
    measure = metric.parsed.measure
    # A measure such as the calibration error grows whichever side of it a group is on.
    usual = harm_of(RATES[each.rate], favorable=favorable) if measure is None else "both"
    worse = harm_given(harm, metric.name) or usual
    return SubgroupOptions(each, groups, shrink, confidence, worse, measure)


def schema(roles: Roles, options: SubgroupOptions) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    attributes = {facet.name: facet.column.dtype for facet in roles.facets}
    return pl.Schema({**roles.windows.types, **attributes, **own_columns(roles, options)})


def own_columns(roles: Roles, options: SubgroupOptions) -> dict[str, pl.DataType]:
    """The columns of the result that the caller did not name.

    polars prints the first and the last four columns: the group and its rows, its rate and rank.
    """
    attributes = {facet.name: facet.column.dtype for facet in roles.facets}
    shrunken = ("shrunken_rate",) if options.shrink else ()
    mean_score = ("mean_score",) if options.measure else ()
    numbers = (
        *("alpha", "beta", "alpha*beta", "lower", "upper", "rate_of_all", *mean_score, "rate"),
        *shrunken,
    )
    return {
        "n": roles.size,
        "share": pl.Float64(),
        "depth": pl.Int64(),
        "group": pl.Struct(attributes),
        "fixed": pl.Struct(dict.fromkeys(attributes, pl.Boolean())),
        **dict.fromkeys(numbers, pl.Float64()),
        "direction": pl.String(),
        "rank": pl.Int64(),
    }


def subgroup_table(cells: pl.LazyFrame, roles: Roles, options: SubgroupOptions) -> pl.LazyFrame:
    """A row for each group with its part in the metric, the worst group first."""
    seen = collected(of_complete_rows(decided(cells, roles), roles))
    values = values_of(seen, roles.joint_keys)
    tables = _tables(seen, values, roles)
    counts = groups_of(tables, values, roles, options.groups, roles.windows.keys)
    if options.measure:
        counts = with_measures(counts, tables, [*values], roles, options.measures)
    table = with_terms(counts.lazy(), _terms(options), roles).with_columns(
        pl.col(_rows_term(options.each)).alias(ROWS),
        pl.sum_horizontal(pl.col(name).is_not_null() for name in values).alias(DEPTH),
        _rate(options.each).alias(RATE),
    )
    # Always in the same order: in another, sums of floats would differ in their last digits.
    rated = collected(table).sort(*roles.windows.keys, *values, nulls_last=True)
    if options.shrink:
        rated = _with_shrunken(rated, roles, options.each)
    ranked = _ranked(rated, roles, options)
    return _presented(ranked, values, roles, options).lazy()


def _tables(cells: pl.DataFrame, values: Values, roles: Roles) -> dict[Attributes, pl.LazyFrame]:
    """The cells of each block of attributes, with values as codes."""
    tables = tables_of(cells) or {tuple(values): cells}
    return {
        attributes: coded(with_finest_counts(table.lazy(), roles), values)
        for attributes, table in tables.items()
    }


def _terms(options: SubgroupOptions) -> set[str]:
    each = options.each
    measured = {measure.term.meta.output_name() for measure in options.measures}
    mentioned = {*each.share.meta.root_names(), *each.distance.meta.root_names()} - measured
    return {
        *(name for name in mentioned if "." in name),
        *(
            f"{side.name}.{word}"
            for side in (g, all_)
            for word in ("n", each.rate, RATES[each.rate].whole)
        ),
        _rows_term(each),
    }


def _rows_term(each: Each) -> str:
    """The term for how many rows a group's rate is about; with weights, the effective number."""
    return f"{g.name}.{RATES[each.rate].rows}"


def _rate(each: Each) -> pl.Expr:
    return pl.col(f"{g.name}.{each.rate}")


def _rate_of_all(each: Each) -> pl.Expr:
    return pl.col(f"{all_.name}.{each.rate}")


def _with_shrunken(table: pl.DataFrame, roles: Roles, each: Each) -> pl.DataFrame:
    """Replace each rate by its shrunken rate, from the groups that fix as many attributes."""
    rate, of, same_depth = _rate(each), pl.col(ROWS), [*roles.windows.keys, DEPTH]
    _, below = RATES[each.rate].sums(g.name)
    _, below_of_all = RATES[each.rate].sums(all_.name)
    # Groups of one depth overlap: their sum would count a row several times.
    most = below_of_all * (of.sum() / below.sum()).fill_nan(0.0)
    mean, strength = prior_mean(rate, of), prior_rows(rate, of, most.first())
    shrunken = shrunken_rate(rate, of, mean.over(same_depth), strength.over(same_depth))
    has_rate = pl.when(rate.is_not_null())
    return table.with_columns(
        has_rate.then(shrunken).alias(rate.meta.output_name()), of + strength.over(same_depth)
    )


def _ranked(table: pl.DataFrame, roles: Roles, options: SubgroupOptions) -> pl.DataFrame:
    """Rank groups: on the harmed side, then all others, the worst first in either part.

    Of equal groups, the ones that fix fewer attributes stand first.
    """
    each, harm = options.each, options.harm

    def in_window(value: pl.Expr) -> pl.Expr:
        return value.over(roles.windows.keys) if roles.windows.keys else value

    product = (pl.col(ALPHA) * pl.col(BETA)).alias(PRODUCT)
    is_harmed = pl.lit(True) if harm == "both" else pl.col(DIRECTION).eq_missing(harm)
    in_part = pl.col(PRODUCT).round(_DIGITS).rank("min", descending=not each.is_worst_where_small)
    harmed = in_window((pl.col(IS_HARMED) & pl.col(PRODUCT).is_not_null()).sum())
    ranked_before = pl.when(pl.col(IS_HARMED)).then(0).otherwise(harmed)
    rank = in_part.over(*roles.windows.keys, IS_HARMED) + ranked_before
    # A share that is equal for all groups is a literal, which has no window.
    share = in_window(each.share) if each.share.meta.root_names() else each.share
    return (
        table.with_columns(share.alias(ALPHA), in_window(each.distance).alias(BETA))
        .with_columns(product)
        .with_columns(pl.col(ALPHA, BETA, PRODUCT).fill_nan(None), _direction(options))
        .with_columns(is_harmed.alias(IS_HARMED))
        .with_columns(rank.alias(RANK))
        .sort(*roles.windows.keys, RANK, DEPTH, *roles.joint_keys, nulls_last=True)
    )


def _direction(options: SubgroupOptions) -> pl.Expr:
    """Whether the rate of a group is below or above the overall rate; null if it is neither.

    With a measure of scores, it is below or above the mean score of the group.
    """
    each, mean_score = options.each, MEASURES["mean_score"].term
    beside = mean_score if options.measure else _rate_of_all(each)
    apart = (_rate(each) - beside).round(_DIGITS).fill_nan(None)
    below, above = pl.lit("below"), pl.lit("above")
    return pl.when(apart < 0).then(below).when(apart > 0).then(above).alias(DIRECTION)


def _presented(
    table: pl.DataFrame, values: Values, roles: Roles, options: SubgroupOptions
) -> pl.DataFrame:
    """The columns of the result: values in place of their codes, under the caller's names."""
    named = {inside: facet.name for inside, facet in zip(values, roles.facets, strict=True)}
    is_fixed = [pl.col(inside).is_not_null().alias(name) for inside, name in named.items()]
    attributes = [pl.col(inside).alias(name) for inside, name in named.items()]
    lower, upper = _bounds(table, options)
    shown: dict[str, pl.Expr | pl.Series] = {
        "group": pl.struct(attributes),
        "fixed": pl.col(FIXED),
        "depth": pl.col(DEPTH),
        "n": g.n,
        "share": g.n / all_.n,
        "rate": pl.col(RATE),
        "shrunken_rate": _rate(options.each),
        "lower": lower,
        "upper": upper,
        "rate_of_all": _rate_of_all(options.each),
        "mean_score": MEASURES["mean_score"].term,
        "alpha": pl.col(ALPHA),
        "beta": pl.col(BETA),
        "alpha*beta": pl.col(PRODUCT),
        "direction": pl.col(DIRECTION),
        "rank": pl.col(RANK),
    }
    types = own_columns(roles, options)
    return (
        table.with_columns(pl.struct(is_fixed).alias(FIXED))
        .with_columns(known.gather(table[inside]).alias(inside) for inside, known in values.items())
        .select(
            *roles.windows.as_named(),
            *attributes,
            *(shown[name].cast(dtype).alias(name) for name, dtype in types.items()),
        )
    )


def _bounds(table: pl.DataFrame, options: SubgroupOptions) -> tuple[pl.Series, pl.Series]:
    """The interval of each rate: Wilson's, or from the Beta distribution of a shrunken rate."""
    if options.confidence is None:
        nothing = pl.repeat(None, table.height, dtype=pl.Float64, eager=True)
        return nothing, nothing
    tail, rate = (1 - options.confidence) / 2, _rate(options.each)
    if options.shrink:
        shrunken = table.select(rate).to_series()
        lower = pl.lit(beta_quantile(shrunken, table[ROWS], tail))
        upper = pl.lit(beta_quantile(shrunken, table[ROWS], 1 - tail))
    else:
        lower, upper = wilson(rate, pl.col(ROWS), NormalDist().inv_cdf(1 - tail))
    # An interval contains its rate, even if this is 0 or 1.
    bounds = table.select(
        smaller(lower, rate).alias("lower"),
        larger(upper, rate).alias("upper"),
    )
    return bounds["lower"], bounds["upper"]
