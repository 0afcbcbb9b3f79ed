"""Wilson's interval: between which rates a share of so many rows is compatible with chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import NormalDist
from typing import Final

import polars as pl

OUT_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "selection_rate": ("n",),
    "base_rate": ("n",),
    "tpr": ("tp", "fn"),
    "fpr": ("fp", "tn"),
}
"""The rates that get an interval, and the counts whose sum each is a share of."""


def with_intervals(rated: pl.DataFrame, rates: Iterable[str], confidence: float) -> pl.DataFrame:
    """Put ``rate_lower`` and ``rate_upper`` beside each rate."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return rated.with_columns(
        bound for rate in rates for bound in _bounds(rate, pl.sum_horizontal(*OUT_OF[rate]), z)
    )


def _bounds(rate: str, n: pl.Expr, z: float) -> tuple[pl.Expr, pl.Expr]:
    p = pl.col(rate)
    middle = p + z**2 / (2 * n)
    reach = z * (p * (1 - p) / n + z**2 / (4 * n**2)).sqrt()
    whole = 1 + z**2 / n
    # Of 0 and of all, rounding leaves a bound a hair outside of what a share can be.
    lower = pl.when(p == 0).then(0.0).otherwise((middle - reach) / whole)
    upper = pl.when(p == 1).then(1.0).otherwise((middle + reach) / whole)
    return (
        pl.when(p.is_not_null()).then(lower).alias(f"{rate}_lower"),
        pl.when(p.is_not_null()).then(upper).alias(f"{rate}_upper"),
    )
