"""Metrics to an answer: a tidy row for each, with its interval and a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import Band, judged
from polars_fairness.counting.cells import used
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.errors import (
    FairnessError,
    did_you_mean,
    listed,
    require_confidence,
    require_extra,
    require_number,
    require_whole,
)
from polars_fairness.formula.arithmetic import smaller
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.closed_forms.rates import bounds as limits
from polars_fairness.inference.closed_forms.strata import conditional_bounds
from polars_fairness.inference.significance import exact_p_values, find_tests, holm, parts_of
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIDES, SIZES, compared, evaluated, presented
from polars_fairness.values.formula_checks import sign_of
from polars_fairness.values.intersections.groups import ROWS as ROWS_OF_GROUP

OF_SIDES: Final = (*SIDES[1:], *SIZES[:2])
ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")
MEASURES: Final = ("value", "lower", "upper", "ideal")
P_VALUES: Final = ("exact", "holm", None)
METHODS: Final = {
    "bootstrap": "every metric",
    "newcombe": "differences of two rates",
    "log": "ratios of two rates",
}
# Of a million draws, 95 % intervals are between quantiles that are off by 0.00016 (standard error);
# a thousand, the default, leave 0.005. More takes hours, and shows nothing more.
MOST_REPLICATES: Final = 1_000_000

# No column of a caller's, and no metric, is called like these.
LEAN, SMALLER, GROUP, WORST, PLACE, CHANCE = (
    f"{name}\x1f" for name in ("lean", "smaller", "group", "worst", "place", "chance")
)

COLUMNS: Final = (*SIDES, "metric", *MEASURES, "verdict", *SIZES, *ROWS, "is_small", "p_value")
"""The columns that a result may have behind those of ``by``."""


@dataclass(frozen=True)
class Terms:
    """What an audit is asked beside the question: how sure, and what is tolerated."""

    confidence: float | None
    closed: Mapping[str, tuple[Metric, Metric]]
    replicates: int
    seed: int
    bands: Mapping[str, Band]
    signs: Mapping[str, Sign]
    minimum_count: int | None
    p_values: str | None


def find_terms(
    metrics: Mapping[str, Metric],
    roles: Roles,
    *,
    confidence: float | None,
    method: str,
    replicates: int,
    seed: int,
    bands: Mapping[str, Band] | None,
    minimum_count: int | None,
    p_values: str | None,
) -> Terms:
    """Check what an audit is asked."""
    require_confidence(confidence)
    if not isinstance(method, str) or method not in METHODS:
        msg = f"method: takes {listed(METHODS, 'or')}, got {method!r}"
        raise FairnessError(msg)
    if method != "bootstrap" and roles.weight:
        msg = f"method: {method!r} is about counts, and weight= is given; use 'bootstrap'"
        raise FairnessError(msg)
    # Without intervals, only whether a metric has that form.
    level = confidence or 0.5
    closed = {}
    if method != "bootstrap":
        closed = _closed_forms(metrics, partial(limits, method=method, confidence=level))
    if method != "bootstrap" and not closed:
        msg = (
            f"method: {method!r} is for {METHODS[method]}, and none of these is one: "
            f"{listed(metrics)}; use 'bootstrap'"
        )
        raise FairnessError(msg)
    if require_whole("replicates", replicates, 1) > MOST_REPLICATES:
        msg = (
            f"replicates: takes at most {MOST_REPLICATES:,}, got {replicates:,}; more draws would "
            "not change an interval that can be seen"
        )
        raise FairnessError(msg)
    require_whole("seed", seed, 0)
    if minimum_count is not None:
        require_whole("minimum_count", minimum_count, 0)
    if p_values not in P_VALUES:
        msg = f"p_values: takes {listed(P_VALUES, 'or')}, got {p_values!r}"
        raise FairnessError(msg)
    if p_values is not None:
        require_extra("p_values", "significance", "scipy")
    tolerated = _bands(metrics, {} if bands is None else bands)
    signs = _signs(metrics, tolerated)
    closed |= _closed_forms(metrics, partial(conditional_bounds, confidence=level))
    return Terms(confidence, closed, replicates, seed, tolerated, signs, minimum_count, p_values)


def _closed_forms(
    metrics: Mapping[str, Metric], find: Callable[[Metric], tuple[Metric, Metric] | None]
) -> dict[str, tuple[Metric, Metric]]:
    found = {name: find(metric) for name, metric in metrics.items()}
    return {name: pair for name, pair in found.items() if pair}


def _bands(metrics: Mapping[str, Metric], given: Any) -> dict[str, Band]:
    if not isinstance(given, Mapping):
        msg = f"bands: takes a dictionary {{metric: (low, high)}}, got {given!r}"
        raise FairnessError(msg)
    for name, band in given.items():
        if name not in metrics:
            msg = f"bands: {name!r} is not asked for; {did_you_mean(str(name), metrics)}"
            raise FairnessError(msg)
        if band is None:
            continue
        pair = band if isinstance(band, tuple | list) and len(band) == 2 else (1, 0)
        low, high = (require_number("bands", each, f"numbers, for {name!r} too") for each in pair)
        if not low <= high:
            msg = f"bands: {name!r} takes a pair (low, high) or None, got {band!r}"
            raise FairnessError(msg)
    return {name: given.get(name, metric.acceptable) for name, metric in metrics.items()}


def _signs(metrics: Mapping[str, Metric], bands: Mapping[str, Band]) -> dict[str, Sign]:
    """Find which side is spoken against by what lies outside each band."""
    signs: dict[str, Sign] = {}
    for name in (name for name, band in bands.items() if band is not None):
        sign = sign_of(metrics[name])
        if sign is None:
            msg = (
                f"bands: the formula of {name!r} does not tell which side a value above its ideal "
                "speaks against; give the metric sign=1 for d, -1 for a, or 0 where no value tells"
            )
            raise FairnessError(msg)
        signs[name] = sign
    return signs


def schema(roles: Roles, terms: Terms) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    small = {} if terms.minimum_count is None else {"is_small": pl.Boolean()}
    likely = {} if terms.p_values is None else {"p_value": pl.Float64()}
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
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], terms: Terms
) -> pl.LazyFrame:
    """Evaluate metrics, each on a row of its own, and say what is to be thought of it."""
    # Inside, windows and metrics have names that are no pattern and no column's.
    inside = replace(roles, windows=roles.windows.named_by_keys())
    numbered = {
        f"\x1f{i}": replace(metric, sign=terms.signs.get(name, 0))
        for i, (name, metric) in enumerate(metrics.items())
    }
    closed = {
        bound: limit
        for number, name in zip(numbered, metrics, strict=True)
        if terms.confidence is not None and name in terms.closed
        for bound, limit in zip(bound_names(number), terms.closed[name], strict=True)
    }
    reconciled = _reconciled(seen, inside)
    cells = collected(used(seen, roles))
    table = _table(cells, inside, numbered, closed, terms, reconciled)
    places = [*roles.windows.keys, "facet"]
    empty = reconciled.join(table, on=places, how="anti", nulls_equal=True)
    parts = (
        part
        for (number, metric), name in zip(numbered.items(), metrics, strict=True)
        for part in _rows(table, inside, number, metric, terms, terms.bands[name], empty)
    )
    names = dict(zip(numbered, metrics, strict=True))
    rows = pl.concat(parts, how="diagonal").with_columns(
        metric=pl.col(PLACE).replace_strict(names, return_dtype=pl.String)
    )
    if terms.p_values == "holm":
        rows = rows.with_columns(holm(rows["p_value"]).alias("p_value"))
    # Comparisons that are written alike keep their order.
    ordered = rows.sort(*places, "disfavored", PLACE, nulls_last=True, maintain_order=True)
    named = ordered.rename(dict(zip(roles.windows.keys, roles.windows.names, strict=True)))
    return named[schema(roles, terms).names()].lazy()


def _table(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    closed: Mapping[str, Metric],
    terms: Terms,
    reconciled: pl.DataFrame,
) -> pl.DataFrame:
    """One row per comparison: values, bounds, and what helps to judge them."""
    tests = {} if terms.p_values is None else find_tests(metrics, roles)
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
    for keys, bounds in _bounded(cells, roles, drawn, terms):
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
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], terms: Terms
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    if terms.confidence is None:
        return
    # numpy would make importing this package take half as long again as importing polars.
    from polars_fairness.inference.bootstrap.draws import Drawing
    from polars_fairness.inference.bounds import bounded

    yield from bounded(
        cells, roles, metrics, Drawing(terms.replicates, terms.seed, terms.confidence)
    )


def _rows(
    table: pl.DataFrame,
    roles: Roles,
    name: str,
    metric: Metric,
    terms: Terms,
    band: Band,
    empty: pl.DataFrame,
) -> Iterator[pl.DataFrame]:
    """The rows of one metric, and of places where there was nobody to compare."""
    if roles.are_joint:
        is_its_own = (pl.col("facet") == roles.joint_facet) == metric.is_joint
        table, empty = table.filter(is_its_own), empty.filter(is_its_own)
    value = pl.col(name)
    lower, upper = (
        pl.col(bound) if bound in table.columns else None for bound in bound_names(name)
    )
    # Of nobody a formula may have a value, but there is nothing to be sure of.
    is_judged = value.is_not_null() & ((pl.col(SMALLER) > 0) | (not metric.has_sides))
    nothing = pl.lit(None, pl.Float64)
    sign, lean = metric.sign or 0, _lean_of(metric)
    if lower is None or upper is None:
        verdict, bounds = judged(value, value, band, sign, lean), (nothing, nothing)
    else:
        # An interval holds its value.
        has_both = is_judged & lower.is_not_null() & upper.is_not_null()
        low, high = pl.min_horizontal(lower, value), pl.max_horizontal(upper, value)
        bounds = (pl.when(has_both).then(low), pl.when(has_both).then(high))
        verdict = judged(*bounds, band, sign, lean)
    chance = f"{name}{CHANCE}"
    places = [*roles.windows.keys, "facet"]
    undefined = pl.lit(None if band is None else "undefined", pl.String)
    told = table.select(
        *places,
        *SIDES[1:],
        *SIZES,
        *ROWS,
        value.alias("value"),
        bounds[0].alias("lower"),
        bounds[1].alias("upper"),
        pl.lit(metric.ideal, pl.Float64).alias("ideal"),
        (_of_how_few(name, metric) < (terms.minimum_count or 0)).alias("is_small"),
        (pl.col(chance) if chance in table.columns else nothing).alias("p_value"),
        pl.when(is_judged).then(verdict).otherwise(undefined).alias("verdict"),
        pl.lit(name).alias(PLACE),
    )
    if not metric.has_sides:
        nobody = (pl.lit(None, told.schema[column]).alias(column) for column in OF_SIDES)
        told = told.with_columns(nobody).unique(places, keep="first", maintain_order=True)
    yield told
    if empty.is_empty():
        return
    yield empty.select(
        *places,
        *ROWS,
        pl.lit(metric.ideal, pl.Float64).alias("ideal"),
        undefined.alias("verdict"),
        pl.lit(terms.minimum_count is not None).alias("is_small"),
        pl.lit(None, pl.Float64).alias("p_value"),
        pl.col("rows_unknown").cast(roles.size).alias("n_unknown"),
        pl.lit(name).alias(PLACE),
    )


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
    groups = used(seen, roles).group_by(*places, "value").agg(n.sum())
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
