"""The arithmetic of formulas: quotients by 0, and aggregates that do not skip nulls."""

from __future__ import annotations

from typing import Final

import polars as pl

INFINITY: Final = float("inf")

# The value of 0/0. The call decides it, not the formula: a column with one value, null or a number,
# carries the decision into each frame on which a formula is evaluated.
UNDEFINED: Final = pl.col("undefined")

# The divisor to use in place of 0: null, or 0 itself where 0/0 has a number.
NO_DIVISOR: Final = pl.col("no_divisor")


def ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide; over a denominator of 0 the quotient is undefined, whatever the numerator.

    Where the call gives a number for undefined values, 0/0 is this number and x/0 is infinite.
    """
    return unbounded_ratio(numerator, _nonzero(denominator))


def unbounded_ratio(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide as `ratio` does, but x/0 is infinite: for metrics whose source defines it so."""
    quotient = numerator / denominator
    # `fill_nan` would write the quotient three times into the plan; this writes it twice.
    return pl.when(quotient.is_nan()).then(UNDEFINED).otherwise(quotient)


def ratio_of_totals(numerator: pl.Expr, denominator: pl.Expr) -> pl.Expr:
    """Divide one aggregate of all rows by another, as `ratio` does.

    The quotient is one value too, and not repeated on each of perhaps a million rows.
    """
    divisor = pl.when(denominator == 0).then(NO_DIVISOR.first()).otherwise(denominator)
    quotient = numerator / divisor
    return pl.when(quotient.is_nan()).then(UNDEFINED.first()).otherwise(quotient)


def logarithm(value: pl.Expr) -> pl.Expr:
    """The natural logarithm; the logarithm of 0 is undefined, as 1/0 is."""
    return _nonzero(value).log()


def _nonzero(value: pl.Expr) -> pl.Expr:
    return pl.when(value == 0).then(NO_DIVISOR).otherwise(value)


def smaller(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """The smaller of two values, undefined if either is; polars' own minimum skips nulls."""
    return pl.when(left <= right).then(left).when(left > right).then(right)


def larger(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """The larger of two values, undefined if either is."""
    return pl.when(left >= right).then(left).when(left < right).then(right)


def of_several(compared: pl.Expr, value: pl.Expr) -> pl.Expr:
    """A value that compares groups, undefined where fewer than two of them have the number."""
    return pl.when(compared.count() > 1).then(value)


def total(value: pl.Expr) -> pl.Expr:
    """The sum, undefined if any value is; polars' own sum skips nulls. Without values it is 0."""
    return pl.when(value.is_not_null().all()).then(value.sum())


def difference(value: pl.Expr, reference: pl.Expr) -> pl.Expr:
    """A value less another; 0 where both are the same infinity, and null where it is undefined."""
    return pl.when(value == reference).then(0.0).otherwise(value - reference).fill_nan(None)
