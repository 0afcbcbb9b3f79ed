"""The arithmetic of formulas: what 0/0 and x/0 are, and aggregates that do not skip nulls."""

from __future__ import annotations

from typing import Final

import polars as pl

INFINITY: Final = float("inf")

# What a quotient by 0 is, the call decides and not the formula: a column of one value, null or a
# number, carries the decision into whatever frame the formula meets.
UNDEFINED: Final = pl.col("undefined")

# Beside it, what a divisor of 0 is: null, or 0 itself where 0/0 has a number.
NO_DIVISOR: Final = pl.col("no_divisor")


def ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide, and say what a zero denominator means: undefined, whatever stands above it.

    Where the call gives a number for undefined, 0/0 is that number and x/0 is infinite.
    """
    return unbounded_ratio(numerator, _nonzero(denominator))


def unbounded_ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide as `ratio` does, but let x/0 be infinite: the metric's source says it is."""
    quotient = numerator / denominator
    # `fill_nan` would write the quotient three times into the plan, and this does twice.
    return pl.when(quotient.is_nan()).then(UNDEFINED).otherwise(quotient)


def logarithm(value: pl.Expr) -> pl.Expr:
    """Take the natural logarithm; that of 0 is undefined as 1/0 is."""
    return _nonzero(value).log()


def _nonzero(value: pl.Expr) -> pl.Expr:
    return pl.when(value == 0).then(NO_DIVISOR).otherwise(value)


def smaller(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Take the smaller of two, undefined where either is: polars' own minimum skips nulls."""
    return pl.when(left <= right).then(left).when(left > right).then(right).otherwise(None)


def larger(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Take the larger of two, undefined where either is."""
    return pl.when(left >= right).then(left).when(left < right).then(right).otherwise(None)


def total(value: pl.Expr) -> pl.Expr:
    """Sum, undefined where one part is: polars' own sum skips nulls, and of nothing it is 0."""
    return pl.when(value.is_not_null().all()).then(value.sum()).otherwise(None)
