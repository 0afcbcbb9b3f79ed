"""The best cut-offs of groups: each group by itself, at equal rates, or at equal odds.

The best is the highest sum over accepted rows, to which each true and each false positive adds its
worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Final, TypeVar

import polars as pl

from polars_fairness.values.cutoffs.curves import (
    ACCEPTED,
    FALSE_POSITIVES,
    TRUE_POSITIVES,
    Mixture,
    Point,
    Quantity,
    between,
    expected,
    hull,
)

# Smaller differences of rates, and of worths beside the largest worth, are rounding errors.
_ROUNDING: Final = 1e-12

Choice = TypeVar("Choice")
Curve = Callable[[float], float]


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
    """How the rows of a group are decided: by thresholds, and a share of the rows at random.

    Parameters
    ----------
    mixture
        The thresholds, the lower one first, each with its share of the rows that thresholds decide.
    share_at_random, rate_at_random
        The share of the rows that is decided at random, and the chance of such a row to be
        accepted.
    """

    mixture: Mixture
    share_at_random: float = 0.0
    rate_at_random: float = 0.0

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

    def mixture(group: Group, rate: float) -> Mixture:
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

    fprs = {each.fp / group.negative for group in hulls for each in hulls[group]}
    envelope = _lower_envelope(sorted(fprs), [partial(tpr, group) for group in hulls])
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


def _lower_envelope(edges: Sequence[float], curves: Sequence[Curve]) -> list[tuple[float, float]]:
    """The corners of the lowest of several curves that are straight between these edges."""
    crossings = (
        each for left, right in pairwise(edges) for each in _crossings(left, right, curves)
    )
    return [(x, min(curve(x) for curve in curves)) for x in sorted([*edges, *crossings])]


def _crossings(left: float, right: float, curves: Sequence[Curve]) -> Iterator[float]:
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
