"""What an audit judges: the values of metrics with their bounds, a row for each comparison."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.arithmetic import smaller
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import DIFFERENCE, FARTHER, bound_names
from polars_fairness.inference.significance import exact_p_values, find_tests, parts_of
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIZES, compared, evaluated, place_keys, presented
from polars_fairness.values.intersections.groups import ROWS as ROWS_OF_GROUP

ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")

# Inner columns: no column of a caller and no metric has such a name.
LEAN, SMALLER, GROUP, WORST, P_VALUE = (
    f"{name}\x1f" for name in ("lean", "smaller", "group", "worst", "p_value")
)


def values_and_bounds(
    seen: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    closed: Mapping[str, Metric],
    options: AuditOptions,
    references: pl.DataFrame | None,
) -> pl.DataFrame:
    """One row per comparison: values, bounds, and the numbers that verdicts depend on."""
    cells = collected(of_complete_rows(seen.lazy(), roles))
    places = collected(_places(seen.lazy(), roles)).lazy()
    tests = {} if options.p_values is None else find_tests(metrics, roles)
    worst = {
        f"{name}{WORST}": _rows_of_worst(each) for name, each in metrics.items() if each.is_joint
    }
    wanted = {**metrics, **closed, **_leans(roles), **worst}
    is_cheap = cells.height < WORTH_OPTIMISING
    values = collected(evaluated(cells.lazy(), places, roles, wanted, scored), is_cheap=is_cheap)
    bounded = _bounded(cells, scored, roles, metrics, closed, options, references)
    for keys, bounds in bounded:
        values = values.join(bounds, on=keys, how="left", nulls_equal=True, maintain_order="left")
    bounds_found = [
        bound
        for name in metrics
        for each in (name, f"{name}{DIFFERENCE}", f"{name}{FARTHER}")
        for bound in bound_names(each)
    ]
    names = dict.fromkeys([*wanted, *bounds_found])
    shown = [name for name in names if f"metric.{name}" in values.columns]
    more = (*ROWS, GROUP, COMPARISON_KEY)
    table = collected(presented(values.lazy(), roles, shown, more), is_cheap=is_cheap)
    of_rows = table
    if roles.weight:
        # Whether a comparison is small depends on its number of rows, not on their weights.
        unweighted = replace(roles, weight=None)
        of_rows = collected(compared(seen.lazy(), unweighted, {}))
    # Two sides that share rows are equal where d equals the rest, and only these are independent.
    tested = (
        collected(compared(seen.lazy(), roles.against_the_rest(), parts_of(tests)))
        if tests
        else table
    )
    return table.with_columns(
        of_rows.select(smaller(*map(pl.col, SIZES[:2])).fill_null(0)).to_series().alias(SMALLER),
        *(p.alias(f"{p.name}{P_VALUE}") for p in exact_p_values(tested, tests)),
    )


def is_estimated(name: str, metric: Metric) -> pl.Expr:
    """Whether a value in a table of values and bounds has an interval and a verdict.

    Without rows on a side a formula may have a value, but it is no estimate.
    """
    return pl.col(name).is_not_null() & ((pl.col(SMALLER) > 0) | (not metric.has_sides))


def ends(name: str, metric: Metric) -> tuple[pl.Expr, pl.Expr]:
    """The bounds in a table of values and bounds, which contain the value; null without both."""
    value, (lower, upper) = pl.col(name), map(pl.col, bound_names(name))
    has_both = is_estimated(name, metric) & lower.is_not_null() & upper.is_not_null()
    return (
        pl.when(has_both).then(pl.min_horizontal(lower, value)),
        pl.when(has_both).then(pl.max_horizontal(upper, value)),
    )


def _rows_of_worst(metric: Metric) -> Metric:
    """The number of rows of the worst group; of the smallest if the metric ranks no groups."""
    formula = metric.parsed
    rows = pl.col(ROWS_OF_GROUP).cast(pl.Float64)
    if each := formula.each:
        # Two groups that make up all rows have equal distances, except for the last digits.
        product = (each.share * each.distance).round(12)
        worst = product.min() if each.is_worst_where_small else product.max()
        rows = pl.when(product == worst).then(rows)
    return replace(metric, formula=replace(formula, expression=rows.min()))


def _bounded(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    closed: Container[str],
    options: AuditOptions,
    references: pl.DataFrame | None,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """The bounds of values that have no closed form, and of differences from references."""
    if options.confidence is None or options.sequential:
        # The bootstrap holds at one look only.
        return
    # Imported here: with numpy, importing this package takes half as long again as polars alone.
    from polars_fairness.inference.bootstrap.contrasts import contrasted
    from polars_fairness.inference.bootstrap.draws import Drawing
    from polars_fairness.inference.bounds import bounded

    drawing = Drawing(options.replicates, options.seed, options.confidence)
    redrawn = {
        name: metric
        for name, metric in metrics.items()
        if metric.has_interval and metric.parsed.level.is_redrawn
    }
    own = {name: each for name, each in redrawn.items() if bound_names(name)[0] not in closed}
    yield from bounded(cells, scored, roles, own, drawing)
    if references is not None:
        yield from contrasted(cells, scored, roles, redrawn, drawing, references)


def _leans(roles: Roles) -> dict[str, Metric]:
    """By how much the selection rate and the base rate of side a exceed the rates of side d."""
    rates = {"predicted": "selection_rate", "label": "base_rate"}
    return {
        name: Metric(name, "", pl.col(f"{a.name}.{rate}") - pl.col(f"{d.name}.{rate}"))
        for outcome in roles.binary_outcomes
        if roles.facets
        for name, rate in [(f"{LEAN}{outcome.role}", rates[outcome.role])]
    }


def _places(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The row counts of each facet in each window, and the rows of its smallest known group."""
    groups = row_counts(seen, [*place_keys(roles), "value"], roles)
    is_group = pl.col("value").is_not_null() & (pl.col("rows_used") > 0)
    smallest = pl.when(is_group).then("rows_used").min().fill_null(0)
    return groups.group_by(place_keys(roles), maintain_order=True).agg(
        pl.col(*ROWS, "unknown").sum(), smallest.alias(GROUP)
    )
