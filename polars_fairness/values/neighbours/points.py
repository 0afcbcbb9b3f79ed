"""Cells to votes: who is asked about whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.checks import refuse_too_few_neighbours
from polars_fairness.counting.counts import finest
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.levels import Level
from polars_fairness.formula.neighbourhood import Neighbourhood
from polars_fairness.question.roles import Roles
from polars_fairness.values.neighbours.search import Floats
from polars_fairness.values.neighbours.space import space_of
from polars_fairness.values.neighbours.votes import Electorate, votes

# The seconds after which a person wonders.
PATIENCE: Final = 1.0


@dataclass(frozen=True)
class Poll:
    """Some individuals, those whose votes are asked for each of them, and how many vote."""

    individuals: pl.DataFrame
    voters: pl.DataFrame
    k: int


Polls = Callable[[pl.DataFrame, Roles, Neighbourhood], Iterator[Poll]]


def is_accepted(roles: Roles) -> pl.Expr:
    """Whether a cell, or a row with its keys, is predicted positive."""
    predicted = pl.col("predicted")
    return roles.predicted.positive_of(predicted) if roles.predicted else predicted


def voted(
    cells: pl.LazyFrame,
    roles: Roles,
    level: Level,
    neighbourhood: Neighbourhood,
) -> pl.LazyFrame:
    """Put beside cells, which know their sides, how the nearest vote at their points.

    Members of d ask those of a; individuals ask everybody.
    """
    [members] = level.counted
    side = members.name
    if level.has_sides:
        polls, asked = _polls_of_d, pl.col("in_d")
    else:
        polls, asked = _polls_of_everybody, pl.lit(True)
        cells = of_one_facet(cells, roles)
    points = cells.select(
        *(
            *roles.windows.keys,
            "facet",
            COMPARISON_KEY,
            "value",
            "in_d",
            "in_a",
            *roles.points.keys,
        ),
        *(pl.col(count).alias(f"{side}.{count}") for count in finest(roles)),
        rows=pl.col("n"),
        accepted=pl.when(is_accepted(roles)).then("n").otherwise(0),
    )
    vote = f"{side}.vote"
    hold = partial(_hold, roles=roles, neighbourhood=neighbourhood)
    return points.map_batches(
        partial(hold, polls=polls, asked=asked, vote=vote),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=pl.Schema({**points.collect_schema(), vote: pl.Float64()}),
    )


def _hold(
    standing: pl.DataFrame,
    roles: Roles,
    neighbourhood: Neighbourhood,
    polls: Polls,
    asked: pl.Expr,
    vote: str,
) -> pl.DataFrame:
    from tqdm import tqdm

    progress = neighbourhood.progress
    with tqdm(
        desc="nearest neighbours",
        total=standing.filter(asked).height,
        # None is tqdm's word for "on a terminal only".
        disable=None if progress is None else not progress,
        delay=PATIENCE,
        leave=False,
    ) as bar:
        nobody = standing.clear().with_columns(pl.lit(None, pl.Float64).alias(vote))
        answered = [
            poll.individuals.with_columns(
                _votes(poll, roles, neighbourhood, bar.update).alias(vote)
            )
            for poll in polls(standing, roles, neighbourhood)
        ]
        return pl.concat([nobody, *answered])


def _polls_of_d(
    standing: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood
) -> Iterator[Poll]:
    facets = {facet.name: facet for facet in roles.facets}
    for (*window, name), part in standing.group_by(
        *roles.windows.keys, "facet", maintain_order=True
    ):
        members = part.filter(pl.col("in_d") & pl.col(COMPARISON_KEY).is_not_null())
        for (comparison,), individuals in members.group_by(COMPARISON_KEY, maintain_order=True):
            others = pl.col("value") != comparison
            voters = part.filter(others if facets[str(name)].one_against_the_rest else "in_a")
            rows = _rows(voters)
            k = neighbourhood.neighbours_among(rows)
            if rows:
                refuse_too_few_neighbours(k, rows, roles, window, str(name), str(comparison))
            yield Poll(individuals, voters, k)


def _polls_of_everybody(
    standing: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood
) -> Iterator[Poll]:
    for (*window, _), everybody in standing.group_by(
        *roles.windows.keys, "facet", maintain_order=True
    ):
        refuse_too_few_neighbours(neighbourhood.k, _rows(everybody), roles, window)
        yield Poll(everybody, everybody, neighbourhood.k)


def _rows(points: pl.DataFrame) -> int:
    return int(points["rows"].sum())


def _votes(
    poll: Poll, roles: Roles, neighbourhood: Neighbourhood, report: Callable[[int], object]
) -> pl.Series:
    if poll.voters.is_empty():
        return pl.Series([None], dtype=pl.Float64).new_from_index(0, poll.individuals.height)
    places = poll.voters.group_by(roles.points.keys).agg(pl.col("rows", "accepted").sum())
    rows = [frame["rows"].to_numpy() for frame in (places, poll.individuals)]
    space = space_of(
        _coordinates(places, roles),
        _coordinates(poll.individuals, roles),
        np.concatenate(rows) if neighbourhood.standardize else None,
    )
    electorate = Electorate(space, rows[0], places["accepted"].to_numpy())
    return pl.Series(votes(electorate, poll.k, report))


def _coordinates(frame: pl.DataFrame, roles: Roles) -> Floats:
    return np.ascontiguousarray(frame.select(roles.points.keys).cast(pl.Float64).to_numpy())
