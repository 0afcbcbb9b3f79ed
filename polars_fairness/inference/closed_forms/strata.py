"""Intervals of conditional metrics, which hold for many small strata as for few large ones.

Cells drawn again are too much alike where strata are small: of 200 strata of five rows, 95 %
intervals of `cddpl` held the truth in 83 of 100. Here the variance inside each stratum is estimated
without bias, and added up.
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
    """A share inside a stratum: of how many, how many, and how many rows these are."""

    count: pl.Expr
    of: pl.Expr
    rows: pl.Expr

    @property
    def rate(self) -> pl.Expr:
        return ratio(self.count, self.of)


def conditional_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """Write the bounds of a conditional metric as metrics, if its formula is known here.

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
                return _linearised(one, other, difference, z)
    return None


_ODDS_RATIO: Final = CATALOGUE["mh_odds_ratio"].parsed.expression


def _differences() -> Iterator[tuple[Share, Share, pl.Expr]]:
    """Every difference of two shares of different rows of a stratum, as formulas write it."""
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


def _linearised(one: Share, other: Share, difference: pl.Expr, z: float) -> Bounds:
    """Average the differences, with the variances inside the strata added up.

    The strata are what they are, and not drawn themselves: forty branches that differ make nothing
    less sure.
    """
    value = difference.fill_nan(UNDEFINED)
    size = pl.when(value.is_not_null()).then(both_i.n)
    share = size / size.sum()
    variance = share**2 * (_variance(one, other) + _variance(other, one))
    total = variance.sum()
    # Satterthwaite: variances of few rows are known as badly as these are few.
    freedom = total**2 / (variance**2 / (both_i.effective_n - 1).clip(lower_bound=1)).sum()
    reach = pl.when(total > 0).then(_student(z, freedom) * total.sqrt()).otherwise(0.0)
    average = (value * share).sum()
    is_known = size.sum() > 0
    return (
        pl.when(is_known).then((average - reach).clip(-1, 1)),
        pl.when(is_known).then((average + reach).clip(-1, 1)),
    )


def _variance(share: Share, other: Share) -> pl.Expr:
    """Estimate the variance of a share without bias, also of one row.

    p(1−p)/(n−1) is unbiased from two rows on, and 0 where all rows are alike; the same with both
    shares pooled is unbiased where these are equal. The latter counts as one row of n.
    """
    n, rows = share.rows, share.rows + other.rows
    own = pl.when(n > 1).then(share.rate * (1 - share.rate) / n).otherwise(0.0)
    together = ratio(share.count + other.count, share.of + other.of)
    pooled = pl.when(rows > 1).then(together * (1 - together) * rows / (rows - 1)).otherwise(0.0)
    return pl.when(n > 0).then(own + pooled / n**2).otherwise(0.0)


def _robins_breslow_greenland(z: float) -> Bounds:
    """Robins, Breslow and Greenland 1986: normal on the logarithm of the common odds ratio."""
    # What a row of the stratum weighs: 1 without weights.
    weight = both_i.n / both_i.effective_n
    has_both = (_known(_up(pl.lit(0.0))) > 0) & (_known(_down(pl.lit(0.0))) > 0)
    # What never happened in any stratum is half a row, spread over all of them.
    half = pl.when(has_both).then(0.0).otherwise(0.5 * weight / (both_i.n > 0).sum())
    up, down, n = _up(half), _down(half), both_i.n + 4 * half
    p = (d_i.accepted + a_i.rejected + 2 * half) / n
    q = (d_i.rejected + a_i.accepted + 2 * half) / n
    ups, downs = _known(up), _known(down)
    variance = (
        _known(weight * p * up) / (2 * ups**2)
        + _known(weight * (p * down + q * up)) / (2 * ups * downs)
        + _known(weight * q * down) / (2 * downs**2)
    )
    logarithm, reach = (ups / downs).log(), z * variance.sqrt()
    is_known = (ups > 0) & (downs > 0)
    return (
        pl.when(is_known).then((logarithm - reach).exp()).otherwise(0.0),
        pl.when(is_known).then((logarithm + reach).exp()).otherwise(INFINITY),
    )


def _up(half: pl.Expr) -> pl.Expr:
    return (d_i.accepted + half) * (a_i.rejected + half) / (both_i.n + 4 * half)


def _down(half: pl.Expr) -> pl.Expr:
    return (d_i.rejected + half) * (a_i.accepted + half) / (both_i.n + 4 * half)


def _known(value: pl.Expr) -> pl.Expr:
    return pl.when(both_i.n > 0).then(value).sum()


def _student(z: float, freedom: pl.Expr) -> pl.Expr:
    """The quantile of Student's distribution at that of the normal one: Cornish and Fisher."""
    return (
        z
        + (z**3 + z) / 4 / freedom
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3
    )
