"""Intervals of rates over clusters: how many independent rows would make a rate as certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.clusters import CLUSTER, REST
from polars_fairness.inference.deviations import LEAST_CLUSTERS
from polars_fairness.inference.quantiles import critical_value, critical_values

_ROUNDING: Final = 1e-9


def rows_over_clusters(
    cells: pl.DataFrame,
    keys: Sequence[str],
    above: pl.Expr,
    whole: pl.Expr,
    rows: pl.Expr,
    confidence: float,
) -> pl.DataFrame:
    """The rows that Wilson's interval of a rate counts, by keys; null below five clusters.

    ``cells`` has for each key and group of clusters what the rate is a share of. The variance of
    the rate is that of a jackknife of groups, and its interval as much wider as Student's
    distribution is. A rate of 0 or 1 has as many rows as clusters.
    """
    of_group = cells.group_by(*keys, CLUSTER, maintain_order=True).agg(
        above=above.sum(), whole=whole.sum(), rows=rows.sum()
    )
    a, n = pl.col("above"), pl.col("whole")
    occurs = (pl.col(CLUSTER) != REST) & (n != 0)
    moved = ((a.sum() - a) / (n.sum() - n) - a.sum() / n.sum()).filter(occurs)
    sizes, groups = n.filter(occurs), occurs.sum()
    found = of_group.group_by(keys, maintain_order=True).agg(
        rate=a.sum() / n.sum(),
        variance=(moved**2).sum() * (groups - 1) / groups,
        clusters=sizes.sum() ** 2 / (sizes**2).sum(),
        groups=groups,
        rows=pl.col("rows").sum(),
    )
    freedom = pl.min_horizontal("clusters", "groups") - 1
    z = critical_value(2, confidence)
    of_groups = found.select(freedom.cast(pl.Float64).fill_null(np.nan)).to_series().to_numpy()
    times = critical_values([], confidence, np.maximum(of_groups, 1))
    wider = np.where(of_groups >= LEAST_CLUSTERS - 1 - _ROUNDING, times / z, np.nan)
    p, clusters = pl.col("rate"), pl.col("clusters")
    is_certain = (p <= 0) | (p >= 1) | (pl.col("variance") == 0)
    effective = pl.when(is_certain).then(clusters).otherwise(p * (1 - p) / pl.col("variance"))
    of_wider = pl.Series("wider", wider).fill_nan(None)
    return found.with_columns(of_wider).select(
        *keys,
        pl.when(p.is_between(0, 1), pl.col("wider").is_not_null())
        .then(pl.min_horizontal(effective, "rows") / pl.col("wider") ** 2)
        .alias("rows"),
    )
