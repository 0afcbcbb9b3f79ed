"""Intervals of quantiles: values whose ranks the exact binomial distribution gives.

The share of rows below a quantile varies as that of so many independent rows would, whose number
weights and clusters make smaller. Both sides are joined as Zou and Donner do (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import floor, inf, nan, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, GROUPS, unlisted, with_finest_counts
from polars_fairness.counting.sides import COMPARISON_KEY, members, with_sides
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import quantile
from polars_fairness.formula.sides import a_s, d_s
from polars_fairness.formula.tree import choose
from polars_fairness.inference.deviations import DEVIATIONS, few_clusters, less
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.quantiles import student
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import scores_of_number
from polars_fairness.values.levels import keys_of
from polars_fairness.values.lines import BOUNDS, REASON, Found

Bounds = tuple[float, float]

_NORMAL: Final = NormalDist()
_SQUARES: Final = "squares\x1f"

_NO_BOUNDS: Final = (nan, nan)

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12

# Standard deviations of a binomial number beyond which it has no chance that floats show.
_FAR: Final = 10


def quantile_bounds(
    scored: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], drawing: Drawing
) -> Found:
    """The bounds of metrics of the quantiles of one number.

    ``scored`` has the cells by the number; over clusters, those of each group of clusters.
    """
    level = next(iter(metrics.values())).parsed.level
    cells, by_value = scores_of_number(unlisted(scored), roles, level.number)
    sided = with_sides(with_finest_counts(cells, by_value), by_value)
    keys = keys_of(level, by_value)
    comparisons = sided.select(keys).drop_nulls(COMPARISON_KEY).unique(maintain_order=True)
    squares = pl.col("n_sq" if by_value.is_weighted else "n").alias(_SQUARES)
    apart = [CLUSTER] if roles.left_out else []
    has_both = pl.col("in_a").any().over(keys) & pl.col("in_d").any().over(keys)
    held = collected(
        members(comparisons, sided.with_columns(squares), by_value)
        .filter(has_both)
        .group_by(*keys, "score", "in_a", "in_d", *apart)
        .agg(pl.col("n", _SQUARES).sum())
        .sort(*keys, "score", "in_a", "in_d", *apart)
    )
    places = held[keys].unique(maintain_order=True)
    parts = held.partition_by(keys, maintain_order=True) if len(held) else []
    columns: dict[str, dict[str, Any]] = {}
    shares = {metric.parsed.at or 0.5 for metric in metrics.values()}
    for rows, confidence in zip(parts, drawing.confidences(places), strict=True):
        of_place = {at: _Sides.from_cells(rows, at, confidence) for at in shares}
        for name, metric in metrics.items():
            sides = of_place[metric.parsed.at or 0.5]
            for column, value in sides.judged(roles, metric).items():
                columns.setdefault(column, {}).setdefault(name, []).append(value)
    for bound in BOUNDS:
        of_bound = columns.get(bound, {})
        columns[bound] = {name: np.array(of_bound.get(name, []), float) for name in metrics}
    return Found(places, keys, columns)


@dataclass(frozen=True)
class _Quantile:
    """The quantile of a side, and how certain the share of its rows below it is.

    Attributes
    ----------
    values, up_to
        The distinct values in order, and the share of rows up to each of them.
    value
        The quantile.
    moved
        What each row of the cells, or each group of clusters, adds to the share below.
    variance
        The variance of that share.
    rows, most
        The effective clusters, or rows, and the effective rows.
    """

    values: Floats
    up_to: Floats
    value: float
    moved: Floats
    variance: float
    rows: float
    most: float

    @classmethod
    def from_cells(cls, cells: pl.DataFrame, is_member: Floats, at: float) -> _Quantile:
        weight, squares = (cells[name].to_numpy() * is_member for name in ("n", _SQUARES))
        values, place = np.unique(cells["score"].to_numpy(), return_inverse=True)
        mass = np.bincount(place, weight)
        total = mass.sum()
        up_to = mass.cumsum() / total
        first = np.searchsorted(up_to, at * (1 - _ROUNDING))
        last = np.searchsorted(up_to, at * (1 + _ROUNDING), "right")
        part = np.clip((at - up_to[first]) * total / mass[first] + 1, 0, 1)
        below = np.where(place == first, part, place < first)
        rows = most = total**2 / squares.sum()
        if CLUSTER in cells.columns:
            groups = cells[CLUSTER].to_numpy()
            sizes = np.bincount(groups, weight, GROUPS)
            moved = np.bincount(groups, weight * (below - at), GROUPS) / total
            number = np.count_nonzero(sizes)
            variance = (moved**2).sum() * number / max(number - 1, 1)
            rows = total**2 / (sizes**2).sum()
        else:
            moved = np.sqrt(squares) * (below - at) / total
            # For rows that tie with the quantile, a part counts as below it.
            parts = below * (1 - at) ** 2 + (1 - below) * at**2
            variance = (squares * parts).sum() / total**2
        value = (values[first] + values[min(int(last), len(values) - 1)]) / 2
        return cls(values, up_to, float(value), moved, float(variance), float(rows), float(most))

    def bounds(self, at: float, rows: float, confidence: float) -> Bounds:
        """The values between whose ranks the quantile of so many rows lies."""
        number = max(floor(rows * (1 + _ROUNDING)), 1)
        low, high = ranks(number, at, confidence)
        # Each row of the order stands for a share around its middle.
        lower, upper = (
            float(self.values[np.searchsorted(self.up_to, (rank - 0.5) / number)])
            if 0 < rank <= number
            else beyond
            for rank, beyond in ((low, -inf), (high, inf))
        )
        return min(lower, self.value), max(upper, self.value)


@dataclass(frozen=True)
class _Sides:
    """The quantiles of a and of d with their limits, and the correlation of the shares below."""

    a: _Quantile
    d: _Quantile
    limits: Sequence[Bounds]
    correlation: float

    @classmethod
    def from_cells(cls, cells: pl.DataFrame, at: float, confidence: float) -> _Sides:
        a, d = (
            _Quantile.from_cells(cells, cells[flag].cast(pl.Float64).to_numpy(), at)
            for flag in ("in_a", "in_d")
        )
        times = 1.0
        if CLUSTER in cells.columns:
            parts = [each.variance**2 / max(each.rows - 1, _ROUNDING) for each in (a, d)]
            groups = cells[CLUSTER].n_unique()
            freedom = (a.variance + d.variance) ** 2 / sum(parts) if sum(parts) else inf
            t = float(student((1 + confidence) / 2, max(min(freedom, groups - 1), 1.0)))
            times = (_NORMAL.inv_cdf((1 + confidence) / 2) / t) ** 2
        limits = []
        for side in (a, d):
            rows = at * (1 - at) / side.variance if side.variance else side.most
            limits.append(side.bounds(at, min(rows, side.most) * times, confidence))
        spread = sqrt((a.moved**2).sum() * (d.moved**2).sum())
        product = float((a.moved * d.moved).sum())
        return cls(a, d, limits, product / spread if spread else 0.0)

    def judged(self, roles: Roles, metric: Metric) -> dict[str, Any]:
        """The bounds of a quantile, a difference or a ratio, and what contrasts need, by column."""
        formula, at = metric.parsed.expression, metric.parsed.at or 0.5
        one, other = quantile(a_s, at), quantile(d_s, at)
        reason, bounds, moved = None, _NO_BOUNDS, self.d.moved - self.a.moved
        of_a, of_d = (
            np.array([low, side.value, high])
            for side, (low, high) in zip((self.a, self.d), self.limits, strict=True)
        )
        if formula is one or formula is other:
            (low, _, high), moved = (of_a, self.a.moved) if formula is one else (of_d, self.d.moved)
            bounds = low, high
        elif formula is one - other:
            bounds = less(of_a, of_d, self.correlation)
        elif formula is not choose((other > 0) & (one > 0), other / one):
            reason = (
                f"{metric.parsed.level.number}: of quantiles, one side's, a difference of a less "
                "d, and the ratio of the catalogue have an interval"
            )
        elif min(self.a.value, self.d.value) > 0:
            with np.errstate(divide="ignore", invalid="ignore"):  # of limits that are not above 0
                of_a, of_d = (np.where(each > 0, np.log(each), -inf) for each in (of_a, of_d))
            low, high = np.exp(less(of_d, of_a, self.correlation))
            bounds = low, high
        row: dict[str, Any] = {REASON: reason}
        if roles.left_out:
            reason = reason or few_clusters(min(self.a.rows, self.d.rows), roles)
            row = {REASON: reason, DEVIATIONS: moved.tolist()}
        return row | dict(zip(BOUNDS, _NO_BOUNDS if reason else bounds, strict=True))


@cache
def ranks(rows: int, at: float, confidence: float) -> tuple[int, int]:
    """The ranks between which the quantile lies: 0 and one more than the rows where it has no end.

    Examples
    --------
    >>> ranks(10, 0.5, 0.95), ranks(5, 0.5, 0.95)
    ((2, 9), (0, 6))
    """
    reach = _FAR * sqrt(rows * at * (1 - at)) + _FAR
    least, most = max(floor(rows * at - reach), 0), min(floor(rows * at + reach), rows)
    numbers = np.arange(least, most, dtype=float)
    steps = np.log((rows - numbers) / (numbers + 1) * (at / (1 - at)))
    logarithms = np.concatenate([[0.0], steps.cumsum()])
    chances = np.exp(logarithms - logarithms.max())
    chances /= chances.sum()
    tail = (1 - confidence) / 2
    low = int((chances.cumsum() <= tail).sum()) + least
    high = most + 1 - int((chances[::-1].cumsum() <= tail).sum())
    return low, high
