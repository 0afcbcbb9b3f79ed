"""Between which rates the share of a group is compatible with chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.inference.closed_forms.rates import wilson

OUT_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "selection_rate": ("n",),
    "base_rate": ("n",),
    "tpr": ("tp", "fn"),
    "fpr": ("fp", "tn"),
}
"""The rates that get an interval, and the counts whose sum each is a share of."""


def bounds_of(rate: str) -> tuple[str, str]:
    """Name the columns of a rate's lower and upper bound; no window is called so."""
    return f"{rate}.lower\x1f", f"{rate}.upper\x1f"


def with_intervals(rated: pl.DataFrame, rates: Iterable[str], confidence: float) -> pl.DataFrame:
    """Put the bounds of each rate, by Wilson's formula, beside it; `bounds_of` names them."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return rated.with_columns(
        bound.alias(name)
        for rate in rates
        for name, bound in zip(
            bounds_of(rate),
            wilson(pl.col(rate), pl.sum_horizontal(*OUT_OF[rate]), z),
            strict=True,
        )
    )
