"""Sides that the data decide, found once from all cells of a call."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.question.facets import Facet
from polars_fairness.question.roles import Roles


def sides_decided(cells: pl.LazyFrame, roles: Roles) -> Roles:
    """The same question, with both sides named for each facet of exactly two known values.

    The values of all windows count, so that the sides are the same in every window. The cells are
    those of complete rows.
    """
    is_open = any(facet.one_against_the_rest for facet in roles.facets)
    if not (is_open and roles.are_apart):
        return roles
    known = cells.select("facet", "value").filter(pl.col("value").is_not_null()).unique()
    values = collected(known, is_cheap=True)
    facets = (_paired(facet, values.filter(facet=facet.name)["value"]) for facet in roles.facets)
    return replace(roles, facets=tuple(facets))


def _paired(facet: Facet, values: pl.Series) -> Facet:
    """The facet, whose first value is side d and whose other value is side a, if it has two."""
    if not facet.one_against_the_rest or len(values) != 2:
        return facet
    first, other = facet.in_order(values)
    return replace(facet, disfavored=(first,), favored=(other,))
