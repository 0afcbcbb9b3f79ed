"""What an audit judges: the values of metrics with their bounds, a row for each comparison."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import comb
from typing import Final

import polars as pl

from polars_fairness.answers.options import AuditOptions
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.decided_sides import GROUPS_CHOSEN_FROM
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.arithmetic import smaller
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import CORRELATION, DIFFERENCE, SUM, bound_names
from polars_fairness.inference.significance import (
    exact_p_values,
    find_tests,
    of_all_pairs,
    parts_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import (
    SIZES,
    compared_alike,
    comparisons,
    evaluated,
    place_keys,
    presented,
)
from polars_fairness.values.intersections import ROWS as ROWS_OF_GROUP

ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")

# Inner columns: no column of a caller and no metric has such a name.
LEAN, SMALLER, GROUP, WORST, P_VALUE, WIDENING = (
    f"{name}\x1f" for name in ("lean", "smaller", "group", "worst", "p_value", "widening")
)

ClosedForms = Callable[[float], Mapping[str, Metric]]
"""Takes a confidence; returns the bounds that are metrics themselves, by their names."""


def values_and_bounds(
    seen: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    closed: ClosedForms,
    options: AuditOptions,
    choice: pl.DataFrame | None,
) -> pl.DataFrame:
    """One row per comparison: values, bounds, and the numbers that verdicts depend on.

    The metrics count the same rows. Where ``choice`` says among how many groups the data chose the
    sides, bounds and p-values hold for all pairs of these groups together.
    """
    closed = partial(_of_metrics, closed, metrics)
    cells = collected(of_complete_rows(seen.lazy(), roles))
    scored = of_complete_rows(scored, roles.undecided)
    places = collected(_places(seen.lazy(), roles)).lazy()
    worst = {
        f"{name}{WORST}": _rows_of_worst(each) for name, each in metrics.items() if each.is_joint
    }
    own = {} if options.confidence is None else closed(options.confidence)
    of_pairs = _bounds_of_pairs(choice, closed, options)
    wanted = {**metrics, **own, **_leans(roles), **worst}
    evaluate = {**wanted, **{f"{n}{bound}": m for (n, bound), m in of_pairs.items()}}
    is_cheap = cells.height < WORTH_OPTIMISING
    values = collected(evaluated(cells.lazy(), places, roles, evaluate, scored), is_cheap=is_cheap)
    values = _with_choice(values, choice, of_pairs, options)
    bounded = _bounded(cells, scored, roles, metrics, own, options, choice)
    for keys, bounds in bounded:
        values = values.join(bounds, on=keys, how="left", nulls_equal=True, maintain_order="left")
    bounds_found = [
        bound
        for name in metrics
        for each in (name, f"{name}{DIFFERENCE}", f"{name}{SUM}")
        for bound in bound_names(each)
    ]
    correlations = (f"{name}{CORRELATION}" for name in metrics)
    names = dict.fromkeys([*wanted, *bounds_found, *correlations])
    shown = [name for name in names if f"metric.{name}" in values.columns]
    more = (*ROWS, GROUP, COMPARISON_KEY, GROUPS_CHOSEN_FROM, WIDENING)
    table = collected(presented(values.lazy(), roles, shown, more), is_cheap=is_cheap)
    of_rows = table
    if roles.weight:
        # Whether a comparison is small depends on its number of rows, not on their weights.
        unweighted = replace(roles, weight=None)
        of_rows = collected(compared_alike(seen.lazy(), unweighted, {}))
    return table.with_columns(
        of_rows.select(smaller(*map(pl.col, SIZES[:2])).fill_null(0)).to_series().alias(SMALLER),
        *_p_values(seen, roles, metrics, table[GROUPS_CHOSEN_FROM], options),
    )


def with_all_comparisons(
    table: pl.DataFrame, seen: pl.DataFrame, roles: Roles, counting: Sequence[Roles]
) -> pl.DataFrame:
    """The table with the comparisons that have rows for other metrics only, without values.

    ``counting`` has the questions about the rows of each metric.
    """
    if len(counting) == 1:
        return table
    more, keys = (*ROWS, COMPARISON_KEY), [*place_keys(roles), COMPARISON_KEY]
    compared = presented(comparisons(seen.lazy(), roles, counting), roles, (), more)
    of_any = collected(compared, is_cheap=True)
    # A place has a row without sides if no metric has a comparison there.
    own = table.join(of_any, on=keys, how="semi", nulls_equal=True, maintain_order="left")
    others = of_any.join(table, on=keys, how="anti", nulls_equal=True, maintain_order="left")
    no_rows = pl.lit(0, table.schema[SMALLER]).alias(SMALLER)
    return pl.concat([own, others.drop("n_dropped").with_columns(no_rows)], how="diagonal")


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


def _of_metrics(
    closed: ClosedForms, metrics: Iterable[str], confidence: float
) -> dict[str, Metric]:
    """The closed bounds of these metrics; there may be those of metrics with other rows."""
    own = {bound for name in metrics for bound in bound_names(name)}
    return {bound: each for bound, each in closed(confidence).items() if bound in own}


def _bounds_of_pairs(
    choice: pl.DataFrame | None, closed: ClosedForms, options: AuditOptions
) -> dict[tuple[int, str], Metric]:
    """The closed bounds of comparisons whose sides were chosen, by the number of groups."""
    if choice is None or options.confidence is None:
        return {}
    # Imported here: it needs numpy.
    from polars_fairness.inference.simultaneous import confidence_of_a_pair

    found: dict[tuple[int, str], Metric] = {}
    for groups in choice[GROUPS_CHOSEN_FROM].unique().sort():
        if groups > 2:
            confidence = confidence_of_a_pair(groups, options.confidence)
            if options.sequential:
                # No two groups have one normal distribution at all looks: the chances add up.
                confidence = 1 - (1 - options.confidence) / comb(groups, 2)
            bounds = closed(confidence)
            found |= {(groups, name): each for name, each in bounds.items() if each.has_sides}
    return found


def _with_choice(
    values: pl.DataFrame,
    choice: pl.DataFrame | None,
    of_pairs: Mapping[tuple[int, str], Metric],
    options: AuditOptions,
) -> pl.DataFrame:
    """The values with the number of groups that sides were chosen from, and bounds as of these."""
    if choice is None:
        number = pl.lit(None, pl.Int64).alias(GROUPS_CHOSEN_FROM)
        return values.with_columns(number, pl.lit(1.0).alias(WIDENING))
    # Imported here: it needs numpy.
    from polars_fairness.inference.simultaneous import widening

    keys = [name for name in choice.columns if name != GROUPS_CHOSEN_FROM]
    values = values.join(choice, on=keys, how="left", nulls_equal=True, maintain_order="left")
    groups = pl.col(GROUPS_CHOSEN_FROM)
    chosen: dict[str, pl.Expr] = {name: pl.col(f"metric.{name}") for _, name in of_pairs}
    for n, name in of_pairs:
        of_n = pl.when(groups == n).then(f"metric.{n}{name}")
        chosen[name] = of_n.otherwise(chosen[name])
    wider = [widening(each or 2, options.confidence or 0.95) for each in values[GROUPS_CHOSEN_FROM]]
    return values.with_columns(
        *(bound.alias(f"metric.{name}") for name, bound in chosen.items()),
        pl.Series(WIDENING, wider, pl.Float64),
    )


def _p_values(
    seen: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    groups: pl.Series,
    options: AuditOptions,
) -> Iterator[pl.Series]:
    """The p-values of the metrics that have a test, of sides chosen among so many groups."""
    tests = {} if options.p_values is None else find_tests(metrics, roles)
    if tests:
        # Two sides that share rows are equal where d equals the rest: only these are independent.
        apart = roles.against_the_rest()
        tested = collected(compared_alike(seen.lazy(), apart, parts_of(tests)))
        for p in exact_p_values(tested, tests):
            yield of_all_pairs(p, groups).alias(f"{p.name}{P_VALUE}")


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
    choice: pl.DataFrame | None,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """The bounds of values that have no closed form, and of differences from a champion."""
    if options.confidence is None or options.sequential:
        # The bootstrap holds at one look only.
        return
    # Imported here: with numpy, importing this package takes half as long again as polars alone.
    from polars_fairness.inference.bootstrap import contrasted
    from polars_fairness.inference.bounds import bounded
    from polars_fairness.inference.draws import Drawing

    drawing = Drawing(options.replicates, options.seed, options.confidence, choice)
    redrawn = {
        name: metric
        for name, metric in metrics.items()
        if metric.has_interval and metric.parsed.level.is_redrawn
    }
    own = {name: each for name, each in redrawn.items() if bound_names(name)[0] not in closed}
    yield from bounded(cells, scored, roles, own, drawing)
    if roles.champion is not None:
        yield from contrasted(cells, scored, roles, redrawn, drawing)


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
