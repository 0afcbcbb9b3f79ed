"""How the nearest vote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polars_fairness.values.neighbours.search import ROUNDING, Floats, Indices, Search, search_among
from polars_fairness.values.neighbours.space import Space

# How many coordinates of candidates are looked at together: a few hundred megabytes, whatever the
# rows.
COORDINATES_AT_ONCE: Final = 8_000_000


@dataclass(frozen=True)
class Electorate:
    """Who votes in a space: how many rows stand at each of its points, how many were accepted."""

    space: Space
    rows: Indices
    accepted: Indices


def votes(electorate: Electorate, k: int, report: Callable[[int], object]) -> Floats:
    """Say for each individual which part of the k nearest voters was accepted.

    Voters equally far off share the last seats: each has the same part of a vote. So the
    order of rows decides nothing, and neither does the library that found them.
    """
    voters, queries = electorate.space.voters, electorate.space.individuals
    search = search_among(voters)
    found = np.empty(len(queries))
    unsettled = np.arange(len(queries))
    count = k + 1
    while len(unsettled):
        # Where more are equally far than were looked for, look for twice as many.
        count = min(count, len(voters))
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


def _vote(
    electorate: Electorate, search: Search, queries: Floats, k: int, count: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Give the votes that these candidates come to, and whether no other could change them."""
    found = search.candidates(queries, count)
    rows, accepted = electorate.rows[found.indices], electorate.accepted[found.indices]
    is_last_seat = rows.cumsum(axis=1) >= k
    radius = np.take_along_axis(found.distances, is_last_seat.argmax(axis=1)[:, None], axis=1)
    slack = radius * ROUNDING + 2 * np.sqrt(radius) * electorate.space.grain
    nearer = found.distances < radius - slack
    level = ~nearer & (found.distances <= radius + slack)
    seats = k - (rows * nearer).sum(axis=1)
    rivals = (rows * level).sum(axis=1)
    share = (accepted * nearer).sum(axis=1) * rivals + (accepted * level).sum(axis=1) * seats
    everybody = count == len(electorate.space.voters)
    return share / (k * rivals), everybody | ((radius + slack)[:, 0] < found.beyond)
