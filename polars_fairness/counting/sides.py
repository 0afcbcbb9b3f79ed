"""Cells to the counts of both sides of each comparison.

A *comparison* is side d against side a of one facet in one window. Its counts are on one row,
``d.tp`` beside ``a.tp``, so that a formula of the catalogue is plain arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import shared, tallied, with_columns_of
from polars_fairness.formula.levels import Level
from polars_fairness.question.facets import SEPARATOR, Facet, Highest, is_among
from polars_fairness.question.roles import Roles

GROUPS_CHOSEN_FROM: Final = "groups\x1f"
"""An inner column: the number of groups among which the data chose the sides of a comparison."""

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12

_OTHER: Final = "other of the pair\x1f"


COMPARISON_KEY: Final = "comparison"

PAIR: Final = "pair\x1f"
"""The column of cells with the value that is side d, where the data have two values."""

_OWN: Final = "own comparison\x1f"

ALL: Final = "(all)"
"""The name of all rows in results: as a side, and in place of a facet."""


def with_sides(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Add the comparison of each cell, and whether it is in d and in a.

    If side d is given, there is one comparison, with all cells. If not, each value has a
    comparison, with its own cells as d. Cells of side a and of unknown value are then in none.
    Without a group as reference there is no comparison either.
    """
    return cells.with_columns(
        # Without a facet there is one comparison, and its sides have no rows.
        choose_by_facet(roles, _comparison, pl.lit("")).alias(COMPARISON_KEY),
        choose_by_facet(roles, _is_in_d, pl.lit(False)).alias("in_d"),
        choose_by_facet(roles, _is_in_a, pl.lit(False)).alias("in_a"),
    )


_VALUE, _REFERENCE = pl.col("value"), pl.col("reference")


def _comparison(facet: Facet) -> pl.Expr:
    named = pl.lit(", ".join(facet.disfavored))
    if facet.finds_group:
        is_compared = _REFERENCE.is_not_null() if facet.disfavored else _VALUE != _REFERENCE
        return pl.when(is_compared).then(named if facet.disfavored else _VALUE)
    if facet.may_pair:
        return pl.coalesce(PAIR, _VALUE)
    if facet.disfavored:
        return named
    return pl.when(~is_among(_VALUE, facet.favored)).then(_VALUE) if facet.favored else _VALUE


def _is_in_d(facet: Facet) -> pl.Expr:
    if facet.disfavored:
        return is_among(_VALUE, facet.disfavored)
    if facet.may_pair:
        return pl.coalesce(PAIR, _VALUE) == _VALUE
    return _VALUE != _REFERENCE if facet.finds_group else ~is_among(_VALUE, facet.favored)


def _is_in_a(facet: Facet) -> pl.Expr:
    if facet.finds_group or facet.may_pair:
        return _VALUE == _REFERENCE
    if facet.is_against_all:
        return _VALUE.is_not_null()
    if facet.favored:
        return is_among(_VALUE, facet.favored)
    return ~is_among(_VALUE, facet.disfavored) if facet.disfavored else pl.lit(False)


def written_key(key: pl.Expr, roles: Roles) -> pl.Expr:
    """Keys as results show them, with " & " in intersections; null without a facet."""
    if not roles.facets:
        return pl.col("facet")
    if not roles.has_intersections:
        return key
    return key.str.replace_all(SEPARATOR, " & ", literal=True)


def favored(roles: Roles) -> pl.Expr:
    """The values of side a as text; null where side a is all other known values."""
    all_others = pl.lit(None, pl.String)

    def values(facet: Facet) -> pl.Expr:
        if facet.finds_group or facet.may_pair:
            return pl.col("reference")
        if facet.is_against_all:
            return pl.lit(ALL)
        return pl.lit(", ".join(facet.favored)) if facet.favored else all_others

    return written_key(choose_by_facet(roles, values, all_others), roles)


def members(comparisons: pl.LazyFrame, cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of both sides of some comparisons, from the cells with their sides.

    Each cell is there once for each comparison that it belongs to, with this comparison.
    """
    places = [*roles.windows.keys, "facet", *roles.reference_keys]
    own = pl.col(_OWN) == pl.col(COMPARISON_KEY)

    def is_in_a(facet: Facet) -> pl.Expr:
        if facet.disfavored:
            return own & pl.col("in_a")
        return pl.col("in_d") & ~own if facet.one_against_the_rest else pl.col("in_a")

    pairs = comparisons.join(
        cells.rename({COMPARISON_KEY: _OWN}),
        on=places,
        nulls_equal=True,
        maintain_order="left_right",
    )
    sided = pairs.with_columns(
        (own & pl.col("in_d")).fill_null(value=False).alias("in_d"),
        choose_by_facet(roles, is_in_a, pl.lit(False)).fill_null(value=False).alias("in_a"),
    )
    return sided.filter(pl.col("in_d") | pl.col("in_a")).drop(_OWN)


def two_sided(
    cells: pl.LazyFrame, roles: Roles, level: Level, index: Sequence[str]
) -> pl.LazyFrame:
    """The counts of both sides of every comparison, a row for each value of the index columns."""
    facet_keys = [*roles.windows.keys, "facet", *roles.reference_keys]
    places = [*facet_keys, *index]
    a, d = level.counted_names
    counts = tallied(roles)
    neither = [(side.name, count) for side in level.beside for count in counts]
    of_known = [
        pl.col(count).filter(pl.col("value").is_not_null()).sum().alias(f"{side}.{count}")
        for side, count in neither
    ]
    table = cells.group_by(*places, COMPARISON_KEY, maintain_order=True).agg(
        *_sums_of_sides(a, d, counts), *of_known
    )
    if not all(facet.disfavored for facet in roles.facets):
        if index:
            table = _completed(table, facet_keys, places)
        table = table.with_columns(
            [_sum_of_a(f"{d}.{count}", f"{a}.{count}", places, roles) for count in counts]
        )
    if neither:
        table = table.with_columns(
            (
                pl.col(f"{side}.{count}").sum().over(places)
                - pl.col(f"{d}.{count}")
                - pl.col(f"{a}.{count}")
            )
            .clip(0)
            .alias(f"{side}.{count}")
            for side, count in neither
        )
    return table.filter(pl.col(COMPARISON_KEY).is_not_null())


@cache
def _sums_of_sides(a: str, d: str, counts: tuple[str, ...]) -> list[pl.Expr]:
    return [
        pl.when(is_member).then(count).otherwise(0.0).sum().alias(f"{side}.{count}")
        for side, is_member in ((d, "in_d"), (a, "in_a"))
        for count in counts
    ]


def _completed(
    table: pl.LazyFrame, facet_keys: Sequence[str], places: Sequence[str]
) -> pl.LazyFrame:
    """Add rows of zeros for index values that a comparison lacks and another one has."""
    comparisons = table.select(*facet_keys, COMPARISON_KEY).unique(maintain_order=True)
    occurring = table.select(places).unique(maintain_order=True)
    grid = comparisons.join(occurring, on=facet_keys, nulls_equal=True, maintain_order="left_right")
    whole = with_columns_of(grid, table, [*places, COMPARISON_KEY])
    return whole.with_columns(pl.exclude(*places, COMPARISON_KEY).fill_null(0.0))


def _sum_of_a(d: str, a: str, places: Sequence[str], roles: Roles) -> pl.Expr:
    """The sum of a count over side a, for comparisons that have the cells of d only.

    Where side a is all other known values, it is the total less d. For sums of weights, or of parts
    of rows, that difference can be 1e-17 where it should be 0, and a quotient by 1e-17 looks like
    a number. So there the comparisons before and after are added up.
    """
    if roles.is_weighted or roles.best:
        before = pl.col(d).cum_sum().shift(1, fill_value=0.0)
        after = pl.col(d).cum_sum(reverse=True).shift(-1, fill_value=0.0)
        rest = (before + after).over(places)
    else:
        rest = pl.col(d).sum().over(places) - pl.col(d)
    given = pl.col(a).sum().over(places)
    against_rest = [facet.name for facet in roles.facets if facet.one_against_the_rest]
    if any(facet.may_pair for facet in roles.facets):
        is_rest = pl.col("facet").is_in(against_rest) & pl.col("reference").is_null()
        return pl.when(is_rest).then(rest).otherwise(given).alias(a)
    if len(against_rest) == len(roles.facets):
        return rest.alias(a)
    # One choice between two sums for all facets: with a choice per facet, both sums were evaluated
    # for each facet, and 40 facets took 16 s.
    is_against_rest = pl.col("facet").is_in(against_rest)
    return pl.when(is_against_rest).then(rest).otherwise(given).alias(a)


def choose_by_facet(
    roles: Roles, describe: Callable[[Facet], pl.Expr], otherwise: pl.Expr
) -> pl.Expr:
    """Choose an expression per facet, from its sides: facets with the same sides have it once.

    A choice for each of 800 facets took 1 s of processor time, for facets without sides 2 ms.
    """
    if len(roles.facets) == 1:
        return describe(roles.facets[0])
    alike: dict[object, list[Facet]] = {}
    for each in roles.facets:
        sides = (each.disfavored, each.favored, each.reference, each.may_pair)
        alike.setdefault(sides, []).append(each)
    for facets in alike.values():
        is_of_these = pl.col("facet").is_in([each.name for each in facets])
        otherwise = pl.when(is_of_these).then(describe(facets[0])).otherwise(otherwise)
    return otherwise


def sides_decided(cells: pl.LazyFrame, roles: Roles) -> tuple[pl.LazyFrame, Roles]:
    """The cells and their question, with sides that need no further decision.

    If a facet has exactly two known values and no side was given, both sides are named. The values
    of all windows count, so that the sides are the same in every window. A group that is side a,
    such as the group with the highest rate, is in a column of the cells. Rows without the outcome
    by which groups are ranked decide nothing.
    """
    if not roles.are_apart:
        # Groups of all facets together have no sides.
        return cells, roles.with_facets(replace(each, reference=None) for each in roles.facets)
    open_facets = [
        facet for facet in roles.facets if facet.one_against_the_rest or facet.finds_group
    ]
    if not open_facets:
        return cells, roles
    ranked = complete_cells(cells, roles.ranking)
    groups = groups_of_facets(ranked, roles)
    at_hand = None if roles.in_plan else collected(groups, is_cheap=True)
    groups = shared(groups) if at_hand is None else at_hand.lazy()
    names, places = cells.collect_schema().names(), [*roles.windows.keys, "facet"]
    if finding := [facet for facet in open_facets if facet.finds_group]:
        references = pl.concat(_reference_groups(facet, groups, places, roles) for facet in finding)
        cells = with_columns_of(cells, references, places)
    if at_hand is not None:
        return cells, roles.with_facets(
            _paired(each, at_hand.filter(facet=each.name)["value"]) for each in roles.facets
        )
    if paired := [facet for facet in open_facets if facet.one_against_the_rest]:
        pairs = pl.concat(_pair(facet, groups) for facet in paired)
        cells = cells.join(pairs, on="facet", how="left", maintain_order="left")
        # A facet that finds a group has it in the same column.
        reference = pl.coalesce("reference", _OTHER) if finding else pl.col(_OTHER)
        cells = cells.with_columns(reference=reference).select(*names, PAIR, "reference")
    return shared(cells), roles.with_facets(
        replace(each, may_pair=each.one_against_the_rest) for each in roles.facets
    )


def _pair(facet: Facet, groups: pl.LazyFrame) -> pl.LazyFrame:
    """The two values of a facet that has no others: the first is side d."""
    value = pl.col("value")
    return (
        groups.filter(pl.col("facet") == facet.name)
        .select("facet", "value")
        .unique()
        .sort(facet.order_of(value))
        .group_by("facet", maintain_order=True)
        .agg(value.first().alias(PAIR), value.last().alias(_OTHER), values=pl.len())
        .filter(pl.col("values") == 2)
        .drop("values")
    )


def _reference_groups(
    facet: Facet, groups: pl.LazyFrame, places: list[str], roles: Roles
) -> pl.LazyFrame:
    """The group that is side a in each window; of several, the first value in order."""
    size = pl.col("size")
    share = size / size.sum().over(places)
    rank, may_be_found = share, ~pl.col("value").is_in(facet.disfavored)
    if isinstance(facet.reference, Highest):
        rate = pl.col("positive") / size
        rank = rate if roles.favorable else -rate
        may_be_found &= pl.col("rows") >= facet.reference.minimum_count
        may_be_found &= is_large(share, facet.reference.minimum_share)
    order = facet.order_of(pl.col("value"))
    return (
        groups.filter(pl.col("facet") == facet.name)
        .with_columns(rank=(rank / _ROUNDING).round())
        .filter(may_be_found)
        .sort("rank", *order, descending=[True, *(False for _ in order)])
        .unique(places, keep="first", maintain_order=True)
        .select(*places, reference="value")
    )


def groups_of_facets(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The groups of every window, with their rows, their size and what of it is positive.

    ``cells`` has the cells of complete rows.
    """
    size = pl.col(roles.mass)
    outcome = roles.ranking_outcome if roles.ranks_groups else None
    is_positive = outcome.positive_of(pl.col(outcome.key)) if outcome else pl.lit(False)
    known = cells.filter(pl.col("value").is_not_null())
    return known.group_by(*roles.windows.keys, "facet", "value", maintain_order=True).agg(
        rows=pl.col("n").sum(),
        size=size.sum(),
        positive=pl.when(is_positive).then(size).otherwise(0).sum(),
    )


def find_choice(cells: pl.LazyFrame, roles: Roles) -> pl.DataFrame | None:
    """The number of groups from which the data chose a pair, by window and facet, if they did.

    The group with the highest rate is high by chance too. Of 20 equal groups of 200 rows at 5 %,
    some group had an interval beyond the four-fifths band of `di` in 65 of 100 data sets. So what
    is said of a pair has to hold for all pairs of these groups. The largest group is not chosen for
    its rate: beside it, intervals hold as often as beside a group that is named.
    """
    if not roles.ranks_groups:
        return None
    groups = groups_of_facets(complete_cells(cells, roles.ranking), roles)
    parts = [
        groups.filter(pl.col("facet") == facet.name, ~pl.col("value").is_in(facet.disfavored))
        .group_by(*roles.windows.keys, "facet")
        .agg((pl.len() + bool(facet.disfavored)).cast(pl.Int64).alias(GROUPS_CHOSEN_FROM))
        for facet in roles.facets
        if facet.reference is not None and facet.reference.ranks_by_rate
    ]
    return collected(pl.concat(parts), is_cheap=True)


def is_large(share: pl.Expr, minimum: float) -> pl.Expr:
    """Whether a share of the rows is at least the smallest that a reference may have."""
    return share >= minimum - _ROUNDING


def _paired(facet: Facet, values: pl.Series) -> Facet:
    """The facet, whose first value is side d and whose other value is side a, if it has two."""
    values = values.unique()
    if not facet.one_against_the_rest or len(values) != 2:
        return facet
    first, other = facet.sort_keys(values)
    return replace(facet, disfavored=(first,), favored=(other,))
