"""Votes back to rows: whose outcome flips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import prepare
from polars_fairness.counting.polars_rows import OWN, RowsHere
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.neighbours.points import is_accepted, voted

COLUMNS: Final = ("facet", "disfavored", "favored", "flip", "vote")
"""The columns of the result, between those of ``by`` and the row's own."""


def members_flipped(
    everybody: RowsHere, cells: pl.LazyFrame, roles: Roles, test: Metric
) -> pl.LazyFrame:
    """Find the members of d whose neighbours vote against their outcome."""
    own = everybody.schema.names()
    windows = {
        inside: by.name for inside, by in roles.windows.by_key.items() if not by.is_column_of(own)
    }
    _refuse_collisions([*windows.values(), *COLUMNS], own)
    sided = with_sides(prepare(cells, roles), roles)
    polled = voted(sided, roles, test.parsed.level, test.parsed.neighbourhood)
    keys = [*roles.windows.keys, "facet", COMPARISON_KEY, *roles.points.keys]
    votes = polled.group_by(keys).agg(vote=pl.col("d_x.vote").first())
    rows = pl.concat(everybody.members(roles, facet) for facet in roles.facets)
    accepted = is_accepted(roles)
    cases = (
        with_sides(rows, roles)
        .filter("in_d")
        .join(votes, on=keys, nulls_equal=True, maintain_order="left")
        .filter((pl.col("vote") > 0.5) != accepted)
        .with_columns(
            flip=pl.when(accepted).then(pl.lit("favorable")).otherwise(pl.lit("unfavorable")),
            disfavored=written_key(pl.col(COMPARISON_KEY), roles),
            favored=favored(roles),
        )
    )
    order = [*roles.windows.keys, "facet", "disfavored"]
    return cases.sort(order, nulls_last=True, maintain_order=True).select(
        *(pl.col(inside).alias(name) for inside, name in windows.items()),
        *COLUMNS,
        *(pl.col(f"{OWN}{name}").alias(name) for name in own),
    )


def _refuse_collisions(told: Sequence[str], own: Sequence[str]) -> None:
    for name in told:
        if name in own or told.count(name) > 1:
            msg = (
                f"flips: the result has a column {name!r} beside those of the frame; "
                "rename the frame's, or give a window another name with .alias()"
            )
            raise FairnessError(msg)
