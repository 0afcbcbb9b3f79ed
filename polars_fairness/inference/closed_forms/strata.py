"""Closed-form intervals of conditional metrics, for many small strata as for few large ones.

A bootstrap of small strata varies too little: for 200 strata of five rows, its 95 % intervals of
`cddpl` held the truth in 83 of 100. Here the variance inside each stratum is estimated without
bias, and the variances are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.arithmetic import INFINITY, UNDEFINED, ratio
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.levels import ACROSS_STRATA, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import PROPORTIONS, RATES
from polars_fairness.formula.sides import a_i, both_i, d_i

Bounds = tuple[pl.Expr, pl.Expr]


@dataclass(frozen=True)
class Share:
    """A share inside a stratum, ``count`` of ``of``; ``rows`` is the effective number of ``of``."""

    count: pl.Expr
    of: pl.Expr
    rows: pl.Expr

    @property
    def rate(self) -> pl.Expr:
        return ratio(self.count, self.of)


def conditional_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a conditional metric as metrics, or None if its formula has no closed form.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [conditional_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("cddpl", "cmh")]
    [False, True]
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    bounds = _bounds(metric, z)
    if bounds is None:
        return None
    lower, upper = (replace(metric, formula=across_strata(bound)) for bound in bounds)
    return lower, upper


def _bounds(metric: Metric, z: float) -> Bounds | None:
    formula = metric.parsed
    if formula.level == ACROSS_STRATA:
        is_common_odds_ratio = formula.expression.meta.eq(_ODDS_RATIO)
        return _robins_breslow_greenland(z) if is_common_odds_ratio else None
    if formula.level == STRATUM:
        for one, other, difference in _differences():
            if formula.expression.meta.eq(difference):
                return _mean_difference(one, other, difference, z)
    return None


_ODDS_RATIO: Final = CATALOGUE["mh_odds_ratio"].parsed.expression


def _differences() -> Iterator[tuple[Share, Share, pl.Expr]]:
    """Every difference of two shares of disjoint rows of a stratum, with its formula."""
    for less, more in (("accepted", "rejected"), ("positive", "negative")):
        shares = [
            Share(
                pl.col(f"{d_i.name}.{word}"),
                pl.col(f"{both_i.name}.{word}"),
                pl.col(f"{both_i.name}.effective_{word}"),
            )
            for word in (more, less)
        ]
        yield shares[0], shares[1], shares[0].rate - shares[1].rate
    for rate in PROPORTIONS:
        of_a, of_d = (pl.col(f"{side.name}.{rate}") for side in (a_i, d_i))
        in_a, in_d = (
            Share(*RATES[rate].sums(side.name), pl.col(f"{side.name}.{RATES[rate].rows}"))
            for side in (a_i, d_i)
        )
        yield in_a, in_d, of_a - of_d
        yield in_d, in_a, of_d - of_a


def _mean_difference(one: Share, other: Share, difference: pl.Expr, z: float) -> Bounds:
    """Bounds of the mean difference, from the sum of the variances inside the strata.

    The strata are fixed, not a sample: differences between forty branches do not widen the
    interval.
    """
    value = difference.fill_nan(UNDEFINED)
    size = pl.when(value.is_not_null()).then(both_i.n)
    share = size / size.sum()
    variance = share**2 * (_variance(one, other) + _variance(other, one))
    total = variance.sum()
    # Satterthwaite: the fewer the rows behind a variance, the less certain it is.
    freedom = total**2 / (variance**2 / (both_i.effective_n - 1).clip(lower_bound=1)).sum()
    reach = pl.when(total > 0).then(_student(z, freedom) * total.sqrt()).otherwise(0.0)
    average = (value * share).sum()
    has_bounds = size.sum() > 0
    return (
        pl.when(has_bounds).then((average - reach).clip(-1, 1)),
        pl.when(has_bounds).then((average + reach).clip(-1, 1)),
    )


def _variance(share: Share, other: Share) -> pl.Expr:
    """An unbiased estimate of the variance of a share, even of one row.

    p(1−p)/(n−1) is unbiased from two rows on, and 0 where all rows have the same outcome. The same
    with both shares pooled is unbiased where the shares are equal; it counts as one row of n.
    """
    n, rows = share.rows, share.rows + other.rows
    own = pl.when(n > 1).then(share.rate * (1 - share.rate) / n).otherwise(0.0)
    together = ratio(share.count + other.count, share.of + other.of)
    pooled = pl.when(rows > 1).then(together * (1 - together) * rows / (rows - 1)).otherwise(0.0)
    return pl.when(n > 0).then(own + pooled / n**2).otherwise(0.0)


def _robins_breslow_greenland(z: float) -> Bounds:
    """Bounds of the common odds ratio (Robins, Breslow and Greenland 1986), normal on its log."""
    # The weight of an effective row of the stratum: 1 without weights.
    weight = both_i.n / both_i.effective_n
    has_both = (_sum(_numerator(pl.lit(0.0))) > 0) & (_sum(_denominator(pl.lit(0.0))) > 0)
    # An outcome absent from all strata counts as half a row, spread over the strata.
    half = pl.when(has_both).then(0.0).otherwise(0.5 * weight / (both_i.n > 0).sum())
    numerator, denominator, n = _numerator(half), _denominator(half), both_i.n + 4 * half
    p = (d_i.accepted + a_i.rejected + 2 * half) / n
    q = (d_i.rejected + a_i.accepted + 2 * half) / n
    above, below = _sum(numerator), _sum(denominator)
    variance = (
        _sum(weight * p * numerator) / (2 * above**2)
        + _sum(weight * (p * denominator + q * numerator)) / (2 * above * below)
        + _sum(weight * q * denominator) / (2 * below**2)
    )
    logarithm, reach = (above / below).log(), z * variance.sqrt()
    has_bounds = (above > 0) & (below > 0)
    return (
        pl.when(has_bounds).then((logarithm - reach).exp()).otherwise(0.0),
        pl.when(has_bounds).then((logarithm + reach).exp()).otherwise(INFINITY),
    )


def _numerator(half: pl.Expr) -> pl.Expr:
    return (d_i.accepted + half) * (a_i.rejected + half) / (both_i.n + 4 * half)


def _denominator(half: pl.Expr) -> pl.Expr:
    return (d_i.rejected + half) * (a_i.accepted + half) / (both_i.n + 4 * half)


def _sum(value: pl.Expr) -> pl.Expr:
    """Sum over the strata that have rows."""
    return pl.when(both_i.n > 0).then(value).sum()


def _student(z: float, freedom: pl.Expr) -> pl.Expr:
    """Student's quantile from the normal one, by the series of Cornish and Fisher."""
    return (
        z
        + (z**3 + z) / 4 / freedom
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3
    )
