"""Nearest neighbours of individuals, and the vote of these neighbours.

An *individual* is a row whose neighbours are sought. Its *neighbours* are the k nearest rows of a
*pool*, by Euclidean distance over the features. Its *vote* is the share of these neighbours that
were accepted.

A search, by scipy or faiss, gives candidates, nearest first, and a lower bound of the distance of
all other points. So the caller knows whether the neighbours are certain, however exact it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Final, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from polars_fairness.counting.cells import one_facet_cells
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import finest, with_finest_counts
from polars_fairness.counting.polars_rows import OWN, PolarsRows
from polars_fairness.counting.sides import (
    COMPARISON_KEY,
    favored,
    sides_decided,
    with_sides,
    written_key,
)
from polars_fairness.errors import MOST_QUOTED, FairnessError, quoted
from polars_fairness.formula.formulas import Neighbourhood
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.question.facets import written
from polars_fairness.question.roles import Roles

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# A tree gets slower with every dimension. Neighbours of 20,000 points among 20,000,
# normally distributed, take in 5 dimensions 0.07 s by a tree and 0.68 s by comparing all points; in
# 8: 0.33 and 0.30; in 10: 0.77 and 0.29; in 20: 4.2 and 0.32.
MANY_DIMENSIONS: Final = 10

ROUNDING: Final = 1e-12
"""The relative difference of two squared distances below which they are the same."""


@dataclass(frozen=True)
class Candidates:
    """The nearest points of each query, nearest first, and a bound for all other points.

    ``distances`` are squared; no other point has a squared distance below ``beyond``.
    """

    indices: Indices
    distances: Floats
    beyond: Floats


class Search(Protocol):
    """A search for nearest points."""

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Find a number of points for each query."""


class Tree:
    """SciPy's k-d tree."""

    def __init__(self, points: Floats) -> None:
        from scipy.spatial import cKDTree

        # With 32 points to a leaf a search of 100,000 points among 100,000 takes 0.25 s; with 16,
        # the default of scipy, 0.29 s.
        self._tree = cKDTree(points, leafsize=32)

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Search the tree for every query, on all cores."""
        from scipy.spatial import cKDTree

        # Each query is near the one before, so the branches of the tree stay in the processor's
        # cache: a million queries among a million points take 3.6 s instead of 18.
        coarse = cKDTree(queries, leafsize=100, balanced_tree=False, compact_nodes=False)
        order = np.asarray(coarse.indices)
        squares, indices = np.empty((len(queries), count)), np.empty((len(queries), count), int)
        nearest = self._tree.query(queries[order], np.arange(1, count + 1), workers=-1)
        squares[order], indices[order] = nearest[0] ** 2, nearest[1]
        return Candidates(indices, squares, squares[:, -1] * (1 - ROUNDING))


class Exhaustive:
    """The flat index of faiss, which compares each query with each point in 32 bits."""

    def __init__(self, points: Floats) -> None:
        from faiss import IndexFlatL2

        self._points = points
        # Rounding errors are smallest around the mean of the points.
        self._middle = points.mean(axis=0)
        centred = points - self._middle
        self._farthest = np.sqrt((centred**2).sum(axis=1).max())
        self._index = IndexFlatL2(points.shape[1])
        self._index.add(centred.astype(np.float32))

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Compare each query with each point, and with the nearest of them again in 64 bits."""
        centred = queries - self._middle
        rounded, indices = self._index.search(centred.astype(np.float32), count)
        # |x|² + |y|² − 2xy in 32 bits has an error below this, rounding of x and y included.
        span = np.sqrt((centred**2).sum(axis=1)) + self._farthest
        error = (queries.shape[1] + 8) * 2.0**-23 * span**2
        squares = ((self._points[indices] - queries[:, None, :]) ** 2).sum(axis=2)
        order = squares.argsort(axis=1)
        indices, squares = (np.take_along_axis(each, order, axis=1) for each in (indices, squares))
        return Candidates(indices, squares, rounded[:, -1] - error)


def search_among(points: Floats) -> Search:
    """The faster search of the libraries that are installed."""
    if points.shape[1] >= MANY_DIMENSIONS and find_spec("faiss"):
        return Exhaustive(points)
    return Tree(points)


@dataclass(frozen=True)
class _Space:
    """The points of a pool and of individuals, and the rounding error of a distance."""

    points: Floats
    individuals: Floats
    rounding: float


def space_of(points: Floats, individuals: Floats, rows: Indices | None) -> _Space:
    """Put a pool and its individuals on one scale.

    Units change by powers of 2, which keeps all digits, so that no square is infinite. With
    ``rows``, the number of rows at each point and individual, features are then standardised.
    """
    coordinates = np.concatenate([points, individuals])
    exponents = np.frexp(np.abs(coordinates).max(axis=0))[1]
    coordinates = np.ldexp(coordinates, -exponents if rows is not None else -exponents.max())
    rounding = np.abs(coordinates).max(axis=0) * 2.0**-50
    if rows is not None:
        # Measured from the mean, where rounding errors are smallest: coordinates ten times as large
        # would lose a digit of every distance.
        coordinates -= np.average(coordinates, axis=0, weights=rows)
        spread = np.sqrt(np.average(coordinates**2, axis=0, weights=rows))
        # A feature with one value makes no distance; what its spread has above 0 is rounding.
        spread = np.where(spread > rounding, spread, 1.0)
        coordinates, rounding = coordinates / spread, rounding / spread
    count = len(points)
    return _Space(coordinates[:count], coordinates[count:], float(np.sqrt((rounding**2).sum())))


# How many coordinates of candidates are held at once: a few hundred megabytes, for any number of
# rows.
COORDINATES_AT_ONCE: Final = 8_000_000


@dataclass(frozen=True)
class Pool:
    """The points of a pool and its individuals; per point, the rows and the accepted rows."""

    space: _Space
    rows: Indices
    accepted: Indices


def shares_accepted(pool: Pool, k: int, report: Callable[[int], object]) -> Floats:
    """The share of the k nearest rows of a pool that were accepted, for each individual.

    Rows at the same distance as the k-th nearest share the places that are left: each of them
    counts as the same part of a neighbour. So the result depends neither on the order of rows nor
    on the library that found them.
    """
    points, queries = pool.space.points, pool.space.individuals
    search = search_among(points)
    shares = np.empty(len(queries))
    unsettled = np.arange(len(queries))
    count = k + 1
    while len(unsettled):
        # Where more points are at the same distance than were found, find twice as many.
        count = min(count, len(points))
        size = max(1, COORDINATES_AT_ONCE // (count * queries.shape[1]))
        blocks = np.array_split(unsettled, -(-len(unsettled) // size))
        left = []
        for block in blocks:
            shares[block], settled = _shares(pool, search, queries[block], k, count)
            left.append(block[~settled])
            report(int(settled.sum()))
        unsettled = np.concatenate(left)
        count *= 2
    return shares


def _shares(
    pool: Pool, search: Search, queries: Floats, k: int, count: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """The share accepted among the candidates, and whether no other point could change it."""
    candidates = search.candidates(queries, count)
    rows, accepted = pool.rows[candidates.indices], pool.accepted[candidates.indices]
    has_k_rows = rows.cumsum(axis=1) >= k
    radius = np.take_along_axis(candidates.distances, has_k_rows.argmax(axis=1)[:, None], axis=1)
    slack = radius * ROUNDING + 2 * np.sqrt(radius) * pool.space.rounding
    is_nearer = candidates.distances < radius - slack
    is_tied = ~is_nearer & (candidates.distances <= radius + slack)
    places_left = k - (rows * is_nearer).sum(axis=1)
    tied = (rows * is_tied).sum(axis=1)
    nearer_accepted = (accepted * is_nearer).sum(axis=1)
    tied_accepted = (accepted * is_tied).sum(axis=1)
    # Multiplied by the number of tied rows, to divide once.
    neighbours_accepted = nearer_accepted * tied + tied_accepted * places_left
    found_all = count == len(pool.space.points)
    return neighbours_accepted / (k * tied), found_all | (
        (radius + slack)[:, 0] < candidates.beyond
    )


# The seconds before a progress bar is shown.
PATIENCE: Final = 1.0


def _is_accepted(roles: Roles) -> pl.Expr:
    """Whether a cell, or a row with its keys, is predicted positive."""
    predicted = pl.col("predicted")
    return roles.predicted.positive_of(predicted) if roles.predicted else predicted


def with_votes(
    cells: pl.LazyFrame, roles: Roles, level: Level, neighbourhood: Neighbourhood
) -> pl.LazyFrame:
    """Add the votes of neighbours to cells that have their sides.

    The neighbours of members of d are members of a; at the level of individuals, all are in the
    pool.
    """
    [members] = level.counted
    side = members.name
    if not level.has_sides:
        cells = one_facet_cells(cells, roles)
    points = cells.select(
        *(*roles.windows.keys, "facet", *roles.reference_keys, COMPARISON_KEY),
        *("value", "in_d", "in_a", *roles.points.keys),
        *(pl.col(count).alias(f"{side}.{count}") for count in finest(roles)),
        rows=pl.col("n"),
        accepted=pl.when(_is_accepted(roles)).then("n").otherwise(0),
    )
    vote = f"{side}.vote"
    answer = partial(_answered, roles=roles, neighbourhood=neighbourhood)
    return points.map_batches(
        partial(answer, has_sides=level.has_sides, vote=vote),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=pl.Schema({**points.collect_schema(), vote: pl.Float64()}),
    )


def _answered(
    points: pl.DataFrame,
    roles: Roles,
    neighbourhood: Neighbourhood,
    *,
    has_sides: bool,
    vote: str,
) -> pl.DataFrame:
    """The individuals of all queries with their votes."""
    from tqdm import tqdm

    progress = neighbourhood.progress
    with tqdm(
        desc="nearest neighbours",
        total=points.filter("in_d").height if has_sides else points.height,
        # For tqdm, None means "on a terminal only".
        disable=None if progress is None else not progress,
        delay=PATIENCE,
        leave=False,
    ) as bar:
        no_rows = points.clear().with_columns(pl.lit(None, pl.Float64).alias(vote))
        answered = [
            individuals.with_columns(
                _votes(individuals, pool, k, roles, neighbourhood, bar.update).alias(vote)
            )
            for individuals, pool, k in _queries(points, roles, neighbourhood, has_sides=has_sides)
        ]
        return pl.concat([no_rows, *answered])


def _queries(
    points: pl.DataFrame, roles: Roles, neighbourhood: Neighbourhood, *, has_sides: bool
) -> Iterator[tuple[pl.DataFrame, pl.DataFrame, int]]:
    """Some individuals, the pool in which their neighbours are sought, and how many of these.

    They are the members of d of each comparison, with its members of a; or all rows of a window.
    """
    facets = {facet.name: facet for facet in roles.facets}
    for (*window, name), part in points.group_by(*roles.windows.keys, "facet", maintain_order=True):
        if not has_sides:
            _refuse_too_few_neighbours(neighbourhood.k, _rows(part), points, roles, window)
            yield part, part, neighbourhood.k
            continue
        members = part.filter(pl.col("in_d") & pl.col(COMPARISON_KEY).is_not_null())
        for (comparison,), individuals in members.group_by(COMPARISON_KEY, maintain_order=True):
            others = pl.col("value") != comparison
            pool = part.filter(others if facets[str(name)].one_against_the_rest else "in_a")
            rows = _rows(pool)
            k = neighbourhood.neighbours_among(rows)
            if rows:
                _refuse_too_few_neighbours(
                    k, rows, points, roles, window, str(name), str(comparison)
                )
            yield individuals, pool, k


def _rows(points: pl.DataFrame) -> int:
    return int(points["rows"].sum())


def _votes(
    individuals: pl.DataFrame,
    among: pl.DataFrame,
    k: int,
    roles: Roles,
    neighbourhood: Neighbourhood,
    report: Callable[[int], object],
) -> pl.Series:
    if among.is_empty():
        return pl.Series([None], dtype=pl.Float64).new_from_index(0, individuals.height)
    pool_points = among.group_by(roles.points.keys).agg(pl.col("rows", "accepted").sum())
    rows = [frame["rows"].to_numpy() for frame in (pool_points, individuals)]
    space = space_of(
        _coordinates(pool_points, roles),
        _coordinates(individuals, roles),
        np.concatenate(rows) if neighbourhood.standardize else None,
    )
    pool = Pool(space, rows[0], pool_points["accepted"].to_numpy())
    return pl.Series(shares_accepted(pool, k, report))


def _coordinates(frame: pl.DataFrame, roles: Roles) -> Floats:
    return np.ascontiguousarray(frame.select(roles.points.keys).cast(pl.Float64).to_numpy())


COLUMNS: Final = ("facet", "disfavored", "favored", "flip", "vote")
"""The columns of the result, between those of ``by`` and the row's own."""

_VOTED: Final = {"disfavored": pl.String(), "favored": pl.String(), "vote": pl.Float64()}


def members_flipped(
    rows: PolarsRows, cells: pl.LazyFrame, roles: Roles, test: Metric
) -> pl.LazyFrame:
    """The members of d whose neighbours vote against their prediction."""
    own = rows.schema.names()
    windows = {key: by.name for key, by in roles.windows.by_key.items() if not by.is_column_of(own)}
    added = [*windows.values(), *COLUMNS]
    for name in added:
        if name in own or added.count(name) > 1:
            raise FairnessError(
                f"flips: the result adds a column {name!r}, and there is one already; rename the "
                "frame's column, or give the column of by= another name with .alias()"
            )
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
    accepted = _is_accepted(roles)
    flipped = (
        members.join(votes, on=keys, nulls_equal=True, maintain_order="left")
        .filter((pl.col("vote") > 0.5) != accepted)
        .with_columns(
            flip=pl.when(accepted).then(pl.lit("favorable")).otherwise(pl.lit("unfavorable"))
        )
    )
    order = [*roles.place_order, "disfavored"]
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


def _refuse_too_few_neighbours(
    k: int,
    rows: int,
    points: pl.DataFrame,
    roles: Roles,
    window: Sequence[object],
    facet: str = "",
    disfavored: str = "",
) -> None:
    """Raise where there are fewer than k rows, of these points, to search for neighbours."""
    if rows >= k:
        return
    side = f" on side a of {facet!r}" if facet else ""
    if facet and points.filter(facet=facet)["value"].n_unique() <= MOST_QUOTED:
        side += f", with {written(disfavored)!r} as side d"
    where = "".join(
        f", where {column.name!r} is {quoted([value], points[key].n_unique(), column.dtype)}"
        for (key, column), value in zip(roles.windows.by_key.items(), window, strict=True)
    )
    raise FairnessError(
        f"k: {k} neighbours were requested, but there are only {rows} rows{side}{where}; "
        "lower k, or name the metrics you want, without this one"
    )
