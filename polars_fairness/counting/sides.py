"""Cells to two-sided counts: d against a.

A *comparison* sets side d of one facet against side a, within one window. Its counts are laid
out on one row, ``d.tp`` beside ``a.tp``, so that a formula of the catalogue is plain arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

import polars as pl

from polars_fairness.counting.counts import tallied, with_terms
from polars_fairness.formula.arithmetic import unbounded_ratio
from polars_fairness.formula.levels import Level
from polars_fairness.question.facets import SEPARATOR, Facet
from polars_fairness.question.roles import Roles

COMPARISON_KEY: Final = "comparison"


def with_sides(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Say of every cell which comparison it belongs to, and on which side it is.

    Where d is named there is one comparison, and every row belongs to it; else the cells of
    each value belong to its own, and those of side a, or of no known value, to none.
    """
    value = pl.col("value")

    def comparison(facet: Facet) -> pl.Expr:
        if facet.disfavored:
            return pl.lit(", ".join(facet.disfavored))
        return pl.when(~value.is_in(facet.favored)).then(value) if facet.favored else value

    def in_d(facet: Facet) -> pl.Expr:
        if facet.disfavored:
            return value.is_in(facet.disfavored)
        return ~value.is_in(facet.favored)

    def in_a(facet: Facet) -> pl.Expr:
        if facet.favored:
            return value.is_in(facet.favored)
        return ~value.is_in(facet.disfavored) if facet.disfavored else pl.lit(False)

    return cells.with_columns(
        # Without a facet there is one comparison, of nobody with nobody.
        _by_facet(roles, comparison, pl.lit("")).alias(COMPARISON_KEY),
        _by_facet(roles, in_d, pl.lit(False)).alias("in_d"),
        _by_facet(roles, in_a, pl.lit(False)).alias("in_a"),
    )


def written_key(key: pl.Expr, roles: Roles) -> pl.Expr:
    """Keys as text for the reader; without a facet there are none."""
    if not roles.facets:
        return pl.col("facet")
    if not any(facet.is_intersection for facet in roles.facets):
        return key
    return key.str.replace_all(SEPARATOR, " & ", literal=True)


def favored(roles: Roles) -> pl.Expr:
    """The name of side a, null for everyone else."""
    everyone_else = pl.lit(None, pl.String)

    def name(facet: Facet) -> pl.Expr:
        return pl.lit(", ".join(facet.favored)) if facet.favored else everyone_else

    return written_key(_by_facet(roles, name, everyone_else), roles)


def two_sided(
    cells: pl.LazyFrame, roles: Roles, level: Level, index: Sequence[str]
) -> pl.LazyFrame:
    """Count both sides of every comparison, once per value of the index; absent is 0."""
    facet_keys = [*roles.windows.keys, "facet"]
    place = [*facet_keys, *index]
    a, d = (side.name for side in level.counted)
    table = cells.group_by(*place, COMPARISON_KEY, maintain_order=True).agg(
        _sums_of_sides(a, d, tallied(roles))
    )
    if all(facet.disfavored for facet in roles.facets):
        return table
    if index:
        table = _completed(table, facet_keys, place)
    return table.with_columns(
        *(_opponents(f"{d}.{count}", f"{a}.{count}", place, roles) for count in tallied(roles)),
        pl.col("unknown").sum().over(facet_keys),
    ).filter(pl.col(COMPARISON_KEY).is_not_null())


@cache
def _sums_of_sides(a: str, d: str, counts: tuple[str, ...]) -> list[pl.Expr]:
    sums = [
        pl.when(members).then(count).otherwise(0.0).sum().alias(f"{side}.{count}")
        for side, members in ((d, "in_d"), (a, "in_a"))
        for count in counts
    ]
    unknown = pl.when(pl.col("value").is_null()).then("mass").otherwise(0.0).sum()
    return [*sums, unknown.alias("unknown")]


def with_terms_of_sides(
    table: pl.LazyFrame, terms: Iterable[str], roles: Roles, level: Level, keys: Sequence[str]
) -> pl.LazyFrame:
    """Add to the counts of both sides what they are together, and the terms of formulas."""
    a, d = (side.name for side in level.counted)
    table = table.with_columns(
        (pl.col(f"{d}.{count}") + pl.col(f"{a}.{count}")).alias(f"{both.name}.{count}")
        for both in level.sums
        for count in tallied(roles)
    )
    terms = {f"{d}.n", f"{a}.n", *terms}
    shares = {term for term in terms if term.endswith(".share")}
    sizes = {term: term.replace(".share", ".n") for term in sorted(shares)}
    return with_terms(table, (terms - shares) | {*sizes.values()}, roles).with_columns(
        unbounded_ratio(pl.col(size), pl.col(size).sum().over(keys)).alias(term)
        for term, size in sizes.items()
    )


def _completed(
    table: pl.LazyFrame, facet_keys: Sequence[str], place: Sequence[str]
) -> pl.LazyFrame:
    """Add the places of the index where one side, or the other, has no rows at all."""
    comparisons = table.select(*facet_keys, COMPARISON_KEY).unique(maintain_order=True)
    places = table.select(place).unique(maintain_order=True)
    grid = comparisons.join(places, on=facet_keys, nulls_equal=True, maintain_order="left_right")
    whole = grid.join(
        table, on=[*place, COMPARISON_KEY], how="left", nulls_equal=True, maintain_order="left"
    )
    return whole.with_columns(pl.exclude(*place, COMPARISON_KEY).fill_null(0.0))


def _opponents(d: str, a: str, place: Sequence[str], roles: Roles) -> pl.Expr:
    """Count side a of comparisons that have the cells of d only.

    Everyone else is the total less one's own. Of weights that would leave 1e-17 where there is
    nothing, and a quotient by that looks like a number: there those before and those after are
    added up.
    """
    if roles.weight:
        before = pl.col(d).cum_sum().shift(1, fill_value=0.0)
        after = pl.col(d).cum_sum(reverse=True).shift(-1, fill_value=0.0)
        everyone_else = (before + after).over(place)
    else:
        everyone_else = pl.col(d).sum().over(place) - pl.col(d)
    named = pl.col(a).sum().over(place)
    against_rest = [facet.name for facet in roles.facets if facet.one_against_the_rest]
    if len(against_rest) == len(roles.facets):
        return everyone_else.alias(a)
    # One choice between two sums, whatever the number of facets: a choice per facet evaluated
    # both sums for each, and 40 facets took 16 s.
    is_against_rest = pl.col("facet").is_in(against_rest)
    return pl.when(is_against_rest).then(everyone_else).otherwise(named).alias(a)


def _by_facet(roles: Roles, describe: Callable[[Facet], pl.Expr], otherwise: pl.Expr) -> pl.Expr:
    """Say something else of every facet, as one expression."""
    if len(roles.facets) == 1:
        return describe(roles.facets[0])
    for facet in reversed(roles.facets):
        otherwise = (
            pl.when(pl.col("facet") == facet.name).then(describe(facet)).otherwise(otherwise)
        )
    return otherwise
