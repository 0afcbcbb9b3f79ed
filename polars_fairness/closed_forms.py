"""Intervals that have a formula: Wilson's of a rate, Newcombe's of a difference, the log one.

The bounds are metrics themselves, evaluated where all others are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from statistics import NormalDist
from typing import Literal

import polars as pl

from polars_fairness.errors import FairnessError
from polars_fairness.metric import Metric
from polars_fairness.terms import INFINITY, RATES, Side, a, d, ratio, unbounded_ratio

Method = Literal["newcombe", "log"]


@dataclass(frozen=True)
class Proportion:
    """A rate of one side as two counts: of how many, how many."""

    count: pl.Expr
    of: pl.Expr

    @property
    def rate(self) -> pl.Expr:
        return ratio(self.count, self.of)


def wilson(rate: pl.Expr, of: pl.Expr, z: float) -> tuple[pl.Expr, pl.Expr]:
    """Bound a share of so many rows by Wilson's score interval (Wilson 1927).

    Examples
    --------
    >>> import polars as pl
    >>> low, high = wilson(pl.lit(0.8), pl.lit(10.0), 1.96)
    >>> pl.select(low=low.round(3), high=high.round(3)).row(0)
    (0.49, 0.943)
    """
    middle = rate + z**2 / (2 * of)
    reach = z * (rate * (1 - rate) / of + z**2 / (4 * of**2)).sqrt()
    whole = 1 + z**2 / of
    # Of 0 and of all, rounding leaves a bound a hair outside of what a share can be.
    # Of nobody, where 0/0 has a number, nothing is known.
    lower = pl.when((rate == 0) | (of == 0)).then(0.0).otherwise((middle - reach) / whole)
    upper = pl.when((rate == 1) | (of == 0)).then(1.0).otherwise((middle + reach) / whole)
    return pl.when(rate.is_not_null()).then(lower), pl.when(rate.is_not_null()).then(upper)


def closed_form(metric: Metric) -> Method | None:
    """Name the interval that a metric's formula has, if it has one.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [closed_form(pf.CATALOGUE[name]) for name in ("rd", "di", "cddpl")]
    ['newcombe', 'log', None]
    """
    if _difference(metric):
        return "newcombe"
    return "log" if _quotient(metric) else None


def bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric]:
    """Write the bounds of a metric that has a closed form as metrics."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    if pair := _difference(metric):
        lower, upper = _newcombe(*pair, z)
    elif pair := _quotient(metric):
        lower, upper = _log(*pair, z)
    else:
        msg = f"method: there is no closed form for {metric.name!r}; use 'bootstrap'"
        raise FairnessError(msg)
    return replace(metric, formula=lower), replace(metric, formula=upper)


def _newcombe(one: Proportion, other: Proportion, z: float) -> tuple[pl.Expr, pl.Expr]:
    """Newcombe 1998, method 10: the score intervals of both, squared and added."""
    difference = one.rate - other.rate
    (low, high), (other_low, other_high) = (wilson(p.rate, p.of, z) for p in (one, other))
    down = ((one.rate - low) ** 2 + (other_high - other.rate) ** 2).sqrt()
    up = ((high - one.rate) ** 2 + (other.rate - other_low) ** 2).sqrt()
    return difference - down, difference + up


def _log(one: Proportion, other: Proportion, z: float) -> tuple[pl.Expr, pl.Expr]:
    """Katz and others 1978: normal on the logarithm."""
    deviation = sum((ratio(1 - p.rate, p.count) for p in (one, other)), pl.lit(0.0)).sqrt()
    logarithm = ratio(one.rate, other.rate).log()
    # A rate of 0 has no logarithm, and two rates of 1 no deviation: nothing is known.
    is_bounded = (one.count > 0) & (other.count > 0) & (deviation > 0)
    return (
        pl.when(is_bounded).then((logarithm - z * deviation).exp()).otherwise(0.0),
        pl.when(is_bounded).then((logarithm + z * deviation).exp()).otherwise(INFINITY),
    )


def _difference(metric: Metric) -> tuple[Proportion, Proportion] | None:
    return _compared(metric, lambda one, other: [one - other])


def _quotient(metric: Metric) -> tuple[Proportion, Proportion] | None:
    return _compared(metric, lambda one, other: [ratio(one, other), unbounded_ratio(one, other)])


def _compared(
    metric: Metric, ways: Callable[[pl.Expr, pl.Expr], Sequence[pl.Expr]]
) -> tuple[Proportion, Proportion] | None:
    """Read off a formula which rate of the two sides it compares in one of these ways."""
    formula = metric.parsed.expression.meta
    for rate, (above, below) in RATES.items():
        if rate == "f1":
            continue  # no proportion of anybody
        for one, other in ((a, d), (d, a)):
            if any(formula.eq(way) for way in ways(_term(one, rate), _term(other, rate))):
                return _proportion(one, above, below), _proportion(other, above, below)
    return None


def _proportion(side: Side, above: Sequence[str], below: Sequence[str]) -> Proportion:
    count, of = (reduce(add, (_term(side, word) for word in part)) for part in (above, below))
    return Proportion(count, of)


def _term(side: Side, word: str) -> pl.Expr:
    return pl.col(f"{side.name}.{word}")
