"""Who is near: the one seam to the libraries that know.

A search gives candidates, nearest first, and how near any other point can be at the nearest: so
the caller can tell whether the neighbours are certain, however exact the library is.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

# A tree tells less the more dimensions there are. For 20,000 points among 20,000, normally
# distributed: 5 dimensions 0.07 s by tree and 0.68 s by comparing all; 8: 0.33 and 0.30; 10: 0.77
# and 0.29; 20: 4.2 and 0.32.
MANY_DIMENSIONS: Final = 10

ROUNDING: Final = 1e-12
"""By how much, relatively, two squared distances may differ and be the same."""


@dataclass(frozen=True)
class Candidates:
    """Points for each query, nearest first, and the least squared distance of all others."""

    indices: Indices
    distances: Floats
    beyond: Floats


class Search(Protocol):
    """A way to find the points nearest to others."""

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Find so many points for each query."""


class Tree:
    """SciPy's k-d tree."""

    def __init__(self, points: Floats) -> None:
        from scipy.spatial import cKDTree

        # With 32 points to a leaf, in place of scipy's 16, 100,000 are found among 100,000 in
        # 0.25 s in place of 0.29.
        self._tree = cKDTree(points, leafsize=32)

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Descend the tree for every query, on all cores."""
        order = _by_neighbourhood(queries)
        squares, indices = np.empty((len(queries), count)), np.empty((len(queries), count), int)
        found = self._tree.query(queries[order], np.arange(1, count + 1), workers=-1)
        squares[order], indices[order] = found[0] ** 2, found[1]
        return Candidates(indices, squares, squares[:, -1] * (1 - ROUNDING))


def _by_neighbourhood(queries: Floats) -> Indices:
    """Put queries in an order in which the next is near the last.

    So the tree's branches stay in the processor's cache: a million queries of a million points
    take 3.6 s in place of 18.
    """
    from scipy.spatial import cKDTree

    coarse = cKDTree(queries, leafsize=100, balanced_tree=False, compact_nodes=False)
    return np.asarray(coarse.indices)


class Exhaustive:
    """The flat index of faiss, which compares everything with everything in 32 bits."""

    def __init__(self, points: Floats) -> None:
        from faiss import IndexFlatL2

        self._points = points
        # Around the middle of the points there is least to round off.
        self._middle = points.mean(axis=0)
        centred = points - self._middle
        self._farthest = np.sqrt((centred**2).sum(axis=1).max())
        self._index = IndexFlatL2(points.shape[1])
        self._index.add(centred.astype(np.float32))

    def candidates(self, queries: Floats, count: int) -> Candidates:
        """Compare every query with every point, and the candidates again in 64 bits."""
        centred = queries - self._middle
        rounded, indices = self._index.search(centred.astype(np.float32), count)
        # |x|² + |y|² − 2xy in 32 bits is off by less than this, rounding the numbers included.
        span = np.sqrt((centred**2).sum(axis=1)) + self._farthest
        error = (queries.shape[1] + 8) * 2.0**-23 * span**2
        squares = ((self._points[indices] - queries[:, None, :]) ** 2).sum(axis=2)
        order = squares.argsort(axis=1)
        indices, squares = (np.take_along_axis(each, order, axis=1) for each in (indices, squares))
        return Candidates(indices, squares, rounded[:, -1] - error)


def search_among(points: Floats) -> Search:
    """Choose the faster search that is there."""
    if points.shape[1] >= MANY_DIMENSIONS and find_spec("faiss"):
        return Exhaustive(points)
    return Tree(points)
