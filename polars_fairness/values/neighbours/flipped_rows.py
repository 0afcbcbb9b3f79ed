"""The rows whose prediction flips: the vote of their neighbours is against it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_finest_counts
from polars_fairness.counting.decided_sides import sides_decided
from polars_fairness.counting.polars_rows import OWN, PolarsRows
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.neighbours.points import is_accepted, with_votes

COLUMNS: Final = ("facet", "disfavored", "favored", "flip", "vote")
"""The columns of the result, between those of ``by`` and the row's own."""

_VOTED: Final = {"disfavored": pl.String(), "favored": pl.String(), "vote": pl.Float64()}


def members_flipped(
    rows: PolarsRows, cells: pl.LazyFrame, roles: Roles, test: Metric
) -> pl.LazyFrame:
    """The members of d whose neighbours vote against their prediction."""
    own = rows.schema.names()
    windows = {key: by.name for key, by in roles.windows.by_key.items() if not by.is_column_of(own)}
    _refuse_collisions([*windows.values(), *COLUMNS], own)
    keys = [*roles.windows.keys, "facet", "value", *roles.points.keys]
    types = cells.collect_schema()
    votes = cells.map_batches(
        partial(_votes_on_members, roles=roles, test=test, keys=keys),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=pl.Schema({key: types[key] for key in keys} | _VOTED),
    )
    members = pl.concat(rows.members(roles, facet) for facet in roles.facets)
    accepted = is_accepted(roles)
    flipped = (
        members.join(votes, on=keys, nulls_equal=True, maintain_order="left")
        .filter((pl.col("vote") > 0.5) != accepted)
        .with_columns(
            flip=pl.when(accepted).then(pl.lit("favorable")).otherwise(pl.lit("unfavorable"))
        )
    )
    order = [*roles.windows.keys, "facet", "disfavored"]
    return flipped.sort(order, nulls_last=True, maintain_order=True).select(
        *(pl.col(key).alias(name) for key, name in windows.items()),
        *COLUMNS,
        *(pl.col(f"{OWN}{name}").alias(name) for name in own),
    )


def _votes_on_members(
    cells: pl.DataFrame, roles: Roles, test: Metric, keys: Sequence[str]
) -> pl.DataFrame:
    """The vote on the members of d at each point, with the two sides of their comparison."""
    decided, roles = sides_decided(cells.lazy(), roles)
    sided = with_sides(with_finest_counts(decided, roles), roles)
    individuals = with_votes(sided, roles, test.parsed.level, test.parsed.neighbourhood)
    described = (written_key(pl.col(COMPARISON_KEY), roles), favored(roles), pl.col("d_x.vote"))
    voted = (column.alias(name) for column, name in zip(described, _VOTED, strict=True))
    return collected(individuals.select(*keys, *voted).unique(keys, maintain_order=True))


def _refuse_collisions(added: Sequence[str], own: Sequence[str]) -> None:
    for name in added:
        if name in own or added.count(name) > 1:
            msg = (
                f"flips: the result adds a column {name!r}, and there is one already; rename the "
                "frame's column, or give the column of by= another name with .alias()"
            )
            raise FairnessError(msg)
