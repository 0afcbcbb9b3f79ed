"""Votes back to rows: whose outcome flips."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.cells import members
from polars_fairness.counts import prepare
from polars_fairness.errors import FairnessError
from polars_fairness.metric import Metric
from polars_fairness.neighbours.ballot import voted
from polars_fairness.opposed import COMPARISON, favored, with_sides
from polars_fairness.roles import Roles

COLUMNS: Final = ("facet", "disfavored", "favored", "flip", "vote")


def members_flipped(
    frame: pl.LazyFrame, cells: pl.LazyFrame, roles: Roles, test: Metric
) -> pl.LazyFrame:
    """Find the members of d whose neighbours vote against their outcome."""
    own = frame.collect_schema().names()
    for name in COLUMNS:
        if name in own:
            msg = f"flips: the result has a column {name!r} of its own; rename that of the frame"
            raise FairnessError(msg)
    sided = with_sides(prepare(cells, roles), roles)
    polled = voted(sided, roles, "member of d", test.parsed.neighbourhood)
    keys = [*roles.window, "facet", COMPARISON, *roles.point]
    votes = polled.group_by(keys).agg(vote=pl.col("d_x.vote").first())
    rows = pl.concat(members(frame, roles, facet) for facet in roles.facets)
    predicted = next(outcome for outcome in roles.outcomes if outcome.role == "predicted")
    is_accepted = predicted.positive_of(pl.col("predicted"))
    cases = (
        with_sides(rows, roles)
        .filter("in_d")
        .join(votes, on=keys, nulls_equal=True, maintain_order="left")
        .filter((pl.col("vote") > 0.5) != is_accepted)
        .with_columns(
            flip=pl.when(is_accepted).then(pl.lit("favorable")).otherwise(pl.lit("unfavorable")),
            disfavored=roles.written(pl.col(COMPARISON)),
            favored=favored(roles),
        )
    )
    windows = (
        pl.col(name).alias(by.name)
        for name, by in zip(roles.window, roles.by, strict=True)
        if by.name not in own
    )
    return (
        cases.sort(*roles.window, "facet", "disfavored", nulls_last=True, maintain_order=True)
        .select(*windows, *COLUMNS, "own")
        .unnest("own")
    )
