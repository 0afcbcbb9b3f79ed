"""Cells to bounds: the range of each metric, whatever the group of the unknown rows is.

Rows of unknown group are given to both sides, all of one outcome together, in each way that there
is. The metrics move farthest where all go to one side (`sets_sides_apart`). The two ways that lead
farthest become windows, which are audited as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.answers.audit import apart_by_cluster, closed_bounds, values_and_bounds
from polars_fairness.answers.audit_rows import STANDARD, ends
from polars_fairness.answers.columns import BOUNDED, names_of, types_of
from polars_fairness.answers.criteria import Criteria
from polars_fairness.answers.verdicts import DEPENDS, judged, widened
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.counts import finest, with_finest_counts
from polars_fairness.counting.decided_sides import find_choice, sides_decided
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.polars_rows import is_tally, sums_of_tallies
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bound_names import REASON, bound_names
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ALLOCATION
from polars_fairness.values.evaluate import SIDES, SIZES, by_needs, is_meant, place_keys
from polars_fairness.values.extremes import IS_WHOLE, WAY, WHOLE, values_by_way, ways_of
from polars_fairness.values.levels import keys_of

COLUMNS: Final = names_of(BOUNDED)
"""The columns of the result after those of ``by``."""

# Inner columns: no column of a caller and no metric has such a name.
IS_DEFINED, METRIC = (f"{name}\x1f" for name in ("is defined", "metric"))

# A group that is none of the user's: one of everyone else.
_OTHERS: Final = "others\x1f"

ENDS: Final = ("lowest", "highest")

# So many comparisons at a time are joined with the cells of their facet.
_AT_ONCE: Final = 50


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    return pl.Schema({**roles.windows.types, **types_of(BOUNDED, roles.size)})


def bounded(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """The range of each metric of each comparison, from the cells of all rows."""
    inside = roles.with_inner_names
    of_all, sided = sides_decided(decided(seen, inside), inside)
    counted = collected(of_all)
    cells, _, by_cluster = apart_by_cluster(counted, counted.lazy(), sided)
    choice = find_choice(cells.lazy(), sided)
    numbered = {f"\x1f{i:06}": metric for i, metric in enumerate(metrics.values())}
    names = dict(zip(numbered, metrics, strict=True))
    found = []
    for counting, alike in by_needs(numbered, sided):
        complete = collected(of_complete_rows(cells.lazy(), counting))
        ways = ways_of(counting)
        extremes = values_by_way(complete, counting, alike, ways)
        closed = partial(closed_bounds, [*numbered], metrics, roles, criteria)
        audit = partial(values_and_bounds, metrics=alike, closed=closed, options=criteria.options)
        known = audit(cells, cells.lazy(), counting, choice=choice, by_cluster=by_cluster)
        in_ways = _filled(counted, counting, extremes, ways)
        filled, _, of_clusters = apart_by_cluster(in_ways, in_ways.lazy(), counting)
        of_ways = replace(counting, windows=counting.windows.of_allocations())
        of_chosen = _of_allocations(choice, filled, counting)
        limits = audit(filled, filled.lazy(), of_ways, choice=of_chosen, by_cluster=of_clusters)
        for name, metric in alike.items():
            table = _with_ends(known, limits, extremes, counting, name, metric, criteria)
            found.append(rows_of_bounds(table, counting, name, names[name], metric, criteria))
    order = [*place_keys(inside), "disfavored", METRIC]
    rows = pl.concat(found, how="diagonal").sort(order, nulls_last=True, maintain_order=True)
    named = rows.rename(dict(zip(roles.windows.keys, roles.windows.names, strict=True)))
    return named[schema(roles).names()].lazy()


def _at(extremes: pl.DataFrame, name: str, end: str, keys: Sequence[str]) -> pl.DataFrame:
    """One end of a metric's range in each comparison, and the first way to it."""
    value = pl.col(name)
    reached = value.min() if end == "lowest" else value.max()
    return (
        extremes.filter(value == reached.over(keys))
        .unique(keys, keep="first", maintain_order=True)
        .select(*keys, pl.col(name).alias(end), pl.col(WAY).alias(f"{end}{WAY}"))
    )


def _filled(
    cells: pl.DataFrame, roles: Roles, extremes: pl.DataFrame, ways: pl.DataFrame
) -> pl.DataFrame:
    """The cells of each way that leads farthest, the unknown rows in the groups of one comparison.

    A comparison and a way are one window, `ALLOCATION`.
    """
    keys = keys_of(COMPARISON, roles)
    metrics = [name for name in extremes.columns if name not in (*keys, WAY)]
    needed = pl.concat(
        _at(extremes, name, end, keys).select(*keys, pl.col(f"{end}{WAY}").alias(WAY))
        for name in metrics
        for end in ENDS
    ).unique(maintain_order=True)
    numbered = needed.with_columns(_allocation(pl.col(WAY))).join(
        ways.filter(IS_WHOLE), on=["facet", WAY]
    )
    of_sides = _sides_of(cells, roles, needed.select(keys).unique(maintain_order=True))
    by_count = collected(with_finest_counts(of_sides.lazy(), roles))
    joined = by_count.join(numbered, on=keys, nulls_equal=True, maintain_order="right_left")
    of_d, of_a = (
        pl.any_horizontal(
            (pl.col(count) > 0) & (pl.col(f"{side.name}.{count}{WHOLE}") == 1)
            for count in finest(roles)
        )
        for side in (d, a)
    )
    value = (
        pl.when(pl.col("value").is_not_null())
        .then("value")
        .when(of_d)
        .then(_by_facet(roles, _in_d))
        .when(of_a)
        .then(_by_facet(roles, _in_a))
    )
    tallies = [name for name in cells.columns if is_tally(name)]
    others = [name for name in cells.columns if name not in ("value", *tallies)]
    return joined.group_by(*others, ALLOCATION, value.alias("value"), maintain_order=True).agg(
        **sums_of_tallies(tallies)
    )


def _sides_of(cells: pl.DataFrame, roles: Roles, comparisons: pl.DataFrame) -> pl.DataFrame:
    """The cells of each comparison, one group for each side, and the unknown rows.

    A facet of a thousand values has a thousand comparisons, each with the cells of all values.
    """
    place = place_keys(roles)
    tallies = [name for name in cells.columns if is_tally(name)]
    others = [name for name in cells.columns if name not in ("value", *tallies)]
    is_unknown = pl.col("value").is_null()
    parts = []
    for some in [*comparisons.iter_slices(_AT_ONCE)] or [comparisons]:
        joined = cells.join(some, on=place, nulls_equal=True, maintain_order="right_left")
        grouped = joined.with_columns(value=_by_facet(roles, _group_of), unknown=is_unknown)
        known = grouped.filter(pl.col("unknown") | pl.col("value").is_not_null())
        parts.append(
            known.group_by(*others, COMPARISON_KEY, "value", maintain_order=True).agg(
                **sums_of_tallies(tallies)
            )
        )
    return pl.concat(parts)


def _group_of(facet: Facet) -> pl.Expr:
    """The group that stands for the side of a known value in a comparison; null for neither."""
    value, of_d, of_a = pl.col("value"), _in_d(facet), _in_a(facet)
    is_in_d = value.is_in(facet.disfavored) if facet.disfavored else value == of_d
    if facet.finds_group:
        is_in_a = value == of_a
    elif facet.favored:
        is_in_a = value.is_in(facet.favored)
    else:
        is_in_a = value.is_not_null()
    return pl.when(is_in_d).then(of_d).when(is_in_a).then(of_a)


def _allocation(way: pl.Expr) -> pl.Expr:
    """The key of a window that has the unknown rows of one comparison given in one way."""
    return pl.concat_str(COMPARISON_KEY, way.cast(pl.String), separator="\x1e").alias(ALLOCATION)


def _by_facet(roles: Roles, group: Callable[[Facet], pl.Expr]) -> pl.Expr:
    found = pl.lit(None, pl.String)
    for facet in roles.facets:
        found = pl.when(pl.col("facet") == facet.name).then(group(facet)).otherwise(found)
    return found


def _in_d(facet: Facet) -> pl.Expr:
    """A group of side d."""
    return pl.lit(facet.disfavored[0]) if facet.disfavored else pl.col(COMPARISON_KEY)


def _in_a(facet: Facet) -> pl.Expr:
    """A group of side a."""
    if facet.finds_group:
        return pl.col("reference")
    return pl.lit(facet.favored[0] if facet.favored else _OTHERS)


def _of_allocations(
    choice: pl.DataFrame | None, filled: pl.DataFrame, roles: Roles
) -> pl.DataFrame | None:
    if choice is None:
        return None
    windows = filled.select(*place_keys(roles), ALLOCATION).unique(maintain_order=True)
    return windows.join(choice, on=place_keys(roles), nulls_equal=True)


def _with_ends(
    known: pl.DataFrame,
    limits: pl.DataFrame,
    extremes: pl.DataFrame,
    roles: Roles,
    name: str,
    metric: Metric,
    criteria: Criteria,
) -> pl.DataFrame:
    """The values with both ends of a metric's range, their bounds, and whether all have a value."""
    keys = keys_of(COMPARISON, roles)
    table = known
    for end, is_lower in zip(ENDS, (True, False), strict=True):
        at = _at(extremes, name, end, keys).with_columns(_allocation(pl.col(f"{end}{WAY}")))
        lower = upper = pl.lit(None)
        if criteria.options.confidence:
            lower, upper = ends(name, *bound_names(name), has_sides=metric.has_sides)
        bound = lower.alias("lower") if is_lower else upper.alias("upper")
        reason = pl.col(f"^{name}{REASON}$").alias(f"{end}{REASON}")
        of_end = limits.select(*keys, ALLOCATION, bound, reason)
        both = at.join(of_end, on=[*keys, ALLOCATION], how="left", nulls_equal=True)
        table = table.join(
            both.drop(ALLOCATION, f"{end}{WAY}"),
            on=keys,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
    is_defined = extremes.group_by(keys).agg(pl.col(name).is_not_null().all().alias(IS_DEFINED))
    return table.join(is_defined, on=keys, how="left", nulls_equal=True, maintain_order="left")


def rows_of_bounds(
    table: pl.DataFrame, roles: Roles, name: str, called: str, metric: Metric, criteria: Criteria
) -> pl.DataFrame:
    """The rows of one metric, by its inner name and the name by which it is called.

    ``table`` has its values, and the columns `ENDS`, ``lower``, ``upper`` and `IS_DEFINED`.
    """
    band = criteria.bands[called]
    least, most = ("lower", "upper") if criteria.options.confidence else ENDS
    verdict = undefined = pl.lit(None, pl.String)
    if band is not None:
        low, high = map(pl.lit, widened(band))
        sign = pl.lit(criteria.signs.get(called, 0))
        verdict = judged(pl.col(least), pl.col(most), low, high, sign, pl.lit(0))
        undefined = pl.lit("undefined")
    depends = pl.lit(DEPENDS)
    verdict = (
        pl.when(pl.col("lowest").is_null())
        .then(undefined)
        .when(verdict.is_null())
        .then(None)
        # A way without a value, or without an interval, is none that is fair.
        .when(~pl.col(IS_DEFINED) | pl.col(least).is_null() | pl.col(most).is_null())
        .then(depends)
        .otherwise(pl.when(verdict == "uncertain").then(depends).otherwise(verdict))
    )
    if roles.windows.has_classes:
        table = table.filter(is_meant(metric, roles))
    words = pl.lit("facet: the value is undefined if the unknown rows are of some groups")
    is_undefined = pl.col("lowest").is_not_null() & ~pl.col(IS_DEFINED)
    reasons = [pl.col(f"{end}{REASON}") for end in ENDS if f"{end}{REASON}" in table.columns]
    standard = zip(STANDARD, (metric.ideal, *(band or (None, None))), strict=True)
    return table.select(
        *place_keys(roles),
        *SIDES[1:],
        pl.lit(called).alias("metric"),
        *SIZES,
        "rows_seen",
        "rows_used",
        "rows_dropped",
        *(pl.lit(number, pl.Float64).alias(column) for column, number in standard),
        pl.coalesce(pl.when(is_undefined).then(words), *reasons).alias("note"),
        pl.col(name).alias("value"),
        *ENDS,
        *(pl.col(end).cast(pl.Float64) for end in ("lower", "upper")),
        verdict.alias("verdict"),
        pl.lit(name).alias(METRIC),
    )
