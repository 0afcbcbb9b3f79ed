"""Metrics to an answer: a tidy row for each, with its interval and a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.criteria import Criteria
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.verdicts import judged
from polars_fairness.counting.cells import of_complete_rows
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.formula.arithmetic import smaller
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.significance import exact_p_values, find_tests, holm, parts_of
from polars_fairness.question.arguments import Band
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIDES, SIZES, compared, evaluated, presented
from polars_fairness.values.intersections.groups import ROWS as ROWS_OF_GROUP

OF_SIDES: Final = (*SIDES[1:], *SIZES[:2])
ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")
MEASURES: Final = ("value", "lower", "upper", "ideal")

# No column of a caller's, and no metric, is called like these.
LEAN, SMALLER, GROUP, WORST, PLACE, CHANCE = (
    f"{name}\x1f" for name in ("lean", "smaller", "group", "worst", "place", "chance")
)

NOTHING: Final = pl.lit(None, pl.Float64)

COLUMNS: Final = (*SIDES, "metric", *MEASURES, "verdict", *SIZES, *ROWS, "is_small", "p_value")
"""The columns that a result may have behind those of ``by``."""


def schema(roles: Roles, options: AuditOptions) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    small = {} if options.minimum_count is None else {"is_small": pl.Boolean()}
    likely = {} if options.p_values is None else {"p_value": pl.Float64()}
    return pl.Schema(
        {
            **roles.windows.types,
            **dict.fromkeys((*SIDES, "metric"), pl.String()),
            **dict.fromkeys(MEASURES, pl.Float64()),
            "verdict": pl.String(),
            **dict.fromkeys(SIZES, roles.size),
            **dict.fromkeys(ROWS, pl.Int64()),
            **small,
            **likely,
        }
    )


def audited(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """Evaluate metrics, each on a row of its own, and say what is to be thought of it."""
    options = criteria.options
    # Inside, windows and metrics have names that are no pattern and no column's.
    inside = replace(roles, windows=roles.windows.named_by_keys())
    numbered = {
        f"\x1f{i}": replace(metric, sign=criteria.signs.get(name, 0))
        for i, (name, metric) in enumerate(metrics.items())
    }
    closed = {
        bound: limit
        for number, name in zip(numbered, metrics, strict=True)
        if options.confidence is not None and name in criteria.closed_forms
        for bound, limit in zip(bound_names(number), criteria.closed_forms[name], strict=True)
    }
    reconciled = _reconciled(seen, inside)
    cells = collected(of_complete_rows(seen, roles))
    table = _table(cells, inside, numbered, closed, options, reconciled)
    places = [*roles.windows.keys, "facet"]
    empty = reconciled.join(table, on=places, how="anti", nulls_equal=True)
    parts = (
        part
        for (number, metric), name in zip(numbered.items(), metrics, strict=True)
        for part in _rows(table, inside, number, metric, options, criteria.bands[name], empty)
    )
    names = dict(zip(numbered, metrics, strict=True))
    rows = pl.concat(parts, how="diagonal").with_columns(
        metric=pl.col(PLACE).replace_strict(names, return_dtype=pl.String)
    )
    if options.p_values == "holm":
        rows = rows.with_columns(holm(rows["p_value"]).alias("p_value"))
    # Comparisons that are written alike keep their order.
    ordered = rows.sort(*places, "disfavored", PLACE, nulls_last=True, maintain_order=True)
    named = ordered.rename(dict(zip(roles.windows.keys, roles.windows.names, strict=True)))
    return named[schema(roles, options).names()].lazy()


def _table(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    closed: Mapping[str, Metric],
    options: AuditOptions,
    reconciled: pl.DataFrame,
) -> pl.DataFrame:
    """One row per comparison: values, bounds, and what helps to judge them."""
    tests = {} if options.p_values is None else find_tests(metrics, roles)
    worst = {
        f"{name}{WORST}": _rows_of_worst(each) for name, each in metrics.items() if each.is_joint
    }
    wanted = {**metrics, **closed, **_leans(roles), **worst, **parts_of(tests)}
    is_cheap = cells.height < WORTH_OPTIMISING
    values = collected(evaluated(cells.lazy(), roles, wanted), is_cheap=is_cheap)
    drawn = {
        name: metric
        for name, metric in metrics.items()
        if metric.has_interval
        and not {*bound_names(name)} <= closed.keys()
        and metric.parsed.level.is_redrawn
    }
    for keys, bounds in _bounded(cells, roles, drawn, options):
        values = values.join(bounds, on=keys, how="left", nulls_equal=True, maintain_order="left")
    bounds_of_drawn = [bound for name in drawn for bound in bound_names(name)]
    shown = [name for name in (*wanted, *bounds_of_drawn) if f"metric.{name}" in values.columns]
    table = collected(presented(values.lazy(), roles, shown), is_cheap=is_cheap)
    of_rows = table
    if roles.weight:
        # Weights do not make rows: what is small is so for the rows there are.
        unweighted = replace(roles, weight=None)
        of_rows = collected(compared(cells.lazy(), unweighted, {}))
    places = [*roles.windows.keys, "facet"]
    return table.with_columns(
        of_rows.select(smaller(*map(pl.col, SIZES[:2])).fill_null(0)).to_series().alias(SMALLER),
        *(p.alias(f"{p.name}{CHANCE}") for p in exact_p_values(table, tests)),
    ).join(reconciled, on=places, how="left", nulls_equal=True, maintain_order="left")


def _rows_of_worst(metric: Metric) -> Metric:
    """How many rows the worst group has, or the smallest where none is the worst."""
    formula = metric.parsed
    rows = pl.col(ROWS_OF_GROUP).cast(pl.Float64)
    if each := formula.each:
        # Two groups that make up everybody are equally far off, but for the last digits.
        product = (each.share * each.distance).round(12)
        worst = product.min() if each.is_worst_where_small else product.max()
        rows = pl.when(product == worst).then(rows)
    return replace(metric, formula=replace(formula, expression=rows.min()))


def _of_how_few(name: str, metric: Metric) -> pl.Expr:
    """Of how many rows the smallest part is that a metric compares."""
    if metric.has_sides:
        return pl.col(SMALLER)
    if metric.is_joint:
        return pl.col(f"{name}{WORST}").fill_null(0)
    return pl.col(GROUP if metric.parsed.level.keeps_groups_apart else "rows_used")


def _bounded(
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], options: AuditOptions
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    if options.confidence is None:
        return
    # numpy would make importing this package take half as long again as importing polars.
    from polars_fairness.inference.bootstrap.draws import Drawing
    from polars_fairness.inference.bounds import bounded

    yield from bounded(
        cells, roles, metrics, Drawing(options.replicates, options.seed, options.confidence)
    )


def _rows(
    table: pl.DataFrame,
    roles: Roles,
    name: str,
    metric: Metric,
    options: AuditOptions,
    band: Band,
    empty: pl.DataFrame,
) -> Iterator[pl.DataFrame]:
    """The rows of one metric, and of places without rows to compare."""
    if roles.are_joint:
        is_its_own = (pl.col("facet") == roles.joint_facet) == metric.is_joint
        table, empty = table.filter(is_its_own), empty.filter(is_its_own)
    undefined = pl.lit(None if band is None else "undefined", pl.String)
    places = [*roles.windows.keys, "facet"]
    lower, upper, verdict = _judgement(table, name, metric, band)
    chance = f"{name}{CHANCE}"
    rows = table.select(
        *places,
        *SIDES[1:],
        *SIZES,
        *ROWS,
        pl.col(name).alias("value"),
        lower.alias("lower"),
        upper.alias("upper"),
        pl.lit(metric.ideal, pl.Float64).alias("ideal"),
        (_of_how_few(name, metric) < (options.minimum_count or 0)).alias("is_small"),
        (pl.col(chance) if chance in table.columns else NOTHING).alias("p_value"),
        pl.when(_is_judged(name, metric)).then(verdict).otherwise(undefined).alias("verdict"),
        pl.lit(name).alias(PLACE),
    )
    if not metric.has_sides:
        absent = (pl.lit(None, rows.schema[column]).alias(column) for column in OF_SIDES)
        rows = rows.with_columns(absent).unique(places, keep="first", maintain_order=True)
    yield rows
    if empty.is_empty():
        return
    yield empty.select(
        *places,
        *ROWS,
        pl.lit(metric.ideal, pl.Float64).alias("ideal"),
        undefined.alias("verdict"),
        pl.lit(options.minimum_count is not None).alias("is_small"),
        NOTHING.alias("p_value"),
        pl.col("rows_unknown").cast(roles.size).alias("n_unknown"),
        pl.lit(name).alias(PLACE),
    )


def _is_judged(name: str, metric: Metric) -> pl.Expr:
    # Of no rows a formula may have a value, but there is nothing to be sure of.
    return pl.col(name).is_not_null() & ((pl.col(SMALLER) > 0) | (not metric.has_sides))


def _judgement(
    table: pl.DataFrame, name: str, metric: Metric, band: Band
) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """The bounds of a metric, and its verdict."""
    value, sign, lean = pl.col(name), metric.sign or 0, _lean_of(metric)
    if not {*bound_names(name)} <= {*table.columns}:
        return NOTHING, NOTHING, judged(value, value, band, sign, lean)
    lower, upper = map(pl.col, bound_names(name))
    has_both = _is_judged(name, metric) & lower.is_not_null() & upper.is_not_null()
    # An interval holds its value.
    lower = pl.when(has_both).then(pl.min_horizontal(lower, value))
    upper = pl.when(has_both).then(pl.max_horizontal(upper, value))
    return lower, upper, judged(lower, upper, band, sign, lean)


def _leans(roles: Roles) -> dict[str, Metric]:
    """How much more often side a is accepted, and how much more often its labels are positive."""
    rates = {"predicted": "selection_rate", "label": "base_rate"}
    return {
        name: Metric(name, "", pl.col(f"{a.name}.{rate}") - pl.col(f"{d.name}.{rate}"))
        for outcome in roles.binary_outcomes
        if roles.facets
        for name, rate in [(f"{LEAN}{outcome.role}", rates[outcome.role])]
    }


def _lean_of(metric: Metric) -> pl.Expr:
    """Which side fares worse in the outcome that a metric is about: d above 0, a below."""
    about = [role for role in ("predicted", "label") if role in metric.needs]
    return pl.col(f"{LEAN}{about[0]}") if metric.has_sides and about else pl.lit(0)


def _reconciled(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """Of how many rows each facet's numbers are made in each window, and how many were dropped."""
    # With `count=`, a row counts that many times; one without a count is seen once, and dropped.
    counted = "n" if roles.weight is None else "counted" if roles.count else "rows"
    seen_as = [counted, "null_counts"] if roles.count else [counted]
    places = [*roles.windows.keys, "facet"]
    n, is_known = pl.col("n"), pl.col("value").is_not_null()
    groups = of_complete_rows(seen, roles).group_by(*places, "value").agg(n.sum())
    of_used = groups.group_by(places).agg(
        n.sum().alias("rows_used"),
        n.filter(~is_known).sum().alias("rows_unknown"),
        n.filter(is_known).min().alias(GROUP),
    )
    return (
        seen.group_by(places)
        .agg(rows_seen=pl.sum_horizontal(pl.col(seen_as).sum()))
        .join(of_used, on=places, how="left", nulls_equal=True)
        .with_columns(pl.col("rows_used", "rows_unknown", GROUP).fill_null(0))
        .with_columns(rows_dropped=pl.col("rows_seen") - pl.col("rows_used"))
        .collect(engine="in-memory")
    )
