"""Nearest neighbours of individuals, and the vote of these neighbours.

An *individual* is a row whose neighbours are sought. Its *neighbours* are the k nearest rows of a
*pool*, by Euclidean distance over the features. Its *vote* is the share of these neighbours that
were accepted.

A search, by scipy or faiss, gives candidates, nearest first, and a lower bound of the distance of
all other points. So the caller knows whether the neighbours are certain, however exact it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Protocol

import numpy as np

from polars_fairness.errors import require_flag, require_whole
from polars_fairness.formula.arrays import Bools, Floats, Ints

# A tree gets slower with every dimension. Neighbours of 20,000 points among 20,000,
# normally distributed, take in 5 dimensions 0.07 s by a tree and 0.68 s by comparing all points; in
# 8: 0.33 and 0.30; in 10: 0.77 and 0.29; in 20: 4.2 and 0.32.
MANY_DIMENSIONS: Final = 10

ROUNDING: Final = 1e-12
"""The relative difference of two squared distances below which they are the same."""


_CLARIFYS_K: Final = 5


@dataclass(frozen=True)
class Neighbourhood:
    """How many nearest neighbours vote, and how distance is measured."""

    k: int
    standardize: bool
    progress: bool | None

    def __post_init__(self) -> None:
        require_whole("k", self.k, 1, "a whole number of neighbours")
        require_flag("standardize", self.standardize)
        require_flag("progress", self.progress, (True, False, None))

    def neighbours_among(self, rows: int) -> int:
        """How many neighbours vote; with the default k, one among fewer than ten rows (Clarify)."""
        return 1 if self.k == _CLARIFYS_K and rows < 10 else self.k


@dataclass(frozen=True)
class Candidates:
    """The nearest points of each query, nearest first, and a bound for all other points.

    ``distances`` are squared; no other point has a squared distance below ``beyond``.
    """

    indices: Ints
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


def space_of(points: Floats, individuals: Floats, rows: Ints | None) -> _Space:
    """Put a pool and its individuals on one scale.

    Units change by powers of 2, which keeps all digits, so that no square is infinite. With
    ``rows``, the number of rows at each point and individual, features are then standardized.
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
    rows: Ints
    accepted: Ints


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
) -> tuple[Floats, Bools]:
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
