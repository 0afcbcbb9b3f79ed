"""What each group of clusters moves in a value, from the values without it (the jackknife)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import CLUSTER, REST
from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.inference.quantiles import critical_value, critical_values
from polars_fairness.question.roles import Roles

DEVIATIONS: Final = "deviations\x1f"
"""The column of what each group of clusters moves in a value."""

LEAST_CLUSTERS: Final = 5.0
"""Below so many effective clusters there is no interval."""

LEAST_LEFT: Final = 0.05
"""Of the leverage of a row, at least so much is left."""

_ROUNDING: Final = 1e-9


def few_clusters(number: float, roles: Roles, where: str = "the smaller side has") -> str | None:
    """Why there is no interval over so many effective clusters, if so."""
    if not number < LEAST_CLUSTERS - _ROUNDING:
        return None
    argument, named = roles.words_of_clusters
    return (
        f"{argument}: {where} {number:.1f} effective {named}, and an interval needs "
        f"{LEAST_CLUSTERS:.0f}"
    )


def joined(one: Any, other: Any, correlation: Any) -> Any:
    """The distance that two distances make together, of numbers or arrays; with infinity, that."""
    with np.errstate(invalid="ignore"):
        squares = (one - other) ** 2 + 2 * (1 - correlation) * one * other
        together = np.sqrt(np.clip(squares, 0, None))
    return np.where(np.isinf(one) | np.isinf(other), np.inf, together)


def less(one: Iterable[Any], other: Iterable[Any], correlation: Any) -> tuple[Any, Any]:
    """The limits of one estimate less another, where each stands between limits of its own.

    The variances of both are recovered from these (Zou and Donner 2008).
    """
    (low, value, high), (low_there, there, high_there) = one, other
    below = joined(value - low, high_there - there, correlation)
    above = joined(high - value, there - low_there, correlation)
    return value - there - below, value - there + above


def wilson(mean: Any, rows: Any, z: Any, unit: Any = 1.0) -> tuple[Any, Any]:
    """Wilson's bounds of the mean of so many rows that have 0 or a unit each."""
    middle, whole = mean + unit * z**2 / (2 * rows), 1 + z**2 / rows
    reach = z * np.sqrt(mean * (unit - mean) / rows + (unit * z / (2 * rows)) ** 2)
    return (middle - reach) / whole, (middle + reach) / whole


def deviations(value: Floats, left: Floats, size: Floats, size_left: Floats) -> Floats:
    """What each group of clusters moves in values; their squares add up to variances.

    ``left`` has a column for each group that is left out, and ``size_left`` the rows that are then
    left of ``size``. Groups without rows move nothing, and do not count.
    """
    groups = are_left_out(size, size_left).sum(axis=1, keepdims=True)
    scale = np.sqrt(np.maximum(groups - 1, 0) / np.maximum(groups, 1))
    moved: Floats = (left - value[:, np.newaxis]) * scale
    return moved


def are_left_out(size: Floats, size_left: Floats) -> Bools:
    """Whether each group has rows, or parts of these."""
    whole = size[:, np.newaxis]
    apart: Bools = np.abs(whole - size_left) > 1e-12 * np.abs(whole)
    return apart


def effective_clusters(size: Floats, size_left: Floats) -> Floats:
    """So many clusters of equal size vary as those that are left out one by one: (Σn)²/Σn²."""
    squares = ((size[:, np.newaxis] - size_left) ** 2).sum(axis=1)
    clusters: Floats = size**2 / np.where(squares > 0, squares, np.inf)
    return clusters


def reaches(moved: Floats, chosen_from: Sequence[int], confidence: float) -> Floats:
    """How far intervals reach from values to each side; NaN where a group has no value.

    ``moved`` has what each group of rows moves in values, a line for each. The fewer of them the
    variance is made of, the less certain it is: its degrees of freedom follow from the kurtosis.
    What a group moves in both models cancels before it is squared: from each model's own interval,
    with reaches for what skewed amounts do alike to both, intervals of `rmse_difference` of
    log-normal amounts were 67 times as wide as the difference varies. ``chosen_from`` has the
    number of groups among which the data chose the sides.
    """
    squares = moved**2
    total, groups = squares.sum(axis=1), (moved != 0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kurtosis = groups * (squares**2).sum(axis=1) / total**2
        freedom = np.fmax(np.fmin(2 * groups / (kurtosis - 1), groups - 1), 1)
    reach: Floats = critical_values(chosen_from, confidence, freedom) * np.sqrt(total)
    return reach


def rows_over_clusters(
    sums: pl.DataFrame,
    keys: Sequence[str],
    value: pl.Expr,
    whole: pl.Expr,
    rows: pl.Expr,
    confidence: float,
) -> pl.DataFrame:
    """The rows that Wilson's interval of a rate counts, by keys; null below five clusters.

    ``sums`` has for each key and group of clusters what ``value``, the ``whole`` that it is a share
    of and its ``rows`` are made of. Its variance is that of a jackknife of groups, and its interval
    as much wider as Student's distribution is. A rate of 0 or 1 has as many rows as clusters.
    ``reach`` is how far Student's interval reaches, of a rate or of a mean of numbers.
    """
    names = [name for name in sums.columns if name not in (*keys, CLUSTER)]
    of_group = sums.group_by(*keys, CLUSTER, maintain_order=True).agg(pl.col(names).sum())
    of_all = of_group.with_columns(pl.col(names).sum().over(keys))
    left = of_group.with_columns(of_all[name] - of_group[name] for name in names)
    table = of_group.select(*keys, CLUSTER, whole=whole).with_columns(
        **of_all.select(rate=value, rows=rows).to_dict(), left=left.select(value).to_series()
    )
    n, occurs = pl.col("whole"), (pl.col(CLUSTER) != REST) & (pl.col("whole") != 0)
    moved = (pl.col("left") - pl.col("rate")).filter(occurs)
    sizes, groups = n.filter(occurs), occurs.sum()
    summed = table.group_by(keys, maintain_order=True).agg(
        pl.col("rate", "rows").first(),
        variance=(moved**2).sum() * (groups - 1) / groups,
        clusters=sizes.sum() ** 2 / (sizes**2).sum(),
        groups=groups,
    )
    freedom = pl.min_horizontal("clusters", "groups") - 1
    z = critical_value(2, confidence)
    of_groups = summed.select(freedom.cast(pl.Float64).fill_null(np.nan)).to_series().to_numpy()
    times = critical_values([], confidence, np.maximum(of_groups, 1))
    wider = np.where(of_groups >= LEAST_CLUSTERS - 1 - _ROUNDING, times / z, np.nan)
    p, clusters, variance = map(pl.col, ("rate", "clusters", "variance"))
    is_certain = (p <= 0) | (p >= 1) | (variance == 0)
    effective = pl.when(is_certain).then(clusters).otherwise(p * (1 - p) / variance)
    of_wider = pl.Series("wider", wider, nan_to_null=True)
    return summed.with_columns(of_wider).select(
        *keys,
        pl.when(p.is_between(0, 1), pl.col("wider").is_not_null())
        .then(pl.min_horizontal(effective, "rows") / pl.col("wider") ** 2)
        .alias("rows"),
        reach=pl.when(variance > 0).then(z * pl.col("wider") * variance.sqrt()),
    )
