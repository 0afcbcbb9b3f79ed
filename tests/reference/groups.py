"""Across all groups."""

from __future__ import annotations

from fractions import Fraction

from tests.reference.cases import Case, Formula, as_people
from tests.reference.numbers import Value, log, size
from tests.reference.rows import Counts


def group_rates(c: Case, name: str) -> list[Fraction | float]:
    """The rate of every group that has one."""
    found = [c.rate(name, group) for group in c.groups]
    return [value for value in found if value is not None]


def gap(c: Case, name: str) -> Value:
    """Largest less smallest rate."""
    found = group_rates(c, name)
    return c.minus(max(found), min(found)) if len(found) > 1 else None


def low_over_high(c: Case, name: str) -> Value:
    """Smallest over largest rate."""
    found = group_rates(c, name)
    return c.ratio(min(found), max(found)) if len(found) > 1 else None


def equalized_odds_gap(c: Case) -> Value:
    """The wider of the gaps of the true and the false positive rate."""
    x, y = gap(c, "tpr"), gap(c, "fpr")
    return None if x is None or y is None else max(x, y)


def equalized_odds_ratio(c: Case) -> Value:
    """The smaller of the ratios of the true and the false positive rate."""
    x, y = low_over_high(c, "tpr"), low_over_high(c, "fpr")
    return None if x is None or y is None else min(x, y)


def subgroup_fairness(c: Case, size_of: str, name: str) -> Value:
    """Largest distance of a group's rate from the overall rate, times the group's share."""
    found = []
    for group in c.groups:
        share = c.ratio(getattr(group, size_of), c.all.n)
        distance = size(c.minus(c.rate(name, c.all), c.rate(name, group)))
        if share is not None and distance is not None:
            found.append(share * distance)
    return max(found) if len(found) > 1 else None


def fpsf(c: Case) -> Value:
    """False positive subgroup fairness."""
    return subgroup_fairness(c, "negative", "fpr")


def fnsf(c: Case) -> Value:
    """False negative subgroup fairness."""
    return subgroup_fairness(c, "positive", "fnr")


def spsf(c: Case) -> Value:
    """Statistical parity subgroup fairness."""
    return subgroup_fairness(c, "n", "selection_rate")


def differential_fairness(c: Case, concentration: float = 1) -> Value:
    """Smoothed epsilon of differential fairness."""
    k, c = Fraction(concentration), as_people(c, c.known)
    smooth = [c.ratio(group.accepted + k / 2, group.n + k) for group in c.groups]
    if len(smooth) < 2:
        return None
    found = [
        size(c.minus(log(x), log(y)))
        for one in smooth
        for two in smooth
        if one is not None and two is not None
        for x, y in ((one, two), (1 - one, 1 - two))
    ]
    return max((value for value in found if value is not None), default=None)


def spread(c: Case, rate: str = "selection_rate") -> Value:
    """Variance of the groups' rates less the mean sampling variance."""
    found = []
    for group in c.rows_of_groups:
        counts = Counts(group)
        squares = sum(Fraction(row.weight) ** 2 for row in group)
        rows = counts.n**2 / squares if squares else 0
        value = c.rate(rate, counts)
        if value is not None and rows > 1:
            found.append((value, rows))
    if len(found) < 2:
        return None
    rates = [value for value, _ in found]
    mean = sum(rates) / len(rates)
    between = sum((value - mean) ** 2 for value in rates) / (len(rates) - 1)
    return between - sum(r * (1 - r) / (n - 1) for r, n in found) / len(found)


def cdd_shares(c: Case) -> Value:
    """Each group's share of the rejected less its share of the accepted, weighted by size."""
    total: Fraction | float = Fraction(0)
    for group in c.groups:
        weight = c.ratio(group.n, c.all.n)
        rejected = c.ratio(group.rejected, c.all.rejected)
        shift = c.minus(rejected, c.ratio(group.accepted, c.all.accepted))
        if weight is None or shift is None:
            return None
        total += weight * shift
    return total if c.groups else None


FORMULAS: tuple[Formula, ...] = (
    equalized_odds_gap,
    equalized_odds_ratio,
    fpsf,
    fnsf,
    spsf,
    differential_fairness,
    spread,
    cdd_shares,
)

COMPARED = ("selection_rate", "tpr", "fpr", "tnr", "fnr", "ppv", "npv", "accuracy")
