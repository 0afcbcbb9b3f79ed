"""The function `plan`: the differences that rows can detect, and the rows that settle a verdict.

The width of an interval depends on its value, and its shape on the number of rows. So intervals are
evaluated again with rows counted several times over, and with some rows of d given the other
outcome: from the half width alone, rows for a power of 80 % have one of 43 to 97 %.

A sample has another value than all rows, and an interval of another width. How the width grows with
the value follows from rows of which as many on each side have the other outcome. Over 156 designs
of two rates, the power is then 0.014 from that of samples (root mean square), and at most 0.07 if a
side has three events. With the width of all rows it was up to 0.26 off: 60 rows with a rate of
0.03, compared with 2,000, cannot show that it differs from 0.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property, partial
from math import ceil, exp, inf, isfinite, log, sqrt
from statistics import NormalDist
from typing import Any, Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.answers.audit import audit, audited
from polars_fairness.answers.options import (
    MOST_REPLICATES,
    AuditOptions,
    Criteria,
    find_criteria,
)
from polars_fairness.api.bound import read
from polars_fairness.api.columns import PLANNED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested, with_certainty
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import DEPENDS, OUTSIDE, WITHIN, widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, REST, unlisted, with_columns_of
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT, is_tally
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.quantiles import chance_of_range, critical_value, smallest
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_PLAN, POWER, PlanQuestion
from polars_fairness.question.facets import SEPARATOR
from polars_fairness.question.judging import Band
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import STEP
from polars_fairness.values.evaluate import place_keys

TIMES: Final = (1 / 16, 1 / 4, 1, 4, 16, 256)
"""How many times over rows are counted; between and beyond, intervals follow from these."""

SHARES: Final = (-0.6, -0.3, -0.1, 0.0, 0.05, 0.2, 0.5, 0.8)
"""The shares of the rows of d that get the other outcome; below 0, of those with a positive one."""

_SHIFT: Final = 0.2
"""The part of the fewest rows of a side and an outcome that gets the other, on each side."""

# Each end of 1,000 draws is off by 4 % of its distance from the value, which is 0.05 of a power,
# and alike for all questions of one seed: 0.73 was planned where 0.60 of samples showed a verdict.
_MORE_DRAWS: Final = 10

MOST_GROUPS: Final = 10
"""The groups of a facet that are moved one by one; beside more, intervals are those of the rows."""

_MOST_CELLS: Final = 50_000
_FARTHEST: Final = 1e4
_NORMAL: Final = NormalDist()
_MOVED: Final = ("predicted", "score", "label")
_LEAST_SHIFT: Final = 1e-3
# Which group is moved, and the share of its rows that gets another outcome.
_WAY: Final = (f"{STEP} of", f"{STEP} share")
_OFFSETS: Final = np.linspace(-8, 8, 401)
"""Values of samples, in standard errors."""

Interval = tuple[float, float, float]
"""A value and both bounds."""


@answers(*OF_PLAN, columns=PLANNED)
def plan(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[PlanQuestion]
) -> PolarsFrame:
    """Return what difference these rows can detect, and how many rows would settle each verdict.

    Parameters
    ----------
    *metrics
        As in `metrics`, but only those with an interval. Without any, all of these that the given
        columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pf.datasets.loans().head(1_000)
    >>> planned = pf.plan(loans, "di", facet="sex", disfavored="F", predicted="approved")
    >>> planned.select(pl.col("value", "power", "detectable").round(2), "verdict")
    shape: (1, 4)
    ┌───────┬───────┬────────────┬─────────┐
    │ value ┆ power ┆ detectable ┆ verdict │
    │ ---   ┆ ---   ┆ ---        ┆ ---     │
    │ f64   ┆ f64   ┆ f64        ┆ str     │
    ╞═══════╪═══════╪════════════╪═════════╡
    │ 0.69  ┆ 0.68  ┆ 0.13       ┆ outside │
    └───────┴───────┴────────────┴─────────┘
    """
    own, question = parted(given, OF_PLAN)
    bound = read(frame, cast("Question", question), "plan", own)
    power = own.pop(POWER.name)
    if not 0 < require_number("power", power) < 1:
        raise FairnessError(f"power: takes a number between 0 and 1, such as 0.8, got {power!r}")
    options = AuditOptions(**{**defaults(OF_AUDIT), **own})
    if options.confidence is None:
        raise FairnessError("confidence: a plan is about intervals; give a number, such as 0.95")
    named = one_by_one(metrics)
    known, _ = requested(named, bound.roles)
    planned_metrics = {name: each for name, each in known.items() if each.has_interval}
    if others := [name for name in known if named and name not in planned_metrics]:
        raise FairnessError(
            f"metrics: {listed(others)} has no interval that more rows would narrow; leave it out"
        )
    planned_metrics, roles = requested([*planned_metrics.values()], bound.roles)
    roles = with_certainty(planned_metrics.values(), roles)
    compute = partial(
        planned, metrics=planned_metrics, criteria=find_criteria(planned_metrics, roles, options)
    )
    return answer_of(bound, roles, partial(compute, power=power), PLANNED, by_cluster=True)


def planned(
    seen: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    criteria: Criteria,
    power: float,
) -> pl.LazyFrame:
    """Every comparison and metric with its power, from the cells of all rows."""
    options = criteria.options
    more = min(_MORE_DRAWS * options.replicates, MOST_REPLICATES)
    criteria = replace(criteria, options=replace(options, replicates=more))
    cells = collected(unlisted(seen)).drop(LOWEST_WEIGHT, strict=False)
    tallies = [name for name in cells.columns if is_tally(name)]
    cells = cells.with_columns(pl.col(tallies).cast(pl.Float64))
    times = [k for k in TIMES if k >= 1 or CLUSTER not in cells.columns]
    over = [_counted_over(cells, tallies, roles, k) for k in times]
    rows = _audited(over, roles, metrics, criteria)
    numbers = _numbers_of_groups(cells, roles)
    of_times = _intervals_by_key(rows, roles)
    pairs: dict[tuple[object, ...], list[tuple[str, int, tuple[Interval, Interval]]]] = {}
    for role in _MOVED:
        moves = [*_moved(cells, tallies, roles, role, numbers)]
        moving = {
            name: each for name, each in metrics.items() if each.has_sides and role in each.needs
        }
        if moves and moving:
            tables = [table for _, pair in moves for table in pair]
            moved = _intervals_by_key(_audited(tables, roles, moving, criteria), roles)
            for key, steps in moved.items():
                pairs.setdefault(key, []).extend(
                    (role, group, (steps[2 * i], steps[2 * i + 1]))
                    for i, (group, _) in enumerate(moves)
                    if 2 * i in steps and 2 * i + 1 in steps
                )
    groups = dict(cells.drop_nulls("value").group_by("facet").agg(pl.n_unique("value")).rows())
    rows_of_sides = pl.col("n_favored") + pl.col("n_disfavored").fill_null(0)
    all_rows = pl.col("n_favored") if roles.facets_against_all else rows_of_sides
    table = rows.filter(pl.col(STEP) == times.index(1)).with_columns(
        pl.coalesce(all_rows, "rows_used").alias("rows"), pl.lit(power).alias("target")
    )
    numbers_shown = []
    for row in table.iter_rows(named=True):
        key, metric = _key(row, roles), metrics[row["metric"]]
        shown: dict[str, float | None] = {}
        at = {times[step]: each for step, each in of_times.get(key, {}).items()}
        if 1 in at and row["verdict"] != "undefined":
            number = numbers.get((row["facet"], row["disfavored"]), 0)
            families: dict[str, list[tuple[Interval, Interval]]] = {}
            for role, group, pair in pairs.get(key, ()):
                if group == number:
                    families.setdefault(role, []).append(pair)
            is_largest = metric.parsed.largest is not None and not metric.is_joint
            size = groups.get(row["facet"], 2) if is_largest else None
            moved_most = max(families.values(), key=_span, default=[])
            samples = Samples(metric, options.confidence or 0.0, size, at[1], moved_most)
            shown = {"detectable": _detectable(samples, power)}
            # What is missing decides such a verdict, which more rows do not.
            is_open = row["verdict"] != DEPENDS
            if is_open and (band := criteria.bands[row["metric"]]) is not None:
                shown |= _settling(at, samples, widened(band), power, row["rows"])
        numbers_shown.append(shown)
    types = types_of(PLANNED, roles.size)
    planned = table.with_columns(
        pl.Series(name, [each.get(name) for each in numbers_shown], types[name], strict=False)
        for name in ("power", "detectable", "rows_needed")
    )
    own = (pl.col(name).cast(dtype) for name, dtype in types.items())
    return planned.select(*roles.windows.without_baseline.types, *own).lazy()


def _audited(
    steps: Sequence[pl.DataFrame], roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.DataFrame:
    """The audits of several tables of cells: each is one more window, as many at once as fit."""
    at_once = max(_MOST_CELLS // max(steps[0].height, 1), 1)
    numbered = [
        each.with_columns(pl.lit(step, pl.UInt32).alias(STEP)) for step, each in enumerate(steps)
    ]
    apart = roles.with_window(STEP)
    parts = (numbered[at : at + at_once] for at in range(0, len(numbered), at_once))
    return pl.concat(
        audited(pl.concat(part).lazy(), apart, metrics, criteria).collect() for part in parts
    )


def _key(row: Mapping[str, Any], roles: Roles) -> tuple[object, ...]:
    names = (*roles.windows.without_baseline.types, "facet", "disfavored", "favored", "metric")
    return tuple(row[name] for name in names)


def _intervals_by_key(
    rows: pl.DataFrame, roles: Roles
) -> dict[tuple[object, ...], dict[int, Interval]]:
    intervals: dict[tuple[object, ...], dict[int, Interval]] = {}
    for row in rows.iter_rows(named=True):
        value, lower, upper = row["value"], row["lower"], row["upper"]
        if None not in (value, lower, upper):
            intervals.setdefault(_key(row, roles), {})[row[STEP]] = value, lower, upper
    return intervals


def _counted_over(
    cells: pl.DataFrame, tallies: Sequence[str], roles: Roles, k: float
) -> pl.DataFrame:
    """The cells of k times as many rows; of k times as many clusters where these are counted.

    A group of clusters then has the sum of k times as many. From its mean it is as far as the root
    of k times its own distance.
    """
    if CLUSTER not in cells.columns or k == 1:
        return cells.with_columns(pl.col(tallies) * k)
    is_rest, place = pl.col(CLUSTER) == REST, place_keys(roles)
    own = cells.filter(~is_rest)
    keys = [name for name in own.columns if name not in (*tallies, CLUSTER)]
    groups = own.select(*place, CLUSTER).unique(maintain_order=True)
    means = own.group_by(keys, maintain_order=True).agg(pl.col(tallies).sum().name.suffix(STEP))
    known = with_columns_of(
        means.join(groups, on=place, nulls_equal=True, maintain_order="left_right"),
        own,
        [*keys, CLUSTER],
    )
    number = pl.len().over(keys)
    spread = known.with_columns(
        pl.col(name).fill_null(0.0) * sqrt(k) + pl.col(f"{name}{STEP}") / number * (k - sqrt(k))
        for name in tallies
    )
    rest = cells.filter(is_rest).with_columns(pl.col(tallies) * k)
    return pl.concat([spread.select(cells.columns), rest])


def _numbers_of_groups(cells: pl.DataFrame, roles: Roles) -> dict[tuple[str, str], int]:
    """When each group is moved, by facet and group: those of a given side d at once.

    Otherwise any group may be on side a, and so each is moved by itself.
    """
    numbers: dict[tuple[str, str], int] = {}
    for facet in roles.facets if roles.are_apart else ():
        values = cells.filter(facet=facet.name)["value"].drop_nulls().unique().sort()
        is_given = bool(facet.disfavored or facet.favored)
        of_d = facet.disfavored or [each for each in values if each not in facet.favored]
        numbers |= {
            (facet.name, each.replace(SEPARATOR, " & ")): 0 if is_given else i
            for i, each in enumerate(of_d)
        }
    return numbers


def _moved(
    cells: pl.DataFrame,
    tallies: Sequence[str],
    roles: Roles,
    role: str,
    numbers: Mapping[tuple[str, str], int],
) -> Iterator[tuple[int, tuple[pl.DataFrame, pl.DataFrame]]]:
    """The cells in which a share of the rows of d has another outcome, with the group's number.

    Beside each stand the cells in which as many more rows of d as of other groups have another
    outcome, as in a sample with a higher value. Groups in probability have no rows of their own,
    and a rate by which groups are found would find others.
    """
    last = max(numbers.values(), default=-1)
    if roles.uncertain_facets or roles.ranks_groups or last > MOST_GROUPS:
        return
    if role not in cells.columns or (changes := _changes(cells, roles, role)) is None:
        return
    written = pl.col("value").str.replace_all(SEPARATOR, " & ", literal=True)
    # All at once, as copies of the cells: of 16 tables one after the other, each took 5 ms.
    ways = [(number, share) for number in range(last + 1) for share in SHARES]
    at, share = pl.col(_WAY[0]), pl.col(_WAY[1])
    copies = pl.DataFrame(ways, [*_WAY], orient="row").join(
        cells, how="cross", maintain_order="left_right"
    )
    is_of_d = pl.any_horizontal(
        (at == each) & (pl.col("facet") == facet) & (written == value)
        for (facet, value), each in numbers.items()
    )
    leaves, outcome = (
        pl.when(share > 0).then(higher).otherwise(lower)
        for lower, higher in zip(*changes, strict=True)
    )
    shares = pl.when(is_of_d & leaves).then(share.abs()).otherwise(0.0)
    moved = _with_outcomes(copies, tallies, role, shares, outcome)
    # As many rows of d get the higher outcome as others get the lower one.
    sides = [(is_of_d, *changes[1]), (~is_of_d, *changes[0])]
    rows = [
        pl.col("n").filter(side, each).sum().over(*_WAY, *place_keys(roles))
        for side, *_ in sides
        for each, _ in changes
    ]
    fewest = _SHIFT * pl.min_horizontal(rows)
    shares, outcomes = pl.lit(0.0), pl.lit(None)
    for (side, each, to), leaving in zip(sides, (rows[1], rows[2]), strict=True):
        shares = pl.when(side & each).then((fewest / leaving).fill_nan(0.0)).otherwise(shares)
        outcomes = pl.when(side).then(to).otherwise(outcomes)
    pairs = (
        frame.partition_by(_WAY, include_key=False)
        for frame in (moved, _with_outcomes(moved, tallies, role, shares, outcomes))
    )
    yield from zip([number for number, _ in ways], zip(*pairs, strict=True), strict=True)


def _changes(
    cells: pl.DataFrame, roles: Roles, role: str
) -> tuple[tuple[pl.Expr, pl.Expr], tuple[pl.Expr, pl.Expr]] | None:
    """Which rows can get a lower outcome, and which one; the same of a higher outcome."""
    value = pl.col(role)
    known = cells[role].drop_nulls().unique().sort()
    outcome = next((each for each in roles.binary_outcomes if each.key == role), None)
    if outcome is not None:
        is_high = outcome.positive_of(value)
    elif role == "score" and known.len():
        is_high = value == known.max()
    else:
        return None
    low, high = (known.to_frame().filter(each)[role] for each in (~is_high, is_high))
    if low.is_empty() or high.is_empty():
        return None
    of_low, of_high = (pl.lit(each[0], cells.schema[role]) for each in (low, high))
    if outcome is None:
        return (value.is_not_null(), of_low), (value.is_not_null(), of_high)
    return (is_high, of_low), (~is_high, of_high)


def _with_outcomes(
    cells: pl.DataFrame, tallies: Sequence[str], role: str, shares: pl.Expr, outcomes: pl.Expr
) -> pl.DataFrame:
    keys = [name for name in cells.columns if name not in tallies]
    shared = cells.with_columns(shares.alias(STEP))
    moved = shared.filter(pl.col(STEP) > 0).with_columns(
        pl.col(tallies) * pl.col(STEP), outcomes.cast(cells.schema[role]).alias(role)
    )
    kept = shared.with_columns(pl.col(tallies) * (1 - pl.col(STEP)))
    return pl.concat([kept, moved]).group_by(keys, maintain_order=True).agg(pl.col(tallies).sum())


@dataclass(frozen=True)
class Reach:
    """How far an interval reaches below and above a value; see `Samples.distance`.

    Attributes
    ----------
    below_more, above_more
        By how much the logarithms of these grow with the value of a sample.
    """

    value: float
    below: float
    above: float
    below_more: float = 0.0
    above_more: float = 0.0


@dataclass(frozen=True)
class Samples:
    """How the values of samples vary, and their intervals, as those of other values say."""

    metric: Metric
    confidence: float
    # How many groups there are, if a value is their largest difference: all differences lie in the
    # interval together, and in samples of equal groups the largest is above 0. None for other
    # values, which vary alike around the true one.
    groups: int | None
    own: Interval
    # Intervals of other values, each beside that of a sample with a higher value.
    moved: Sequence[tuple[Interval, Interval]]

    @cached_property
    def z(self) -> float:
        """How many standard errors an interval reaches."""
        return critical_value(self.groups or 2, self.confidence)

    @cached_property
    def is_log(self) -> bool:
        """Whether distances are those of logarithms."""
        return self.metric.is_ratio and all(0 < end < inf for end in self.own)

    @property
    def is_below(self) -> bool:
        """Whether no value is above the ideal."""
        return self.metric.ideal == self.metric.range[1]

    def distance(self, number: float) -> float:
        """The distance of a number above the ideal, of ratios by logarithms.

        Where no value is above the ideal, it is the distance below it.
        """
        if self.is_log:
            above = log(number / (self.metric.ideal or 1.0)) if number > 0 else -inf
        else:
            above = number - (self.metric.ideal or 0.0)
        return -above if self.is_below else above

    def reach(self, interval: Interval) -> Reach:
        """How far an interval reaches; one that begins at the ideal is cut off there."""
        value, *ends = map(self.distance, interval)
        low, high = sorted(ends)
        is_cut = self.metric.ideal in self.metric.range and low <= 0
        return Reach(value, high - value if is_cut else value - low, high - value)

    @cached_property
    def _reaches(self) -> Sequence[Reach]:
        """How far intervals of other values reach, by their values."""
        found: list[Reach] = []
        for pair in self.moved:
            here, higher = map(self.reach, pair)
            ends = ((here.below, higher.below), (here.above, higher.above))
            if not all(0 < end < inf for each in ends for end in each):
                continue
            apart = higher.value - here.value
            # The largest of several values is not that of the groups that have moved.
            is_known = self.groups is None and abs(apart) > _LEAST_SHIFT * here.above
            more = [log(other / one) / apart if is_known else 0.0 for one, other in ends]
            found.append(replace(here, below_more=more[0], above_more=more[1]))
        return sorted(found, key=lambda each: each.value) or [self.reach(self.own)]

    @cached_property
    def farthest(self) -> float:
        """A distance that is shown, if one is."""
        return 10 * max(max(each.below, each.above) for each in self._reaches)

    @cached_property
    def _lines(self) -> Sequence[Sequence[float]]:
        """The values of `_reaches`, and their other numbers: `at` is asked 60 times of a plan."""
        return [*zip(*map(astuple, self._reaches), strict=True)]

    def at(self, value: float) -> Reach:
        """How far an interval of a value reaches."""
        places, *lines = self._lines
        return Reach(value, *(float(np.interp(value, places, line)) for line in lines))

    def settled(self, at: Reach, low: float, high: float) -> tuple[float, float]:
        """How often intervals of samples lie inside a band, and how often outside."""
        if not isfinite(at.value):
            return 0.0, 0.0
        known = [each for each in (at.below, at.above) if isfinite(each)]
        error = sum(known) / max(len(known), 1) / self.z
        if self.groups is not None:
            within = self._within(high - at.above, at.value, at.above / self.z)
            return within, 1 - self._within(high + at.below, at.value, error)
        offsets, middle = _OFFSETS * error, len(_OFFSETS) // 2
        ends = []
        for side, more in ((-at.below, at.below_more), (at.above, at.above_more)):
            grown = more * offsets
            times = np.where(grown > 0, 1 + grown, np.exp(np.minimum(grown, 0.0)))
            end = at.value + offsets + side * times
            # Higher values have higher ends.
            end[middle:] = np.maximum.accumulate(end[middle:])
            end[middle::-1] = np.minimum.accumulate(end[middle::-1])
            ends.append(end)
        lows, highs = ends

        def above(end: Floats, edge: float) -> float:
            if not isfinite(edge):
                return float(edge < 0)
            return _NORMAL.cdf(-float(np.interp(edge, end, _OFFSETS, left=-inf, right=inf)))

        outside = above(lows, high) + 1 - above(highs, low)
        return max(above(lows, low) - above(highs, high), 0.0), outside

    def _within(self, width: float, value: float, error: float) -> float:
        """How often the largest of several values is at most a width, where that of all rows is."""
        if error <= 0 or not isfinite(width):
            return float(value <= width)
        scale = sqrt(2) / error
        return chance_of_range(self.groups or 2, scale * width, scale * max(value, 0.0))


def _settling(
    at: Mapping[float, Interval],
    samples: Samples,
    band: tuple[float, float],
    power: float,
    rows: float,
) -> dict[str, float | None]:
    """The power of rows with these intervals, and the rows at which it is large enough."""
    # Beyond an end of all values there is nothing to show.
    low, high = sorted(
        samples.distance(sign * inf if edge == end else edge)
        for edge, end, sign in zip(band, samples.metric.range, (-1, 1), strict=True)
    )
    own = samples.reach(samples.own)
    is_outside = not low <= own.value <= high
    reach_at = _reach_over_times(at, samples)
    answer: dict[str, float | None] = {"rows_needed": None}
    answer["power"] = samples.settled(reach_at(1), low, high)[is_outside]

    def is_enough(root: float) -> bool:
        return samples.settled(reach_at(root**2), low, high)[is_outside] >= power

    if is_enough(_FARTHEST):
        # Few clusters have few degrees of freedom, which those of all rows do not show.
        root = max(smallest(is_enough, _FARTHEST), min(at) == 1)
        answer["rows_needed"] = ceil(root**2 * rows)
    return answer


def _reach_over_times(at: Mapping[float, Interval], samples: Samples) -> Callable[[float], Reach]:
    """How far intervals reach, over how many times rows are counted.

    That, times the root of how many times, is nearly a line over the root of 1 by that.
    """
    known = {k: samples.reach(at[k]) for k in sorted(at, reverse=True)}
    known = {k: each for k, each in known.items() if isfinite(each.below) and isfinite(each.above)}
    own = samples.at(samples.reach(samples.own).value)
    places = [1 / sqrt(k) for k in known]
    below = [sqrt(k) * each.below for k, each in known.items()]
    above = [sqrt(k) * each.above for k, each in known.items()]

    def reach_at(k: float) -> Reach:
        if not known:
            return replace(own, below=inf, above=inf)
        down, up = (float(np.interp(1 / sqrt(k), places, of)) / sqrt(k) for of in (below, above))
        return replace(own, below=down, above=up)

    return reach_at


def _detectable(samples: Samples, power: float) -> float | None:
    """The distance from the ideal at which samples exclude the ideal as often as the power says.

    Of the outcomes, it is that which moves the value most; of ratios, logarithms are as far on both
    sides.
    """
    metric, own = samples.metric, samples.reach(samples.own)
    if (ideal := metric.ideal) is None or not isfinite(own.below + own.above):
        return None
    if metric.is_ratio and not samples.is_log:
        return None
    is_above = own.value > 0 or ideal in metric.range
    sign, edges = (1, (-inf, 0.0)) if is_above else (-1, (0.0, inf))

    def is_shown(distance: float) -> bool:
        return samples.settled(samples.at(sign * distance), *edges)[1] >= power

    distance = smallest(is_shown, samples.farthest) * (-sign if samples.is_below else sign)
    detectable = exp(distance) * ideal if metric.is_ratio else ideal + distance
    return abs(detectable - ideal) if metric.range[0] <= detectable <= metric.range[1] else None


def _span(family: Sequence[tuple[Interval, Interval]]) -> float:
    known = [value for (value, *_), _ in family if isfinite(value)]
    return max(known, default=0.0) - min(known, default=0.0)


SAMPLES: Final = 4_000
"""The samples drawn of each size: a power of 80 % has a standard error of 0.6 points."""

_MANY: Final = 1_000_000
_MOST_SIZES: Final = 6
_NEAR: Final = 0.006
_SIZES: Final = ("rows_needed", "n_favored", "n_disfavored")
_CELLS: Final = pl.DataFrame({"side": ["a", "a", "d", "d"], "accepted": [True, False] * 2})
_QUESTION: Final[Mapping[str, Any]] = {
    "facet": "side",
    "disfavored": "d",
    "predicted": "accepted",
    "count": "n",
}


def plan_sizes(
    metric: str | Metric,
    *,
    rates: tuple[float, float],
    shares: tuple[float, float] = (0.5, 0.5),
    power: float = 0.8,
    confidence: float = 0.95,
    band: Band = None,
    seed: int = 0,
) -> pl.DataFrame:
    """Return how many rows settle a verdict if side a and side d have these rates.

    For each size, 4,000 samples are drawn and audited.

    Parameters
    ----------
    metric
        A difference or a ratio of two selection rates, such as "dppl" or "di".
    rates
        The selection rates of side a and of side d.
    shares
        The shares of side a and of side d in the rows.
    power
        The probability that the verdict is settled.
    confidence
        The confidence level of the intervals.
    band
        The acceptable values, in place of the band of the catalogue.
    seed
        The seed of the samples.

    Returns
    -------
    DataFrame
        One row with the ``value`` of these rates, ``rows_needed``, ``n_favored`` and
        ``n_disfavored`` among them, and the ``power`` of samples of this size. Below five expected
        events on a side, the power jumps from one number of rows to the next. Null if the value
        lies on an edge of the band.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> sizes = pf.plan_sizes("di", rates=(0.30, 0.20), shares=(0.8, 0.2))
    >>> round(sizes["rows_needed"].item(), -2)
    5000
    """
    for name, each in (("rates", rates), ("shares", shares), ("power", (power,))):
        if any(not 0 < require_number(name, number) < 1 for number in each):
            raise FairnessError(f"{name}: takes numbers between 0 and 1, got {each!r}")
    chosen = CATALOGUE[metric] if isinstance(metric, str) else metric
    if chosen.needs != ("facet", "predicted") or not (chosen.has_sides and chosen.has_interval):
        raise FairnessError(
            f"metric: {chosen.name!r} is not a difference or ratio of two selection rates; give "
            "'di' or 'dppl', or collect some rows and call plan"
        )
    options: dict[str, Any] = {"confidence": confidence, **_QUESTION}
    if band is not None:
        options["bands"] = {chosen.name: band}
    outcomes = np.array([[rate, 1 - rate] for rate in rates])
    of_sides = np.array(shares)[:, np.newaxis] / sum(shares)
    many = _CELLS.with_columns(n=pl.Series((_MANY * of_sides * outcomes).ravel()).round())
    row = plan(many.cast({"n": pl.Int64}), chosen, power=power, **options).row(0, named=True)
    size, reached, z = row["rows_needed"], None, NormalDist().inv_cdf((1 + confidence) / 2)
    is_within = row["band_lower"] <= row["value"] <= row["band_upper"]
    numbers: Any = (None, None)
    for _ in range(_MOST_SIZES if size else 0):
        numbers = np.ceil(size * of_sides.ravel()).astype(int)
        reached = _reached(numbers, rates, seed, chosen, options, is_within=is_within)
        if abs(reached - power) < _NEAR:
            break
        # The normal quantile of a power is nearly linear in the root of the rows.
        known = (NormalDist().inv_cdf(min(max(each, 0.01), 0.99)) + z for each in (power, reached))
        size = ceil(size * (next(known) / next(known)) ** 2)
    answer = {"metric": chosen.name, "value": row["value"], "rows_needed": size and sum(numbers)}
    answer |= dict(zip(_SIZES[1:], numbers, strict=True)) | {"power": reached}
    return pl.DataFrame([answer], schema_overrides=dict.fromkeys(_SIZES, pl.Int64))


def _reached(
    numbers: Sequence[int],
    rates: tuple[float, float],
    seed: int,
    metric: Metric,
    options: Mapping[str, Any],
    *,
    is_within: bool,
) -> float:
    """The share of drawn samples that show the verdict; alike ones are judged once."""
    drawn = np.random.default_rng(seed).binomial(numbers, rates, (SAMPLES, 2))
    alike, times = np.unique(drawn, axis=0, return_counts=True)
    counts = np.stack([alike, numbers - alike], axis=2).ravel()
    samples = pl.concat([_CELLS] * len(alike)).with_columns(
        n=pl.Series(counts), sample=np.repeat(np.arange(len(alike)), len(_CELLS))
    )
    verdicts = audit(samples, metric, by="sample", **options)["verdict"]
    is_reached = verdicts == (WITHIN if is_within else OUTSIDE)
    return float(times[is_reached.to_numpy()].sum() / SAMPLES)
