"""What the thresholds of one group can achieve: a curve of points, and its hull.

A threshold and the one below it can both be used, each for a random share of the rows. So a group
can reach all of the line between two points, and every point under the hull of all its points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import inf
from typing import Final, NamedTuple

# Sums of weights differ in their last digits, and so do the slopes that are made of them.
_ROUNDING: Final = 1e-12


class Point(NamedTuple):
    """A threshold, and the true and false positives of the rows that it accepts."""

    threshold: float
    tp: float
    fp: float


class Quantity(NamedTuple):
    """A sum over accepted rows: what each true and each false positive adds to it.

    Examples
    --------
    >>> ACCEPTED.at(Point(0.5, tp=3, fp=1))
    4
    """

    tp: float
    fp: float

    def at(self, point: Point) -> float:
        return self.tp * point.tp + self.fp * point.fp


ACCEPTED: Final = Quantity(1, 1)
TRUE_POSITIVES: Final = Quantity(1, 0)
FALSE_POSITIVES: Final = Quantity(0, 1)

Mixture = tuple[tuple[Point, float], ...]
"""One point, or two, each with the share of the rows that its threshold decides."""


def points_of(steps: Iterable[Point]) -> list[Point]:
    """The points of a curve, from no row accepted to all, each made of the steps so far.

    Examples
    --------
    >>> points_of([Point(0.9, tp=2, fp=0), Point(0.4, tp=1, fp=3)])[1:]
    [Point(threshold=0.9, tp=2, fp=0), Point(threshold=0.4, tp=3, fp=3)]
    """
    return list(accumulate(steps, _joined, initial=Point(inf, 0, 0)))


def hull(steps: Iterable[Point], across: Quantity, up: Quantity) -> list[Point]:
    """The points of the upper hull of a curve, from no row accepted to all.

    Parameters
    ----------
    steps
        For each score, from the highest, the true and false positives with exactly this score.
    across, up
        The quantities on the two axes. Each accepted row adds 0 or more to the one across.

    Examples
    --------
    >>> steps = [Point(0.9, 1, 1), Point(0.6, 2, 0), Point(0.3, 1, 3)]
    >>> [point.threshold for point in hull(steps, FALSE_POSITIVES, TRUE_POSITIVES)]
    [inf, 0.6, 0.3]
    """
    edges: list[Point] = []
    for step in steps:
        edge = step
        while edges and not _is_steeper(edges[-1], edge, across, up):
            edge = _joined(edges.pop(), edge)
        edges.append(edge)
    points = points_of(edges)
    # Of points above each other, the highest is part of the hull.
    if edges and across.at(edges[0]) == 0 and up.at(edges[0]) >= 0:
        del points[0]
    if len(points) > 1 and across.at(edges[-1]) == 0 and up.at(edges[-1]) < 0:
        del points[-1]
    return points


def between(points: Sequence[Point], across: Quantity, amount: float) -> Mixture:
    """The mixture of neighbouring points that reaches an amount of the quantity across.

    Examples
    --------
    >>> points = [Point(inf, 0, 0), Point(0.6, 3, 1), Point(0.3, 4, 4)]
    >>> [(point.threshold, share) for point, share in between(points, ACCEPTED, 5)]
    [(0.3, 0.25), (0.6, 0.75)]
    """
    near = _ROUNDING * across.at(points[-1])
    above = min(bisect_left(points, amount - near, key=across.at), len(points) - 1)
    upper = points[above]
    if above == 0 or across.at(upper) <= amount + near:
        return ((upper, 1.0),)
    lower = points[above - 1]
    share = (amount - across.at(lower)) / (across.at(upper) - across.at(lower))
    return (upper, share), (lower, 1 - share)


def expected(mixture: Mixture, quantity: Quantity) -> float:
    """What a quantity is on average, if each point has its share of the rows."""
    return sum(share * quantity.at(point) for point, share in mixture)


def _joined(first: Point, then: Point) -> Point:
    return Point(then.threshold, first.tp + then.tp, first.fp + then.fp)


def _is_steeper(first: Point, then: Point, across: Quantity, up: Quantity) -> bool:
    one, other = up.at(first) * across.at(then), up.at(then) * across.at(first)
    return one - other > _ROUNDING * (abs(one) + abs(other))
