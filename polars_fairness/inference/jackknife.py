"""Intervals over clusters: each group of clusters is left out once, and what the values then move.

The counts without a group are those of all rows less those of the group: so both sides of a
comparison, and all groups of a facet, lose the clusters that they share together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, GROUPS, REST, unlisted
from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.formula.levels import ACROSS_STRATA, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import pooled_deviation
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.formula.tree import Expression, term
from polars_fairness.inference.deviations import (
    DEVIATIONS,
    are_left_out,
    deviations,
    effective_clusters,
    few_clusters,
)
from polars_fairness.inference.draws import (
    Drawing,
    Evaluate,
    joint_counts,
    joint_values,
    places_at_once,
)
from polars_fairness.inference.moments import Moments, reach
from polars_fairness.inference.numbers import (
    IN_UNITS,
    NO_FORMULA,
    STATISTICS,
    compared,
    ends_of,
    numbers_named,
)
from polars_fairness.inference.quantiles import critical_values
from polars_fairness.question.probabilities import MOST_LINEAR
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.by_key import measures_of
from polars_fairness.values.evaluate import (
    COMMON_SLOPE,
    SUMS_OF_SLOPES,
    counts_of_slopes,
    is_common_difference,
    place_keys,
)
from polars_fairness.values.folds import find_fold
from polars_fairness.values.formula_checks import rates_compared
from polars_fairness.values.levels import keys_of
from polars_fairness.values.lines import BOUNDS, REASON, VALUE, Lines
from polars_fairness.values.replicated_counts import LevelCounts, Tables, level_values
from polars_fairness.values.score_comparisons import cells_in_spans

# Five clusters of equal weight are five but for the last digits.
_ROUNDING: Final = 1e-9

SAME: Final = 1e-12
"""Groups of the same probabilities differ by so little, in the last digits of sums."""

# Intervals of rarer outcomes of groups known only as probabilities held in 90 to 92 % of datasets.
_LEAST_EVENTS: Final = 10

_ROW, _ROWS, _UNIT = "row\x1f", "rows\x1f", "unit\x1f"

Left = Mapping[str, Floats]
"""Numbers of each row by name: a column for each group that is left out, and last without that."""


def jackknifed(
    left: Left,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    lines: Lines,
) -> dict[str, dict[str, Any]]:
    """The bounds of metrics, why there are none, and what each group of clusters moves in a value.

    What is ``left`` is that of the lines.
    """
    chosen_from = drawing.chosen_from(lines.table)
    critical = partial(critical_values, chosen_from, drawing.confidence)
    kinds = {name: _kind(metric, roles) for name, metric in metrics.items()}
    samples = {kind: _sample(kind, left) for kind in {*kinds.values()}}
    # At once: the quantiles of 61 metrics one by one took a sixth of an audit of 5,000 clusters.
    freedom = np.concatenate([sample.freedom for sample in samples.values()])
    of_all = critical_values(chosen_from * len(samples), drawing.confidence, freedom)
    times_of = dict(zip(samples, of_all.reshape(len(samples), -1), strict=True))
    columns: dict[str, dict[str, Any]] = {each: {} for each in (*BOUNDS, REASON, DEVIATIONS)}
    for name, metric in metrics.items():
        sample, times = samples[kinds[name]], times_of[kinds[name]]
        of_metric, exact = left[name], lines.array(VALUE, name)
        with np.errstate(divide="ignore", invalid="ignore"):
            if metric.is_ratio:
                of_metric, exact = np.log(of_metric), np.log(exact)
            moved = deviations(of_metric[:, -1], of_metric[:, :-1], *sample.rows)
            variance = (moved**2).sum(axis=1)
            reaches = np.stack([times * np.sqrt(variance)] * 2)
            if metric.is_about_numbers:
                # What is left without a group moves the other way.
                reaches = np.fmax(reaches, reach(variance, -(moved**3).sum(axis=1), times))
            ends = exact + np.array([[-1.0], [1.0]]) * reaches
            if metric.is_ratio:
                ends = np.exp(ends)
            of_numbers = _number_ends(name, metric, left, critical)
            bounds = np.clip(ends if of_numbers is None else of_numbers, *metric.range)
        found = [*_reasons(metric, roles, sample, variance, exact)]
        lacking = _lacking_formulas(metric, roles, lines.table)
        reasons = [
            None if np.isnan(value) else why_none or reason
            for value, why_none, reason in zip(exact, lacking, found, strict=True)
        ]
        has_none = [reason is not None for reason in reasons]
        bounds[:, has_none] = np.nan
        for bound, each in zip(BOUNDS, bounds, strict=True):
            columns[bound][name] = each
        columns[REASON][name], columns[DEVIATIONS][name] = reasons, [*moved]
    return columns


def is_fold(metric: Metric) -> bool:
    """Whether a metric folds several numbers to a distance: deviations go to one side only."""
    is_maximum = metric.parsed.largest is not None or len(rates_compared(metric)) == 1
    return not is_maximum and find_fold(metric) is not None


def _rates_of(metric: Metric, roles: Roles) -> list[str]:
    """The rates that show how certain each side is: those of the formula, if there are any."""
    if not metric.has_sides:
        return []
    by_default = {"label": "base_rate", "predicted": "selection_rate"}
    known = {*roles.binary_roles} & {*metric.needs}
    return rates_compared(metric) or [by_default[role] for role in by_default if role in known][-1:]


def _part(name: str, word: str) -> str:
    return f"{name} {word}\x1f"


def with_parts(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, Metric]:
    """Metrics, the rates of both sides that they are about, and what these are shares of.

    Where intervals are made of the numbers of both sides, these are among them.
    """
    parts: dict[str, Expression] = {}
    if any(metric.has_sides for metric in metrics.values()):
        rates = {rate for metric in metrics.values() for rate in _rates_of(metric, roles)}
        words = {"n", *rates, *(RATES[rate].whole for rate in rates)}
        names = [f"{side.name}.{word}" for side in (d, a) for word in sorted(words)]
        parts |= {name: term(name) for name in names}
    for name, metric in metrics.items():
        if (found := compared(metric)) is not None:
            parts |= {_part(name, side.name): STATISTICS[found[0]].of(side) for side in (d, a)}
        if found is not None and found[1] == IN_UNITS:
            parts[_part(name, _UNIT)] = pooled_deviation(numbers_named(metric))
    return {**metrics, **{name: Metric("part", "", part) for name, part in parts.items()}}


def _number_ends(
    name: str, metric: Metric, left: Left, times: Callable[[Floats], Floats]
) -> Floats | None:
    """The ends for a number of both sides that is compared; None if a metric is another formula.

    Each side has the limits that it has over rows, from what groups of clusters move in it.
    """
    if (found := compared(metric)) is None:
        return None
    statistic, way = STATISTICS[found[0]], found[1]
    power = 2 if statistic.is_root else 1
    numbers = [left[_part(name, side.name)] for side in (a, d)]
    sizes = [split(np.nan_to_num(left[f"{side.name}.n"])) for side in (a, d)]

    def moves(numbers: Iterable[Floats]) -> Floats:
        pairs = zip(numbers, sizes, strict=True)
        return np.stack([deviations(*split(each**power), *size) for each, size in pairs])

    if way == IN_UNITS:
        unit = left[_part(name, _UNIT)]
        moved = moves(each / unit for each in numbers)
        numbers = [each / unit[:, -1:] for each in numbers]
        # The unit of few skewed amounts moves with their mean, and would hide how that varies.
        alone = moves(numbers)
        is_more = (moved**2).sum(axis=2) > (alone**2).sum(axis=2)
        moved = np.where(is_more[..., np.newaxis], moved, alone)
    else:
        moved = moves(numbers)
    rows = np.stack([effective_clusters(*size) for size in sizes])
    # What is left without a group moves the other way.
    variance, third = (moved**2).sum(axis=2), -(moved**3).sum(axis=2)
    seen = Moments.of_means(variance, third, rows).with_unseen
    reaches = np.moveaxis(seen.reaches(times(_with_groups(seen.freedom, sizes[0]))), 1, 0)
    of_a, of_d = map(statistic.limits, (number[:, -1] for number in numbers), reaches)
    scale = np.sqrt(variance.prod(axis=0))
    product = moved.prod(axis=0).sum(axis=1)
    together = np.divide(product, scale, out=np.zeros_like(scale), where=scale > 0)
    return ends_of(way, of_a, of_d, together)


def values_left(
    counted: Iterable[tuple[list[str], LevelCounts, Evaluate]],
    roles: Roles,
    metrics: Mapping[str, Metric],
    lines: Lines,
) -> dict[str, Floats]:
    """The value of each metric on each line without each group of clusters.

    ``counted`` has counts with the keys of their places, and what evaluates metrics on them.
    """
    left = {name: np.full((len(lines), GROUPS + 1), np.nan) for name in metrics}
    for keys, counts, evaluate in counted:
        place = lines.places(counts.places, keys)
        row = np.flatnonzero(place < counts.places.height)
        blocks = places_at_once(counts.ends, GROUPS + 1)
        parts = [evaluate(counts.left_out(some)) for some in blocks]
        for name in parts[0] if parts else ():
            left[name][row] = np.vstack([part[name] for part in parts])[place[row]]
    if roles.zero_division is None and "d.n" in metrics:
        has_both = (left["d.n"] != 0) & (left["a.n"] != 0)
        for name, metric in metrics.items():
            left[name][~has_both & metric.has_sides] = np.nan
    for name, values in lines.columns[VALUE].items():
        if name in metrics:
            left[name][np.isnan(values)] = np.nan
    return left


def counts_by_level(
    tables: Tables, scored: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> Iterator[tuple[list[str], LevelCounts, Evaluate]]:
    """The counts that metrics are about, with the keys of their places, and what evaluates them."""
    at: dict[Level, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            at.setdefault(metric.parsed.level, {})[name] = metric
    bins = {each.bins for each in measures_of(metrics) if each.bins is not None}
    if any(level.is_by_score for level in at):
        by_score, rounded = cells_in_spans(collected(unlisted(scored)), roles, sorted(bins))
        of_scores = Tables(by_score, rounded.counting_scores)
        of_scores.make([level for level in at if level.is_by_score])
    tables.make([level for level in at if not level.is_by_score])
    for level, of_level in at.items():
        held = of_scores if level.is_by_score else tables
        evaluate = partial(level_values, roles=held.roles, level=level, metrics=of_level)
        yield keys_of(level, roles), held.at(level), evaluate
    if joint := {name: each for name, each in metrics.items() if each.is_joint}:
        ranges = [each.parsed.groups for each in joint.values()]
        draws, members = joint_counts(tables.cells, roles, ranges)
        evaluate = partial(joint_values, members=members, roles=roles, metrics=joint)
        yield place_keys(roles), draws.counts, evaluate
    common = {name: COMMON_SLOPE for name, each in metrics.items() if is_common_difference(each)}
    if common and roles.windows.has_estimators:
        linear = tables.cells.lazy().filter(pl.col(ESTIMATOR) == LINEAR)
        divided = collected(counts_of_slopes(linear, roles, [CLUSTER]))
        counts = LevelCounts.of_level(divided, ACROSS_STRATA, roles, SUMS_OF_SLOPES)
        evaluate = partial(level_values, roles=roles, level=ACROSS_STRATA, metrics=common)
        yield keys_of(ACROSS_STRATA, roles), counts, evaluate


def rows_left(cells: pl.DataFrame, roles: Roles, lines: Lines) -> dict[str, Floats]:
    """The rows of each place without each group of clusters; with weights, their sum."""
    keys = place_keys(roles)
    mass = pl.col(roles.mass).sum().cast(pl.Float64).alias(_ROWS)
    masses = cells.group_by(*keys, CLUSTER).agg(mass)
    placed = lines.table.select(keys).with_row_index(_ROW).join(masses, on=keys, nulls_equal=True)
    row, group, rows = (placed[name].to_numpy() for name in (_ROW, CLUSTER, _ROWS))
    of_groups, is_known = np.zeros((len(lines), GROUPS + 1)), group != REST
    of_groups[row[is_known], group[is_known]] = rows[is_known]
    return {_ROWS: np.bincount(row, rows, len(lines))[:, np.newaxis] - of_groups}


@dataclass(frozen=True)
class _Sample:
    """How certain the values of a metric are: the rows, the clusters and the degrees of freedom.

    The clusters are those of the smaller side. A side varies if not all of its rows have one
    outcome; events are its rows of the rarer one.
    """

    rows: tuple[Floats, Floats]
    clusters: Floats
    freedom: Floats
    varies: Bools
    events: Floats


_Kind = tuple[bool, bool, tuple[str, ...]]
"""Whether a metric has sides, whether it is a ratio, and its rates."""


def _kind(metric: Metric, roles: Roles) -> _Kind:
    return metric.has_sides, metric.is_ratio, (*_rates_of(metric, roles),)


def _sample(kind: _Kind, left: Left) -> _Sample:
    has_sides, is_ratio, rates = kind
    if not has_sides:
        rows = split(left[_ROWS])
        clusters = effective_clusters(*rows)
        return _Sample(
            rows,
            clusters,
            _with_groups(clusters - 1, rows),
            clusters > 0,
            np.full_like(clusters, np.inf),
        )
    sizes = [split(np.nan_to_num(left[f"{side.name}.n"])) for side in (d, a)]
    size = sizes[0][0] + sizes[1][0]
    # A part of what is added up of rows may have more of one side, and less of the other.
    rows = size, size[:, np.newaxis] - sum(np.abs(n[:, np.newaxis] - left) for n, left in sizes)
    of_sides = [effective_clusters(*each) for each in sizes]
    freedom = np.minimum(*of_sides) - 1
    varies, events = of_sides[0] > 0, np.full_like(freedom, np.inf)
    for number, rate in enumerate(rates):
        squares, parts = np.zeros_like(freedom), np.zeros_like(freedom)
        for i, side in enumerate((d, a)):
            whole = split(np.nan_to_num(left[f"{side.name}.{RATES[rate].whole}"]))
            p, p_left = split(left[f"{side.name}.{rate}"])
            events = np.fmin(events, whole[0] * np.minimum(p, 1 - p))
            variance = (deviations(p, p_left, *whole) ** 2).sum(axis=1)
            varies = varies & (variance > 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                variance = variance / p**2 if is_ratio else variance
            of_side = effective_clusters(*whole)
            of_sides[i] = np.minimum(of_sides[i], of_side)
            squares = squares + variance
            with np.errstate(divide="ignore", invalid="ignore"):
                parts = parts + variance**2 / (of_side - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_rate = squares**2 / parts
        freedom = of_rate if number == 0 else np.fmin(freedom, of_rate)
    return _Sample(rows, np.minimum(*of_sides), _with_groups(freedom, rows), varies, events)


def split(left: Floats) -> tuple[Floats, Floats]:
    """Numbers of all rows, and without each group of clusters."""
    return left[:, -1], left[:, :-1]


def _with_groups(freedom: Floats, rows: tuple[Floats, Floats]) -> Floats:
    """The degrees of freedom, at most those of the groups of clusters that have rows."""
    groups = are_left_out(*rows).sum(axis=1)
    least: Floats = np.fmax(np.fmin(freedom, groups - 1), 1.0)
    return least


def _lacking_formulas(metric: Metric, roles: Roles, table: pl.DataFrame) -> list[str | None]:
    """Why it is not known how estimates of independent rows vary, if so."""
    if roles.cluster is not None:
        return [None] * table.height
    if metric.adds_up_numbers:
        return [NO_FORMULA] * table.height
    many = {each.name for each in roles.uncertain_facets if len(each.probabilities) > MOST_LINEAR}
    words = (
        f"facet: how a regression on more than {MOST_LINEAR} groups varies is not known; join "
        "groups, or give cluster="
    )
    linear = table.select("facet", ESTIMATOR).rows()
    return [words if name in many and estimator == LINEAR else None for name, estimator in linear]


def _reasons(
    metric: Metric, roles: Roles, sample: _Sample, variance: Floats, value: Floats
) -> Iterator[str | None]:
    """Why each value has no interval; None if it has one, or is undefined."""
    is_distance = is_fold(metric) and metric.is_joint
    if metric.is_about_numbers:
        is_distance = not metric.has_sides and metric.parsed.largest is None
    argument, clusters_named = roles.words_of_clusters
    where = "the smaller side has" if metric.has_sides else "there are"
    one_outcome = f"a side has one outcome in all {clusters_named}"
    alike = f"none of the {clusters_named} moves the value"
    size = np.abs(value) if metric.is_about_numbers and not metric.is_ratio else 1.0
    least = (SAME * size) ** 2 * (bool(roles.uncertain_facets) or metric.is_about_numbers)
    is_rare = (sample.events < _LEAST_EVENTS) & bool(roles.uncertain_facets)
    for clusters, varies, square, number, are_few, fewest in zip(
        sample.clusters,
        sample.varies,
        variance,
        value,
        is_rare,
        np.broadcast_to(least, variance.shape),
        strict=True,
    ):
        if np.isnan(number):
            yield None
        elif reason := few_clusters(clusters, roles, where):
            yield reason
        elif are_few:
            yield (
                f"{argument}: a side has fewer than {_LEAST_EVENTS} rows of an outcome, as far as "
                "probabilities show, and an interval needs as many"
            )
        elif is_distance:
            yield f"{argument}: no interval over {clusters_named} is known for such a distance"
        elif not varies or square <= fewest:
            words = alike if varies else one_outcome
            yield f"{argument}: {words}, so how it varies is not known"
        elif np.isnan(square):
            yield f"{argument}: the value is undefined without some of the {clusters_named}"
        else:
            yield None
