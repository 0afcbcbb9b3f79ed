"""The arithmetic of formulas: quotients by 0, and aggregates that do not skip nulls."""

from __future__ import annotations

from typing import Final

from polars_fairness.formula.tree import Expression, Value, choose, literal

INFINITY: Final = float("inf")

UNDEFINED: Final = Expression("undefined")
"""The value of 0/0: the call decides it, not the formula."""


def ratio(numerator: Value, denominator: Value) -> Expression:
    """Divide; over a denominator of 0 the quotient is undefined, whatever the numerator.

    Where the call gives a number for undefined values, 0/0 is this number and x/0 is infinite.
    """
    return Expression("ratio", literal(numerator), literal(denominator))


def unbounded_ratio(numerator: Value, denominator: Value) -> Expression:
    """Divide as `ratio` does, but x/0 is infinite: for metrics whose source defines it so."""
    return Expression("unbounded ratio", literal(numerator), literal(denominator))


def logarithm(value: Value) -> Expression:
    """The natural logarithm; the logarithm of 0 is undefined, as 1/0 is."""
    return Expression("logarithm", literal(value))


def known(value: Expression) -> Expression:
    """The value, null where it is not a number."""
    return Expression("known", value)


def or_undefined(value: Expression) -> Expression:
    """The value; where it is not a number, such as infinity less infinity, it is undefined."""
    return Expression("or undefined", value)


def smaller(left: Value, right: Value) -> Expression:
    """The smaller of two values, undefined if either is."""
    return Expression("smaller", literal(left), literal(right))


def larger(left: Value, right: Value) -> Expression:
    """The larger of two values, undefined if either is."""
    return Expression("larger", literal(left), literal(right))


def least(*values: Value) -> Expression:
    """The smallest of some values, which leaves nulls out."""
    return Expression("least", *map(literal, values))


def greatest(*values: Value) -> Expression:
    """The largest of some values, which leaves nulls out."""
    return Expression("greatest", *map(literal, values))


def needing_several(compared: Expression, value: Expression) -> Expression:
    """A value that compares groups, undefined where fewer than two of them have the number."""
    return choose(compared.count() > 1, value)


def total(value: Expression) -> Expression:
    """The sum, undefined if any value is; `sum` leaves nulls out. Without values it is 0."""
    return choose((~value.is_null()).all(), value.sum())


def difference(value: Expression, reference: Expression) -> Expression:
    """A value less another; 0 where both are the same infinity, and null where it is undefined."""
    return known(choose(value == reference, 0.0, value - reference))
