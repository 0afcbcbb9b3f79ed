"""The best cut-offs of groups: each group by itself, at equal rates, or at equal odds.

A threshold and the one below it can both be used, each for a random share of the rows. So a group
can reach all of the line between two points, and every point under the hull of all its points. The
best is the highest sum over accepted rows, to which each true and each false positive adds its
worth.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from math import inf
from typing import Final, NamedTuple, TypeVar

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

_Mixture = tuple[tuple[Point, float], ...]
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


def between(points: Sequence[Point], across: Quantity, amount: float) -> _Mixture:
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


def expected(mixture: _Mixture, quantity: Quantity) -> float:
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


Choice = TypeVar("Choice")
_Curve = Callable[[float], float]


@dataclass(frozen=True, eq=False)
class Group:
    """A group with its points: thresholds with their true and false positives, the highest first.

    At the first point no row is accepted, at the last point all are.
    """

    points: pl.DataFrame

    @cached_property
    def all_accepted(self) -> Point:
        return Point(*self.points.row(-1))

    @property
    def positive(self) -> float:
        return self.all_accepted.tp

    @property
    def negative(self) -> float:
        return self.all_accepted.fp

    def total(self, quantity: Quantity) -> float:
        """A quantity if all rows are accepted."""
        return quantity.at(self.all_accepted)


@dataclass(frozen=True)
class Cutoff:
    """How the rows of a group are decided: by thresholds, and a share of the rows at random."""

    mixture: _Mixture  # the lower threshold first, each with its share of what thresholds decide
    share_at_random: float = 0.0
    rate_at_random: float = 0.0  # the chance of such a row to be accepted

    def expected(self, quantity: Quantity, group: Group) -> float:
        """What a quantity of the group is on average."""
        by_chance = self.share_at_random * self.rate_at_random * group.total(quantity)
        return (1 - self.share_at_random) * expected(self.mixture, quantity) + by_chance


def best_apart(groups: Sequence[Group], worth: Quantity) -> list[Cutoff]:
    """The best threshold of each group by itself; of equally good thresholds the lowest."""
    return [_best_alone(group, worth) for group in groups]


def _best_alone(group: Group, worth: Quantity) -> Cutoff:
    value = worth.of_points
    best = group.points.filter(value >= value.max() - _ROUNDING * _most([group], worth))
    return Cutoff(((Point(*best.row(-1)), 1.0),))


def best_at_equal_rate(groups: Sequence[Group], worth: Quantity, share: Quantity) -> list[Cutoff]:
    """The best cut-offs that accept an equal share of a quantity in each group.

    A group in which this quantity is 0 has its own best threshold.
    """
    hulls = {group: hull(group.points, share, worth) for group in groups if group.total(share) > 0}
    if not hulls:
        return best_apart(groups, worth)

    def mixture(group: Group, rate: float) -> _Mixture:
        return between(hulls[group], share, rate * group.total(share))

    def total(rate: float) -> float:
        return sum(expected(mixture(group, rate), worth) for group in hulls)

    rates = {share.at(each) / group.total(share) for group in hulls for each in hulls[group]}
    rate = _last_best(sorted(rates), total, _most(groups, worth))
    return [
        Cutoff(mixture(group, rate)) if group in hulls else _best_alone(group, worth)
        for group in groups
    ]


def best_at_equal_odds(groups: Sequence[Group], worth: Quantity) -> list[Cutoff]:
    """The best cut-offs at which groups have equal true and equal false positive rates.

    Their rates lie on the lower envelope of the hulls of the ROC curves (Hardt, Price and Srebro
    2016). A group whose hull is above the envelope is decided at random in part. A group with one
    label has to reach the rate that it has.
    """
    hulls = {
        group: hull(group.points, FALSE_POSITIVES, TRUE_POSITIVES)
        for group in groups
        if group.positive > 0 and group.negative > 0
    }
    if not hulls:
        return best_apart(groups, worth)

    def tpr(group: Group, fpr: float) -> float:
        at_fpr = between(hulls[group], FALSE_POSITIVES, fpr * group.negative)
        return expected(at_fpr, TRUE_POSITIVES) / group.positive

    def total(odds: tuple[float, float]) -> float:
        fpr, tpr = odds
        positive = sum(group.positive for group in groups)
        negative = sum(group.negative for group in groups)
        return worth.tp * positive * tpr + worth.fp * negative * fpr

    # Between these rates all curves are straight; their lower envelope has corners where they meet.
    fprs = sorted({each.fp / group.negative for group in hulls for each in hulls[group]})
    curves = [partial(tpr, group) for group in hulls]
    crossings = (each for left, right in pairwise(fprs) for each in _crossings(left, right, curves))
    envelope = [(x, min(curve(x) for curve in curves)) for x in sorted([*fprs, *crossings])]
    odds = _last_best(envelope, total, _most(groups, worth))
    return [_cutoff_at(odds, group, hulls.get(group)) for group in groups]


def _cutoff_at(odds: tuple[float, float], group: Group, of_hull: Sequence[Point] | None) -> Cutoff:
    fpr, tpr = odds
    if of_hull is None:
        points = [Point(*row) for row in group.points.iter_rows()]
        rate = tpr if group.positive > 0 else fpr
        return Cutoff(between(points, ACCEPTED, rate * group.total(ACCEPTED)))
    mixture = between(of_hull, FALSE_POSITIVES, fpr * group.negative)
    highest = expected(mixture, TRUE_POSITIVES) / group.positive
    if highest - tpr <= _ROUNDING:
        return Cutoff(mixture)
    # Random decisions have equal rates, and no group's hull is below these.
    return Cutoff(mixture, (highest - tpr) / (highest - fpr), fpr)


def _crossings(left: float, right: float, curves: Sequence[_Curve]) -> Iterator[float]:
    """Where the lowest of several straight lines changes."""
    first = min(curves, key=lambda curve: (curve(left), curve(right)))
    last = min(curves, key=lambda curve: (curve(right), curve(left)))
    above, below = last(left) - first(left), first(right) - last(right)
    if min(above, below) <= _ROUNDING:
        return
    at = left + (right - left) * above / (above + below)
    yield at
    if first(at) - min(curve(at) for curve in curves) > _ROUNDING:
        yield from _crossings(left, at, curves)
        yield from _crossings(at, right, curves)


def _most(groups: Sequence[Group], worth: Quantity) -> float:
    """The size of the largest sums, beside which rounding errors are judged."""
    return sum(abs(worth.tp) * group.positive + abs(worth.fp) * group.negative for group in groups)


def _last_best(choices: Sequence[Choice], worth: Callable[[Choice], float], most: float) -> Choice:
    """The last of the choices that are as good as any, except for rounding errors."""
    worths = [worth(choice) for choice in choices]
    least = max(worths) - _ROUNDING * most
    return next(
        choice
        for choice, each in zip(reversed(choices), reversed(worths), strict=True)
        if each >= least
    )
