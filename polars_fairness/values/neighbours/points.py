"""Cells to votes: which individuals, and in which pools their neighbours are sought."""

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
from polars_fairness.values.neighbours.shares import Pool, shares_accepted
from polars_fairness.values.neighbours.space import space_of

# The seconds before a progress bar is shown.
PATIENCE: Final = 1.0


@dataclass(frozen=True)
class Query:
    """Some individuals, the pool in which their neighbours are sought, and how many of these."""

    individuals: pl.DataFrame
    pool: pl.DataFrame
    k: int


Queries = Callable[[pl.DataFrame, Roles, Neighbourhood], Iterator[Query]]


def is_accepted(roles: Roles) -> pl.Expr:
    """Whether a cell, or a row with its keys, is predicted positive."""
    predicted = pl.col("predicted")
    return roles.predicted.positive_of(predicted) if roles.predicted else predicted


def with_votes(
    cells: pl.LazyFrame,
    roles: Roles,
    level: Level,
    neighbourhood: Neighbourhood,
) -> pl.LazyFrame:
    """Add the votes of neighbours to cells that have their sides.

    The neighbours of members of d are members of a; at the level of individuals, all are in the
    pool.
    """
    [members] = level.counted
    side = members.name
    if level.has_sides:
        queries, is_individual = _members_of_d, pl.col("in_d")
    else:
        queries, is_individual = _all_individuals, pl.lit(True)
        cells = of_one_facet(cells, roles)
    points = cells.select(
        *(
            *roles.windows.keys,
            "facet",
            *roles.reference_keys,
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
    answer = partial(_answered, roles=roles, neighbourhood=neighbourhood)
    return points.map_batches(
        partial(answer, queries=queries, is_individual=is_individual, vote=vote),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=pl.Schema({**points.collect_schema(), vote: pl.Float64()}),
    )


def _answered(
    points: pl.DataFrame,
    roles: Roles,
    neighbourhood: Neighbourhood,
    queries: Queries,
    is_individual: pl.Expr,
    vote: str,
) -> pl.DataFrame:
    """The individuals of all queries with their votes."""
    from tqdm import tqdm

    progress = neighbourhood.progress
    with tqdm(
        desc="nearest neighbours",
        total=points.filter(is_individual).height,
        # For tqdm, None means "on a terminal only".
        disable=None if progress is None else not progress,
        delay=PATIENCE,
        leave=False,
    ) as bar:
        no_rows = points.clear().with_columns(pl.lit(None, pl.Float64).alias(vote))
        answered = [
            query.individuals.with_columns(
                _votes(query, roles, neighbourhood, bar.update).alias(vote)
            )
            for query in queries(points, roles, neighbourhood)
        ]
        return pl.concat([no_rows, *answered])


def _members_of_d(
    points: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood
) -> Iterator[Query]:
    """A query for each comparison: its members of d, with its members of a as pool."""
    facets = {facet.name: facet for facet in roles.facets}
    for (*window, name), part in points.group_by(*roles.windows.keys, "facet", maintain_order=True):
        members = part.filter(pl.col("in_d") & pl.col(COMPARISON_KEY).is_not_null())
        for (comparison,), individuals in members.group_by(COMPARISON_KEY, maintain_order=True):
            others = pl.col("value") != comparison
            pool = part.filter(others if facets[str(name)].one_against_the_rest else "in_a")
            rows = _rows(pool)
            k = neighbourhood.neighbours_among(rows)
            if rows:
                refuse_too_few_neighbours(k, rows, roles, window, str(name), str(comparison))
            yield Query(individuals, pool, k)


def _all_individuals(
    points: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood
) -> Iterator[Query]:
    """A query for each window: all its rows, with the same rows as pool."""
    for (*window, _), part in points.group_by(*roles.windows.keys, "facet", maintain_order=True):
        refuse_too_few_neighbours(neighbourhood.k, _rows(part), roles, window)
        yield Query(part, part, neighbourhood.k)


def _rows(points: pl.DataFrame) -> int:
    return int(points["rows"].sum())


def _votes(
    query: Query, roles: Roles, neighbourhood: Neighbourhood, report: Callable[[int], object]
) -> pl.Series:
    if query.pool.is_empty():
        return pl.Series([None], dtype=pl.Float64).new_from_index(0, query.individuals.height)
    pool_points = query.pool.group_by(roles.points.keys).agg(pl.col("rows", "accepted").sum())
    rows = [frame["rows"].to_numpy() for frame in (pool_points, query.individuals)]
    space = space_of(
        _coordinates(pool_points, roles),
        _coordinates(query.individuals, roles),
        np.concatenate(rows) if neighbourhood.standardize else None,
    )
    pool = Pool(space, rows[0], pool_points["accepted"].to_numpy())
    return pl.Series(shares_accepted(pool, query.k, report))


def _coordinates(frame: pl.DataFrame, roles: Roles) -> Floats:
    return np.ascontiguousarray(frame.select(roles.points.keys).cast(pl.Float64).to_numpy())
