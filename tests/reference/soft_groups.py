"""Groups known only as probabilities, row by row in plain Python with exact fractions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

Soft = tuple[Hashable, Sequence[Fraction]]  # the outcome of a row, and its probabilities


def weighted(rows: Sequence[Soft], outcome: Hashable) -> list[Fraction]:
    """The sum of the probabilities of each group over the rows with an outcome."""
    size = len(rows[0][1])
    return [sum((p[g] for k, p in rows if k == outcome), Fraction(0)) for g in range(size)]


def linear(rows: Sequence[Soft], outcome: Hashable) -> list[Fraction] | None:
    """Solve G·b = m by Gauss and Jordan, times the groups' sizes; None if G is singular."""
    size = len(rows[0][1])
    table = [
        [sum((p[g] * p[h] for _, p in rows), Fraction(0)) for h in range(size)] for g in range(size)
    ]
    for line, m in zip(table, weighted(rows, outcome), strict=True):
        line.append(m)
    for at in range(size):
        pivot = next((i for i in range(at, size) if table[i][at]), None)
        if pivot is None:
            return None
        table[at], table[pivot] = table[pivot], table[at]
        table[at] = [each / table[at][at] for each in table[at]]
        for i in range(size):
            if i != at:
                times = table[i][at]
                table[i] = [x - times * y for x, y in zip(table[i], table[at], strict=True)]
    sizes = [sum((p[g] for _, p in rows), Fraction(0)) for g in range(size)]
    return [total * line[-1] for total, line in zip(sizes, table, strict=True)]
