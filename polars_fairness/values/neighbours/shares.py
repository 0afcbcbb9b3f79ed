"""The share of the nearest neighbours that were accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polars_fairness.values.neighbours.search import ROUNDING, Floats, Indices, Search, search_among
from polars_fairness.values.neighbours.space import Space

# How many coordinates of candidates are held at once: a few hundred megabytes, for any number of
# rows.
COORDINATES_AT_ONCE: Final = 8_000_000


@dataclass(frozen=True)
class Pool:
    """The points of a pool and its individuals; per point, the rows and the accepted rows."""

    space: Space
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
    found = search.candidates(queries, count)
    rows, accepted = pool.rows[found.indices], pool.accepted[found.indices]
    has_k_rows = rows.cumsum(axis=1) >= k
    radius = np.take_along_axis(found.distances, has_k_rows.argmax(axis=1)[:, None], axis=1)
    slack = radius * ROUNDING + 2 * np.sqrt(radius) * pool.space.rounding
    is_nearer = found.distances < radius - slack
    is_tied = ~is_nearer & (found.distances <= radius + slack)
    places_left = k - (rows * is_nearer).sum(axis=1)
    tied = (rows * is_tied).sum(axis=1)
    nearer_accepted = (accepted * is_nearer).sum(axis=1)
    tied_accepted = (accepted * is_tied).sum(axis=1)
    # Multiplied by the number of tied rows, to divide once.
    neighbours_accepted = nearer_accepted * tied + tied_accepted * places_left
    found_all = count == len(pool.space.points)
    return neighbours_accepted / (k * tied), found_all | ((radius + slack)[:, 0] < found.beyond)
