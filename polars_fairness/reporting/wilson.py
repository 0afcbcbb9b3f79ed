"""Between which rates the share of a group is compatible with chance."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import NormalDist

import polars as pl

from polars_fairness.counting.counts import PARTS
from polars_fairness.formula.rates import RATES, Rate
from polars_fairness.inference.closed_forms.rates import wilson


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
            wilson(pl.col(rate), _whole(RATES[rate]), z),
            strict=True,
        )
    )


def _whole(rate: Rate) -> pl.Expr:
    """Write the count that a proportion is a share of in the counts of the table of rates."""
    return pl.sum_horizontal(PARTS.get(rate.whole, (rate.whole,)))
