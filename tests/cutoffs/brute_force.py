"""The best cut-offs of groups by trying all of them, in exact fractions.

It knows no hulls: the best of a group at a rate is the best mixture of any two thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, product

Steps = Sequence[tuple[int, int]]
"""True and false positives with exactly each score, from the highest score to the lowest."""

Points = list[tuple[Fraction, Fraction]]


def points(steps: Steps, across: Callable[[int, int], int], up: tuple[int, int]) -> Points:
    """Where each threshold puts a group: its rate across, and what it is worth."""
    counts = list(accumulate(steps, lambda one, two: (one[0] + two[0], one[1] + two[1])))
    whole = across(*counts[-1])
    return [
        (Fraction(across(tp, fp), whole), Fraction(up[0] * tp + up[1] * fp))
        for tp, fp in [(0, 0), *counts]
    ]


def highest(of_group: Points, x: Fraction) -> Fraction:
    """The most that a mixture of two thresholds is worth at a rate."""
    alone = [y for at, y in of_group if at == x]
    mixed = [
        y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        for (x0, y0), (x1, y1) in combinations(sorted(of_group), 2)
        if x0 < x < x1
    ]
    return max(alone + mixed)


def best_at_equal_rate(groups: Iterable[Points]) -> Fraction:
    """The most that groups are worth together at any rate that all of them have."""
    of_groups = list(groups)
    rates = {x for group in of_groups for x, _ in group}
    return max(sum((highest(group, x) for group in of_groups), Fraction()) for x in rates)


def best_at_equal_odds(groups: Sequence[Steps], worth: tuple[int, int]) -> Fraction:
    """The most that groups are worth together at true and false positive rates that all reach."""
    rocs = []
    for steps in groups:
        positive = sum(tp for tp, _ in steps)
        by_fpr = points(steps, lambda _, fp: fp, (1, 0))
        rocs.append([(x, y / positive) for x, y in by_fpr])
    positives, negatives = (sum(step[label] for g in groups for step in g) for label in (0, 1))
    fprs = {x for roc in rocs for x, _ in roc} | {*crossings(rocs)}
    return max(
        worth[0] * positives * min(highest(roc, x) for roc in rocs) + worth[1] * negatives * x
        for x in fprs
    )


def crossings(curves: Sequence[Points]) -> Iterable[Fraction]:
    """Where a line between two points of one curve crosses a line of another curve."""
    for one, other in combinations(curves, 2):
        lines = (
            [(p, q) for p, q in combinations(sorted(curve), 2) if p[0] < q[0]]
            for curve in (one, other)
        )
        for ((x0, y0), (x1, y1)), ((u0, v0), (u1, v1)) in product(*lines):
            slope, other_slope = (y1 - y0) / (x1 - x0), (v1 - v0) / (u1 - u0)
            if slope != other_slope:
                x = (v0 - y0 + slope * x0 - other_slope * u0) / (slope - other_slope)
                if 0 <= x <= 1:
                    yield x
