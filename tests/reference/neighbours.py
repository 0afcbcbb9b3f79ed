"""Individuals and their nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value
from tests.reference.rows import Counts, Row


def vote(row: Row, voters: Sequence[Row], k: int) -> Fraction:
    """The part of the k nearest voters predicted positive; voters at the last distance share the
    remaining votes."""

    def distance(other: Row) -> Fraction:
        pairs = zip(row.point, other.point, strict=True)
        return sum(((Fraction(x) - Fraction(y)) ** 2 for x, y in pairs), Fraction(0))

    found = [(distance(voter), voter.predicted) for voter in voters]
    radius = sorted(away for away, _ in found)[k - 1]
    nearer = [predicted for away, predicted in found if away < radius]
    level = [predicted for away, predicted in found if away == radius]
    seats = k - len(nearer)
    return (sum(nearer) + Fraction(seats * sum(level), len(level))) / k


def fliptest(c: Case) -> Value:
    """Rows of d rejected against the votes of a less rows accepted against them, over d's rows."""
    if not c.rows_a:
        return None
    k = 1 if len(c.rows_a) < 10 else 5
    flips = Fraction(0)
    for row in c.rows_d:
        accepted = vote(row, c.rows_a, k) > Fraction(1, 2)
        if accepted != row.predicted:
            flips += Fraction(row.weight) * (1 if accepted else -1)
    return c.ratio(flips, c.d.n)


def consistency(c: Case) -> Value:
    """One less the mean distance of a row's prediction from the mean of its five nearest."""
    astray = sum(
        (Fraction(row.weight) * abs(row.predicted - vote(row, c.rows, 5)) for row in c.rows),
        Fraction(0),
    )
    return c.minus(Fraction(1), c.ratio(astray, Counts(c.rows).n))


FORMULAS: tuple[Formula, ...] = (fliptest, consistency)
