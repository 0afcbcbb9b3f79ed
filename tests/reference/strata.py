"""Two sides, within strata."""

from __future__ import annotations

from fractions import Fraction

from tests.reference.cases import Case, Formula, as_people
from tests.reference.labels import ddl
from tests.reference.numbers import Value, root
from tests.reference.predictions import ddpl


def conditional(c: Case, inside: Formula) -> Value:
    """A metric inside every stratum, weighted by the stratum's size."""
    parts = [(part.both.n, inside(part)) for part in c.strata]
    defined = [(n, value) for n, value in parts if value is not None]
    return c.ratio(sum((n * x for n, x in defined), Fraction(0)), sum(n for n, _ in defined))


def cddpl(c: Case) -> Value:
    """`ddpl` inside every stratum."""
    return conditional(c, ddpl)


def mh_odds_ratio(c: Case) -> Value:
    """The common odds ratio of acceptance of d over a, by Mantel and Haenszel."""
    above = below = Fraction(0)
    for part in c.strata:
        if part.both.n > 0:
            above += part.d.accepted * part.a.rejected / part.both.n
            below += part.d.rejected * part.a.accepted / part.both.n
    return c.ratio(above, below)


def cmh(c: Case) -> Value:
    """Accepted rows of a less their expected number in its strata, in standard deviations."""
    excess = variance = Fraction(0)
    for stratum in c.strata:
        part = as_people(stratum, [*stratum.rows_a, *stratum.rows_d])
        both, n = part.both, part.both.n
        if n > 1:
            excess += part.a.accepted - part.a.n * both.accepted / n
            margins = part.a.n * part.d.n * both.accepted * both.rejected
            variance += margins / (n * n * (n - 1))
    return c.ratio(excess, root(variance))


def cddl(c: Case) -> Value:
    """`ddl` inside every stratum."""
    return conditional(c, ddl)


FORMULAS: tuple[Formula, ...] = (cddpl, cddl, mh_odds_ratio, cmh)
