"""Rates of few rows, drawn to what groups of their kind have: empirical Bayes, beta-binomial.

The rates of all groups of one depth are taken for draws from one Beta distribution. Its mean and
its strength, in rows, are fitted by the method of moments (Kleinman 1973), each group weighing by
its rows; a group's own rows are then added to it.
"""

from __future__ import annotations

import polars as pl


def center(rate: pl.Expr, of: pl.Expr) -> pl.Expr:
    """The mean of some groups' rates, each weighing by its rows.

    Examples
    --------
    >>> import polars as pl
    >>> pl.select(center(pl.lit(pl.Series([0.2, 0.5])), pl.lit(pl.Series([10, 20])))).item()
    0.4
    """
    of_known = pl.when(rate.is_not_null()).then(of).sum()
    return ((rate * of).sum() / of_known).fill_nan(None)


def strength(rate: pl.Expr, of: pl.Expr, most: pl.Expr) -> pl.Expr:
    """How many rows the distribution of some groups' rates is worth to each of them.

    Where the rates differ by no more than chance would have it they are all one, which cannot be
    known better than by the rows of everybody: that is the most.

    Examples
    --------
    >>> import polars as pl
    >>> groups = pl.DataFrame({"alike": [0.5, 0.5, 0.5], "apart": [0.1, 0.5, 0.9], "n": 20.0})
    >>> n, most = pl.col("n"), pl.lit(60)
    >>> worth = {rate: strength(pl.col(rate), n, most).round(2) for rate in ("alike", "apart")}
    >>> groups.select(**worth).row(0)
    (60.0, 0.61)
    """
    known = pl.when(rate.is_not_null(), of > 0).then(of)
    n, mean = known.sum(), center(rate, of)
    within = mean * (1 - mean)
    spread = (known * (rate - mean) ** 2).sum()
    others = known.count() - 1.0
    room = n - (known**2).sum() / n - others
    # The part of the variance of single outcomes that lies between groups: 1 / (strength + 1).
    between = (spread - within * others) / (within * room)
    is_known = (between > 0) & (room > 0) & (within > 0)
    return pl.when(is_known).then((1 / between - 1).clip(0, most)).otherwise(most)


def shrunken(rate: pl.Expr, of: pl.Expr, mean: pl.Expr, worth: pl.Expr) -> pl.Expr:
    """Draw a rate to the mean, as far as that is worth in rows.

    Examples
    --------
    >>> import polars as pl
    >>> pl.select(shrunken(pl.lit(1.0), pl.lit(2.0), pl.lit(0.25), pl.lit(4.0))).item()
    0.5
    """
    both = of + worth
    return pl.when(both > 0).then((rate * of + mean * worth) / both).otherwise(mean)


def credible(rate: pl.Series, of: pl.Series, probability: float) -> pl.Series:
    """Find below which value a rate lies with some probability, its rows and the mean's together.

    An outcome that there never was is half a row, as in an audit.

    Examples
    --------
    >>> import polars as pl
    >>> credible(pl.Series([0.5]), pl.Series([4.0]), 0.975).round(4).item()
    0.9057
    """
    from scipy.special import betaincinv  # brought by an extra

    yes, no = (rate * of).clip(0.5), ((1 - rate) * of).clip(0.5)
    return pl.Series(rate.name, betaincinv(yes, no, probability)).fill_nan(None)
