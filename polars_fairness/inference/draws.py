"""Counts to draw, and random draws of them.

Counts have means and variances, and half a row for each absent outcome; their draws have a stream
of random numbers for each side. A stream follows from the side's window, facet and values. So no
other metric, facet or window of a call changes it, and it stays the same where the two sides change
places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise, product
from math import inf
from statistics import NormalDist
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import (
    CLUSTER,
    GROUPS,
    endings_of_scores,
    finest,
    halves,
    squared,
    tallied,
    with_columns_of,
    with_finest_counts,
)
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM, with_sides
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.levels import GROUP, PARTITION, POPULATION, Groups, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import all_, g
from polars_fairness.inference.deviations import effective_clusters
from polars_fairness.inference.quantiles import confidence_of_a_pair, student
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE
from polars_fairness.values.by_key import Rows
from polars_fairness.values.folds import (
    Common,
    blocks_of,
    counts_beside,
    profiled,
    with_common_profile,
)
from polars_fairness.values.intersections import Values, groups_of, joint_tables
from polars_fairness.values.levels import index_of, keys_of, summed_up
from polars_fairness.values.replicated_counts import LevelCounts, level_values

_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Tails:
    """How bounds follow from draws, a number for each line of values.

    ``shares`` are those of draws to leave out at either end. A bound is moved away from the median
    by a factor, within limits; that of a ratio on the scale of logarithms.
    """

    shares: Floats
    factors: Floats
    limits: tuple[Floats, Floats]
    are_ratios: Floats

    @classmethod
    def of_metrics(cls, shares: Floats, factors: Floats, metrics: Sequence[Metric | None]) -> Tails:
        """Those of the places of one metric after the other; None where there are no limits."""
        ranges = [(-inf, inf) if each is None else each.range for each in metrics]
        low, high = np.repeat(np.array(ranges).reshape(-1, 2).T, len(shares), axis=1)
        ratios = np.repeat([bool(each and each.is_ratio) for each in metrics], len(shares))
        shares, factors = (np.tile(each, len(metrics)) for each in (shares, factors))
        return cls(shares, factors, (low, high), ratios)


def percentiles(values: Floats, tails: Tails) -> Floats:
    """Lower and upper bounds from ``values``: a line for each place, a column for each draw.

    A bound is one of the values, never a number between two of them. So the bounds of 1/x are the
    inverses of the bounds of x, and where the sides change places the verdict is mirrored. Draws
    without a value do not count; where no draw has a value there are no bounds.

    For all pairs of 20 groups, the share of draws beyond a bound is 0.0002: less than one draw of a
    thousand. So a bound is moved away from the median by a factor for each place, as far as the
    critical value of all pairs is above that of one.
    """
    ordered = np.sort(values, axis=1)
    last = np.maximum(ordered.shape[1] - np.isnan(ordered).sum(axis=1) - 1, 0)
    beyond = np.floor(tails.shares * last + _ROUNDING).astype(int)
    line, bounds, factors = np.arange(len(ordered)), [], tails.factors
    is_wider = factors != 1
    # Of two draws in the middle the one at the bound's side, so that 1/x has the inverse bounds.
    for at, middle in ((beyond, last // 2), (last - beyond, last - last // 2)):
        bound, median = ordered[line, at], ordered[line, middle]
        if is_wider.any():
            with np.errstate(invalid="ignore", divide="ignore"):  # of 0 and infinity
                moved = np.where(
                    tails.are_ratios,
                    median * (bound / median) ** factors,
                    median + (bound - median) * factors,
                )
            moved = np.clip(moved, *tails.limits)
            bound = np.where(is_wider & ~np.isnan(moved), moved, bound)
        bounds.append(bound)
    return np.array(bounds)


Evaluate = Callable[[Rows], dict[str, Floats]]
"""Takes replicates of the counts of some places; returns the values of metrics on them."""

_ROUNDING: Final = 1e-9

# Rows of a table times draws evaluated at once: they take 0.2 GB with all metrics.
_AT_ONCE: Final = 250_000


@dataclass(frozen=True)
class Drawing:
    """The number of draws, the seed, and the confidence of the bounds.

    ``choice`` has, by window and facet, the number of groups among which the data chose side a.
    """

    replicates: int
    seed: int
    confidence: float
    choice: pl.DataFrame | None = None

    def confidences(self, places: pl.DataFrame) -> list[float]:
        """The confidence of each place, higher where its sides were chosen among several groups."""
        return [confidence_of_a_pair(each, self.confidence) for each in self.chosen_from(places)]

    def chosen_from(self, places: pl.DataFrame) -> list[int]:
        """The number of groups that the sides of each place were chosen among; 2 if they are given.

        The same groups are found among at each threshold.
        """
        if self.choice is None or COMPARISON_KEY not in places.columns:
            return [2] * places.height
        keys = [key for key in self.choice.columns[:-1] if key in places.columns]
        most = self.choice.group_by(keys).agg(pl.col(GROUPS_CHOSEN_FROM).max())
        groups = with_columns_of(places.select(keys), most, keys)
        return groups[GROUPS_CHOSEN_FROM].fill_null(2).to_list()

    def tails(self, rows: Floats) -> Floats:
        """The share of draws to leave out at either end, by the rows on the smaller side.

        The percentiles of a bootstrap are too narrow for few rows, by √((n−1)/n) and by the
        difference between the normal and Student's distribution (Hesterberg 2015, 'expanded
        percentiles'). With 25 rows on one side, 95 % intervals of a difference of true positive
        rates held the truth in 91 of 100 without this correction, and hold it in 94 with it.
        """
        # Effective numbers of rows carry rounding errors, and below two rows there is a step.
        return _tails(self.confidence, tuple(np.round(rows, 6).tolist()))

    def factors(self, places: pl.DataFrame, rows: Floats) -> Floats:
        """By how much the bounds of each place are wider, because its sides were chosen.

        By Student's distribution; below three rows it is that of three: with one or two,
        percentiles are the outermost draws.
        """
        if self.choice is None:
            return np.ones(places.height)
        confidences, freedom = np.array(self.confidences(places)), np.fmax(rows, 3.0) - 1
        of_pairs, of_one = (
            student((1 + each) / 2, freedom) for each in (confidences, self.confidence)
        )
        return np.where(confidences == self.confidence, 1.0, of_pairs / of_one)


@lru_cache(maxsize=64)
def _tails(confidence: float, rows: Sequence[float]) -> Floats:
    """The share of draws to leave out: metrics of several levels are mostly about as many rows."""
    known = np.fmax(rows, 2.0)
    reach = np.sqrt(known / (known - 1)) * student((1 + confidence) / 2, known - 1)
    return np.array([_NORMAL.cdf(-each) for each in reach]) * (np.array(rows) >= 2)


@dataclass(frozen=True)
class _SideCounts:
    """The columns of one side's counts, and the gamma distribution of each count in each row.

    Sums that are kept beside counts, of squared weights or of scores, have columns too. They follow
    the drawn counts: ``beside`` has the names of the columns of each kind, and their quotients by
    the counts. Where ``units`` are given, the counts of one unit are drawn from its rows, which
    stay as many.
    """

    columns: Sequence[str]
    shape: Floats
    scale: Floats
    beside: Sequence[tuple[Sequence[str], Floats]]
    units: Ints | None = None


@dataclass(frozen=True)
class Draws:
    """Counts, and how they are drawn.

    ``rows`` has the number of rows behind the values of each place, and ``stream_names`` the names
    of its sides' random streams. Over clusters, ``by_cluster`` has what each group of clusters adds
    to each count, and half a cluster of each outcome that a side lacks.
    """

    counts: LevelCounts
    sides: Sequence[_SideCounts]
    rows: Floats
    stream_names: Sequence[Sequence[str]] = ()
    by_cluster: Mapping[str, Floats] = field(default_factory=dict)

    def drawn(self, places: slice, drawing: Drawing) -> Iterator[Rows]:
        """Draw the counts of some places, so many draws at once as memory allows.

        How many places or draws there are at once does not change any number.
        """
        exact = self.counts.rows(places)
        ends = [0, *accumulate(exact.sizes)]
        streams = [
            [_stream(drawing.seed, name) for name in names] for names in self.stream_names[places]
        ]
        most = max(1, _AT_ONCE // max(1, ends[-1]))
        for first in range(0, drawing.replicates, most):
            draws = min(most, drawing.replicates - first)
            columns: dict[str, Floats] = {}
            rows = slice(self.counts.ends[places.start], self.counts.ends[places.stop])
            if self.by_cluster:
                # How often each group of clusters counts, in all places and on all sides alike.
                times = _times_of_clusters(drawing.seed, drawing.replicates)
                moved = times[:, first : first + draws]
                columns = {
                    # A regression may give counts below 0, other counts never are.
                    name: np.maximum(
                        exact.columns[name][:, np.newaxis] + of_groups[rows] @ moved,
                        np.minimum(exact.columns[name], 0)[:, np.newaxis],
                    )
                    for name, of_groups in self.by_cluster.items()
                }
            else:
                for j, side in enumerate(self.sides):
                    columns |= _drawn(side, rows, ends, [sides[j] for sides in streams], draws)
            yield replace(exact, columns={**exact.columns, **columns})


@lru_cache(maxsize=1)
def _times_of_clusters(seed: int, replicates: int) -> Floats:
    """How much more than once each group of clusters counts, and half a cluster, on all draws."""
    stream = _stream(seed, "clusters")
    times = stream.standard_exponential((replicates, GROUPS)) - 1
    return np.hstack([times, stream.standard_gamma(0.5, (replicates, 1))]).T


def places_at_once(ends: Sequence[int], replicates: int) -> Iterator[slice]:
    """Divide places as memory allows; place i has ``ends[i + 1] - ends[i]`` rows."""
    start = 0
    for place in range(1, len(ends)):
        is_last = place == len(ends) - 1
        if is_last or (ends[place + 1] - ends[start]) * replicates > _AT_ONCE:
            yield slice(start, place)
            start = place


def _stream(seed: int, name: str) -> np.random.Generator:
    digest = blake2b(f"{seed}\x1f{name}".encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest))


def _drawn(
    side: _SideCounts,
    rows: slice,
    ends: Sequence[int],
    streams: Sequence[np.random.Generator],
    draws: int,
) -> dict[str, Floats]:
    """Draw the counts of a side: for each column a line for each of the rows.

    By score, a row of data has one of many scores and one of several outcomes, so most counts are
    0. These are left out, which changes no other number: 400 scores took a sixth of the time.
    """
    here = slice(rows.start, rows.start + ends[-1])
    shape, is_drawn = side.shape[here], side.shape[here] > 0
    row, _ = np.nonzero(is_drawn)
    shape, scale = shape[is_drawn], side.scale[here][is_drawn][:, np.newaxis]
    ends_drawn = np.searchsorted(row, ends).tolist()
    counts = np.empty((len(row), draws))
    # A line for each count, in memory too: by draw, 1,000 places took twice as long.
    for (start, end), stream in zip(pairwise(ends_drawn), streams, strict=True):
        if side.units is None:
            counts[start:end] = stream.standard_gamma(shape[start:end], (draws, end - start)).T
            continue
        # The rows of each unit one by one among its counts.
        units = side.units[here][is_drawn][start:end]
        for unit in np.unique(units):
            of_unit = start + np.flatnonzero(units == unit)
            weights = shape[of_unit] * scale[of_unit, 0]
            number = max(1, int(shape[of_unit].sum() + _ROUNDING))
            drawn = stream.multinomial(number, weights / weights.sum(), draws)
            counts[of_unit] = drawn.T * (weights.sum() / number)
    if side.units is None:
        counts *= scale
    drawn_columns: dict[str, Floats] = {}
    for columns, quotients in [(side.columns, None), *side.beside]:
        of_kind = counts if quotients is None else counts * quotients[here][is_drawn][:, np.newaxis]
        whole = of_kind
        if len(of_kind) < is_drawn.size:
            whole = np.zeros((is_drawn.size, draws))
            whole[is_drawn.ravel()] = of_kind
        # Views: to copy each column took half as long as to draw it.
        by_column = whole.reshape(*is_drawn.shape, draws)
        drawn_columns |= {name: by_column[:, number] for number, name in enumerate(columns)}
    return drawn_columns


_OTHER_DECISION: Final = {
    "accepted": "rejected",
    "rejected": "accepted",
    "tp": "fn",
    "fn": "tp",
    "fp": "tn",
    "tn": "fp",
}
"""The count of the rows with the same label and the other decision."""

_ACCEPTED: Final = ("accepted", "tp", "fp")


def parts(count: str, *, of_champion: bool) -> tuple[str, str]:
    """The counts by both decisions that add up to a count of one model."""
    if not of_champion:
        return halves(count)
    number = 0 if count in _ACCEPTED else 1
    return halves(count)[number], halves(_OTHER_DECISION[count])[number]


def agreeing(count: str) -> str:
    """The count by both decisions in which the champion decides as the model does."""
    return halves(count)[0 if count in _ACCEPTED else 1]


_PLACE: Final = "place\x1f"
_DIGEST: Final = "digest\x1f"
_ADDED: Final = "added\x1f"
_GROUP: Final = "group\x1f"
_ROW: Final = "row\x1f"


def drawable(
    counts: LevelCounts, level: Level, roles: Roles, stream_names: Sequence[Sequence[str]]
) -> Draws:
    """The counts of a level, and how to draw them.

    An outcome that a side lacks counts as half of a cluster of average size.
    """
    columns, scope, of_both = counts.columns, None, np.zeros(1)
    row = np.arange(len(counts.place))
    if not level.is_by_score:
        # An outcome is absent from a side if none of its rows has it, and the average row is taken
        # over them. A side of a comparison is all its strata. Label values are outcomes themselves,
        # so each is looked at alone; a group is a side by itself.
        whole = row if level.compares_groups else counts.place
        scope = row if level.divides_values else whole, whole
    if scope is not None and roles.is_weighted and level.has_sides:
        # What a row of each outcome weighs, Σw²/Σw of both sides.
        squares, weights = (
            sum(
                _summed(_stack_columns(columns, (f"{side.name}.{each}" for each in some)), scope[0])
                for side in level.counted
            )
            for some in ([*map(squared, finest(roles))], finest(roles))
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            of_both = np.nan_to_num(squares / weights)
    sides = [_side(columns, side.name, roles, scope, of_both) for side in level.counted]
    if not counts.by_cluster:
        return Draws(counts, sides, _fewest_rows(counts, level, roles), stream_names)
    no_half = np.zeros((len(row), 1))
    by_cluster = {name: np.hstack([each, no_half]) for name, each in counts.by_cluster.items()}
    part = _parts_of(counts, level)
    clusters = np.full(len(counts.sizes), np.inf)
    for side in sides:
        of_parts, sizes = np.zeros((len(row), GROUPS)), np.zeros(len(row))
        np.add.at(of_parts, part, sum(counts.by_cluster[name] for name in side.columns))
        np.add.at(sizes, part, sum(columns[name] for name in side.columns))
        of_side = effective_clusters(sizes, sizes[:, np.newaxis] - of_parts)
        np.minimum.at(clusters, counts.place, of_side[part])
        is_half = (_stack_columns(columns, side.columns) == 0) & (side.shape > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            per_cluster = np.nan_to_num(sizes / of_side, posinf=0, neginf=0)[part][:, np.newaxis]
        for names, quotients in [(side.columns, np.ones_like(side.scale)), *side.beside]:
            half = np.where(is_half, per_cluster * quotients, 0.0)
            for name, each in zip(names, half.T, strict=True):
                by_cluster[name][:, -1] = each
    return Draws(counts, sides, clusters, by_cluster=by_cluster)


def drawn_beside(draws: Draws, level: Level, roles: Roles, ending: str) -> Draws:
    """The draws, with those of further counts, whose names have this ending.

    ``roles`` is the question that they are counted by. What is absent of them stays so.
    """
    sums = {
        name.removesuffix(ending): each
        for name, each in draws.counts.columns.items()
        if name.endswith(ending)
    }
    sides = [_side(sums, side.name, roles, None, np.zeros(1)) for side in level.counted]
    added = [
        replace(side, columns=[f"{name}{ending}" for name in side.columns], beside=())
        for side in sides
    ]
    names = [
        (*of_place, *(f"{name}{ending}" for name in of_place)) for of_place in draws.stream_names
    ]
    return replace(draws, sides=[*draws.sides, *added], stream_names=names)


def _parts_of(counts: LevelCounts, level: Level) -> Ints:
    """The number of each row's place or, where groups stand apart, of its group."""
    if not level.keeps_groups_apart:
        return counts.place
    if not level.is_by_score:
        return np.arange(len(counts.place))
    assert counts.parts is not None
    return counts.parts


def drawable_alike(draws: Draws, common: Common, level: Level, roles: Roles) -> Draws:
    """The counts without a difference between sides or groups, and how to draw them.

    The rows of each side that have one profile stay as many and are drawn one by one: the weights
    of two rows vary less than two rows do, so that chance moved a distance too little. With two
    positive rows on d, 91 of 100 intervals of `average_abs_odds_difference` held a true 0. Clusters
    are of the common profile too.
    """
    alike = counts = draws.counts
    if level.is_by_score:
        names = [f"{side.name}.{count}" for side in level.counted for count in tallied(roles)]
        table = counts.keys.with_columns(pl.Series(name, counts.columns[name]) for name in names)
        keys, index = keys_of(level, roles), index_of(level, roles)
        changed = with_common_profile(table, common, level, roles, keys, index)
        alike = LevelCounts.of_level(changed, level, roles)
    else:
        alike = _profiled(counts, common, level, roles)
    if counts.by_cluster:
        by_cluster = _clusters_alike(counts, alike, common, level, roles)
        return drawable(replace(alike, by_cluster=by_cluster), level, roles, draws.stream_names)
    drawn = drawable(alike, level, roles, draws.stream_names)
    if level.is_by_score or not level.has_sides:
        return drawn
    outcomes, blocks = finest(roles), blocks_of(finest(roles), common)
    block = np.array([next(i for i, each in enumerate(blocks) if n in each) for n in outcomes])
    units = _units_of(alike, level)[:, np.newaxis] * len(blocks) + block
    return replace(drawn, sides=[replace(side, units=units) for side in drawn.sides])


def _units_of(counts: LevelCounts, level: Level) -> Ints:
    """The number of the rows of each row's sides that have one profile."""
    if level.divided_by == "subgroup":
        return np.arange(len(counts.place))
    if level.is_within_labels:
        assert counts.parts is not None
        return counts.parts
    return counts.place


def _profiled(counts: LevelCounts, common: Common, level: Level, roles: Roles) -> LevelCounts:
    unit = _units_of(counts, level)
    own = unit if level.has_sides else _parts_of(counts, level)
    changed = profiled(counts.columns, common, level, roles, own, unit, counts.place)
    return replace(counts, columns={**counts.columns, **changed})


def _clusters_alike(
    counts: LevelCounts, alike: LevelCounts, common: Common, level: Level, roles: Roles
) -> dict[str, Floats]:
    """What each group of clusters adds to counts that have something in common."""
    height, at = len(alike.place), np.arange(len(counts.place))
    if level.is_by_score:
        # The row is that of the span which holds the score.
        own = [*keys_of(level, roles), *(["value"] if level.keeps_groups_apart else [])]
        spans = alike.keys.select(*own, "score").with_row_index(_ROW)
        rows = counts.keys.select(*own, "score").with_row_index(_ADDED)
        at = (
            pl.concat([spans, rows], how="diagonal")
            .sort(*own, "score", _ADDED, nulls_last=False, maintain_order=True)
            .with_columns(pl.col(_ROW).forward_fill().over(own))
            .drop_nulls(_ADDED)
            .sort(_ADDED)[_ROW]
            .to_numpy()
        )
    by_cluster = {name: np.zeros((height, GROUPS)) for name in counts.by_cluster}
    exact = {name: np.zeros(height) for name in by_cluster}
    for name, of_groups in counts.by_cluster.items():
        np.add.at(by_cluster[name], at, of_groups)
        np.add.at(exact[name], at, counts.columns[name])
    is_apart = common == "calibrated" or level.divided_by == "subgroup"
    unit = np.arange(height) if is_apart else _parts_of(alike, level)
    for side, block in product(level.counted, blocks_of(finest(roles), common)):
        of_groups, size = np.zeros((height, GROUPS)), np.zeros(height)
        for name in (f"{side.name}.{count}" for count in block):
            np.add.at(of_groups, unit, by_cluster[name])
            np.add.at(size, unit, exact[name])
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.nan_to_num(of_groups / size[:, np.newaxis], posinf=0, neginf=0)[unit]
        beside = [*counts_beside(block, roles), *map(squared, block if roles.is_weighted else ())]
        for name in (f"{side.name}.{count}" for count in beside):
            change = alike.columns[name] - exact[name]
            by_cluster[name] += share * change[:, np.newaxis]
    return by_cluster


# So many effective rows know the weight of a row as well as the other side does.
_KNOWN: Final = 20


def _summed(values: Floats, numbers: Ints) -> Floats:
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(sums, numbers, values)
    return sums[numbers]


def _side(
    sums: Mapping[str, Floats],
    name: str,
    roles: Roles,
    scope: tuple[Ints, Ints] | None,
    row_of_both: Floats,
) -> _SideCounts:
    """The counts of a side, and how to draw them.

    If three of three rows are accepted, the fourth is not certain to be. So an outcome that is
    absent from a side counts as half a row, Jeffreys's prior, with the weight of the side's average
    row, in its largest stratum. Only sides are compared: a side of many facet values has one half
    row. By score most outcomes are absent from most rows, and the scores of an absent outcome are
    not known, so there are no half rows.

    Few rows do not know their own weights: where the sides' rows weigh more, so may theirs. Of 500
    and 5,000 rows of log-normal weights, 1.2 % accepted, 86 of 100 intervals of `di` held the truth
    by a side's own weights, and 95 do.
    """
    columns = [f"{name}.{count}" for count in finest(roles)]
    squares = [squared(column) if roles.is_weighted else column for column in columns]
    weights, of_squares = _stack_columns(sums, columns), _stack_columns(sums, squares)
    with np.errstate(divide="ignore", invalid="ignore"):  # a count of 0 is 0/0; of a regression x/0
        both = [weights**2 / of_squares, of_squares / weights]
        rows, row = np.nan_to_num(both, posinf=0, neginf=0)
        larger = np.where(row < 0, row, np.maximum(row, row_of_both))  # a regression may be below 0
        scale = (rows * row + _KNOWN * larger) / (rows + _KNOWN)
        # For one row it is 1, and another last digit would take another way to draw: intervals of
        # scores moved by 1 to 8 % where all weights were multiplied by one number.
        shape = np.where(rows > 0, np.round(weights / scale, 9), 0)
    if scope is not None:
        absent, whole = scope
        size, total = weights.sum(axis=1), _summed(weights, whole).sum(axis=1)
        falling = np.lexsort((-size, absent))
        largest = falling[np.flatnonzero(np.diff(absent[falling], prepend=-1))]
        half = np.zeros(weights.shape, bool)
        half[largest] = (total[largest] > 0)[:, np.newaxis]
        half &= _have_half_rows(_summed(weights, absent), roles)
        with np.errstate(divide="ignore", invalid="ignore"):
            average = (_summed(of_squares, whole).sum(axis=1) / total)[:, np.newaxis]
        shape = np.where(half, shape + 0.5, shape)
        half &= weights == 0
        scale = np.where(half, np.maximum(average, row_of_both), scale)
        row = np.where(half, scale, row)
    beside = [(squares, row)] if roles.is_weighted else []
    for ending in endings_of_scores(roles):
        names = [f"{column}{ending}" for column in columns]
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.nan_to_num(_stack_columns(sums, names) / weights, posinf=0, neginf=0)
        beside.append((names, means))
    return _SideCounts(columns, shape, scale, beside)


def _have_half_rows(sums: Floats, roles: Roles) -> Bools:
    """Which of the finest counts have half a row more: those without any row in the side.

    Of two models, the half row of an outcome of one of them is one in which both decide alike. Rows
    in which they differ have half a row more in each direction, which leaves the difference as it
    is: few switched rows do not know how many there are. Of 30 rows beside 3,000 with three of them
    switched, intervals of differences are 1.2 times as wide as the difference varies, and hold it
    in 97 of 100 data sets; by Student's distribution of the switched rows they were 2.1 times as
    wide.
    """
    have_half: Bools = np.equal(sums, 0)
    at = {name: i for i, name in enumerate(finest(roles))}
    for count in finest(roles.unpaired) if roles.is_paired else ():
        here, there = (
            [at[part] for part in parts(count, of_champion=is_champion)]
            for is_champion in (False, True)
        )
        have_half[:, [*{*here} ^ {*there}]] = True
        have_half[:, at[agreeing(count)]] = np.any(
            [sums[:, each].sum(axis=1) == 0 for each in (here, there)], axis=0
        )
    return have_half


def _stack_columns(columns: Mapping[str, Floats], names: Iterable[str]) -> Floats:
    return np.array([columns[name] for name in names]).T


def _fewest_rows(counts: LevelCounts, level: Level, roles: Roles) -> Floats:
    """The number of rows of each place, on its smaller side or in its smallest group.

    With weights, it is the effective number.
    """
    part, smallest = _parts_of(counts, level), np.full(len(counts.sizes), np.inf)
    for name in level.counted_names:
        names = [f"{name}.{count}" for count in finest(roles)]
        n = squares = np.bincount(part, sum([counts.columns[each] for each in names]))
        if roles.is_weighted:
            squares = np.bincount(part, sum([counts.columns[squared(each)] for each in names]))
        rows = np.divide(n**2, squares, out=np.zeros(len(n)), where=n > 0)
        np.minimum.at(smallest, counts.place, rows[part])
    return smallest


def stream_names(
    level: Level,
    roles: Roles,
    places: pl.DataFrame,
    digests: Sequence[tuple[float, float]] = (),
) -> list[tuple[str, ...]]:
    """Names for the random streams of each place's sides, from window, facet and facet values.

    ``digests`` has the numbers of both sides of each place, as `digests_of_sides` has them.
    """
    windows = windows_of_rows(places, roles)
    if level.is_one_group:
        return [(repr(window),) for window in windows]
    facets = zip(windows, places["facet"], strict=True)
    if not level.has_sides:
        return [(repr(place),) for place in facets]
    return [
        tuple(repr((*place, values)) for values in of_sides)
        for place, of_sides in zip(facets, digests, strict=True)
    ]


def windows_of_rows(places: pl.DataFrame, roles: Roles) -> list[tuple[object, ...]]:
    """The window of each place as streams are named by it: a name of its own for each set of rows.

    Not by threshold: at one of several thresholds, draws are the same as at this one alone. Windows
    of a frame have the same names beside a baseline as without one.
    """
    keys = roles.windows.without_made.keys
    windows: list[tuple[object, ...]] = places[keys].rows() if keys else [()] * places.height
    if not roles.windows.has_baseline:
        return windows
    return [
        (*window, IS_BASELINE) if is_baseline else window
        for window, is_baseline in zip(windows, places[IS_BASELINE], strict=True)
    ]


def digests_of_sides(
    counts: LevelCounts, cells: pl.DataFrame, roles: Roles
) -> list[tuple[float, float]]:
    """Numbers for side a and side d of each comparison: sums of the digests of its facet values.

    So the side "everyone else" has the same number as a single value, if it has only this value.
    ``cells`` has the values of each window. Where side a holds side d, it is everyone else.
    """
    keys, own = [*roles.windows.keys, "facet", *roles.reference_keys], pl.col(_DIGEST)
    texts = cells["value"].drop_nulls().unique()
    digests = pl.Series(_DIGEST, [*map(digest, texts)], pl.Float64)
    known = pl.LazyFrame([texts, digests])
    values = cells.lazy().select(*keys, "value").unique().join(known, on="value")
    sided = with_sides(values, roles)
    of_a = sided.group_by(keys).agg(own.sum(), a=(own * pl.col("in_a")).sum())
    of_d = sided.group_by(*keys, COMPARISON_KEY).agg(d=(own * pl.col("in_d")).sum())
    firsts = counts.keys if len(counts.keys) == len(counts.sizes) else counts.keys[counts.ends[:-1]]
    sides = firsts.lazy()
    for sums, on in ((of_a, keys), (of_d, [*keys, COMPARISON_KEY])):
        sides = with_columns_of(sides, sums, on)
    with_named_a = [facet.name for facet in roles.facets if facet.favored or facet.finds_group]
    is_rest = ~pl.col("facet").is_in(with_named_a)
    found = sides.select(a=pl.when(is_rest).then(own - pl.col("d")).otherwise("a"), d="d")
    return collected(found, is_cheap=True).rows()


@cache
def digest(value: str) -> float:
    """A number for a text; numbers have 40 bits, so thousands add up exactly in a float."""
    return float(int.from_bytes(blake2b(value.encode(), digest_size=5).digest()))


def joint_counts(
    cells: pl.DataFrame, roles: Roles, ranges: Iterable[Groups], common: Common | None = None
) -> tuple[Draws, dict[Groups, Members]]:
    """The counts of each combination of all attributes, how to draw them, and who is in groups.

    Where combinations are to have something in common, they differ by chance alone. Groups that
    share rows share their draws. Absent outcomes have no half row here: with many
    combinations, half rows would outweigh the rows.
    """
    joint_cells, values = joint_tables(with_finest_counts(cells.lazy(), roles), roles)
    sums = [pl.col(name).sum().alias(f"{g.name}.{name}") for name in tallied(roles)]
    keys, names = [*roles.windows.keys, "facet"], [f"{g.name}.{name}" for name in tallied(roles)]
    by = [*keys, *values, *(name for name in cells.columns if name == CLUSTER)]
    counts = collected(summed_up(joint_cells.lazy(), by, [*sums, pl.col("n").sum()]))
    held = LevelCounts.of_table(counts, keys, [*values], [*names, "n"])
    if common is not None:
        held = _profiled(held, common, PARTITION, roles)
    windows = windows_of_rows(held.places, roles)
    draws = Draws(
        held,
        [_side(held.columns, g.name, roles, None, np.zeros(1))],
        _fewest_rows(held, POPULATION, roles),
        [
            (repr((*window, facet)),)
            for window, facet in zip(windows, held.places["facet"], strict=True)
        ],
    )
    return draws, {each: Members.from_combinations(held, values, roles, each) for each in {*ranges}}


@dataclass(frozen=True)
class Members:
    """The combinations in groups: ``rows`` of one group after the other.

    Group i has those from ``starts[i]`` up to ``starts[i + 1]``, and place i the groups from
    ``ends[i]`` up to ``ends[i + 1]``.
    """

    rows: Ints
    starts: Ints
    ends: Ints

    @classmethod
    def from_combinations(
        cls, counts: LevelCounts, values: Values, roles: Roles, groups: Groups
    ) -> Members:
        """The members of groups, among the combinations of all attributes."""
        table = counts.keys.with_columns(
            *(pl.Series(name, each) for name, each in counts.columns.items()),
            pl.Series(_PLACE, counts.place, pl.UInt32),
        ).with_row_index(_ROW)
        named = table.rename({f"{g.name}.{name}": name for name in tallied(roles)})
        joined = groups_of(named.lazy(), values, roles, groups, [_PLACE], most=inf)
        numbered = joined.select(_PLACE, *values).sort(_PLACE).with_row_index(_GROUP)
        belonging = [table.select(_PLACE, _ROW, pl.lit(0, pl.UInt32).alias(_GROUP)).clear()]
        for fixed, some in numbered.group_by(*(pl.col(name).is_not_null() for name in values)):
            on = [_PLACE, *(name for name, is_fixed in zip(values, fixed, strict=True) if is_fixed)]
            belonging.append(table.join(some, on=on).select(_PLACE, _ROW, _GROUP))
        held = pl.concat(belonging).sort(_GROUP, _ROW)
        places = table[_PLACE].n_unique()
        return cls(
            held[_ROW].to_numpy(),
            np.searchsorted(held[_GROUP].to_numpy(), np.arange(numbered.height + 1)),
            np.searchsorted(numbered[_PLACE].to_numpy(), np.arange(places + 1)),
        )

    def counts(self, rows: Rows) -> tuple[Rows, Ints]:
        """The counts of groups and of all rows from those of combinations; groups by place."""
        ends = self.ends[rows.place : rows.place + len(rows.sizes) + 1]
        starts, sizes = self.starts[ends[0] : ends[-1]], np.diff(ends)
        if not len(starts):
            return Rows({}, []), sizes
        # Places stand one after the other, and so do their combinations.
        combinations = self.rows[starts[0] : self.starts[ends[-1]]] - rows.first
        of_places, columns = np.cumsum([0, *rows.sizes[:-1]]), {}
        for name, counts in rows.columns.items():
            of_all = np.add.reduceat(counts, of_places, axis=0)
            columns[f"{all_.name}.{name.partition('.')[2]}"] = np.repeat(of_all, sizes, axis=0)
            columns[name] = np.add.reduceat(counts[combinations], starts - starts[0], axis=0)
        return Rows(columns, sizes[sizes > 0].tolist()), sizes


def joint_values(
    rows: Rows,
    members: Mapping[Groups, Members],
    roles: Roles,
    metrics: Mapping[str, Metric],
) -> dict[str, Floats]:
    """Values of metrics over intersections or conjunctions, on draws of `joint_counts`."""
    by_metric = {name: np.full((len(rows.sizes), rows.replicates), np.nan) for name in metrics}
    for groups, held in members.items():
        some = {name: each for name, each in metrics.items() if each.parsed.groups == groups}
        of_groups, sizes = held.counts(rows)
        if of_groups.sizes:
            for name, values in level_values(of_groups, roles, GROUP, some).items():
                by_metric[name][sizes > 0] = values
    return by_metric
