"""How the nearest vote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polars_fairness.neighbours.search import ROUNDING, Floats, Indices, Search, search_among

# How many coordinates of candidates are held at a time: 64 MB, whatever the rows.
COORDINATES_AT_ONCE: Final = 8_000_000


@dataclass(frozen=True)
class Electorate:
    """The points where voters stand: how many do, and how many of them were accepted."""

    points: Floats
    rows: Indices
    accepted: Indices


def votes(
    electorate: Electorate, queries: Floats, k: int, report: Callable[[int], object]
) -> Floats:
    """Say for each query which part of its k nearest voters was accepted.

    Voters equally far from it share the last seats: each has the same part of a vote. So the
    order of rows decides nothing, and neither does the library that found them.
    """
    electorate, queries = _within_reach(electorate, queries)
    search = search_among(electorate.points)
    found = np.empty(len(queries))
    unsettled = np.arange(len(queries))
    count = k + 1
    while len(unsettled):
        # Where more are equally far than were looked for, look for twice as many.
        count = min(count, len(electorate.points))
        size = max(1, COORDINATES_AT_ONCE // (count * queries.shape[1]))
        blocks = np.array_split(unsettled, -(-len(unsettled) // size))
        left = []
        for block in blocks:
            found[block], settled = _vote(electorate, search, queries[block], k, count)
            left.append(block[~settled])
            report(int(settled.sum()))
        unsettled = np.concatenate(left)
        count *= 2
    return found


def _within_reach(electorate: Electorate, queries: Floats) -> tuple[Electorate, Floats]:
    """Divide by a power of 2, which changes no digit, so that no square is infinite."""
    largest = max(np.abs(electorate.points).max(), np.abs(queries).max())
    unit = 2.0 ** np.frexp(largest)[1]
    return Electorate(
        electorate.points / unit, electorate.rows, electorate.accepted
    ), queries / unit


def _vote(
    electorate: Electorate, search: Search, queries: Floats, k: int, count: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Give the votes that these candidates come to, and whether no other could change them."""
    found = search.candidates(queries, count)
    rows, accepted = electorate.rows[found.indices], electorate.accepted[found.indices]
    is_last_seat = rows.cumsum(axis=1) >= k
    radius = np.take_along_axis(found.distances, is_last_seat.argmax(axis=1)[:, None], axis=1)
    nearer = found.distances < radius * (1 - ROUNDING)
    level = ~nearer & (found.distances <= radius * (1 + ROUNDING))
    seats = k - (rows * nearer).sum(axis=1)
    rivals = (rows * level).sum(axis=1)
    share = (accepted * nearer).sum(axis=1) * rivals + (accepted * level).sum(axis=1) * seats
    everybody = count == len(electorate.points)
    return share / (k * rivals), everybody | (radius[:, 0] * (1 + ROUNDING) < found.beyond)
