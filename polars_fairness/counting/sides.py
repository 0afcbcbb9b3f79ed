"""Cells to the counts of both sides of each comparison.

A *comparison* is side d against side a of one facet in one window. Its counts are on one row,
``d.tp`` beside ``a.tp``, so that a formula of the catalogue is plain arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import polars as pl

from polars_fairness.counting.counts import tallied
from polars_fairness.formula.levels import Level
from polars_fairness.question.facets import SEPARATOR, Facet
from polars_fairness.question.roles import Roles

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
        _by_facet(roles, _comparison, pl.lit("")).alias(COMPARISON_KEY),
        _by_facet(roles, _is_in_d, pl.lit(False)).alias("in_d"),
        _by_facet(roles, _is_in_a, pl.lit(False)).alias("in_a"),
    )


_VALUE, _REFERENCE = pl.col("value"), pl.col("reference")


def _comparison(facet: Facet) -> pl.Expr:
    named = pl.lit(", ".join(facet.disfavored))
    if facet.finds_group:
        found = _REFERENCE.is_not_null() if facet.disfavored else _VALUE != _REFERENCE
        return pl.when(found).then(named if facet.disfavored else _VALUE)
    if facet.may_pair:
        return pl.coalesce(PAIR, _VALUE)
    if facet.disfavored:
        return named
    return pl.when(~_VALUE.is_in(facet.favored)).then(_VALUE) if facet.favored else _VALUE


def _is_in_d(facet: Facet) -> pl.Expr:
    if facet.disfavored:
        return _VALUE.is_in(facet.disfavored)
    if facet.may_pair:
        return pl.coalesce(PAIR, _VALUE) == _VALUE
    return _VALUE != _REFERENCE if facet.finds_group else ~_VALUE.is_in(facet.favored)


def _is_in_a(facet: Facet) -> pl.Expr:
    if facet.finds_group or facet.may_pair:
        return _VALUE == _REFERENCE
    if facet.is_against_all:
        return _VALUE.is_not_null()
    if facet.favored:
        return _VALUE.is_in(facet.favored)
    return ~_VALUE.is_in(facet.disfavored) if facet.disfavored else pl.lit(False)


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

    return written_key(_by_facet(roles, values, all_others), roles)


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
        _by_facet(roles, is_in_a, pl.lit(False)).fill_null(value=False).alias("in_a"),
    )
    return sided.filter(pl.col("in_d") | pl.col("in_a")).drop(_OWN)


def two_sided(
    cells: pl.LazyFrame, roles: Roles, level: Level, index: Sequence[str]
) -> pl.LazyFrame:
    """The counts of both sides of every comparison, a row for each value of the index columns."""
    facet_keys = [*roles.windows.keys, "facet", *roles.reference_keys]
    places = [*facet_keys, *index]
    a, d = level.counted_names
    neither = [(side.name, count) for side in level.beside for count in tallied(roles)]
    table = cells.group_by(*places, COMPARISON_KEY, maintain_order=True).agg(
        *_sums_of_sides(a, d, tallied(roles)),
        *(
            pl.col(count).filter(pl.col("value").is_not_null()).sum().alias(f"{side}.{count}")
            for side, count in neither
        ),
    )
    if not all(facet.disfavored for facet in roles.facets):
        if index:
            table = _completed(table, facet_keys, places)
        table = table.with_columns(
            _sum_of_a(f"{d}.{count}", f"{a}.{count}", places, roles) for count in tallied(roles)
        )
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
    whole = grid.join(
        table, on=[*places, COMPARISON_KEY], how="left", nulls_equal=True, maintain_order="left"
    )
    return whole.with_columns(pl.exclude(*places, COMPARISON_KEY).fill_null(0.0))


def _sum_of_a(d: str, a: str, places: Sequence[str], roles: Roles) -> pl.Expr:
    """The sum of a count over side a, for comparisons that have the cells of d only.

    Where side a is all other known values, it is the total less d. Of sums of weights, or of parts
    of rows, that difference can be 1e-17 where it should be 0, and a quotient by 1e-17 looks like
    a number. So there the comparisons before and after are added up.
    """
    if roles.weight or roles.best:
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


def _by_facet(roles: Roles, describe: Callable[[Facet], pl.Expr], otherwise: pl.Expr) -> pl.Expr:
    """Choose an expression per facet."""
    if len(roles.facets) == 1:
        return describe(roles.facets[0])
    for facet in reversed(roles.facets):
        otherwise = (
            pl.when(pl.col("facet") == facet.name).then(describe(facet)).otherwise(otherwise)
        )
    return otherwise
