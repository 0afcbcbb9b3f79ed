"""How far values could move with labels that are missing: counts completed by an assumption.

Of the unlabelled rows of each side and decision, a least and a most could be positive. Metrics move
one way in each of these four numbers, so that they are farthest at corners; of
`average_odds_difference`, extremes inside have a closed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.counts import squared
from polars_fairness.formula.levels import COMPARISON, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.allocations import ENDS, IS_DEFINED, LIMITS
from polars_fairness.inference.bootstrap import drawn_bounds
from polars_fairness.inference.deviations import Floats, Ints
from polars_fairness.inference.draws import Drawing, Draws
from polars_fairness.inference.missing_labels import LABELLED, UNLABELLED, PartlyLabelled
from polars_fairness.question.completing import Assumption
from polars_fairness.values.by_key import Rows
from polars_fairness.values.formula_checks import moves_one_way, reads_all_labels
from polars_fairness.values.lines import METRIC, VALUE
from polars_fairness.values.replicated_counts import WITHOUT_D, LevelCounts, level_values

HOLDS_FROM: Final = "holds_from"

_POOL: Final = " pool\x1f"
_FEWEST: Final = 100
"""Rows with a label that say how often others are positive; bands of fewer are merged."""

_PARTS: Final = [*product((a.name, d.name), LABELLED)]
_CORNERS: Final = np.array([*product((0.0, 1.0), repeat=len(_PARTS))])
_STEPS: Final = 20


def has_range(metric: Metric) -> bool:
    """Whether it is known how far missing labels could move a metric."""
    if metric.parsed.level != COMPARISON or not reads_all_labels(metric):
        return False
    return _is_of_odds(metric) or moves_one_way(metric)


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


@dataclass(frozen=True)
class Completions:
    """The counts of comparisons, or of their strata, whose missing labels are completed."""

    partly: PartlyLabelled
    draws: Draws
    sides: Sequence[str]

    @classmethod
    def from_counts(cls, partly: PartlyLabelled) -> Completions:
        """Those of comparisons; with strata, labels are completed in each, and added up."""
        strata = partly.roles.strata
        level = STRATUM if strata else COMPARISON
        draws = partly.draws(level)
        counts = draws.counts
        pools = {
            f"{side}.{decision}{_POOL}": _pools(
                counts, strata.keys, sum(counts.columns[f"{side}.{n}"] for n in names)
            )
            for side in level.counted_names
            for decision, names in LABELLED.items()
        }
        counts = replace(counts, columns={**counts.columns, **pools})
        return cls(partly, replace(draws, counts=counts), level.counted_names)

    def ranges(
        self,
        metrics: Mapping[str, Metric],
        edges: Mapping[str, Sequence[float]],
        assumption: Assumption,
        drawing: Drawing | None,
    ) -> pl.DataFrame:
        """The range of each metric in each comparison, a row for each, and from when it holds."""
        counts = self.draws.counts
        rows, places = counts.rows(counts.all_places), counts.places
        tables = [places.clear()]
        at_random = self._parts(rows, Assumption("random"))
        for name, metric in metrics.items():
            own = {name: metric}
            lowest, highest, ways, is_defined = self._ends(rows, own, assumption)
            limits = np.full((2, len(lowest)), np.nan)
            if drawing is not None and len(lowest):
                limits = self._limits(own, assumption, ways, drawing)
                limits = np.array([np.fmin(limits[0], lowest), np.fmax(limits[1], highest)])
                limits[:, ~is_defined] = np.nan
            [value] = self._values(at_random, rows, own, np.zeros((len(lowest), 1, 4))).T
            is_known = np.all([part.least == part.most for part in at_random.values()], axis=0)
            holds_from = self._holds_from(rows, own, edges.get(name))
            numbers = (lowest, highest, *limits, np.where(is_known, value, np.nan), holds_from)
            tables.append(
                places.with_columns(
                    *(
                        pl.Series(column, each, nan_to_null=True)
                        for column, each in zip(
                            (*ENDS, *LIMITS, VALUE, HOLDS_FROM), numbers, strict=True
                        )
                    ),
                    pl.Series(IS_DEFINED, is_defined),
                    pl.lit(name).alias(METRIC),
                )
            )
        return pl.concat(tables, how="diagonal")

    def _parts(
        self, rows: Rows, assumption: Assumption, low: Floats | None = None
    ) -> dict[tuple[str, str], _Part]:
        """Each side and decision of each place; ``low`` is that of the assumption by place."""
        starts = np.cumsum([0, *rows.sizes[:-1]])
        least = assumption.low if low is None else np.repeat(low, rows.sizes)
        rates: dict[tuple[str, str], Any] = {}
        counts: dict[tuple[str, str], list[Floats]] = {}
        for part, (own, decision) in zip(_PARTS, product(self.sides, LABELLED), strict=True):
            names = (*LABELLED[decision], f"{decision}{UNLABELLED}")
            pools = rows.columns[f"{own}.{decision}{_POOL}"]
            # Where no row has a label, none is drawn either.
            counts[part] = [
                (rows.columns[f"{own}.{name}"].T * np.logical_or(pools >= 0, name == names[-1])).T
                for name in names
            ]
            _, pool = np.unique(pools, return_inverse=True)
            positive, negative = (_added(each, pool)[pool] for each in counts[part][:2])
            with np.errstate(divide="ignore", invalid="ignore"):
                rates[part] = positive / (positive + negative)
        found = {}
        for part, own_counts in counts.items():
            rate = rates[part]
            if assumption.kind == "times":
                rate = np.where(np.isnan(rate), rates[part[0], "accepted"], rate)
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

    def _values(
        self,
        parts: Mapping[tuple[str, str], _Part],
        rows: Rows,
        metrics: Mapping[str, Metric],
        ways: Floats,
    ) -> Floats:
        """The value of one metric in each place, by ways: how far each part is from its least."""
        columns: dict[str, Floats] = {}
        starts = np.cumsum([0, *rows.sizes[:-1]])
        sizes: dict[str, Any] = {}
        for number, (side, decision) in enumerate(_PARTS):
            part, way = parts[side, decision], ways[..., number]
            held = [getattr(part, name) for name in _Part.__dataclass_fields__]
            positive, negative, missing, least, most = (
                each if each.ndim > 1 else each[:, np.newaxis] for each in held
            )
            added = least + way * (most - least)
            yes, no = (f"{side}.{count}" for count in LABELLED[decision])
            columns |= {yes: positive + added, no: negative + missing - added}
            sizes[side] = sizes.get(side, 0) + columns[yes] + columns[no]
        roles = self.partly.roles
        for side, own in zip((a.name, d.name), self.sides, strict=True):
            for count in map(squared, ("tp", "fp", "fn", "tn") if roles.is_weighted else ()):
                known = np.add.reduceat(rows.columns[f"{own}.{count}"], starts, axis=0)
                columns[f"{side}.{count}"] = known
        if WITHOUT_D in rows.columns:
            columns[WITHOUT_D] = rows.columns[WITHOUT_D][starts]
            sizes[a.name] = sizes[a.name] + sizes[d.name] * columns[WITHOUT_D][:, np.newaxis]
        held_rows = Rows(columns, [1] * len(starts))
        [values] = level_values(held_rows, roles, COMPARISON, metrics).values()
        values = np.broadcast_to(values, np.broadcast_shapes(values.shape, ways.shape[:2])).copy()
        has_both = np.broadcast_to((sizes[a.name] > 0) & (sizes[d.name] > 0), values.shape)
        values[~has_both] = np.nan
        return values

    def _ends(
        self,
        rows: Rows,
        metrics: Mapping[str, Metric],
        assumption: Assumption,
        low: Floats | None = None,
    ) -> tuple[Floats, Floats, Floats, Any]:
        """The lowest and highest value of a metric, the ways to them, and if all ways have one."""
        [metric] = metrics.values()
        parts = self._parts(rows, assumption, low)
        ways = np.broadcast_to(_CORNERS, (len(rows.sizes), *_CORNERS.shape))
        if _is_of_odds(metric):
            ways = _ways_of_odds(parts, are_whole=not self.partly.roles.is_weighted)
        values = self._values(parts, rows, metrics, ways)
        is_defined = ~np.isnan(values).any(axis=1)
        place = np.arange(len(values))
        lowest, highest = np.fmin.reduce(values, axis=1), np.fmax.reduce(values, axis=1)
        at = [(values == each[:, np.newaxis]).argmax(axis=1) for each in (lowest, highest)]
        return lowest, highest, np.stack([ways[place, each] for each in at]), is_defined

    def _limits(
        self,
        metrics: Mapping[str, Metric],
        assumption: Assumption,
        ways: Floats,
        drawing: Drawing,
    ) -> Floats:
        """The lower bound at the ways to the lowest values, and the upper at those to the highest.

        Labels are completed inside each draw of the six counts of each side.
        """
        limits = []
        for end, of_end in enumerate(ways):

            def evaluate(rows: Rows, of_end: Floats = of_end) -> dict[str, Floats]:
                own = of_end[rows.place : rows.place + len(rows.sizes), np.newaxis]
                parts = self._parts(rows, assumption)
                return dict.fromkeys(metrics, self._values(parts, rows, metrics, own))

            [bounds] = drawn_bounds(self.draws, evaluate, metrics, drawing).values()
            limits.append(bounds[end])
        [metric] = metrics.values()
        within: Floats = np.clip(limits, *metric.range)
        return within

    def _holds_from(
        self, rows: Rows, metrics: Mapping[str, Metric], edges: Sequence[float] | None
    ) -> Floats:
        """The smallest number of times, up to 1, from which on the verdict is one."""
        number = len(rows.sizes)
        if edges is None or not number:
            return np.full(number, np.nan)
        least, most = edges
        assumption = Assumption("times")

        def side(low: Floats) -> Any:
            """1 and -1 where all is above or below the band, 0 where all is in it; else NaN."""
            lowest, highest, _, is_defined = self._ends(rows, metrics, assumption, low)
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
    return np.concatenate(both, axis=-1).reshape(pairs[0], -1, len(_PARTS))


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


def _added(values: Floats, numbers: Ints) -> Floats:
    """The sums over the rows of each number."""
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, *values.shape[1:]))
    np.add.at(sums, numbers, values)
    return sums


def _pools(counts: LevelCounts, keys: Sequence[str], known: Any) -> Floats:
    """The rows whose labels say how often others are positive, numbered for each row.

    Bands of numbers with few labels are merged with the next ones, and what is left with the last.
    Where no label is known, numbers are negative.
    """
    pool = np.arange(len(counts.place))
    if len(keys) == 1 and counts.keys.schema[keys[0]].is_numeric():
        values = counts.keys[keys[0]].to_numpy()
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
