"""Bounds of metrics: simultaneous where the value is a maximum over groups, else bootstrapped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from math import inf
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import GROUPS
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.levels import GROUP, Contrast, Groups, Largest
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import spread
from polars_fairness.formula.sides import RATES, all_, g
from polars_fairness.formula.tree import Expression, term
from polars_fairness.inference.bootstrap import bootstrapped, bootstrapped_over_clusters
from polars_fairness.inference.deviations import (
    DEVIATIONS,
    LEAST_CLUSTERS,
    are_left_out,
    deviations,
    effective_clusters,
)
from polars_fairness.inference.draws import Drawing, joint_counts, places_at_once
from polars_fairness.inference.jackknife import (
    SAME,
    counts_by_level,
    is_fold,
    jackknifed,
    rows_left,
    split,
    values_left,
    with_parts,
)
from polars_fairness.inference.moments import Moments
from polars_fairness.inference.numbers import (
    STATISTICS,
    Sums,
    bounded_numbers,
    numbers_named,
)
from polars_fairness.inference.quantiles import critical_value
from polars_fairness.question.outcomes import sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys
from polars_fairness.values.lines import BOUNDS, LOWER, REASON, VALUE, Found, Lines
from polars_fairness.values.replicated_counts import Tables
from polars_fairness.values.replicates import numbers_on_rows

# For fewer groups all pairs are looked at, which takes no longer than to choose among groups.
_FEW_GROUPS: Final = 10

Bounds = tuple[float, float]
Terms = Mapping[str, Floats]

SPREAD: Final = "spread\x1f"

_NORMAL: Final = NormalDist()
_NO_BOUNDS: Final = (float("nan"), float("nan"))


def bounded(
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    values: Lines,
) -> Iterator[Found]:
    """Compute the bounds of metrics.

    Bounds of metrics of scores are computed from ``scored``, the cells by score, and from their
    ``values``.
    """
    others = {name: each for name, each in metrics.items() if each.parsed.largest is None}
    yield from bootstrapped(tables, scored, roles, others, drawing, values)
    for groups, largest in _maxima(metrics).items():
        yield simultaneous(tables, roles, groups, largest, drawing.confidence)


def bounded_over_clusters(
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    lines: Lines,
) -> None:
    """Put the bounds of metrics on the lines, from counts by cluster."""
    whole = with_parts(metrics, roles)
    left = values_left(counts_by_level(tables, scored, roles, whole), roles, whole, lines)
    left |= rows_left(tables.cells, roles, lines)
    for column, by_metric in jackknifed(left, roles, metrics, drawing, lines).items():
        lines.columns.setdefault(column, {}).update(by_metric)
    folds = {name: each for name, each in metrics.items() if is_fold(each) and not each.is_joint}
    for found in bootstrapped_over_clusters(tables, scored, roles, folds, drawing):
        _replace_bounds(lines, found, roles, are_apart=True)
    for groups, largest in _maxima(metrics).items():
        found = simultaneous(tables, roles, groups, largest, drawing.confidence)
        of_numbers = [name for name, each in largest.items() if each.number]
        _replace_bounds(lines, found, roles, of_numbers=of_numbers)


def bounded_by_sums(
    tables: Tables,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    lines: Lines,
) -> None:
    """Put the bounds of metrics of numbers on the lines, or why there are none."""
    of_sides = {name: each for name, each in metrics.items() if each.parsed.largest is None}
    bounded_numbers(tables.cells, roles, of_sides, drawing, lines)
    for groups, largest in _maxima(metrics).items():
        lines.put(simultaneous(tables, roles, groups, largest, drawing.confidence))
        for name in largest:
            none = (
                f"{numbers_named(metrics[name])}: a group has fewer than {LEAST_CLUSTERS:.0f} "
                "effective rows, and an interval needs as many, and numbers that vary"
            )
            lines.columns.setdefault(REASON, {})[name] = [
                none if has_none else None for has_none in _lacks_bounds(lines, name)
            ]


def _lacks_bounds(lines: Lines, name: str) -> list[bool]:
    has_none = np.isnan(lines.array(LOWER, name)) & ~np.isnan(lines.array(VALUE, name))
    lacks: list[bool] = has_none.tolist()
    return lacks


def _maxima(metrics: Mapping[str, Metric]) -> dict[Groups, dict[str, Largest]]:
    """The metrics whose value is a maximum, by the groups that it is one of."""
    maxima: dict[Groups, dict[str, Largest]] = {}
    for name, metric in metrics.items():
        if metric.parsed.largest is not None:
            maxima.setdefault(metric.parsed.groups, {})[name] = metric.parsed.largest
    return maxima


def _replace_bounds(
    lines: Lines,
    found: Found,
    roles: Roles,
    *,
    are_apart: bool = False,
    of_numbers: Collection[str] = (),
) -> None:
    """Replace bounds by others, and say why one of several groups has none.

    Bounds that stand apart have no reasons of their own: there are none where a reason is known.
    """
    lines.put(found)
    argument, clusters = roles.words_of_clusters
    more = ", and rates of 0 to 1" if roles.uncertain_facets else ""
    for name in found.columns[LOWER]:
        words = (
            f"{argument}: a group has fewer than {LEAST_CLUSTERS:.0f} effective {clusters}, and an "
            f"interval needs as many{', and numbers that vary' if name in of_numbers else more}"
        )
        reasons = lines.columns[REASON][name]
        has_bounds = np.array([reason is None for reason in reasons], np.bool_)
        if not are_apart:
            moved = np.abs(np.stack([np.zeros(GROUPS), *lines.columns[DEVIATIONS][name]]))[1:]
            has_bounds = (np.fmax.reduce(moved, axis=1) > SAME) | (not roles.uncertain_facets)
        for bound in BOUNDS:
            of_metric = lines.columns[bound]
            of_metric[name] = np.where(has_bounds, of_metric[name], np.nan)
        lines.columns[REASON][name] = [
            (reason or words) if lacks else None
            for lacks, reason in zip(_lacks_bounds(lines, name), reasons, strict=True)
        ]


# The largest of many differences is large by chance alone, and a bootstrap adds noise to noise: for
# ten groups of 50 rows with one common rate, its intervals of the gap never held 0. Here every
# group has Wilson's interval, at such a confidence that all intervals hold together. The bounds of
# a contrast follow from the bounds of its two rates (Zou and Donner's recovery of variances, as in
# Newcombe's method). The largest contrast lies between the largest lower bound and the largest
# upper bound.
def interval_terms(largest: Largest, roles: Roles) -> dict[str, Expression]:
    """The numbers of groups from which the interval of a largest contrast is computed, by name."""
    if largest.number:
        sums = () if roles.left_out else sums_of_numbers(roles.numbers)
        words = ("n", "effective_n", *sums)
        names = [f"{g.name}.{word}" for word in words] + [f"{all_.name}.effective_n"]
        of = STATISTICS[largest.number].of(g)
        more = (
            {f"{g.name}.{SPREAD}": spread("estimated")(g)} if largest.contrast == "spread" else {}
        )
        return {name: term(name) for name in names} | {f"{g.name}.{largest.number}": of} | more
    rates = [RATES[rate] for rate in largest.rates]
    names_of_rates = {word for rate in rates for word in (rate.name, rate.whole, rate.rows)}
    names_of_rates |= {"effective_n", "n"}
    return {
        name: term(name)
        for side in (g, all_)
        for name in (f"{side.name}.{word}" for word in names_of_rates)
    }


def simultaneous(
    tables: Tables,
    roles: Roles,
    groups: Groups,
    metrics: Mapping[str, Largest],
    confidence: float,
) -> Found:
    """Bounds of the largest contrast of each metric.

    Where cells have clusters, rows are not independent: what each group of clusters moves in the
    terms of a group says how much they vary.
    """
    members = None
    if groups.are_joint:
        # A group that has the least number of rows with all clusters may have fewer without one.
        draws, of_ranges = joint_counts(tables.cells, roles, [groups])
        counts, members = draws.counts, of_ranges[groups]
    else:
        counts = tables.at(GROUP, roles)
    own = {
        name: {f"{each.number}{word}": of for word, of in interval_terms(each, roles).items()}
        for name, each in metrics.items()
    }
    terms = {name: of for each in own.values() for name, of in each.items()}
    bounds = {name: np.full((2, counts.places.height), np.nan) for name in metrics}
    for places in places_at_once(counts.ends, GROUPS + 1 if counts.by_cluster else 1):
        rows, sizes = counts.left_out(places), np.diff(counts.ends)[places]
        if members is not None:
            rows, sizes = members.counts(rows)
        numbers = numbers_on_rows(rows, roles, GROUP, terms) if rows.sizes else {}
        for place, size, end in zip(count(places.start), sizes, sizes.cumsum(), strict=False):
            for name, largest in metrics.items() if size else ():
                of_place = {
                    each.removeprefix(largest.number): numbers[each][end - size : end]
                    for each in own[name]
                }
                bounded = _largest_of_numbers if largest.number else _largest
                bounds[name][:, place] = bounded(of_place, largest, roles, confidence)
    columns = {
        bound: {name: of_metric[i] for name, of_metric in bounds.items()}
        for i, bound in enumerate(BOUNDS)
    }
    return Found(counts.places, place_keys(roles), columns)


@dataclass(frozen=True)
class _Sample:
    """The rate of each group and the rows behind it; with weights or clusters, as many as count.

    Groups that share clusters have rates that vary together. The variances of few clusters are
    known with few degrees of freedom.
    """

    terms: Terms
    rate: str
    p: Floats
    rows: Floats
    freedom: float = inf
    correlation: Floats | None = None
    replicates: Terms | None = None

    def critical_value(self, confidence: float) -> float:
        return critical_value(len(self.p), confidence, self.freedom)


def _largest(terms: Terms, largest: Largest, _: Roles, confidence: float) -> Bounds:
    """Bounds of the largest contrast of one rate, or of several independent rates.

    The last column of terms is that of all rows, any others lack a group of clusters each.
    """
    of_each = confidence ** (1 / len(largest.rates))
    bounds = []
    for rate in largest.rates:
        p = terms[f"{g.name}.{rate}"][:, -1]
        # Where 0/0 has a number, a group without rows has a rate too, but no interval.
        has_rows = ~np.isnan(p) & (terms[f"{g.name}.{RATES[rate].whole}"][:, -1] > 0)
        if not has_rows.any():
            return _NO_BOUNDS
        known, left = (
            {term: values[has_rows, at] for term, values in terms.items()} for at in (-1, slice(-1))
        )
        sample: _Sample | None = _Sample(known, rate, *_rate(known, rate))
        if left[f"{g.name}.{rate}"].size:
            sample = _clustered(known, left, rate)
        if sample is None:
            return _NO_BOUNDS
        bounds.append(_contrast_bounds(largest.contrast, sample, of_each))
    pick = min if largest.contrast == "ratio" else max
    lower, upper = (pick(bound) for bound in zip(*bounds, strict=True))
    return lower, upper


def _clustered(terms: Terms, replicates: Mapping[str, Floats], rate: str) -> _Sample | None:
    """The rates of groups whose rows belong together in clusters; None if these are too few.

    Rates outside 0 to 1, which a regression may give, have no interval either.

    A group has as many effective rows as independent ones would give its rate the same variance,
    and never more than it has. Where all its rows have one outcome, these are its clusters.
    """
    p, rows = _rate(terms, rate)
    if ((p < 0) | (p > 1)).any():
        return None  # of a regression
    whole = f"{g.name}.{RATES[rate].whole}"
    clusters = effective_clusters(terms[whole], replicates[whole])
    if clusters.min() < LEAST_CLUSTERS * (1 - 1e-12):
        return None
    moved = deviations(p, replicates[f"{g.name}.{rate}"], terms[whole], replicates[whole])
    variance = (moved**2).sum(axis=1)
    is_certain = (p == 0) | (p == 1) | (variance == 0)
    spread = np.sqrt(np.where(is_certain, 1.0, variance))
    # For one outcome alone, half a cluster more has each outcome.
    share = (p * clusters + 0.5) / (clusters + 1)
    variance = np.where(is_certain, share * (1 - share) / clusters, variance)
    effective = np.where(is_certain, clusters, np.minimum(p * (1 - p) / variance, rows))
    return _Sample(
        terms,
        rate,
        p,
        effective,
        freedom=_freedom(variance, clusters, terms[whole], replicates[whole]),
        correlation=np.where(is_certain, 0.0, moved.T / spread).T @ (moved.T / spread),
        replicates=replicates,
    )


def _freedom(variance: Floats, clusters: Floats, size: Floats, size_left: Floats) -> float:
    """The least degrees of freedom of a pair of groups, at most those of all clusters, if any."""
    pairs = np.add.outer(variance, variance) ** 2
    pairs /= np.add.outer(*[variance**2 / (clusters - 1)] * 2)
    if not size_left.size:
        return float(pairs.min())
    groups = are_left_out(size, size_left).any(axis=0).sum()
    return float(min(groups - 1, pairs.min()))


@np.errstate(divide="ignore", invalid="ignore")  # of groups that have no interval
def _largest_of_numbers(terms: Terms, largest: Largest, roles: Roles, confidence: float) -> Bounds:
    """Bounds of the largest difference of a number between groups, or of the largest number.

    Each group has the limits that a side of a comparison has, so wide that they hold together.
    """
    statistic, has_rows = STATISTICS[largest.number], terms[f"{g.name}.n"][:, -1] > 0
    terms = {name: each[has_rows] for name, each in terms.items()}
    (value, left), (n, n_left) = (
        split(terms[f"{g.name}.{largest.number}"]),
        split(terms[f"{g.name}.n"]),
    )
    if left.size:
        power = 2 if statistic.is_root else 1
        moved = deviations(value**power, left**power, n, n_left)
        rows, covariance = effective_clusters(n, n_left), moved @ moved.T
        # What is left without a group moves the other way.
        moments = Moments.of_means(np.diag(covariance), -(moved**3).sum(axis=1), rows)
    else:
        sums = Sums(g.name, {name: each[:, -1] for name, each in terms.items()}, roles.is_weighted)
        row, rows = statistic.row(sums), sums["effective_n"]
        known = statistic.moments(sums, row)
        moments = Moments.of_means(*known, sums.rows, [sums(power) for power in (1, 2, 3)])
        covariance = np.diag(moments.variance)
    are_known = (rows > LEAST_CLUSTERS * (1 - 1e-12)) & (moments.variance > (SAME * value) ** 2)
    if not are_known.all() or not len(n):
        return _NO_BOUNDS
    seen = moments.with_unseen
    freedom = _freedom(seen.variance, seen.rows, n, n_left)
    if largest.contrast == "spread":
        return _spread_bounds(terms, np.diag(covariance), freedom, confidence)
    t = critical_value(len(n), confidence, freedom)
    if largest.contrast == "number itself":
        t = critical_value(1, confidence ** (1 / len(n)), freedom)
    low, value, high = statistic.limits(value, seen.reaches(np.full(len(n), t)))
    if largest.contrast == "number itself":
        # As of roots, no limit of squares or of distances is below 0.
        least = 0.0 if largest.number in ("mse", "mae") else -np.inf
        return max(float(low.max()), least), float(high.max())
    scale = np.sqrt(np.diag(covariance))
    lower, upper = _largest_difference(value, low, high, covariance / np.outer(scale, scale))
    return max(lower, 0.0), upper


def _spread_bounds(terms: Terms, variance: Floats, freedom: float, confidence: float) -> Bounds:
    """Bounds of the share of the variance that lies between groups.

    Their distances from the common mean are as long as the true ones, give or take the length of
    what chance adds. Its square has about a chi-squared distribution (Satterthwaite), whose
    quantile is Wilson's and Hilferty's. The ``variance`` is that of the mean of each group.
    """
    n, mean = terms[f"{g.name}.n"], terms[f"{g.name}.estimated_mean"]
    share, whole = n / n.sum(axis=0), np.tile(n.sum(axis=0), (len(n), 1))
    scale = np.sqrt(share / (share * terms[f"{g.name}.{SPREAD}"]).sum(axis=0))
    apart = scale * (mean - (share * mean).sum(axis=0))
    if mean.shape[1] > 1:
        moved = deviations(*split(apart), *split(whole))
    else:
        moved = scale * (np.eye(len(n)) - share.T) * np.sqrt(variance)
    squares = (moved**2).sum()
    degrees = squares**2 / ((moved @ moved.T) ** 2).sum()
    z = _NORMAL.inv_cdf(confidence)
    root = (1 - 2 / (9 * degrees) + z * np.sqrt(2 / (9 * degrees))) ** 1.5
    wider = critical_value(1, confidence, freedom) / critical_value(1, confidence)
    length, reach = np.sqrt((apart[:, -1] ** 2).sum()), np.sqrt(squares) * root * wider
    low, value, high = (
        1 - 1 / (1 + max(each, 0.0) ** 2) for each in (length - reach, length, length + reach)
    )
    # Adjusted for the number of groups, the value may be below 0.
    rows = float(terms[f"{all_.name}.effective_n"][0, -1])
    adjusted = 1 - (1 - value) * (rows - 1) / (rows - len(n))
    return float(min(low, adjusted)), float(high)


def _contrast_bounds(contrast: Contrast, sample: _Sample, confidence: float) -> Bounds:
    if contrast == "distance from all":
        # Of a group's rate from the overall rate, times its share.
        if sample.replicates:
            return _distance_over_clusters(sample, sample.replicates, confidence)
        return _distance_of_rows(sample.terms, sample.rate, confidence)
    p, rows, z = sample.p, sample.rows, sample.critical_value(confidence)
    if contrast == "difference":
        lower, upper = _largest_difference(p, *_wilson(p, rows, z), sample.correlation)
        return max(lower, 0.0), min(upper, 1.0)
    if contrast == "ratio" and not (p > 0).any():
        return _NO_BOUNDS
    shares = [p] if contrast == "ratio" else [p, 1 - p]
    of_shares = [
        _largest_difference(*_logarithms(share, rows, z), sample.correlation) for share in shares
    ]
    lower, upper = (max(0.0, *each) for each in zip(*of_shares, strict=True))
    return (float(np.exp(-upper)), float(np.exp(-lower))) if contrast == "ratio" else (lower, upper)


def _distance_over_clusters(sample: _Sample, replicates: Terms, confidence: float) -> Bounds:
    whole = RATES[sample.rate].whole

    def distance(terms: Terms) -> Floats:
        concerned = terms[f"{g.name}.{whole}"] / terms[f"{all_.name}.n"]
        distances: Floats = concerned * (
            terms[f"{g.name}.{sample.rate}"] - terms[f"{all_.name}.{sample.rate}"]
        )
        return distances

    value, size = distance(sample.terms), f"{all_.name}.n"
    moved = deviations(value, distance(replicates), sample.terms[size], replicates[size])
    of_group = sample.terms[f"{g.name}.{whole}"] / sample.terms[size]
    of_others = 1 - sample.terms[f"{g.name}.{whole}"] / sample.terms[f"{all_.name}.{whole}"]
    share = (sample.p * sample.rows + 0.5) / (sample.rows + 1)
    least = (of_group * of_others) ** 2 * share * (1 - share) / sample.rows
    certain = (sample.p == 0) | (sample.p == 1)
    variance = np.maximum((moved**2).sum(axis=1), np.where(certain, least, 0.0))
    z = critical_value(1, confidence ** (1 / len(value)), sample.freedom)
    return _folded(value - z * np.sqrt(variance), value + z * np.sqrt(variance))


def _folded(lowest: Floats, highest: Floats) -> Bounds:
    return (
        max(float(np.max(np.maximum(lowest, -highest))), 0.0),
        min(float(np.max(np.maximum(highest, -lowest))), 1.0),
    )


def _distance_of_rows(terms: Terms, rate: str, confidence: float) -> Bounds:
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
    return _folded(scale * (distance - down), scale * (distance + up))


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


def _logarithms(p: Floats, rows: Floats, z: float) -> tuple[Floats, Floats, Floats]:
    low, high = _wilson(p, rows, z)
    # An outcome that no row of a group has counts as half a row.
    value = np.log(np.where(p > 0, p, 0.5 / (rows + 1)))
    with np.errstate(divide="ignore"):
        return value, np.log(np.where(p > 0, low, 0.0)), np.log(high)


def _largest_difference(
    value: Floats, low: Floats, high: Floats, correlation: Floats | None = None
) -> Bounds:
    """Bounds of the largest difference of two groups, from the interval of each."""
    if len(value) < 2:
        return 0.0, 0.0
    down, up = value - low, high - value
    lower = _largest_of_pairs(correlation, value, down, up, sign=-1)
    return lower, _largest_of_pairs(correlation, value, up, down, sign=1)


def _largest_of_pairs(
    correlation: Floats | None, value: Floats, higher: Floats, lower: Floats, sign: int
) -> float:
    """The largest of xᵢ − xⱼ ± √(rᵢ² + rⱼ² − 2ρᵢⱼrᵢrⱼ) over all pairs of groups."""
    one = other = np.arange(len(value))
    if correlation is None and len(value) > _FEW_GROUPS:
        one, other = _candidates(value, sign * higher), _candidates(-value, sign * lower)
    radius = np.hypot.outer(higher[one], lower[other])
    if correlation is not None:
        # A group whose radius is infinite leaves its pairs unbounded, whatever their correlation.
        known = [np.where(np.isfinite(each), each, 0.0) for each in (higher, lower)]
        squares = radius**2 - 2 * correlation * np.multiply.outer(*known)
        radius = np.sqrt(np.clip(squares, 0, None))
    bounds = np.subtract.outer(value[one], value[other]) + sign * radius
    return float(np.nanmax(np.where(np.equal.outer(one, other), -np.inf, bounds)))


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
