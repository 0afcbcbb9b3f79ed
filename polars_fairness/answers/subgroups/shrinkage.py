"""Shrinkage of rates of few rows towards other groups: empirical Bayes, beta-binomial.

The rates of all groups of one depth are taken as a sample from one Beta distribution. Its mean and
its strength, in rows, are fitted by the method of moments (Kleinman 1973), with each group weighted
by its rows. A group's own rows are then added to this distribution.
"""

from __future__ import annotations

import polars as pl


def prior_mean(rate: pl.Expr, of: pl.Expr) -> pl.Expr:
    """The mean of some groups' rates, weighted by their rows.

    Examples
    --------
    >>> import polars as pl
    >>> pl.select(prior_mean(pl.lit(pl.Series([0.2, 0.5])), pl.lit(pl.Series([10, 20])))).item()
    0.4
    """
    rows = pl.when(rate.is_not_null()).then(of).sum()
    return ((rate * of).sum() / rows).fill_nan(None)


def prior_rows(rate: pl.Expr, of: pl.Expr, most: pl.Expr) -> pl.Expr:
    """The strength of the distribution of some groups' rates, as a number of rows.

    If the rates differ by no more than chance, they are one rate. This rate is known from all rows,
    so the strength is their number, ``most``.

    Examples
    --------
    >>> import polars as pl
    >>> groups = pl.DataFrame({"equal": [0.5, 0.5, 0.5], "apart": [0.1, 0.5, 0.9], "n": 20.0})
    >>> n, most = pl.col("n"), pl.lit(60)
    >>> rows = {rate: prior_rows(pl.col(rate), n, most).round(2) for rate in ("equal", "apart")}
    >>> groups.select(**rows).row(0)
    (60.0, 0.61)
    """
    known = pl.when(rate.is_not_null(), of > 0).then(of)
    n, mean = known.sum(), prior_mean(rate, of)
    within = mean * (1 - mean)
    spread = (known * (rate - mean) ** 2).sum()
    others = known.count() - 1.0
    room = n - (known**2).sum() / n - others
    # The part of the variance of single outcomes that lies between groups: 1 / (strength + 1).
    between = (spread - within * others) / (within * room)
    is_known = (between > 0) & (room > 0) & (within > 0)
    return pl.when(is_known).then((1 / between - 1).clip(0, most)).otherwise(most)


def shrunken_rate(rate: pl.Expr, of: pl.Expr, mean: pl.Expr, strength: pl.Expr) -> pl.Expr:
    """The mean of a rate and the prior mean, weighted by the group's rows and the strength.

    Examples
    --------
    >>> import polars as pl
    >>> pl.select(shrunken_rate(pl.lit(1.0), pl.lit(2.0), pl.lit(0.25), pl.lit(4.0))).item()
    0.5
    """
    rows = of + strength
    return pl.when(rows > 0).then((rate * of + mean * strength) / rows).otherwise(mean)


def beta_quantile(rate: pl.Series, of: pl.Series, probability: float) -> pl.Series:
    """A quantile of each rate's Beta distribution; ``of`` is its rows and the strength together.

    An absent outcome counts as half a row, as in an audit.

    Examples
    --------
    >>> import polars as pl
    >>> beta_quantile(pl.Series([0.5]), pl.Series([4.0]), 0.975).round(4).item()
    0.9057
    """
    from scipy.special import betaincinv  # brought by an extra

    yes, no = (rate * of).clip(0.5), ((1 - rate) * of).clip(0.5)
    return pl.Series(rate.name, betaincinv(yes, no, probability)).fill_nan(None)
