"""Quantiles of numbers: the values of a side in order, by their weights."""

from __future__ import annotations

from fractions import Fraction

from tests.reference.amounts import Number, Rows, estimated, mass, observed
from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value

MEDIAN, NINTH = Fraction(1, 2), Fraction(9, 10)


def quantile(rows: Rows, number: Number, at: Fraction) -> Fraction | None:
    """The smallest value below which lies more than the share, or the mean of two."""
    weighty = [row for row in rows if row.weight > 0]
    target = at * mass(weighty)
    for value in sorted({number(row) for row in weighty}):
        up_to = mass([row for row in weighty if number(row) <= value])
        if up_to > target:
            return value
        if up_to == target:
            return (value + min(number(row) for row in weighty if number(row) > value)) / 2
    return None


def of_both(c: Case, number: Number, at: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """The quantile of d, and that of a."""
    return quantile(c.rows_d, number, at), quantile(c.rows_a, number, at)


def less(number: Number, at: Fraction) -> Formula:
    """The quantile of a less that of d."""

    def formula(c: Case) -> Value:
        of_d, of_a = of_both(c, number, at)
        return None if of_d is None or of_a is None else of_a - of_d

    return formula


def over(number: Number, at: Fraction) -> Formula:
    """The quantile of d over that of a, both above 0."""

    def formula(c: Case) -> Value:
        of_d, of_a = of_both(c, number, at)
        return None if of_d is None or of_a is None or min(of_d, of_a) <= 0 else of_d / of_a

    return formula


FORMULAS_BY_NAME: dict[str, Formula] = {
    f"{name}_{word}_{kind}": make(number, at)
    for name, number in (("estimate", estimated), ("observed", observed))
    for word, at in (("median", MEDIAN), ("quantile", NINTH))
    for kind, make in (("difference", less), ("ratio", over))
}
