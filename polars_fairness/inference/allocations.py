"""How far rows of unknown group could move a value: counts for each way to give them to sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import (
    CLUSTER,
    added_up,
    finest,
    squared,
    tallied,
    with_columns_of,
    with_finest_counts,
)
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.arrays import Floats, Ints
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.bootstrap import Progress, drawn_bounds, group_by_level
from polars_fairness.inference.draws import (
    Drawing,
    digest,
    drawable,
    places_at_once,
    stream_names,
)
from polars_fairness.inference.jackknife import jackknifed, values_left, with_parts
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import Rows
from polars_fairness.values.evaluate import place_keys
from polars_fairness.values.lines import BOUNDS, METRIC, REASON, VALUE, Lines
from polars_fairness.values.replicated_counts import WITHOUT_D, LevelCounts, Tables, level_values

WAY: Final = "way\x1f"
"""The number of a way to give unknown rows to sides; no column of a caller has such a name."""

ENDS: Final = ("lowest", "highest")
LIMITS: Final = ("lower end\x1f", "upper end\x1f")
IS_KNOWN, IS_DEFINED, WHY = "is known\x1f", "is defined\x1f", "why\x1f"

_ROW: Final = "row\x1f"
_UNKNOWN: Final = "unknown\x1f"
_OTHERS: Final = "others\x1f"
_ROUNDING: Final = 1e-9

# How much of the unknown rows of an outcome goes to d, and to a: all of them, and single rows. One
# row may be all that gives a side a value.
_PARTS: Final = np.array([((1, 0), (0, 0), (0, 1), (1, -1)), ((0, 0), (1, 0), (1, -1), (0, 1))])


@dataclass(frozen=True)
class Allocations:
    """The counts of comparisons, and those of the rows of unknown group that sides could have.

    Where side a holds side d, they are given to d or to the rest. ``single`` has what the lightest
    row of an outcome counts. Each of the ``ways`` has, for each of the finest counts, a place in
    the parts of its rows; ways that divide no outcome come first.
    """

    roles: Roles
    counts: LevelCounts
    unknown: Mapping[str, Floats]
    unknown_by_cluster: Mapping[str, Floats]
    single: Mapping[str, Floats]
    ways: Ints

    @classmethod
    def from_cells(cls, cells: pl.DataFrame, roles: Roles) -> Allocations:
        """The allocations of a question, from the cells of complete rows."""
        roles = roles.without_sums  # which no metric with bounds needs
        counts, place = Tables(cells, roles).at(COMPARISON), place_keys(roles)
        no_group = with_finest_counts(cells.lazy().filter(pl.col("value").is_null()), roles)
        clusters = [name for name in cells.columns if name == CLUSTER]
        table = collected(added_up(no_group, [*place, *clusters], _UNKNOWN, roles))
        # What the lightest row of each outcome counts: the least that may give a side a value.
        # Cells that were kept, and those of classes, which are differences, do not say so of
        # unequal weights.
        least = pl.lit(1.0)
        if roles.is_weighted:
            least = pl.col(LOWEST_WEIGHT)
            if roles.has_squares or LOWEST_WEIGHT not in no_group.collect_schema():
                n, weight = pl.col("n"), pl.col("weight")
                are_equal = n * pl.col("weight_sq") <= weight**2 * (1 + _ROUNDING)
                least = pl.when(are_equal).then(weight / n)
        of_outcomes = [(count, least.filter(pl.col(count) > 0)) for count in finest(roles)]
        lightest = collected(
            no_group.group_by(place).agg(
                pl.when(each.null_count() == 0).then(each.min()).alias(count)
                for count, each in of_outcomes
            )
        )
        names = [f"{_UNKNOWN}.{name}" for name in tallied(roles)]
        unknown = LevelCounts.of_table(table, place, [], names)
        places = unknown.places.with_row_index(_ROW)
        placed = with_columns_of(
            counts.places.select(place), places.join(lightest, on=place, nulls_equal=True), place
        )
        at = placed[_ROW].fill_null(places.height).to_numpy()
        added, by_cluster = (
            {
                name.partition(".")[2]: np.append(each, np.zeros((1, *each.shape[1:])), axis=0)[at]
                for name, each in columns.items()
            }
            for columns in (unknown.columns, unknown.by_cluster)
        )
        single = {count: placed[count].cast(pl.Float64).to_numpy() for count in finest(roles)}
        ways = sorted(
            product(range(_PARTS.shape[1]), repeat=len(single)), key=lambda way: max(way) > 1
        )
        return cls(roles, counts, added, by_cluster, single, np.array(ways))

    def ranges(self, metrics: Mapping[str, Metric]) -> list[Any]:
        """Both ends of each metric and comparison, the first way to them, and what is known of it.

        Where a value may be farthest with a single row of unknown weight on a side, none is known.
        It is defined if no way leaves it without a value.
        """
        at_once = [*places_at_once(self.counts.ends, len(self.ways))] or [slice(0, 0)]
        parts = [[*self._ranges(metrics, places)] for places in at_once]
        return [np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)]

    def _ranges(self, metrics: Mapping[str, Metric], places: slice) -> Iterator[Any]:
        columns = self._given(places, np.arange(len(self.ways))[np.newaxis])
        of_d, of_a = (
            np.sum([columns[f"{side.name}.{count}"] for count in self.single], axis=0)
            for side in (d, a)
        )
        if WITHOUT_D in columns:
            of_a = of_a + of_d * columns[WITHOUT_D][:, np.newaxis]
        rows, are_known = Rows(columns, [1] * len(of_d)), ~np.isnan(of_a + of_d)
        by_metric = level_values(rows, self.roles, COMPARISON, metrics)
        values = np.array([by_metric[name] for name in metrics]).reshape(len(metrics), *of_d.shape)
        values[:, ~(are_known & (of_d > 0) & (of_a > 0))] = np.nan
        is_known = np.tile(are_known.all(axis=1), (len(metrics), 1))
        is_defined = (~np.isnan(values) | ~are_known).all(axis=2)
        # A single row leads farthest only where a side has no value without it.
        values[~(is_known | is_defined)] = np.nan
        ends = np.stack([np.fmin.reduce(values, axis=2), np.fmax.reduce(values, axis=2)], axis=1)
        yield ends
        yield (values[:, np.newaxis] == ends[..., np.newaxis]).argmax(axis=3)
        yield is_known
        yield is_defined

    def _given(self, at: slice | Ints, ways: Ints) -> dict[str, Floats]:
        """The counts of some comparisons, with their unknown rows given in some ways."""
        columns = {name: each[at] for name, each in self.counts.columns.items()}
        for number, (count, one) in enumerate(self.single.items()):
            for side, parts in zip((d, a), _PARTS, strict=True):
                whole, single = np.moveaxis(parts[self.ways[ways, number]], -1, 0)
                for name, row in ((count, one), (squared(count), one**2)):
                    if name in self.unknown:
                        held = self.unknown[name][at, np.newaxis]
                        moved = whole * held + np.where(single, single * row[at, np.newaxis], 0.0)
                        of_side = f"{side.name}.{name}"
                        own = self.counts.columns[of_side][at, np.newaxis]
                        columns[of_side] = own + np.where(held > 0, moved, 0.0)
        return columns

    def _reached(self, numbers: Ints) -> LevelCounts:
        """The counts of some allocations, numbered by comparison and way, each a place."""
        at, way = np.divmod(numbers, len(self.ways))
        columns = {name: each.ravel() for name, each in self._given(at, way[:, np.newaxis]).items()}
        by_cluster = {name: each[at] for name, each in self.counts.by_cluster.items()}
        for number, count in enumerate(self.single) if by_cluster else ():
            for side, parts in zip((d, a), _PARTS, strict=True):
                whole = parts[self.ways[way, number], 0][:, np.newaxis]
                for name in {count, squared(count)} & self.unknown_by_cluster.keys():
                    by_cluster[f"{side.name}.{name}"] += whole * self.unknown_by_cluster[name][at]
        places = self.counts.places[at].with_columns(pl.Series(WAY, way))
        return LevelCounts(
            places, self.counts.keys[at], columns, [1] * len(numbers), by_cluster=by_cluster
        )

    def limits(
        self, metrics: Mapping[str, Metric], ends: Floats, ways: Ints, drawing: Drawing
    ) -> tuple[Floats, list[str | None]]:
        """The lower bound of the lowest and the upper of the highest values, or why there is none.

        No interval is known for ways with a single row on a side.
        """
        limits = np.full(ends.shape, np.nan)
        codes = np.arange(ends.shape[-1]) * len(self.ways) + ways
        are_whole = ~np.isnan(ends) & (ways < 2 ** len(self.single))
        place = {name: i for i, name in enumerate(metrics)}
        notes: dict[str, list[str | None]] = {}
        # Over clusters metrics of all outcomes are evaluated on the same counts.
        for alike in [metrics] if self.counts.by_cluster else group_by_level(metrics).values():
            own = [place[name] for name in alike]
            numbers = np.unique(codes[own][are_whole[own]])
            counts, reasons = self._reached(numbers), dict[str, list[str | None]]()
            if counts.by_cluster:
                # What each group of clusters moves in the values of these allocations.
                roles, whole = self.roles, with_parts(alike, self.roles)
                exact = level_values(counts.rows(counts.all_places), roles, COMPARISON, alike)
                values = {name: each[:, 0] for name, each in exact.items()}
                lines = Lines(counts.places, {VALUE: values})
                evaluate = partial(level_values, roles=roles, level=COMPARISON, metrics=whole)
                held = [(counts.places.columns, counts, evaluate)]
                left = values_left(held, roles, whole, lines)
                found = jackknifed(left, roles, alike, drawing, lines)
                bounds = {name: np.array([found[end][name] for end in BOUNDS]) for name in alike}
                reasons = found[REASON]
            else:
                bounds = self._drawn(counts, alike, drawing)
            for name, i in zip(alike, own, strict=True):
                at = np.where(are_whole[i], np.searchsorted(numbers, codes[i]), len(numbers))
                low, high = np.pad(bounds[name], ((0, 0), (0, 1)), constant_values=np.nan)[:, at]
                has_none = np.isnan(low) | np.isnan(high)
                limits[i] = np.minimum(low[0], ends[i, 0]), np.maximum(high[1], ends[i, 1])
                limits[i][has_none] = np.nan
                why = [*reasons.get(name, [None] * len(numbers)), None]
                notes[name] = [why[lowest] or why[highest] for lowest, highest in at.T]
        return limits, [note for name in metrics for note in notes[name]]

    def _drawn(
        self, counts: LevelCounts, metrics: Mapping[str, Metric], drawing: Drawing
    ) -> dict[str, Floats]:
        needs = {need for metric in metrics.values() for need in metric.needs}
        roles = self.roles.with_outcomes(needs)
        facets = {facet.name: facet for facet in roles.against_the_rest().facets}
        sides = counts.keys.select("facet", COMPARISON_KEY, *roles.reference_keys)
        digests = []
        for name, key, *found in sides.rows():
            facet = facets[name]
            group_a = found[0] if facet.finds_group else [*facet.favored, _OTHERS][0]
            digests.append((digest(group_a), digest([*facet.disfavored, key][0])))
        names = stream_names(COMPARISON, roles, counts.places, digests)
        held = counts.of_outcomes(COMPARISON, self.roles, roles)
        drawn = drawable(held, COMPARISON, roles, names)
        evaluate = partial(level_values, roles=roles, level=COMPARISON, metrics=metrics)
        progress = Progress(drawing.replicates * counts.ends[-1])
        bounds = drawn_bounds(drawn, evaluate, metrics, drawing, progress)
        return {name: np.clip(each, *metrics[name].range) for name, each in bounds.items()}


def ranged(
    cells: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing | None = None,
) -> pl.DataFrame:
    """The range of each metric in each comparison, a row for each, with the bounds of its ends.

    ``cells`` has the cells of complete rows. Without a drawing there are no bounds.
    """
    allocations = Allocations.from_cells(cells, roles)
    ends, ways, are_known, are_defined = allocations.ranges(metrics)
    places = allocations.counts.places
    limits, notes = np.full(ends.shape, np.nan), None
    if drawing is not None:
        limits, notes = allocations.limits(metrics, ends, ways, drawing)
    numbers = (*ends.swapaxes(0, 1), *limits.swapaxes(0, 1), are_known, are_defined)
    columns = zip((*ENDS, *LIMITS, IS_KNOWN, IS_DEFINED), numbers, strict=True)
    return pl.concat([places.clear(), *[places] * len(metrics)]).with_columns(
        pl.Series(METRIC, np.repeat([*metrics], places.height), pl.String),
        *(pl.Series(name, each.ravel(), nan_to_null=True) for name, each in columns),
        pl.Series(WHY, notes or [None] * are_known.size, pl.String),
    )
