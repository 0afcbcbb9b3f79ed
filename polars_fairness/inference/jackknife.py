"""Intervals over clusters: each group of clusters is left out once, and what the values then move.

The counts without a group are those of all rows less those of the group: so both sides of a
comparison, and all groups of a facet, lose the clusters that they share together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, GROUPS, REST, shares_people, unlisted
from polars_fairness.formula.levels import ACROSS_STRATA, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import Amount
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.formula.tree import Expression, term
from polars_fairness.inference.bound_names import DEVIATIONS, REASON, bound_names
from polars_fairness.inference.deviations import (
    Bools,
    Floats,
    deviations,
    effective_clusters,
    few_clusters,
    less,
    wilson,
)
from polars_fairness.inference.draws import (
    PLACE,
    Drawing,
    Draws,
    Evaluate,
    counts_at,
    counts_of,
    joint_counts,
    joint_values,
    level_values,
    places_at_once,
)
from polars_fairness.inference.quantiles import critical_values
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
from polars_fairness.values.score_comparisons import cells_in_spans

# So many rows of the amount R know it as well as the largest of all estimates does.
_LIKE_ROWS: Final = 50

# The skewness of few amounts is estimated too small, since the largest are seldom among them.
_TOO_SMALL: Final = 2.0
_MOST_SKEWED: Final = 1.5

# Five clusters of equal weight are five but for the last digits.
_ROUNDING: Final = 1e-9

SAME: Final = 1e-12
"""Groups of the same probabilities differ by so little, in the last digits of sums."""

# Of groups known in probability, intervals of rarer outcomes held in 90 to 92 % of data sets.
_LEAST_EVENTS: Final = 10

_ROW, _ROWS = "row\x1f", "rows\x1f"

Left = Mapping[str, Floats]
"""Numbers of each row by name: a column for each group that is left out, and last without that."""


def jackknifed(
    left: Left,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    values: pl.DataFrame,
) -> pl.DataFrame:
    """The bounds of metrics, why there are none, and what each group of clusters moves in a value.

    The rows are those of ``values``, the values of comparisons, and of what is ``left``.
    """
    critical = partial(critical_values, drawing.chosen_from(values), drawing.confidence)

    columns = []
    for name, metric in metrics.items():
        sample = _sample(metric, roles, left)
        of_metric = left[name]
        exact = values[f"metric.{name}"].fill_null(np.nan).to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            if metric.is_ratio:
                of_metric, exact = np.log(of_metric), np.log(exact)
            moved = deviations(of_metric[:, -1], of_metric[:, :-1], *sample.rows)
            variance = (moved**2).sum(axis=1)
            times = below = above = critical(sample.freedom)
            if metric.is_about_numbers:
                below, above = skewed_reach(times, moved)
            ends = exact + np.array([-below, above]) * np.sqrt(variance)
            if metric.is_ratio:
                ends = np.exp(ends)
            are_0 = np.zeros(len(variance), np.bool_)
            if metric.parsed.amounts is not None:
                ends, variance, are_0 = _amount_ends(name, metric, left, critical)
            elif metric.parsed.by_logarithms is not None:
                by_roots = _root_ends(name, metric, left, sample.rows, times)
                ends = np.where(np.isnan(by_roots), ends, by_roots)
            bounds = np.clip(ends, *metric.range)
        reasons = list(_reasons(metric, roles, sample, variance, exact, are_0))
        has_none = [reason is not None for reason in reasons]
        bounds[:, has_none] = np.nan
        columns += [
            *(
                pl.Series(f"metric.{bound}", each, nan_to_null=True)
                for bound, each in zip(bound_names(name), bounds, strict=True)
            ),
            pl.Series(f"metric.{name}{REASON}", reasons, pl.String),
            pl.Series(f"metric.{name}{DEVIATIONS}", moved.tolist(), pl.List(pl.Float64)),
        ]
    return pl.DataFrame(columns)


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
        for word, number in zip("da", metric.parsed.by_logarithms or (), strict=False):
            parts[_part(name, word)] = number
        if (compared := metric.parsed.amounts) is None:
            continue
        if compared.unit is not None:
            parts[_part(name, "unit")] = compared.unit
        for amount in compared.all_amounts.values():
            for side in (d, a):
                of_side = f"{side.name} {amount.name}"
                parts |= {_part(of_side, word): of(side) for word, of in amount.words.items()}
    return {**metrics, **{name: Metric("part", "", part) for name, part in parts.items()}}


def _amount_ends(
    name: str, metric: Metric, left: Left, times: Callable[[Floats], Floats]
) -> tuple[Floats, Floats, Bools]:
    """The ends for amounts that are compared, how much varies, and whether a side has only 0.

    ``times`` are the critical values for degrees of freedom.
    """
    compared, is_ratio = metric.parsed.amounts, metric.is_ratio
    assert compared is not None
    sides = compared.one, compared.other
    sizes = [split(np.nan_to_num(left[f"{side.name}.n"])) for side in sides]
    of_sides = [times(_with_groups(effective_clusters(*size) - 1, size)) for size in sizes]

    def known(amount: Amount) -> list[dict[str, Floats]]:
        return [
            {
                "rows": size[0],
                **{
                    word: left[_part(f"{side.name} {amount.name}", word)][:, -1]
                    for word in amount.words
                },
            }
            for side, size in zip(sides, sizes, strict=True)
        ]

    def limited(amount: Amount) -> list[Limited]:
        means = [left[_part(f"{side.name} {amount.name}", "mean")] for side in sides]
        moved = [deviations(*split(mean), *size) for mean, size in zip(means, sizes, strict=True)]
        limited_sides = limits_of_amounts(known(amount), moved, of_sides)
        return [each.logarithm for each in limited_sides] if is_ratio else limited_sides

    one, other = limited(compared.amount)
    if compared.less is not None:
        one, other = (
            each.less(less) for each, less in zip((one, other), limited(compared.less), strict=True)
        )
    both = one.less(other)
    if compared.unit is not None:
        of_unit = left[_part(name, "unit")]
        rows = sizes[0][0] + sizes[1][0], sizes[0][1] + sizes[1][1]
        both = both.divided_by(
            limits(of_unit[:, -1], deviations(*split(of_unit), *rows), np.minimum(*of_sides))
        )
    means = [side["mean"] for side in known(compared.amount)]
    variance = (one.moved**2 + other.moved**2).sum(axis=1)
    if not is_ratio:
        variance = variance / (means[0] ** 2 + means[1] ** 2)
    are_0 = np.zeros(len(variance), bool)
    for amount in compared.needed:
        for side in known(amount):
            are_0 |= (side["mean"] == 0) & (side.get("negative", side["mean"]) == 0)
    ends = np.array([both.low, both.high])
    return np.exp(ends) if is_ratio else ends, variance, are_0


def _root_ends(
    name: str, metric: Metric, left: Left, rows: tuple[Floats, Floats], times: Floats
) -> Floats:
    """The ends for a difference or ratio of two numbers, from those of their logarithms.

    Mean squares of skewed amounts are far more skewed than the amounts: of 50 log-normal errors
    beside 500, Student's intervals of ratios held in 88 % of data sets.
    """
    one, other = (
        limits(log[:, -1], deviations(*split(log), *rows), times, 1.0)
        for log in (np.log(left[_part(name, side)]) for side in "da")
    )
    if metric.is_ratio:
        both = one.less(other)
        return np.exp([both.low, both.high])
    one, other = (
        Limited(np.exp(each.low), np.exp(each.value), np.exp(each.high), each.moved)
        for each in (one, other)
    )
    both = one.less(other)
    return np.array([both.low, both.high])


def values_left(
    counted: Iterable[tuple[list[str], Draws, Evaluate]],
    roles: Roles,
    metrics: Mapping[str, Metric],
    values: pl.DataFrame,
) -> dict[str, Floats]:
    """The value of each metric in each row without each group of clusters.

    ``counted`` has counts with the keys of their places, and what evaluates metrics on them.
    """
    left = {name: np.full((values.height, GROUPS + 1), np.nan) for name in metrics}
    for keys, counts, evaluate in counted:
        places = counts.places.with_row_index(PLACE)
        placed = values.select(keys).with_row_index(_ROW).join(places, on=keys, nulls_equal=True)
        row, place = placed[_ROW].to_numpy(), placed[PLACE].to_numpy()
        blocks = places_at_once(counts.ends, GROUPS + 1)
        parts = [evaluate(counts.left_out(some), some) for some in blocks]
        for name in parts[0] if parts else ():
            left[name][row] = np.vstack([part[name] for part in parts])[place]
    if roles.zero_division is None and "d.n" in metrics:
        has_both = (left["d.n"] != 0) & (left["a.n"] != 0)
        for name, metric in metrics.items():
            left[name][~has_both & metric.has_sides] = np.nan
    for name in metrics:
        if f"metric.{name}" in values.columns:
            left[name][values[f"metric.{name}"].is_null().to_numpy()] = np.nan
    return left


def counts_by_level(
    cells: pl.DataFrame, scored: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> Iterator[tuple[list[str], Draws, Evaluate]]:
    """The counts that metrics are about, with the keys of their places, and what evaluates them."""
    at: dict[Level, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            at.setdefault(metric.parsed.level, {})[name] = metric
    bins = {each.bins for each in measures_of(metrics) if each.bins is not None}
    if any(level.is_by_score for level in at):
        by_score, rounded = cells_in_spans(collected(unlisted(scored)), roles, sorted(bins))
    for level, of_level in at.items():
        counted, needed = (
            (by_score, rounded.counting_scores) if level.is_by_score else (cells, roles)
        )
        evaluate = partial(level_values, roles=needed, level=level, metrics=of_level)
        yield keys_of(level, roles), counts_at(level, counted, needed), evaluate
    if joint := {name: each for name, each in metrics.items() if each.is_joint}:
        ranges = [each.parsed.groups for each in joint.values()]
        counts, members = joint_counts(cells, roles, ranges)
        evaluate = partial(joint_values, members=members, roles=roles, metrics=joint)
        yield place_keys(roles), counts, evaluate
    common = {name: COMMON_SLOPE for name, each in metrics.items() if is_common_difference(each)}
    if common and roles.windows.has_estimators:
        linear = cells.lazy().filter(pl.col(ESTIMATOR) == LINEAR)
        divided = collected(counts_of_slopes(linear, roles, [CLUSTER]))
        counts = counts_of(divided, ACROSS_STRATA, roles, SUMS_OF_SLOPES)
        evaluate = partial(level_values, roles=roles, level=ACROSS_STRATA, metrics=common)
        yield keys_of(ACROSS_STRATA, roles), counts, evaluate


def rows_left(cells: pl.DataFrame, roles: Roles, values: pl.DataFrame) -> dict[str, Floats]:
    """The rows of each place without each group of clusters; with weights, their sum."""
    keys = place_keys(roles)
    mass = pl.col(roles.mass).sum().cast(pl.Float64).alias(_ROWS)
    masses = cells.filter(pl.col(CLUSTER) != REST).group_by(*keys, CLUSTER).agg(mass)
    placed = values.select(keys).with_row_index(_ROW).join(masses, on=keys, nulls_equal=True)
    of_groups = np.zeros((values.height, GROUPS + 1))
    of_groups[placed[_ROW].to_numpy(), placed[CLUSTER].to_numpy()] = placed[_ROWS].to_numpy()
    return {_ROWS: of_groups.sum(axis=1, keepdims=True) - of_groups}


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


def _sample(metric: Metric, roles: Roles, left: Left) -> _Sample:
    if not metric.has_sides:
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
    rows = (sizes[0][0] + sizes[1][0], sizes[0][1] + sizes[1][1])
    of_sides = [effective_clusters(*each) for each in sizes]
    freedom = np.minimum(*of_sides) - 1
    varies, events = of_sides[0] > 0, np.full_like(freedom, np.inf)
    for number, rate in enumerate(_rates_of(metric, roles)):
        squares, parts = np.zeros_like(freedom), np.zeros_like(freedom)
        for i, side in enumerate((d, a)):
            whole = split(np.nan_to_num(left[f"{side.name}.{RATES[rate].whole}"]))
            p, p_left = split(left[f"{side.name}.{rate}"])
            events = np.fmin(events, whole[0] * np.minimum(p, 1 - p))
            variance = (deviations(p, p_left, *whole) ** 2).sum(axis=1)
            varies = varies & (variance > 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                variance = variance / p**2 if metric.is_ratio else variance
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
    size, size_left = rows
    groups = (size_left < size[:, np.newaxis] * (1 - 1e-12)).sum(axis=1)
    least: Floats = np.fmax(np.fmin(freedom, groups - 1), 1.0)
    return least


def are_counted(roles: Roles) -> bool:
    """Whether a row stands for several people with one sum: none of them can be left out."""
    is_counted = roles.left_out == "rows" and roles.count is not None
    return is_counted and not shares_people(roles)


def _reasons(
    metric: Metric, roles: Roles, sample: _Sample, variance: Floats, value: Floats, are_0: Bools
) -> Iterator[str | None]:
    """Why each value has no interval; None if it has one, or is undefined."""
    is_distance = is_fold(metric) and metric.is_joint
    if metric.is_about_numbers:
        is_distance = not metric.has_sides and metric.parsed.largest is None
    argument, clusters_named = roles.words_of_clusters
    where = "the smaller side has" if metric.has_sides else "there are"
    one_outcome = f"a side has one outcome in all {clusters_named}"
    of_0 = "the numbers of a side are all 0"
    alike = f"none of the {clusters_named} moves the value"
    least = SAME**2 * bool(roles.uncertain_facets or metric.parsed.amounts)
    is_rare = (sample.events < _LEAST_EVENTS) & bool(roles.uncertain_facets)
    for clusters, varies, square, number, are_few, is_0 in zip(
        sample.clusters, sample.varies, variance, value, is_rare, are_0, strict=True
    ):
        if np.isnan(number):
            yield None
        elif are_counted(roles):
            yield "count: how rows differ that were counted before is not known"
        elif reason := few_clusters(clusters, roles, where):
            yield reason
        elif are_few:
            yield (
                f"{argument}: a side has fewer than {_LEAST_EVENTS} rows of an outcome, as far as "
                "probabilities show, and an interval needs as many"
            )
        elif is_distance:
            yield f"{argument}: no interval over {clusters_named} is known for such a distance"
        elif is_0 or not varies or square <= least:
            words = of_0 if is_0 else alike if varies else one_outcome
            yield f"{argument}: {words}, so how it varies is not known"
        elif np.isnan(square):
            yield f"{argument}: the value is undefined without some of the {clusters_named}"
        else:
            yield None


# A share of rows has Wilson's interval; so has a mean of amounts, in units of the amount R that a
# row has if it has any. Rows of 0 and R vary as these do if R is Σx²/Σx. Few rows do not know R: it
# is drawn towards the largest of their own, that of both sides, and that by the mean amount of rows
# that are not 0. Both sides' limits are joined as Zou and Donner (2008) do, of ratios by
# logarithms. With 30 to 100 rows beside 1,000, one in ten to twenty of them not 0, Fieller's
# intervals of ratios held in 84 to 89 % of data sets and these in 97 to 98.
@dataclass(frozen=True)
class Limited:
    """Values between limits, and what each group of clusters moves in them."""

    low: Floats
    value: Floats
    high: Floats
    moved: Floats

    @property
    def logarithm(self) -> Limited:
        """The logarithm, whose limits are those of the logarithms."""
        low, value, high = (np.log(each) for each in (self.low, self.value, self.high))
        return Limited(low, value, high, self.moved / self.value[:, np.newaxis])

    def less(self, other: Limited) -> Limited:
        """The difference: the variances of both are recovered from their limits (Zou and Donner).

        A mean that no group moves adds no variance, and neither do limits that are not known.
        """
        scale = np.sqrt((self.moved**2).sum(axis=1) * (other.moved**2).sum(axis=1))
        product = (self.moved * other.moved).sum(axis=1)
        together = np.divide(product, scale, out=np.zeros_like(scale), where=scale > 0)

        one, two = ((each.low, each.value, each.high) for each in (self, other))
        low, high = less(one, two, together)
        return Limited(low, self.value - other.value, high, self.moved - other.moved)

    def divided_by(self, unit: Limited) -> Limited:
        """The quotient by a positive unit, which varies too."""
        size = unit.value[:, np.newaxis]
        low, value, high = (each / unit.value for each in (self.low, self.value, self.high))
        own = Limited(low, value, high, self.moved / size)
        relative = own.value / unit.value
        low, high = relative * unit.low, relative * unit.high
        part = Limited(
            np.fmin(low, high), own.value, np.fmax(low, high), relative[:, np.newaxis] * unit.moved
        )
        rest = own.less(part)
        # The unit of few skewed amounts moves with their mean, and would hide how that varies.
        return Limited(
            np.fmin(own.low, own.value + rest.low),
            own.value,
            np.fmax(own.high, own.value + rest.high),
            rest.moved,
        )


def skewed_reach(times: Floats, moved: Floats, factor: float = _TOO_SMALL) -> tuple[Floats, Floats]:
    """How many standard errors the ends are below and above a value that is skewed by chance.

    By Hall's transformation (1992), and at least as many as without. With Student's alone,
    intervals of the mean of 50 log-normal amounts, beside 5,000, held in 90 % of data sets; where
    seven in ten amounts are 0, in 88 %.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # What is left without a group moves the other way.
        skewness = -(moved**3).sum(axis=1) / (moved**2).sum(axis=1) ** 1.5
        skewness = np.clip(factor * np.nan_to_num(skewness), -_MOST_SKEWED, _MOST_SKEWED)
        skewness = np.where(np.abs(skewness) < _ROUNDING, _ROUNDING, skewness)

        def quantile(normal: Floats) -> Floats:
            root = np.cbrt(1 + skewness * (normal - skewness / 6))
            quantiles: Floats = 3 / skewness * (root - 1)
            return quantiles

        return np.fmax(times, quantile(times)), np.fmax(times, -quantile(-times))


def limits(values: Floats, moved: Floats, times: Floats, factor: float = _TOO_SMALL) -> Limited:
    """Values with the limits of `skewed_reach`."""
    error = np.sqrt((moved**2).sum(axis=1))
    below, above = skewed_reach(times, moved, factor)
    return Limited(values - below * error, values, values + above * error, moved)


def limits_of_amounts(
    sides: Sequence[Mapping[str, Floats]], moved: Sequence[Floats], times: Sequence[Floats]
) -> list[Limited]:
    """The mean amounts of both sides between limits: those of `limits` if any number is below 0.

    A side has its ``rows``, the ``mean`` and ``spread`` of its amounts, and the ``share`` not 0.
    """
    squares = [each["spread"] + each["mean"] ** 2 for each in sides]
    known = [np.nan_to_num(each["rows"] * each["share"]) for each in sides]
    own = [square / each["mean"] for square, each in zip(squares, sides, strict=True)]
    pooled = sum(s["rows"] * np.nan_to_num(of) for s, of in zip(sides, squares, strict=True)) / sum(
        s["rows"] * np.nan_to_num(s["mean"]) for s in sides
    )
    relative = sum(
        rows * np.nan_to_num(each["share"] * square / each["mean"] ** 2)
        for rows, each, square in zip(known, sides, squares, strict=True)
    ) / sum(known)
    limited_amounts = []
    for each, of_own, move, t in zip(sides, own, moved, times, strict=True):
        mean, variance = each["mean"], (move**2).sum(axis=1)
        plain = limits(mean, move, t)
        # As many independent rows vary as the groups of clusters do.
        rows = each["spread"] / variance
        at_least = np.fmax(np.fmax(of_own, pooled), mean / each["share"] * relative)
        like = rows * mean / of_own
        unit = (like * of_own + _LIKE_ROWS * at_least) / (like + _LIKE_ROWS)
        low, high = wilson(mean, rows, t, unit)
        high = np.fmax(high, mean + t * np.sqrt(variance))
        # Where no row is 0, none of those that were not seen need be.
        low = np.where(each["share"] < 1 - _ROUNDING, low, np.fmax(low, plain.low))
        are_amounts = (mean > 0) & np.isfinite(low + high)
        for side in sides:
            are_amounts = are_amounts & (side.get("negative", np.zeros(len(mean))) == 0)
        limited_amounts.append(
            Limited(
                np.where(are_amounts, np.clip(low, 0, mean), plain.low),
                mean,
                np.where(are_amounts, high, plain.high),
                move,
            )
        )
    return limited_amounts
