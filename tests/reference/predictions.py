"""Two sides, predictions."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.reference.cases import Case, Formula, as_people
from tests.reference.numbers import Value, log, root


def dppl(c: Case) -> Value:
    """Selection rate, a less d."""
    return c.a_less_d("selection_rate")


def statistical_parity(c: Case) -> Value:
    """Selection rate, d less a."""
    return c.minus(c.rate("selection_rate", c.d), c.rate("selection_rate", c.a))


def di(c: Case) -> Value:
    """Selection rate, d over a."""
    return c.ratio(c.rate("selection_rate", c.d), c.rate("selection_rate", c.a))


def success_ratio(c: Case) -> Value:
    """Selection rate, a over d."""
    return c.ratio(c.rate("selection_rate", c.a), c.rate("selection_rate", c.d))


def four_fifths(c: Case) -> Value:
    """The smaller selection rate over the larger."""
    x, y = c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)
    return None if x is None or y is None else c.ratio(min(x, y), max(x, y))


def cohens_d(c: Case) -> Value:
    """Difference of selection rates in pooled standard deviations."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    x, y = c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)
    if x is None or y is None:
        return None
    if c.both.n <= 2:
        return c.ratio(x - y, Fraction(0))
    squares = max(c.a.n - 1, Fraction(0)) * x * (1 - x) + max(c.d.n - 1, Fraction(0)) * y * (1 - y)
    return c.ratio(x - y, root(c.ratio(squares, c.a.n + c.d.n - 2)))


def room_of(c: Case) -> Value:
    """N·P(1−P), with P the share of a among both."""
    share = c.ratio(c.a.n, c.both.n)
    return None if share is None else c.both.n * share * (1 - share)


def two_sd(c: Case) -> Value:
    """Difference of selection rates in standard errors."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    pooled = c.rate("selection_rate", c.both)
    if pooled is None:
        return None
    return c.ratio(dppl(c), root(c.ratio(pooled * (1 - pooled), room_of(c))))


def z_ratio(c: Case) -> Value:
    """Logarithm of the ratio of selection rates in standard errors."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    pooled, room = c.rate("selection_rate", c.both), room_of(c)
    if pooled is None or room is None:
        return None
    distance = log(c.ratio(c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)))
    if c.zero is None and distance == -math.inf:
        return None
    return c.ratio(distance, root(c.ratio(1 - pooled, pooled * room)))


def ddpl(c: Case) -> Value:
    """Share of d among the rejected less its share among the accepted."""
    return c.minus(c.ratio(c.d.rejected, c.both.rejected), c.ratio(c.d.accepted, c.both.accepted))


def odds_ratio(c: Case) -> Value:
    """Accepted to rejected, d over a, without a quotient whose denominator may be 0."""
    return c.ratio(c.d.accepted * c.a.rejected, c.d.rejected * c.a.accepted)


FORMULAS: tuple[Formula, ...] = (
    dppl,
    statistical_parity,
    di,
    success_ratio,
    four_fifths,
    cohens_d,
    two_sd,
    z_ratio,
    ddpl,
    odds_ratio,
)
