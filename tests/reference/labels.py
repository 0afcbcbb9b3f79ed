"""Two sides, labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, half_of, log, size


def ci(c: Case) -> Value:
    """How much larger a is than d."""
    return c.ratio(c.a.n - c.d.n, c.both.n)


def dpl(c: Case) -> Value:
    """Base rate, a less d."""
    return c.a_less_d("base_rate")


def ddl(c: Case) -> Value:
    """Share of d among the negative less its share among the positive."""
    return c.minus(c.ratio(c.d.negative, c.both.negative), c.ratio(c.d.positive, c.both.positive))


def shares(c: Case) -> list[tuple[Value, Value]]:
    """The share of every label value among a and among d."""
    found = []
    for label in {row.label for row in [*c.rows_a, *c.rows_d]}:
        x = sum((Fraction(row.weight) for row in c.rows_a if row.label == label), Fraction(0))
        y = sum((Fraction(row.weight) for row in c.rows_d if row.label == label), Fraction(0))
        found.append((c.ratio(x, c.a.n), c.ratio(y, c.d.n)))
    return found


def divergence(c: Case, pairs: Sequence[tuple[Value, Value]]) -> Value:
    """Kullback–Leibler divergence of the first of each pair from the second."""
    if not pairs:
        return c.zero
    total = 0.0
    for x, y in pairs:
        if x is None or y is None:
            return None
        surprise = log(c.ratio(x, y)) if x else 0.0
        if surprise is None:
            return None
        total += float(x) * surprise if x else 0.0
    return total


def kl(c: Case) -> Value:
    """Kullback–Leibler divergence of the labels of a from the labels of d."""
    return divergence(c, shares(c))


def js(c: Case) -> Value:
    """Jensen–Shannon divergence of the labels of a and d."""
    pairs = [(x, y, half_of(x, y)) for x, y in shares(c)]
    from_a = divergence(c, [(x, middle) for x, _, middle in pairs])
    return half_of(from_a, divergence(c, [(y, middle) for _, y, middle in pairs]))


def distances(c: Case) -> list[Fraction | float] | None:
    """The absolute differences of the label shares."""
    found = [size(c.minus(x, y)) for x, y in shares(c)] or [c.zero]
    defined = [value for value in found if value is not None]
    return defined if len(defined) == len(found) else None


def lp(c: Case, p: float = 2) -> Value:
    """P-norm of the differences of the label shares."""
    found = distances(c)
    return None if found is None else math.pow(sum(float(x) ** p for x in found), 1 / p)


def tvd(c: Case) -> Value:
    """Half the sum of the differences of the label shares."""
    found = distances(c)
    return None if found is None else Fraction(1, 2) * sum(found)


def ks(c: Case) -> Value:
    """Largest difference of the label shares."""
    found = distances(c)
    return None if found is None else max(found)


FORMULAS: tuple[Formula, ...] = (ci, dpl, ddl, kl, js, lp, tvd, ks)
