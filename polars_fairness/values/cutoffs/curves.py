"""What the thresholds of one group can achieve: a curve of points, and its hull.

A threshold and the one below it can both be used, each for a random share of the rows. So a group
can reach all of the line between two points, and every point under the hull of all its points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

import polars as pl

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

    @property
    def of_points(self) -> pl.Expr:
        """The quantity at each of many points."""
        return self.tp * pl.col("tp") + self.fp * pl.col("fp")


ACCEPTED: Final = Quantity(1, 1)
TRUE_POSITIVES: Final = Quantity(1, 0)
FALSE_POSITIVES: Final = Quantity(0, 1)

Mixture = tuple[tuple[Point, float], ...]
"""One point, or two, each with the share of the rows that its threshold decides."""


def points_of(steps: pl.DataFrame) -> pl.DataFrame:
    """The points of a curve, from no row accepted to all.

    The steps are the true and false positives with exactly each score, the highest score first.

    Examples
    --------
    >>> import polars as pl
    >>> steps = pl.DataFrame({"threshold": [0.9, 0.4], "tp": [2.0, 1.0], "fp": [0.0, 3.0]})
    >>> points_of(steps).rows()
    [(inf, 0.0, 0.0), (0.9, 2.0, 0.0), (0.4, 3.0, 3.0)]
    """
    none = pl.DataFrame([Point(inf, 0.0, 0.0)], orient="row", schema=steps.schema)
    return pl.concat([none, steps.with_columns(pl.col("tp", "fp").cum_sum())])


def hull(points: pl.DataFrame, across: Quantity, up: Quantity) -> list[Point]:
    """The points of the upper hull of a curve, in order.

    Parameters
    ----------
    points
        The thresholds with their true and false positives, from no row accepted to all.
    across, up
        The quantities on the two axes. Each accepted row adds 0 or more to the one across.

    Examples
    --------
    >>> import polars as pl
    >>> steps = pl.DataFrame({"threshold": [0.9, 0.6, 0.3], "tp": [1.0, 2, 1], "fp": [1.0, 0, 3]})
    >>> [each.threshold for each in hull(points_of(steps), FALSE_POSITIVES, TRUE_POSITIVES)]
    [inf, 0.6, 0.3]
    """
    corners: list[Point] = []
    for row in _without_dents(points, across, up).iter_rows():
        point = Point(*row)
        while len(corners) > 1 and not _is_steeper(corners[-2], corners[-1], point, across, up):
            corners.pop()
        corners.append(point)
    # Of points above each other, the highest is part of the hull.
    first, *_, last = corners
    if across.at(corners[1]) == across.at(first) and up.at(corners[1]) >= up.at(first):
        del corners[0]
    elif across.at(corners[-2]) == across.at(last) and up.at(corners[-2]) > up.at(last):
        del corners[-1]
    return corners


def _without_dents(points: pl.DataFrame, across: Quantity, up: Quantity) -> pl.DataFrame:
    """Leave out most points that lie on or below the line between their neighbours.

    No such point is part of the hull. Of a million points of random scores 280 were left, and 276
    of these were the hull. Without this, the loop over points in Python took 2 s.
    """
    # A point that repeats the one before it, as where a weight is below the last digit of a sum,
    # would make a dent of both.
    moves = (pl.col("tp").diff() != 0) | (pl.col("fp").diff() != 0)
    points = points.filter(moves.fill_null(value=True))
    x, y = across.of_points, up.of_points
    is_bump = y.diff() * x.diff().shift(-1) > y.diff().shift(-1) * x.diff()
    is_bump = is_bump.fill_null(value=True)  # the first and the last point
    fewer = points.filter(is_bump)
    while len(fewer) < 0.9 * len(points):
        points, fewer = fewer, fewer.filter(is_bump)
    return fewer


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


def _is_steeper(start: Point, middle: Point, end: Point, across: Quantity, up: Quantity) -> bool:
    """Whether a curve rises more before its middle than after it."""
    (before, after), (rise, fall) = (
        (quantity.at(middle) - quantity.at(start), quantity.at(end) - quantity.at(middle))
        for quantity in (across, up)
    )
    one, other = rise * after, fall * before
    return one - other > _ROUNDING * (abs(one) + abs(other))
