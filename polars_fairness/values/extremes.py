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
from polars_fairness.formula.sides import a, d
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys
from polars_fairness.values.formula_checks import sets_sides_apart
from polars_fairness.values.levels import computed, counted, keys_of

# Inner columns: no column of a caller and no metric has such a name.
WAY, WHOLE, IS_WHOLE, _SINGLE, _UNKNOWN = (
    f"{name}\x1f" for name in ("way", "whole", "is whole", "single", "unknown")
)


def has_bounds(metric: Metric) -> bool:
    """Whether a metric has bounds over rows of unknown group."""
    return metric.has_interval and sets_sides_apart(metric)


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

    A row for each comparison and way; a metric's value is in a column of its name.
    """
    finest_cells = with_finest_counts(cells.lazy(), roles)
    keys, place = keys_of(COMPARISON, roles), place_keys(roles)
    sides = counted(with_sides(finest_cells, roles), roles, COMPARISON)
    no_group = finest_cells.filter(pl.col("value").is_null())
    unknown = added_up(no_group, place, _UNKNOWN, roles)
    # What the lightest row of a cell counts: the least that may give a side a value. Cells of
    # classes are differences, and have kept their rows' average weight alone.
    lightest = pl.lit(1.0)
    if roles.weight is not None:
        has_lowest = LOWEST_WEIGHT in no_group.collect_schema()
        lightest = pl.col(LOWEST_WEIGHT) if has_lowest else pl.col("weight") / pl.col("n")
    single = {
        f"{_SINGLE}{count}": pl.when(pl.col(count) > 0).then(lightest).min()
        for count in finest(roles)
    }
    unknown = unknown.join(
        no_group.group_by(place).agg(**single), on=place, nulls_equal=True, maintain_order="left"
    )
    names = tallied(roles)
    whole = sides.join(unknown, on=place, how="left", nulls_equal=True, maintain_order="left")
    given = whole.join(ways.lazy(), on="facet", maintain_order="left_right").with_columns(
        (
            pl.col(f"{side.name}.{name}")
            + (pl.col(f"{_UNKNOWN}.{name}") * _part(side.name, name, roles)).fill_null(0)
        ).alias(f"{side.name}.{name}")
        for side in (d, a)
        for name in names
    )
    values = computed(collected(given), roles, COMPARISON, metrics, [*keys, WAY])
    has_both = (pl.col(f"{d.name}.n") > 0) & (pl.col(f"{a.name}.n") > 0)
    return values.select(
        *keys,
        WAY,
        **{name: pl.when(has_both).then(f"metric.{name}").fill_nan(None) for name in metrics},
    )


def _part(side: str, name: str, roles: Roles) -> pl.Expr:
    """The part of a tally of unknown rows that goes to a side; null if there are none."""
    # The finest count that the tally is about.
    count = next(each for each in finest(roles) if name == each or name.startswith(f"{each}_"))
    of_one, of_all = pl.col(f"{_SINGLE}{count}"), pl.col(f"{_UNKNOWN}.{name}")
    if name == squared(count):
        of_one = of_one**2
    elif name != count:
        of_all = pl.col(f"{_UNKNOWN}.{count}")
    whole, single = (pl.col(f"{side}.{count}{kind}") for kind in (WHOLE, _SINGLE))
    return pl.when(of_all > 0).then(whole + single * (of_one / of_all))


def ends_of(cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """The lowest and the highest value of each metric that has bounds, a row for each comparison.

    ``cells`` has the cells of complete rows; the columns are those of `end_names`.
    """
    known = {name: metric for name, metric in metrics.items() if has_bounds(metric)}
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
