"""How far rows of unknown group could move a value: the value of each way to give them to sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import added_up, finest, squared, tallied, with_finest_counts
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import EFFECTIVE
from polars_fairness.formula.sides import a, d
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys
from polars_fairness.values.formula_checks import sets_sides_apart
from polars_fairness.values.levels import computed, counted, keys_of

# Inner columns: no column of a caller and no metric has such a name.
WAY, WHOLE, IS_WHOLE, IS_KNOWN, _SINGLE, _UNKNOWN = (
    f"{name}\x1f" for name in ("way", "whole", "is whole", "is known", "single", "unknown")
)

_ROUNDING: Final = 1e-9


def has_bounds(metric: Metric, *, is_weighted: bool) -> bool:
    """Whether a metric has bounds over rows of unknown group.

    With weights, effective rows depend on which rows of an outcome go where, not on their sum.
    """
    words = {term.partition(".")[2] for term in metric.terms}
    has_sums = not (is_weighted and words & {*EFFECTIVE})
    return metric.has_interval and has_sums and sets_sides_apart(metric)


# How much of the unknown rows of an outcome goes to d, and to a: all of them, and single rows. One
# row may be all that gives a side a value.
_PARTS: Final = (((1, 0), (0, 0)), ((0, 0), (1, 0)), ((0, 1), (1, -1)), ((1, -1), (0, 1)))


def ways_of(roles: Roles) -> pl.DataFrame:
    """The ways to give the unknown rows of each outcome to sides: a row for each facet and way.

    Beside pf.OVERALL, side a has all rows in any case. Ways that divide no outcome come first.
    """
    counts = finest(roles)
    ways = sorted(product(range(len(_PARTS)), repeat=len(counts)), key=lambda way: max(way) > 1)
    rows = []
    for facet in roles.facets:
        for number, way in enumerate(ways):
            parts = (_PARTS[place] for place in way)
            of_outcomes = [(of_d, (1, 0) if facet.is_against_all else of_a) for of_d, of_a in parts]
            numbers = (part for pair in of_outcomes for side in pair for part in side)
            rows.append((facet.name, number, max(way, default=0) < 2, *numbers))
    names = [
        f"{side.name}.{count}{kind}"
        for count in counts
        for side in (d, a)
        for kind in (WHOLE, _SINGLE)
    ]
    return pl.DataFrame(rows, ["facet", WAY, IS_WHOLE, *names], orient="row")


def values_by_way(
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], ways: pl.DataFrame
) -> pl.DataFrame:
    """The lowest and the highest value of each metric of each comparison, and the ways to them.

    A row for each comparison and way; a metric's value is in a column of its name. Where it may be
    farthest with a single row of unknown weight on a side, none is known.
    """
    finest_cells = with_finest_counts(cells.lazy(), roles)
    keys, place = keys_of(COMPARISON, roles), place_keys(roles)
    sides = counted(with_sides(finest_cells, roles), roles, COMPARISON)
    no_group = finest_cells.filter(pl.col("value").is_null())
    unknown = added_up(no_group, place, _UNKNOWN, roles)
    # What the lightest row of a cell counts: the least that may give a side a value. Cells that
    # were kept, and those of classes, which are differences, do not say so of unequal weights.
    lightest = pl.lit(1.0)
    if roles.is_weighted:
        lightest = pl.col(LOWEST_WEIGHT)
        if roles.has_squares or LOWEST_WEIGHT not in no_group.collect_schema():
            n, weight = pl.col("n"), pl.col("weight")
            are_equal = n * pl.col("weight_sq") <= weight**2 * (1 + _ROUNDING)
            lightest = pl.when(are_equal).then(weight / n)
    of_outcomes = {count: lightest.filter(pl.col(count) > 0) for count in finest(roles)}
    single = {
        f"{_SINGLE}{count}": pl.when(each.null_count() == 0).then(each.min())
        for count, each in of_outcomes.items()
    }
    unknown = unknown.join(
        no_group.group_by(place).agg(**single), on=place, nulls_equal=True, maintain_order="left"
    )
    names = tallied(roles)
    whole = sides.join(unknown, on=place, how="left", nulls_equal=True, maintain_order="left")
    given = whole.join(ways.lazy(), on="facet", maintain_order="left_right").with_columns(
        (
            pl.col(f"{side.name}.{name}")
            + pl.col(f"{_UNKNOWN}.{name}").fill_null(0) * _part(side.name, name, roles)
        ).alias(f"{side.name}.{name}")
        for side in (d, a)
        for name in names
    )
    by_way = collected(given)
    sums = [f"{side.name}.{name}" for side in (d, a) for name in names]
    are_known = pl.all_horizontal(pl.col(sums).is_not_null())
    values = computed(by_way, roles, COMPARISON, metrics, [*keys, WAY]).with_columns(
        by_way.select(are_known.alias(IS_KNOWN))
    )
    has_both = (pl.col(f"{d.name}.n") > 0) & (pl.col(f"{a.name}.n") > 0)
    found = values.select(
        *keys,
        WAY,
        IS_KNOWN,
        **{name: pl.when(has_both).then(f"metric.{name}").fill_nan(None) for name in metrics},
    )
    # A single row leads farthest only where a side has no value without it.
    needs_none = pl.col(IS_KNOWN).all() | pl.col(metrics).filter(IS_KNOWN).is_not_null().all()
    return found.with_columns(pl.when(needs_none.over(keys)).then(pl.col(metrics)))


def _part(side: str, name: str, roles: Roles) -> pl.Expr:
    """The part of a tally of unknown rows that goes to a side; null of a row of unknown weight."""
    # The finest count that the tally is about.
    count = next(each for each in finest(roles) if name == each or name.startswith(f"{each}_"))
    of_one, of_all = pl.col(f"{_SINGLE}{count}"), pl.col(f"{_UNKNOWN}.{name}")
    if name == squared(count):
        of_one = of_one**2
    elif name != count:
        of_all = pl.col(f"{_UNKNOWN}.{count}")
    whole, single = (pl.col(f"{side}.{count}{kind}") for kind in (WHOLE, _SINGLE))
    part = pl.when(single == 0).then(whole).otherwise(whole + single * (of_one / of_all))
    return pl.when(of_all > 0).then(part).otherwise(0.0)


def ends_of(cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """The lowest and the highest value of each metric that has bounds, a row for each comparison.

    ``cells`` has the cells of complete rows; the columns are those of `end_names`.
    """
    is_weighted = roles.is_weighted
    known = {
        name: metric
        for name, metric in metrics.items()
        if has_bounds(metric, is_weighted=is_weighted)
    }
    roles = replace(roles, numbers=())  # which no metric with bounds needs
    values = values_by_way(cells, roles, known, ways_of(roles))
    ends = (
        end.alias(column)
        for name in known
        for column, end in zip(
            end_names(name), (pl.col(name).min(), pl.col(name).max()), strict=True
        )
    )
    return values.group_by(keys_of(COMPARISON, roles), maintain_order=True).agg(ends)


def end_names(name: str) -> tuple[str, str]:
    """The columns of a metric's lowest and highest value."""
    return f"{name}lowest\x1f", f"{name}highest\x1f"
