"""Sides that the data decide, found once from all cells of a call."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.sides import PAIR
from polars_fairness.question.facets import Facet, Highest
from polars_fairness.question.roles import Roles

GROUPS_CHOSEN_FROM: Final = "groups\x1f"
"""An inner column: the number of groups among which the data chose the sides of a comparison."""

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12

_OTHER: Final = "other of the pair\x1f"


def sides_decided(cells: pl.LazyFrame, roles: Roles) -> tuple[pl.LazyFrame, Roles]:
    """The cells and their question, with sides that need no further decision.

    If a facet has exactly two known values and no side was given, both sides are named. The values
    of all windows count, so that the sides are the same in every window. A group that is side a,
    such as the group with the highest rate, is in a column of the cells. Rows without the outcome
    by which groups are ranked decide nothing.
    """
    if not roles.are_apart:
        # Groups of all facets together have no sides.
        return cells, replace(
            roles, facets=tuple(replace(facet, reference=None) for facet in roles.facets)
        )
    open_facets = [
        facet for facet in roles.facets if facet.one_against_the_rest or facet.finds_group
    ]
    if not open_facets:
        return cells, roles
    ranked = of_complete_rows(cells, roles.ranking)
    groups = groups_of_facets(ranked, roles)
    at_hand = None if roles.in_plan else collected(groups, is_cheap=True)
    groups = groups.cache() if at_hand is None else at_hand.lazy()
    names, places = cells.collect_schema().names(), [*roles.windows.keys, "facet"]
    if finding := [facet for facet in open_facets if facet.finds_group]:
        found = pl.concat(_found(facet, groups, places, roles) for facet in finding)
        cells = cells.join(found, on=places, how="left", nulls_equal=True, maintain_order="left")
    if at_hand is not None:
        facets = (_paired(each, at_hand.filter(facet=each.name)["value"]) for each in roles.facets)
        return cells, replace(roles, facets=tuple(facets))
    if paired := [facet for facet in open_facets if facet.one_against_the_rest]:
        pairs = pl.concat(_pair(facet, groups) for facet in paired)
        cells = cells.join(pairs, on="facet", how="left", maintain_order="left")
        # A facet that finds a group has it in the same column.
        reference = pl.coalesce("reference", _OTHER) if finding else pl.col(_OTHER)
        cells = cells.with_columns(reference=reference).select(*names, PAIR, "reference")
    facets = (replace(each, may_pair=each.one_against_the_rest) for each in roles.facets)
    return cells.cache(), replace(roles, facets=tuple(facets))


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


def _found(facet: Facet, groups: pl.LazyFrame, places: list[str], roles: Roles) -> pl.LazyFrame:
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
    size = pl.col("weight" if roles.weight else "n")
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
    ranked = of_complete_rows(cells, roles.ranking)
    parts = [
        groups_of_facets(ranked, roles)
        .filter(pl.col("facet") == facet.name, ~pl.col("value").is_in(facet.disfavored))
        .group_by(*roles.windows.keys, "facet")
        .agg((pl.len() + bool(facet.disfavored)).cast(pl.Int64).alias(GROUPS_CHOSEN_FROM))
        for facet in roles.facets
        if facet.reference is not None and facet.reference.ranks_by_rate
    ]
    return collected(pl.concat(parts), is_cheap=True) if parts else None


def is_large(share: pl.Expr, minimum: float) -> pl.Expr:
    """Whether a share of the rows is at least the smallest that a reference may have."""
    return share >= minimum - _ROUNDING


def _paired(facet: Facet, values: pl.Series) -> Facet:
    """The facet, whose first value is side d and whose other value is side a, if it has two."""
    values = values.unique()
    if not facet.one_against_the_rest or len(values) != 2:
        return facet
    first, other = facet.in_order(values)
    return replace(facet, disfavored=(first,), favored=(other,))
