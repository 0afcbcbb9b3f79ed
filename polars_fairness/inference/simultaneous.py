"""Intervals of maxima over groups, or over pairs of groups, that hold for all of them at once.

The largest of many differences is large by chance alone, and redrawing adds noise to noise: of ten
groups of 50 rows with one common rate, such intervals of the gap never held 0. Here every group has
Wilson's interval, at a level at which all hold together. The bounds of a contrast follow from those
of its two rates (Zou and Donner's recovery of variances, as in Newcombe's method), and the largest
contrast lies between the largest lower bound and the largest upper bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.formula.groups import Contrast, Largest
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import all_, g
from polars_fairness.inference.bound_names import bound_names

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bounds = tuple[float, float]
Terms = Mapping[str, Floats]

_NORMAL: Final = NormalDist()
_PLACE: Final = "place\x1f"
_UNKNOWN: Final = (float("nan"), float("nan"))


def terms_of(largest: Largest) -> set[str]:
    """The terms that the interval is computed from."""
    rates = [RATES[rate] for rate in largest.rates]
    words = {word for rate in rates for word in (rate.name, rate.whole, rate.rows)}
    words |= {"effective_n", "n"}
    return {f"{side.name}.{word}" for side in (g, all_) for word in words}


def simultaneous(
    groups: pl.DataFrame, keys: Sequence[str], metrics: Mapping[str, Largest], confidence: float
) -> pl.DataFrame:
    """Bound the largest contrast of every metric, once for each of the keys.

    ``groups`` has a row for each group, with the terms of every metric.
    """
    places = groups.select(keys).unique(maintain_order=True).with_row_index(_PLACE)
    groups = groups.join(places, on=keys, nulls_equal=True, maintain_order="left")
    groups = groups.sort(_PLACE, maintain_order=True)
    ends = [0, *groups.group_by(_PLACE, maintain_order=True).len()["len"].cum_sum()]
    bounds: dict[str, Floats] = {}
    for name, largest in metrics.items():
        terms = {term: groups[term].fill_null(np.nan).to_numpy() for term in terms_of(largest)}
        of_metric = np.empty((2, places.height))
        for place, (start, end) in enumerate(pairwise(ends)):
            of_place = {term: values[start:end] for term, values in terms.items()}
            of_metric[:, place] = _largest(of_place, largest, confidence)
        bounds |= dict(zip(bound_names(name), of_metric, strict=True))
    series = (pl.Series(f"metric.{name}", each).fill_nan(None) for name, each in bounds.items())
    return places.select(*keys, *series)


@dataclass(frozen=True)
class _Estimates:
    """Numbers of some groups, and how far each may be too large or too small."""

    value: Floats
    down: Floats
    up: Floats


def _largest(terms: Terms, largest: Largest, confidence: float) -> Bounds:
    """Bound the largest of all contrasts, of one rate or of several that are independent."""
    of_each = confidence ** (1 / len(largest.rates))
    bounds = []
    for rate in largest.rates:
        p = terms[f"{g.name}.{rate}"]
        # Where 0/0 has a number, a group without rows has a rate, of which nothing is known.
        has_rows = ~np.isnan(p) & (terms[f"{g.name}.{RATES[rate].whole}"] > 0)
        if not has_rows.any():
            return _UNKNOWN
        known = {term: values[has_rows] for term, values in terms.items()}
        bounds.append(_BOUNDS[largest.contrast](known, rate, of_each))
    pick = min if largest.contrast == "ratio" else max
    lower, upper = (pick(bound) for bound in zip(*bounds, strict=True))
    return lower, upper


def _difference(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    low, high = _wilson(p, rows, _of_pairs(len(p), confidence))
    lower, upper = _farthest_apart(_Estimates(p, p - low, high - p))
    return max(lower, 0.0), min(upper, 1.0)


def _ratio(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    if not (p > 0).any():
        return _UNKNOWN
    lower, upper = _farthest_apart(_logarithms(p, rows, _of_pairs(len(p), confidence)))
    return float(np.exp(-upper)), float(np.exp(-max(lower, 0.0)))


def _log_ratio(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    z = _of_pairs(len(p), confidence)
    of_yes, of_no = (_farthest_apart(_logarithms(share, rows, z)) for share in (p, 1 - p))
    return max(of_yes[0], of_no[0], 0.0), max(of_yes[1], of_no[1], 0.0)


def _distance_from_all(terms: Terms, rate: str, confidence: float) -> Bounds:
    """Compare each group with all others, which are independent of it.

    A rate differs from that of all by what it differs from that of the others, times their share.
    """
    p, rows = _rate(terms, rate)
    p_all, rows_all = _rate(terms, rate, all_.name)
    concerned, total = (terms[f"{side.name}.{RATES[rate].whole}"] for side in (g, all_))
    has_others = total > concerned * (1 + 1e-12)
    others = np.where(has_others, total - concerned, 1.0)
    p_others = np.where(has_others, np.clip((p_all * total - p * concerned) / others, 0, 1), p)
    squares = np.where(has_others, total**2 / rows_all - concerned**2 / rows, 1.0)
    rows_others = np.maximum(others**2 / np.where(squares > 0, squares, others**2), 1.0)
    z = _NORMAL.inv_cdf((1 + confidence ** (1 / len(p))) / 2)
    (low, high), (low_others, high_others) = _wilson(p, rows, z), _wilson(p_others, rows_others, z)
    share_of_others = np.where(has_others, 1 - concerned / total, 0.0)
    scale = concerned / terms[f"{all_.name}.n"] * share_of_others
    distance = p - p_others
    # How large the group is, is known as badly as it has few rows.
    of_size = z * np.sqrt(np.clip(1 / rows - 1 / terms[f"{all_.name}.effective_n"], 0, None))
    down = np.hypot(np.hypot(p - low, high_others - p_others), distance * of_size)
    up = np.hypot(np.hypot(high - p, p_others - low_others), distance * of_size)
    lowest, highest = scale * (distance - down), scale * (distance + up)
    return (
        max(float(np.max(np.maximum(lowest, -highest))), 0.0),
        min(float(np.max(np.maximum(highest, -lowest))), 1.0),
    )


_BOUNDS: Final[Mapping[Contrast, Callable[[Terms, str, float], Bounds]]] = {
    "difference": _difference,
    "ratio": _ratio,
    "log ratio": _log_ratio,
    "distance from all": _distance_from_all,
}


def _rate(terms: Terms, rate: str, side: str = g.name) -> tuple[Floats, Floats]:
    """The rate of each group, and how many rows it is about."""
    return terms[f"{side}.{rate}"], terms[f"{side}.{RATES[rate].rows}"]


def _wilson(p: Floats, rows: Floats, z: float) -> tuple[Floats, Floats]:
    """Bound rates by Wilson's interval with a continuity correction (Newcombe 1998, method 4).

    Without the correction two groups of 50 rows of one common rate are judged unlike in 6 of 100
    data sets, and 300 groups in 7; with it in less than 5.
    """
    middle, whole = 2 * rows * p + z**2, 2 * (rows + z**2)
    below = z**2 - 2 - 1 / rows + 4 * p * (rows * (1 - p) + 1)
    above = z**2 + 2 - 1 / rows + 4 * p * (rows * (1 - p) - 1)
    low = (middle - 1 - z * np.sqrt(np.clip(below, 0, None))) / whole
    high = (middle + 1 + z * np.sqrt(np.clip(above, 0, None))) / whole
    return np.where(p > 0, np.clip(low, 0, p), 0.0), np.where(p < 1, np.clip(high, p, 1), 1.0)


def _logarithms(p: Floats, rows: Floats, z: float) -> _Estimates:
    low, high = _wilson(p, rows, z)
    # What no row of a group is counts as half a row.
    value = np.log(np.where(p > 0, p, 0.5 / (rows + 1)))
    with np.errstate(divide="ignore"):
        return _Estimates(value, value - np.log(np.where(p > 0, low, 0.0)), np.log(high) - value)


def _farthest_apart(groups: _Estimates) -> Bounds:
    """Bound the largest difference of two groups."""
    if len(groups.value) < 2:
        return 0.0, 0.0
    lower = _over_pairs(groups.value, groups.down, groups.up, sign=-1)
    upper = _over_pairs(groups.value, groups.up, groups.down, sign=1)
    return lower, upper


def _over_pairs(value: Floats, of_higher: Floats, of_lower: Floats, sign: int) -> float:
    """Take the largest of xᵢ − xⱼ ± √(rᵢ² + rⱼ²) over all pairs of two groups."""
    higher, lower = _leading(value, sign * of_higher), _leading(-value, sign * of_lower)
    apart = np.subtract.outer(value[higher], value[lower])
    reach = np.hypot.outer(of_higher[higher], of_lower[lower])
    bounds = np.where(np.equal.outer(higher, lower), -np.inf, apart + sign * reach)
    return float(bounds.max())


def _leading(value: Floats, gain: Floats) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The groups that no other exceeds in both numbers, and those that only these exceed.

    The best pair is among these: where the best group is the other one of its pair, the next best
    serves. Of thousands of groups they are tens.
    """
    left = np.lexsort((-gain, -value))
    chosen = []
    for _ in range(2):
        highest_before = np.maximum.accumulate(gain[left])[:-1]
        leads = np.concatenate([[True], gain[left][1:] > highest_before])
        chosen.append(left[leads])
        left = left[~leads]
        if not len(left):
            break
    return np.concatenate(chosen)


@cache
def _of_pairs(groups: int, confidence: float) -> float:
    """How many standard errors all differences of so many groups stay within.

    The quantile of the studentized range over √2 (Tukey and Kramer); of groups of unequal size that
    is a little more than needed (Hayter 1984).

    Examples
    --------
    >>> [round(_of_pairs(groups, 0.95), 3) for groups in (2, 3, 10)]
    [1.96, 2.344, 3.164]
    """
    if groups < 2:
        return _NORMAL.inv_cdf((1 + confidence) / 2)
    grid = np.linspace(-12, 12, 4801)
    below = np.array([_NORMAL.cdf(z) for z in grid])
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    step, low, high = grid[1] - grid[0], 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        within = below - np.interp(grid - middle, grid, below)
        inside = groups * step * (density * within ** (groups - 1)).sum()
        low, high = (middle, high) if inside < confidence else (low, middle)
    return float(low / np.sqrt(2))
