"""Two sides at equal controls: a logistic regression on the side and one control, by halving."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value
from tests.reference.rows import Row

Outcome = Callable[[Row], bool]
Level = tuple[float, float, float, float]
"""The rows of a and of d in a level of the control, and the positive ones among them."""


def means(c: Case, outcome: Outcome) -> tuple[Value, Value, Value]:
    """The mean chances of all rows as members of a and of d, and the ratio of odds, d over a."""
    rows = [(row, False) for row in c.rows_a] + [(row, True) for row in c.rows_d]
    certain, levels = Fraction(0), list[Level]()
    for stratum in dict.fromkeys(row.stratum for row, _ in rows):
        own = [(row, is_d) for row, is_d in rows if row.stratum == stratum]
        n, y = (
            [
                sum((Fraction(r.weight) for r, is_d in some if is_d == side), Fraction(0))
                for side in (False, True)
            ]
            for some in (own, [(r, is_d) for r, is_d in own if outcome(r)])
        )
        if sum(y) in (0, sum(n)):
            certain += sum(y)
        else:
            levels.append((float(n[0]), float(n[1]), float(y[0]), float(y[1])))
    total = float(sum(Fraction(row.weight) for row, _ in rows))
    beta = _effect(levels)
    if beta is None:
        return None, None, None
    sums = [float(certain), float(certain)]
    for level in levels:
        for side, chance in enumerate(_chances(level, beta)):
            sums[side] += (level[0] + level[1]) * chance
    return sums[0] / total, sums[1] / total, math.exp(beta) if beta < math.inf else math.inf


def _effect(levels: Sequence[Level]) -> float | None:
    """The coefficient of d: infinite if a side has one outcome, None if it cannot be known."""
    of_d = sum(y_d for _, _, _, y_d in levels)
    most = sum(min(n_d, y_a + y_d) for _, n_d, y_a, y_d in levels)
    least = sum(max(0.0, y_a + y_d - n_a) for n_a, _, y_a, y_d in levels)
    if most <= least:
        return None
    for side in (0, 1):
        n, y = (sum(level[side + more] for level in levels) for more in (0, 2))
        if y in (0, n):
            return math.inf if (y == n) == (side == 1) else -math.inf
    if not least < of_d < most:
        return None
    low, high = -60.0, 60.0
    for _ in range(120):
        beta = (low + high) / 2
        found = sum(level[1] * _chances(level, beta)[1] for level in levels)
        low, high = (beta, high) if found < of_d else (low, beta)
    return (low + high) / 2


def _chances(level: Level, beta: float) -> tuple[float, float]:
    """The chances of a and of d in a level, which add up to its positive rows."""
    n_a, n_d, y_a, y_d = level
    y = y_a + y_d
    if beta in (math.inf, -math.inf):
        # The side that is ahead has as many of the positive rows as it can have.
        first = min(n_d, y) if beta > 0 else min(n_a, y)
        of_d = first if beta > 0 else y - first
        of_a = y - of_d
        # A side without rows here is as far from the other one as it can be.
        return (of_a / n_a if n_a else float(beta < 0)), (of_d / n_d if n_d else float(beta > 0))
    low, high = -80.0, 80.0
    for _ in range(120):
        alpha = (low + high) / 2
        of_a, of_d = (1 / (1 + math.exp(-each)) for each in (alpha, alpha + beta))
        low, high = (alpha, high) if n_a * of_a + n_d * of_d < y else (low, alpha)
    return of_a, of_d


def _named(name: str, outcome: Outcome, contrast: Callable[[Case, Value, Value], Value]) -> Formula:
    def formula(c: Case) -> Value:
        of_a, of_d, _ = means(c, outcome)
        return None if of_a is None or of_d is None else contrast(c, of_a, of_d)

    formula.__name__ = name
    return formula


def adjusted_odds_ratio(c: Case) -> Value:
    """The ratio of the odds of being accepted, d over a."""
    return means(c, lambda row: row.predicted)[2]


def _difference(c: Case, of_a: Value, of_d: Value) -> Value:
    return c.minus(of_a, of_d)


def _ratio(c: Case, of_a: Value, of_d: Value) -> Value:
    return c.ratio(of_d, of_a)


FORMULAS: tuple[Formula, ...] = (
    _named("adjusted_difference", lambda row: row.predicted, _difference),
    _named("adjusted_ratio", lambda row: row.predicted, _ratio),
    adjusted_odds_ratio,
    _named("adjusted_base_rate_difference", lambda row: row.label, _difference),
    _named("adjusted_base_rate_ratio", lambda row: row.label, _ratio),
)
