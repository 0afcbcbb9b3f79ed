"""Wilson intervals of the rates of groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from statistics import NormalDist

import polars as pl

from polars_fairness.counting.counts import PARTS
from polars_fairness.formula.rates import RATES, Rate
from polars_fairness.inference.closed_forms.rates import wilson
from polars_fairness.values.rates import effective_rows


def bounds_of(rate: str) -> tuple[str, str]:
    """The columns of a rate's lower and upper bound; no column of ``by`` has such a name."""
    return f"{rate}.lower\x1f", f"{rate}.upper\x1f"


def with_intervals(rated: pl.DataFrame, rates: Iterable[str], confidence: float) -> pl.DataFrame:
    """The table with the bounds of each rate's Wilson interval, in the columns of `bounds_of`.

    With weights, the interval is that of the effective number of rows (Kish).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return rated.with_columns(
        bound.alias(name)
        for rate in rates
        for name, bound in zip(
            bounds_of(rate),
            wilson(pl.col(rate), _whole(RATES[rate], rated.columns), z),
            strict=True,
        )
    )


def _whole(rate: Rate, columns: Collection[str]) -> pl.Expr:
    """How many rows a proportion is a share of, from the counts in the table of rates."""
    if effective_rows(rate.name) in columns:
        return pl.col(effective_rows(rate.name))
    return pl.sum_horizontal(PARTS.get(rate.whole, (rate.whole,)))
