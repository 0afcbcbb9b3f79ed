"""Two sides, within strata."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

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


def mh_ratio(c: Case) -> Value:
    """The common ratio of selection rates of d over a, by Mantel and Haenszel."""
    parts = [part for part in c.strata if part.both.n > 0]
    above = sum((part.d.accepted * part.a.n / part.both.n for part in parts), Fraction(0))
    below = sum((part.a.accepted * part.d.n / part.both.n for part in parts), Fraction(0))
    return c.ratio(above, below)


def mh_difference(c: Case) -> Value:
    """The mean difference of selection rates, a less d, weighted by n_a·n_d/n."""
    above = below = Fraction(0)
    for part in c.strata:
        if part.a.n > 0 and part.d.n > 0:
            weight = part.a.n * part.d.n / part.both.n
            above += weight * (part.a.accepted / part.a.n - part.d.accepted / part.d.n)
            below += weight
    return c.ratio(above, below)


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


def conditional_p(tables: Iterable[tuple[int, int, int, int]]) -> float | None:
    """The chance of sums over strata no likelier than the observed one, from all tables.

    A stratum is accepted and rejected of d, then of a.
    """
    ways, observed, says = {0: 1}, 0, False
    for d_yes, d_no, a_yes, a_no in tables:
        n_d, n_a, yes = d_yes + d_no, a_yes + a_no, d_yes + a_yes
        says |= 0 not in (n_d, n_a, yes, d_no + a_no)
        observed += d_yes
        added: dict[int, int] = {}
        for k in range(max(0, yes - n_a), min(n_d, yes) + 1):
            of_stratum = comb(n_d, k) * comb(n_a, yes - k)
            for sums, number in ways.items():
                added[sums + k] = added.get(sums + k, 0) + number * of_stratum
        ways = added
    no_likelier = sum(each for each in ways.values() if each <= ways[observed])
    return float(Fraction(no_likelier, sum(ways.values()))) if says else None


def breslow_day(c: Case) -> Value:
    """Squared distances of accepted rows of d from their number at the common odds ratio."""
    common = mh_odds_ratio(replace(c, zero=None, unbounded=True))
    parts = [as_people(part, [*part.rows_a, *part.rows_d]) for part in c.strata]
    informative = [
        (part.d, part.both)
        for part in parts
        if 0 not in (part.d.n, part.a.n, part.both.accepted, part.both.rejected)
    ]
    if len(informative) < 2 or not common or common == math.inf:
        return c.zero
    total = Decimal(0)
    with localcontext(prec=60):
        for d, both in informative:
            cells = (d.accepted, d.n, both.accepted, both.n, Fraction(common))
            total += squared_distance(*map(as_decimal, cells))
    return float(total)


def as_decimal(x: Fraction) -> Decimal:
    """A fraction with as many digits as the context has."""
    return Decimal(x.numerator) / Decimal(x.denominator)


def squared_distance(
    found: Decimal, of_d: Decimal, accepted: Decimal, n: Decimal, odds_ratio: Decimal
) -> Decimal:
    """The squared distance of a cell of a 2 by 2 table, in variances; by halving an interval."""
    low, high = max(Decimal(0), of_d + accepted - n), min(of_d, accepted)
    for _ in range(180):
        middle = (low + high) / 2
        same, other = middle * (n - of_d - accepted + middle), (of_d - middle) * (accepted - middle)
        low, high = (low, middle) if same > odds_ratio * other else (middle, high)
    cells = (low, of_d - low, accepted - low, n - of_d - accepted + low)
    return (found - low) ** 2 * sum((1 / cell for cell in cells), Decimal(0))


def cddl(c: Case) -> Value:
    """`ddl` inside every stratum."""
    return conditional(c, ddl)


FORMULAS: tuple[Formula, ...] = (
    cddpl,
    cddl,
    mh_ratio,
    mh_difference,
    mh_odds_ratio,
    cmh,
    breslow_day,
)
