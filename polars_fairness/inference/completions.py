"""How far values could move with labels that are missing: counts completed by an assumption.

Of the unlabelled rows of each side and decision, a least and a most could be positive. Metrics move
one way in each of these four numbers, so that they are farthest at corners; of
`average_odds_difference`, extremes inside have a closed form. A gap across groups is farthest at
corners of the rates of two groups, and nearest where those of all groups are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise, product
from typing import Any, Final, Self

import numpy as np
import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.counts import squared
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.formulas import population
from polars_fairness.formula.levels import COMPARISON, GROUP, POPULATION, STRATUM, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.formula.tree import term
from polars_fairness.inference.allocations import ENDS, IS_DEFINED, LIMITS
from polars_fairness.inference.bootstrap import drawn_bounds
from polars_fairness.inference.draws import Drawing, Draws, Tails, percentiles, places_at_once
from polars_fairness.inference.missing_labels import LABELLED, UNLABELLED, PartlyLabelled
from polars_fairness.inference.quantiles import confidence_of_a_pair, student
from polars_fairness.question.completing import Assumption
from polars_fairness.values.by_key import Rows
from polars_fairness.values.formula_checks import moves_one_way, reads_all_labels
from polars_fairness.values.lines import METRIC, VALUE
from polars_fairness.values.replicated_counts import LevelCounts, level_values

HOLDS_FROM: Final = "holds_from"

IS_POINT: Final = "is point\x1f"
"""Whether what is assumed leaves one value only."""

IS_COMPLETE: Final = "is complete\x1f"
"""Whether each row that could be completed has a label."""

_POOL: Final = " pool\x1f"
_FEWEST: Final = 100
"""Rows with a label that say how often others are positive; bands of fewer are merged."""

_PARTS: Final = [*product((a.name, d.name), LABELLED)]
_PARTS_OF_GROUP: Final = [*product(GROUP.counted_names, LABELLED)]
_STEPS: Final = 20

_are_close: Final = partial(np.isclose, rtol=1e-9, atol=1e-9)


def has_range(metric: Metric, *, by_strata: bool = False) -> bool:
    """Whether it is known how far missing labels could move a metric; strata have no groups."""
    if not reads_all_labels(metric):
        return False
    if metric.parsed.level == GROUP:
        return not by_strata and _rate_of_gap(metric) is not None
    return metric.parsed.level == COMPARISON and (_is_of_odds(metric) or moves_one_way(metric))


def _rate_of_gap(metric: Metric) -> str | None:
    """The rate of a difference or a ratio across groups, if it moves one way with each label.

    A proportion does: of each decision, a positive label more adds as much to counts each time.
    """
    largest = metric.parsed.largest
    rate = None if largest is None else largest.rate_of_pairs
    return rate if rate in RATES and RATES[rate].is_proportion else None


def _is_of_odds(metric: Metric) -> bool:
    return metric.parsed.expression is CATALOGUE["average_odds_difference"].parsed.expression


@dataclass(frozen=True)
class _Part:
    """The rows of a side with one decision: with a label, and without; and how many are positive.

    ``least`` and ``most`` of those without a label.
    """

    positive: Floats
    negative: Floats
    missing: Floats
    least: Floats
    most: Floats


def completed_ranges(
    partly: PartlyLabelled,
    metrics: Mapping[str, Metric],
    edges: Mapping[str, Sequence[float]],
    assumption: Assumption,
    drawing: Drawing | None,
    *,
    in_strata: bool,
) -> pl.DataFrame:
    """The range of each metric in each place, a row for each, and from when its verdict holds.

    In strata, labels are completed in each, and added up.
    """
    tables = [partly.at(COMPARISON).places.clear()]
    of_sides = STRATUM if in_strata else COMPARISON
    for kind, level, parts in (
        (_OfSides, of_sides, _PARTS),
        (_OfGroups, GROUP, _PARTS_OF_GROUP),
    ):
        of_kind = {n: each for n, each in metrics.items() if each.has_sides == (kind is _OfSides)}
        if of_kind:
            completions = kind.of_level(partly, level, parts)
            for name, metric in of_kind.items():
                found = completions.range_of(metric, edges.get(name), assumption, drawing)
                tables.append(found.with_columns(pl.lit(name).alias(METRIC)))
    return pl.concat(tables, how="diagonal")


@dataclass(frozen=True)
class _Completions(ABC):
    """The counts of comparisons, of their strata or of groups, whose missing labels are completed.

    ``parts`` names each side, or the group, with each decision.
    """

    partly: PartlyLabelled
    draws: Draws
    level: Level
    parts: Sequence[tuple[str, str]]

    @classmethod
    def of_level(
        cls, partly: PartlyLabelled, level: Level, parts: Sequence[tuple[str, str]]
    ) -> Self:
        """Those of a level; of strata, labels are completed in each, and added up."""
        keys = partly.roles.strata.keys if level == STRATUM else ()
        draws = partly.draws(level)
        counts = draws.counts
        pools = {
            f"{side}.{decision}{_POOL}": _pools(
                counts, keys, sum(counts.columns[f"{side}.{n}"] for n in names)
            )
            for side in level.counted_names
            for decision, names in LABELLED.items()
        }
        counts = replace(counts, columns={**counts.columns, **pools})
        return cls(partly, replace(draws, counts=counts), level, parts)

    def range_of(
        self,
        metric: Metric,
        edges: Sequence[float] | None,
        assumption: Assumption,
        drawing: Drawing | None,
    ) -> pl.DataFrame:
        """The range of a metric in each place, and from when its verdict holds."""
        counts = self.draws.counts
        rows = counts.rows(counts.all_places)
        lowest, highest, ways, is_defined = self._ends(rows, metric, assumption)
        limits = np.full((2, len(lowest)), np.nan)
        if drawing is not None and len(lowest):
            limits = np.clip(self._limits(metric, assumption, ways, drawing), *metric.range)
            limits = np.array([np.fmin(limits[0], lowest), np.fmax(limits[1], highest)])
            limits[:, ~is_defined] = np.nan
        value, other, _, is_known = self._ends(rows, metric, Assumption("random"))
        is_known &= _are_close(value, other)
        is_known &= (lowest <= value) | _are_close(lowest, value)
        is_known &= (value <= highest) | _are_close(value, highest)
        is_point = is_defined & _are_close(lowest, highest)
        value = np.where(is_point, lowest, np.where(is_known, value, np.nan))
        missing = np.sum(
            [
                rows.columns[f"{side}.{decision}{UNLABELLED}"]
                for side, decision in product(self.level.counted_names, LABELLED)
            ],
            axis=0,
        )
        is_complete = [not missing[own].any() for own in _slices(rows.sizes)]
        numbers = (lowest, highest, *limits, value, self._holds_from(rows, metric, edges))
        return counts.places.with_columns(
            *(
                pl.Series(column, each, nan_to_null=True)
                for column, each in zip((*ENDS, *LIMITS, VALUE, HOLDS_FROM), numbers, strict=True)
            ),
            pl.Series(IS_DEFINED, is_defined),
            pl.Series(IS_POINT, is_point),
            pl.Series(IS_COMPLETE, is_complete, pl.Boolean),
        )

    @abstractmethod
    def _ends(
        self, rows: Rows, metric: Metric, assumption: Assumption, low: Floats | None = None
    ) -> tuple[Floats, Floats, Any, Bools]:
        """The lowest and highest value of a metric, what leads to them, and if all ways have one.

        ``low`` is that of the assumption by place.
        """

    @abstractmethod
    def _limits(
        self, metric: Metric, assumption: Assumption, ways: Any, drawing: Drawing
    ) -> Floats:
        """The lower bound of the lowest value and the upper one of the highest, in each place.

        Labels are completed inside each draw of the six counts of each side.
        """

    def _parts(
        self, rows: Rows, assumption: Assumption, low: Floats | None = None
    ) -> dict[tuple[str, str], _Part]:
        """Each side and decision of each place, or of each group."""
        starts = np.arange(sum(rows.sizes))
        if self.level.has_sides:
            starts = np.cumsum([0, *rows.sizes])[:-1]
        least = assumption.low if low is None else np.repeat(low, rows.sizes)
        rates: dict[tuple[str, str], Any] = {}
        of_sides: dict[tuple[str, str], Any] = {}
        counts: dict[tuple[str, str], list[Floats]] = {}
        for part, (own, decision) in zip(
            self.parts, product(self.level.counted_names, LABELLED), strict=True
        ):
            names = (*LABELLED[decision], f"{decision}{UNLABELLED}")
            pools = rows.columns[f"{own}.{decision}{_POOL}"]
            # Where no row has a label, none is drawn either.
            counts[part] = [
                (rows.columns[f"{own}.{name}"].T * np.logical_or(pools >= 0, name == names[-1])).T
                for name in names
            ]
            _, pool = np.unique(pools, return_inverse=True)
            positive, negative = (_added(each, pool)[pool] for each in counts[part][:2])
            of_side = (np.add.reduceat(each, starts, axis=0) for each in counts[part][:2])
            rates[part] = _share(positive, negative)
            sizes = np.diff([*starts, sum(rows.sizes)])
            of_sides[part] = np.repeat(_share(*of_side), sizes, axis=0)
        found = {}
        for part, own_counts in counts.items():
            rate = rates[part]
            if assumption.kind == "times":
                accepted = part[0], "accepted"
                for others in (rates[accepted], of_sides[accepted]):
                    rate = np.where(np.isnan(rate), others, rate)
            low_share, high_share = rate, rate
            if assumption.kind == "times":
                low_share = np.clip((rate.T * least).T, 0, 1)
                high_share = np.clip(rate * assumption.high, 0, 1)
            is_open = np.isnan(rate) | (assumption.kind == "any")
            missing = own_counts[2]
            ends = (
                missing * np.where(is_open, 0.0, low_share),
                missing * np.where(is_open, 1.0, high_share),
            )
            found[part] = _Part(
                *(np.add.reduceat(each, starts, axis=0) for each in (*own_counts, *ends))
            )
        return found

    def _counts(self, parts: Mapping[tuple[str, str], _Part], ways: Floats) -> dict[str, Floats]:
        columns: dict[str, Floats] = {}
        for number, (side, decision) in enumerate(self.parts):
            part, way = parts[side, decision], ways[..., number]
            held = [getattr(part, name) for name in _Part.__dataclass_fields__]
            positive, negative, missing, least, most = (
                each if each.ndim > 1 else each[:, np.newaxis] for each in held
            )
            added = least + way * (most - least)
            yes, no = (f"{side}.{count}" for count in LABELLED[decision])
            columns |= {yes: positive + added, no: negative + missing - added}
        return columns

    def _holds_from(self, rows: Rows, metric: Metric, edges: Sequence[float] | None) -> Floats:
        """The smallest number of times, up to 1, from which on the verdict is one."""
        number = len(rows.sizes)
        if edges is None or not number:
            return np.full(number, np.nan)
        least, most = edges
        assumption = Assumption("times")

        def side(low: Floats) -> Any:
            """1 and -1 where all is above or below the band, 0 where all is in it; else NaN."""
            lowest, highest, _, is_defined = self._ends(rows, metric, assumption, low)
            found = np.select(
                [(lowest >= least) & (highest <= most), lowest > most, highest < least],
                [0.0, 1.0, -1.0],
                np.nan,
            )
            return np.where(is_defined, found, np.nan)

        at_one = side(np.ones(number))
        fails, holds = np.zeros(number), np.ones(number)
        holds_everywhere = side(fails) == at_one
        for _ in range(_STEPS):
            middle = (fails + holds) / 2
            stands = side(middle) == at_one
            fails, holds = np.where(stands, fails, middle), np.where(stands, middle, holds)
        found = np.where(holds_everywhere, 0.0, holds)
        return np.where(np.isnan(at_one), np.nan, found)


class _OfSides(_Completions):
    """Those of comparisons, at corners of the four parts of both sides."""

    def _values(
        self,
        parts: Mapping[tuple[str, str], _Part],
        rows: Rows,
        metric: Metric,
        ways: Floats,
    ) -> Floats:
        columns = self._counts(parts, ways)
        starts = np.cumsum([0, *rows.sizes])[:-1]
        sizes: dict[str, Any] = {
            side.name: sum(
                columns[f"{side.name}.{n}"] for names in LABELLED.values() for n in names
            )
            for side in (a, d)
        }
        roles = self.partly.roles
        for side, own in zip((a.name, d.name), self.level.counted_names, strict=True):
            for count in map(squared, ("tp", "fp", "fn", "tn") if roles.is_weighted else ()):
                known = np.add.reduceat(rows.columns[f"{own}.{count}"], starts, axis=0)
                columns[f"{side}.{count}"] = known
        held_rows = Rows(columns, [1] * len(starts))
        values = level_values(held_rows, roles, COMPARISON, {"": metric})[""]
        values = np.broadcast_to(values, np.broadcast_shapes(values.shape, ways.shape[:2])).copy()
        has_both = np.broadcast_to((sizes[a.name] > 0) & (sizes[d.name] > 0), values.shape)
        values[~has_both] = np.nan
        return values

    def _ends(
        self, rows: Rows, metric: Metric, assumption: Assumption, low: Floats | None = None
    ) -> tuple[Floats, Floats, Any, Bools]:
        parts = self._parts(rows, assumption, low)
        corners = _corners(self.parts)
        ways = np.broadcast_to(corners, (len(rows.sizes), *corners.shape))
        if _is_of_odds(metric):
            ways = _ways_of_odds(parts, are_whole=not self.partly.roles.is_weighted)
        values = self._values(parts, rows, metric, ways)
        is_defined = np.logical_and.reduce(~np.isnan(values), axis=1)
        place = np.arange(len(values))
        lowest, highest = np.fmin.reduce(values, axis=1), np.fmax.reduce(values, axis=1)
        at = [(values == each[:, np.newaxis]).argmax(axis=1) for each in (lowest, highest)]
        return lowest, highest, np.stack([ways[place, each] for each in at]), is_defined

    def _limits(
        self, metric: Metric, assumption: Assumption, ways: Any, drawing: Drawing
    ) -> Floats:
        limits = []
        for end, of_end in enumerate(ways):

            def evaluate(rows: Rows, of_end: Floats = of_end) -> dict[str, Floats]:
                own = of_end[rows.place : rows.place + len(rows.sizes), np.newaxis]
                return {"": self._values(self._parts(rows, assumption), rows, metric, own)}

            limits.append(drawn_bounds(self.draws, evaluate, {"": metric}, drawing)[""][end])
        return np.array(limits)


class _OfGroups(_Completions):
    """Those of groups, whose rates have their ends at corners of two parts each."""

    def _rates(
        self, rows: Rows, metric: Metric, assumption: Assumption, low: Floats | None = None
    ) -> tuple[Floats, Floats, Bools]:
        """The least and greatest rate of each group, and whether it has one in all ways."""
        [side] = self.level.counted_names
        rate = Metric("rate", "", population(term(f"{side}.{_rate_of_gap(metric)}").max()))
        parts, corners = self._parts(rows, assumption, low), _corners(self.parts)
        values = np.array(
            [
                level_values(
                    Rows(self._counts(parts, corner), [1] * sum(rows.sizes)),
                    self.partly.roles,
                    POPULATION,
                    {"": rate},
                )[""]
                for corner in corners
            ]
        )
        is_sure = ~np.isnan(values).any(axis=0)
        return np.fmin.reduce(values), np.fmax.reduce(values), is_sure

    def _ends(
        self, rows: Rows, metric: Metric, assumption: Assumption, low: Floats | None = None
    ) -> tuple[Floats, Floats, Any, Bools]:
        least, most, is_sure = self._rates(rows, metric, assumption, low)
        found = [
            _between_groups(least[own, 0], most[own, 0], is_sure[own, 0], is_ratio=metric.is_ratio)
            for own in _slices(rows.sizes)
        ]
        lowest, highest, is_defined = np.array(found, dtype=float).reshape(-1, 3).T
        return lowest, highest, is_sure[:, 0], is_defined > 0

    def _limits(
        self, metric: Metric, assumption: Assumption, ways: Any, drawing: Drawing
    ) -> Floats:
        draws, counts = self.draws, self.draws.counts
        shares, limits = drawing.tails(draws.rows), np.full((2, len(counts.sizes)), np.nan)
        for places in places_at_once(counts.ends, drawing.replicates):
            blocks = [
                self._rates(rows, metric, assumption)[:2] for rows in draws.drawn(places, drawing)
            ]
            least, most = (np.hstack(each) for each in zip(*blocks, strict=True))
            first = counts.ends[places.start]
            for place, own in enumerate(_slices(counts.sizes[places]), places.start):
                groups, freedom = own.stop - own.start, max(draws.rows[place], 3.0) - 1
                of_pairs, of_one = (
                    student((1 + each) / 2, freedom)
                    for each in (
                        confidence_of_a_pair(groups, drawing.confidence),
                        drawing.confidence,
                    )
                )
                limits[:, place] = _limits_of_pairs(
                    least[own],
                    most[own],
                    ways[first:][own],
                    (shares[place], float(of_pairs / of_one)),
                    is_ratio=metric.is_ratio,
                )
        return limits


def _corners(parts: Sequence[Any]) -> Floats:
    return np.array([*product((0.0, 1.0), repeat=len(parts))])


def _slices(sizes: Sequence[int]) -> list[slice]:
    return [slice(start, end) for start, end in pairwise(accumulate(sizes, initial=0))]


@np.errstate(divide="ignore", invalid="ignore")
def _between_groups(
    least: Floats, most: Floats, is_sure: Bools, *, is_ratio: bool
) -> tuple[float, float, bool]:
    """The ends of a gap or ratio across groups, and whether it has a value whatever the labels are.

    It is farthest in the pair whose ends are. It is nearest where the ends of all groups that have
    a rate in any case are; of fewer than two such groups, with the nearest other.
    """
    # A ratio is the farther, the smaller it is.
    if is_ratio:
        farthest = -least[:, np.newaxis] / most
        nearest = -np.where(most[:, np.newaxis] == 0, 0, most[:, np.newaxis] / least)
    else:
        farthest, nearest = most[:, np.newaxis] - least, least[:, np.newaxis] - most
    nearest = np.maximum(np.fmax(nearest, nearest.T), -1.0 if is_ratio else 0.0)
    for each in (farthest, nearest):
        np.fill_diagonal(each, np.nan)
    sure, has_value = np.flatnonzero(is_sure), ~np.isnan(farthest).all()
    if not has_value:
        return np.nan, np.nan, False
    if len(sure) > 1:
        near = np.fmax.reduce(nearest[np.ix_(sure, sure)], axis=None)
    else:
        near = np.fmin.reduce(nearest[sure] if len(sure) else nearest, axis=None)
    far = np.fmax.reduce(farthest, axis=None)
    is_defined = len(sure) > 1 and (not is_ratio or bool((least[sure] > 0).any()))
    return (-far, -near, is_defined) if is_ratio else (near, far, is_defined)


@np.errstate(divide="ignore", invalid="ignore")
def _limits_of_pairs(
    least: Floats, most: Floats, is_sure: Bools, tails: tuple[float, float], *, is_ratio: bool
) -> tuple[float, float]:
    """The limits of a gap or ratio across groups, from the ends of their rates on draws.

    The bounds of all pairs hold together. Draws of the gap itself would not: chance sets equal
    groups apart, and once more in each draw.
    """
    between = np.divide if is_ratio else np.subtract
    others = len(least) - 1
    own = Tails(
        np.full(others, tails[0]),
        np.full(others, tails[1]),
        (np.full(others, 0.0 if is_ratio else -1.0), np.full(others, np.inf if is_ratio else 1.0)),
        np.full(others, is_ratio),
    )
    lower, upper = [], []
    for group in range(len(least) if others else 0):
        is_other = np.arange(len(least)) != group
        low, _ = percentiles(between(least[group], most[is_other]), own)
        _, high = percentiles(between(most[group], least[is_other]), own)
        both = is_sure[group] & is_sure[is_other]
        # The nearest values are those of groups that have a rate in any case.
        lower.append(low if is_ratio else np.where(both, low, np.nan))
        upper.append(np.where(both, high, np.nan) if is_ratio else high)
    if not lower:
        return np.nan, np.nan
    farther = np.fmin if is_ratio else np.fmax
    return farther.reduce(lower, axis=None), farther.reduce(upper, axis=None)


def _ways_of_odds(parts: Mapping[tuple[str, str], _Part], *, are_whole: bool) -> Floats:
    """The ways in which the mean of true and false positive rates of either side may be farthest.

    It is convex in the positive ones among the rejected, and concave among the accepted.
    """
    of_sides = []
    for side in (a.name, d.name):
        accepted, rejected = parts[side, "accepted"], parts[side, "rejected"]
        found = []
        for x, k in product((accepted.least, accepted.most), (rejected.least, rejected.most)):
            tp, fp = accepted.positive + x, accepted.negative + accepted.missing - x
            fn, tn = rejected.positive + k, rejected.negative + rejected.missing - k
            known_fn, known_tn = rejected.positive, rejected.negative
            rows_p, rows_n = tp + known_fn, fp + known_tn + rejected.missing
            inner_k = _farthest(np.sqrt(tp), np.sqrt(fp), rows_n, rows_p)
            all_p = accepted.positive + fn
            all_n = accepted.negative + accepted.missing + tn
            inner_x = _farthest(np.sqrt(fn), np.sqrt(tn), all_n, all_p)
            found += [(x, k), *((x, each) for each in _whole(inner_k, are_whole=are_whole))]
            found += [(each, k) for each in _whole(inner_x, are_whole=are_whole)]
        own = [
            [_way(accepted, x) for x, _ in found],
            [_way(rejected, k) for _, k in found],
        ]
        of_sides.append(np.moveaxis(np.array(own), -1, 0))  # place, decision, candidate
    of_a, of_d = (np.swapaxes(each, 1, 2) for each in of_sides)
    pairs = np.broadcast_shapes(of_a[:, :, np.newaxis].shape, of_d[:, np.newaxis].shape)
    both = [np.broadcast_to(each, pairs) for each in (of_a[:, :, np.newaxis], of_d[:, np.newaxis])]
    return np.concatenate(both, axis=-1).reshape(pairs[0], pairs[1] * pairs[2], len(_PARTS))


def _farthest(up: Floats, down: Floats, above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        number: Floats = (above * up - below * down) / (up + down)
    return number


def _whole(number: Floats, *, are_whole: bool) -> list[Floats]:
    return [np.floor(number), np.ceil(number)] if are_whole else [number]


def _way(part: _Part, number: Floats) -> Floats:
    """How far a number of positive ones is from the least to the most."""
    width = part.most - part.least
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(np.where(width > 0, np.nan_to_num((number - part.least) / width), 0), 0, 1)


def _share(positive: Floats, negative: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Floats = positive / (positive + negative)
    return share


def _added(values: Floats, numbers: Ints) -> Floats:
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, *values.shape[1:]))
    np.add.at(sums, numbers, values)
    return sums


def _pools(counts: LevelCounts, keys: Sequence[str], known: Any) -> Floats:
    """The rows whose labels say how often others are positive, numbered for each row.

    Bands of numbers with few labels are merged with the next ones, and what is left with the last.
    Where no label is known, numbers are negative.
    """
    pool = np.arange(len(counts.place))
    key = counts.keys[keys[0]] if len(keys) == 1 else None
    # Of 0 and 1, neither is a band beside the other.
    if (
        key is not None
        and key.dtype.is_numeric()
        and not key.cast(pl.Float64).is_in([0.0, 1.0]).all()
    ):
        values = key.to_numpy()
        for start, end in pairwise(counts.ends):
            rows = start + np.argsort(values[start:end], kind="stable")
            numbers, number, seen = [], 0, 0.0
            for labels in known[rows]:
                numbers.append(number)
                seen += labels
                if seen >= _FEWEST:
                    number, seen = number + 1, 0.0
            pool[rows] = start + np.minimum(numbers, max(number - 1, 0))
    return np.where(_added(known, pool)[pool] > 0, pool, -1.0 - pool)
