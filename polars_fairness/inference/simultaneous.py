"""Simultaneous intervals: bounds of maxima over groups, or over pairs of groups.

The largest of many differences is large by chance alone, and a bootstrap adds noise to noise: for
ten groups of 50 rows with one common rate, its intervals of the gap never held 0. Here every group
has Wilson's interval, at such a confidence that all intervals hold together. The bounds of a
contrast follow from the bounds of its two rates (Zou and Donner's recovery of variances, as in
Newcombe's method). The largest contrast lies between the largest lower bound and the largest upper
bound.
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
_NO_BOUNDS: Final = (float("nan"), float("nan"))


def interval_terms(largest: Largest) -> set[str]:
    """The terms from which the interval of a largest contrast is computed."""
    rates = [RATES[rate] for rate in largest.rates]
    words = {word for rate in rates for word in (rate.name, rate.whole, rate.rows)}
    words |= {"effective_n", "n"}
    return {f"{side.name}.{word}" for side in (g, all_) for word in words}


def simultaneous(
    groups: pl.DataFrame, keys: Sequence[str], metrics: Mapping[str, Largest], confidence: float
) -> pl.DataFrame:
    """Bounds of the largest contrast of each metric, with a row for each place.

    A place is one combination of the keys, such as a facet in a window. ``groups`` has a row for
    each group, with the terms of all metrics.
    """
    places = groups.select(keys).unique(maintain_order=True).with_row_index(_PLACE)
    groups = groups.join(places, on=keys, nulls_equal=True, maintain_order="left")
    groups = groups.sort(_PLACE, maintain_order=True)
    ends = [0, *groups.group_by(_PLACE, maintain_order=True).len()["len"].cum_sum()]
    bounds: dict[str, Floats] = {}
    for name, largest in metrics.items():
        terms = {
            term: groups[term].fill_null(np.nan).to_numpy() for term in interval_terms(largest)
        }
        of_metric = np.empty((2, places.height))
        for place, (start, end) in enumerate(pairwise(ends)):
            of_place = {term: values[start:end] for term, values in terms.items()}
            of_metric[:, place] = _largest(of_place, largest, confidence)
        bounds |= dict(zip(bound_names(name), of_metric, strict=True))
    series = (pl.Series(f"metric.{name}", each).fill_nan(None) for name, each in bounds.items())
    return places.select(*keys, *series)


@dataclass(frozen=True)
class _Estimates:
    """An estimate for each group, and how far its interval reaches below and above it."""

    value: Floats
    down: Floats
    up: Floats


def _largest(terms: Terms, largest: Largest, confidence: float) -> Bounds:
    """Bounds of the largest contrast of one rate, or of several independent rates."""
    of_each = confidence ** (1 / len(largest.rates))
    bounds = []
    for rate in largest.rates:
        p = terms[f"{g.name}.{rate}"]
        # Where 0/0 has a number, a group without rows has a rate too, but no interval.
        has_rows = ~np.isnan(p) & (terms[f"{g.name}.{RATES[rate].whole}"] > 0)
        if not has_rows.any():
            return _NO_BOUNDS
        known = {term: values[has_rows] for term, values in terms.items()}
        bounds.append(_BOUNDS[largest.contrast](known, rate, of_each))
    pick = min if largest.contrast == "ratio" else max
    lower, upper = (pick(bound) for bound in zip(*bounds, strict=True))
    return lower, upper


def _difference(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    low, high = _wilson(p, rows, critical_value(len(p), confidence))
    lower, upper = _largest_difference(_Estimates(p, p - low, high - p))
    return max(lower, 0.0), min(upper, 1.0)


def _ratio(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    if not (p > 0).any():
        return _NO_BOUNDS
    lower, upper = _largest_difference(_logarithms(p, rows, critical_value(len(p), confidence)))
    return float(np.exp(-upper)), float(np.exp(-max(lower, 0.0)))


def _log_ratio(terms: Terms, rate: str, confidence: float) -> Bounds:
    p, rows = _rate(terms, rate)
    z = critical_value(len(p), confidence)
    of_yes, of_no = (_largest_difference(_logarithms(share, rows, z)) for share in (p, 1 - p))
    return max(of_yes[0], of_no[0], 0.0), max(of_yes[1], of_no[1], 0.0)


def _distance_from_all(terms: Terms, rate: str, confidence: float) -> Bounds:
    """Bounds of the largest distance of a group's rate from the overall rate, times its share.

    A group is independent of the other rows, not of all rows. Its rate differs from the overall
    rate by its difference from the rate of the others, times the share of the others.
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
    # The group's share is an estimate too, the less certain the fewer rows the group has.
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
    """The rate of each group, and its number of rows; with weights, the effective number."""
    return terms[f"{side}.{rate}"], terms[f"{side}.{RATES[rate].rows}"]


def _wilson(p: Floats, rows: Floats, z: float) -> tuple[Floats, Floats]:
    """Wilson's intervals of rates with a continuity correction (Newcombe 1998, method 4).

    Without the correction, two groups of 50 rows with one common rate are judged different in 6 of
    100 data sets, and 300 groups in 7; with it, in less than 5.
    """
    middle, whole = 2 * rows * p + z**2, 2 * (rows + z**2)
    below = z**2 - 2 - 1 / rows + 4 * p * (rows * (1 - p) + 1)
    above = z**2 + 2 - 1 / rows + 4 * p * (rows * (1 - p) - 1)
    low = (middle - 1 - z * np.sqrt(np.clip(below, 0, None))) / whole
    high = (middle + 1 + z * np.sqrt(np.clip(above, 0, None))) / whole
    return np.where(p > 0, np.clip(low, 0, p), 0.0), np.where(p < 1, np.clip(high, p, 1), 1.0)


def _logarithms(p: Floats, rows: Floats, z: float) -> _Estimates:
    """Logarithms of rates, with Wilson's intervals."""
    low, high = _wilson(p, rows, z)
    # An outcome that no row of a group has counts as half a row.
    value = np.log(np.where(p > 0, p, 0.5 / (rows + 1)))
    with np.errstate(divide="ignore"):
        return _Estimates(value, value - np.log(np.where(p > 0, low, 0.0)), np.log(high) - value)


def _largest_difference(groups: _Estimates) -> Bounds:
    """Bounds of the largest difference of two groups."""
    if len(groups.value) < 2:
        return 0.0, 0.0
    lower = _over_pairs(groups.value, groups.down, groups.up, sign=-1)
    upper = _over_pairs(groups.value, groups.up, groups.down, sign=1)
    return lower, upper


def _over_pairs(value: Floats, higher_radius: Floats, lower_radius: Floats, sign: int) -> float:
    """The largest of xᵢ − xⱼ ± √(rᵢ² + rⱼ²) over all pairs of groups."""
    higher = _candidates(value, sign * higher_radius)
    lower = _candidates(-value, sign * lower_radius)
    difference = np.subtract.outer(value[higher], value[lower])
    radius = np.hypot.outer(higher_radius[higher], lower_radius[lower])
    bounds = np.where(np.equal.outer(higher, lower), -np.inf, difference + sign * radius)
    return float(bounds.max())


def _candidates(value: Floats, gain: Floats) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Positions of the groups that can stand at one end of the best pair.

    The first candidates are the groups that no other group exceeds in both numbers; the second
    are the groups that only first candidates exceed, for where the best group stands at the other
    end. Of thousands of groups, tens are candidates.
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
def critical_value(groups: int, confidence: float) -> float:
    """The number of standard errors that all differences between so many groups stay within.

    It is the quantile of the studentized range over √2 (Tukey and Kramer); for groups of unequal
    size it is a little more than needed (Hayter 1984).

    Examples
    --------
    >>> [round(critical_value(groups, 0.95), 3) for groups in (2, 3, 10)]
    [1.96, 2.344, 3.164]
    """
    if groups <= 2:
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


def widening(groups: int, confidence: float) -> float:
    """By how much an interval of one pair is wider if those of all pairs hold together.

    Examples
    --------
    >>> [round(widening(groups, 0.95), 2) for groups in (2, 3, 10)]
    [1.0, 1.2, 1.61]
    """
    return critical_value(groups, confidence) / critical_value(1, confidence)


def confidence_of_a_pair(groups: int, confidence: float) -> float:
    """The confidence of the interval of one pair at which those of all pairs hold together.

    Examples
    --------
    >>> [round(confidence_of_a_pair(groups, 0.95), 4) for groups in (2, 3, 10)]
    [0.95, 0.9809, 0.9984]
    """
    if groups <= 2:
        return confidence
    return 2 * _NORMAL.cdf(critical_value(groups, confidence)) - 1
