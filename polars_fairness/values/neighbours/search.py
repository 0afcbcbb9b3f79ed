"""Nearest points, by scipy or faiss: the only module that calls these for a search.

A search gives candidates, nearest first, and a lower bound of the distance of all other points. So
the caller knows whether the neighbours are certain, however exact the library is.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

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
        order = _near_to_near(queries)
        squares, indices = np.empty((len(queries), count)), np.empty((len(queries), count), int)
        found = self._tree.query(queries[order], np.arange(1, count + 1), workers=-1)
        squares[order], indices[order] = found[0] ** 2, found[1]
        return Candidates(indices, squares, squares[:, -1] * (1 - ROUNDING))


def _near_to_near(queries: Floats) -> Indices:
    """An order of queries in which each is near the one before.

    So the branches of the tree stay in the processor's cache: a million queries among a million
    points take 3.6 s instead of 18.
    """
    from scipy.spatial import cKDTree

    coarse = cKDTree(queries, leafsize=100, balanced_tree=False, compact_nodes=False)
    return np.asarray(coarse.indices)


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
