"""The lines of an audit, and what is known of each metric on them: arrays by column and metric.

A value, a bound, a p-value or a reason is a column: who computes it puts an array with an element
for each line under its name, and the long table of an answer has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.counts import with_columns_of, with_finest_counts
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.formula.levels import COMPARISON, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import (
    adds_up,
    as_windows_mean,
    is_meant,
    place_keys,
    presented,
    values_by_scores,
    values_jointly,
)
from polars_fairness.values.levels import keys_of
from polars_fairness.values.replicated_counts import Tables, level_values

VALUE, LOWER, UPPER, P_VALUE = ("value", "lower", "upper", "p_value")
BOUNDS: Final = (LOWER, UPPER)

METRIC: Final = "metric\x1f"
"""The column of the inner name of a metric."""

BOUNDS_OF_DIFFERENCE: Final = ("difference_lower", "difference_upper")
"""The bounds of a value less the value that it is compared with."""

BOUNDS_OF_SUM: Final = ("sum_lower\x1f", "sum_upper\x1f")
"""The bounds of the offset from the ideal plus the offset of the reference."""

CORRELATION: Final = "correlation\x1f"
"""The correlation of a value with the one that it is compared with."""

REFERENCE: Final = "reference\x1f"
"""Before the key of a window: the key of the window that it is compared with."""

REASON: Final = "reason\x1f"
"""Why a value has no interval."""

NOTE: Final = "note\x1f"
"""Anything unexpected about a value."""

UNLABELLED: Final = "unlabelled\x1f"
"""Which labels are not known, and so leave a value unknown."""

LABELS: Final = "labels\x1f"
"""Which labels are known, where a verdict depends on why the others are not."""

AT_RANDOM: Final = "at random\x1f"
"""The value if labels were missing at random, where there is no interval to compare it with."""

UNMEASURED: Final = "unmeasured\x1f"
"""What least squares say of a difference at equal controls."""

Columns = Mapping[str, Mapping[str, Any]]
"""By column and metric an array of numbers, or a list of anything else."""


class Found(NamedTuple):
    """Columns of metrics on some places, by the columns that tell these apart."""

    places: pl.DataFrame
    keys: Sequence[str]
    columns: Columns


_PLACE: Final = "place\x1f"
_SIZES: Final = {
    f"{side.name}.n": Metric(f"{side.name}.n", "", side.n, has_interval=False) for side in (d, a)
}


@dataclass(frozen=True)
class Lines:
    """Each comparison, and each place without one, in the order of answers, with what is known.

    ``table`` has their keys, their sides and their numbers of rows.
    """

    table: pl.DataFrame
    columns: dict[str, dict[str, Any]] = field(default_factory=dict)
    _places: dict[tuple[int, tuple[str, ...]], tuple[pl.DataFrame, Ints]] = field(
        default_factory=dict
    )

    def __len__(self) -> int:
        return self.table.height

    def places(self, places: pl.DataFrame, keys: Sequence[str]) -> Ints:
        """The number of the place of each line, by keys; that after the last where there is none.

        Tables of one call often have the same places, which are looked up once.
        """
        key = id(places), (*keys,)
        if key not in self._places:
            own, others = self.table[[*keys]], places[[*keys]]
            number = np.arange(len(self))
            if not own.equals(others):
                joined = with_columns_of(own, others.with_row_index(_PLACE), keys)
                number = joined[_PLACE].fill_null(places.height).to_numpy()
            self._places[key] = places, number
        return self._places[key][1]

    def put(self, found: Found) -> None:
        """Put columns of some places on their lines."""
        number = self.places(found.places, found.keys)
        for column, by_metric in found.columns.items():
            own = self.columns.setdefault(column, {})
            for name, values in by_metric.items():
                if isinstance(values, np.ndarray):
                    own[name] = np.append(values, np.nan)[number]
                else:
                    known = [*values, None]
                    own[name] = [known[i] for i in number.tolist()]

    def array(self, column: str, name: str) -> Floats:
        """The numbers of a metric in a column; NaN where there are none."""
        known = self.columns.get(column, {}).get(name)
        return np.full(len(self), np.nan) if known is None else known

    def first_values(self, name: str, places: pl.DataFrame, keys: Sequence[str]) -> Floats:
        """The value of a metric on the first line of each of these places."""
        line = np.full(places.height + 1, len(self))
        line[self.places(places, keys)[::-1]] = np.arange(len(self))[::-1]
        values: Floats = np.append(self.array(VALUE, name), np.nan)[line[:-1]]
        return values


def lines_of(
    places: pl.DataFrame,
    tables: Tables,
    roles: Roles,
    more: Iterable[str],
    compared: pl.DataFrame | None = None,
) -> Lines:
    """The lines of a question: all comparisons that are ``compared``, or those of the tables.

    They keep ``more`` columns of places.
    """
    keys = [*place_keys(roles), COMPARISON_KEY, *roles.reference_keys]
    if compared is None:
        counts = tables.at(COMPARISON, roles)
        rows = counts.rows(counts.all_places)
        sizes = level_values(rows, roles, COMPARISON, _SIZES)
        compared = counts.keys.select(keys).with_columns(
            pl.Series(name, each[:, 0]) for name, each in sizes.items()
        )
    on, beside = place_keys(roles), [*keys[len(place_keys(roles)) :], *_SIZES, *more]
    joined = with_columns_of(places.lazy(), compared.lazy(), on)
    shown = presented(joined, roles, (), beside)
    return Lines(collected(shown, is_cheap=places.height < WORTH_OPTIMISING))


def rows_of_smaller_sides(lines: Lines, tables: Tables, roles: Roles) -> Floats:
    """The number of rows of the smaller side of each line, whatever their weights."""
    if roles.is_weighted:
        tables = Tables(tables.cells.with_columns(weight="n", weight_sq="n"), roles)
    counts = tables.at(COMPARISON, roles)
    sizes = level_values(counts.rows(counts.all_places), roles, COMPARISON, _SIZES)
    smaller = np.fmin(*(each[:, 0] for each in sizes.values()))
    number = lines.places(counts.places, keys_of(COMPARISON, roles))
    rows: Floats = np.nan_to_num(np.append(np.round(smaller), np.nan)[number])
    return rows


def put_values(
    lines: Lines,
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[tuple[str, str], Metric],
) -> None:
    """Put the values of metrics, by column and name, on the lines; NaN where there is none.

    For scores, bounds may be computed from spans of these.
    """
    named = {f"{column}{name}": metric for (column, name), metric in metrics.items()}
    of_bounds = {f"{column}{name}" for column, name in metrics if column in BOUNDS}
    found = _values(lines, tables, scored, roles, named, of_bounds)
    if roles.zero_division is None:
        # Where a side has no rows, nothing is compared (`compared_apart`).
        lacks_side = (lines.table[[*_SIZES]].to_numpy() == 0).any(axis=1)
        for name, metric in named.items() if lacks_side.any() else ():
            if metric.has_sides:
                found[name] = np.where(lacks_side, np.nan, found[name])
    if roles.windows.made:
        own = [pl.Series(f"metric.{name}", each, nan_to_null=True) for name, each in found.items()]
        values = lines.table.lazy().with_columns(own)
        meant = collected(as_windows_mean(values, tables.cells.lazy(), roles, named))
        found = {n: meant[f"metric.{n}"].fill_null(np.nan).to_numpy() for n in found}
    for (column, name), key in zip(metrics, named, strict=True):
        lines.columns.setdefault(column, {})[name] = found[key]


def _values(
    lines: Lines,
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    bounds: Collection[str],
) -> dict[str, Floats]:
    found: dict[str, Floats] = {}
    by_level: dict[Level, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            by_level.setdefault(metric.parsed.level, {})[name] = metric
    added_up = {level: own for level, own in by_level.items() if adds_up(level)}
    tables.make(added_up)
    for level, own in added_up.items():
        counts = tables.at(level, roles)
        rows, settled = counts.rows(counts.all_places), roles.zero_division
        number = lines.places(counts.places, keys_of(level, roles))
        for name, each in level_values(rows, roles, level, own, settled).items():
            found[name] = np.append(each[:, 0], np.nan)[number]
    by_score = {level: own for level, own in by_level.items() if level.is_by_score}
    for keys, table in values_by_scores(scored, roles, by_score, bounds):
        found |= _on_lines(lines, collected(table.lazy()), keys, roles)
    if joint := {name: metric for name, metric in metrics.items() if metric.is_joint}:
        is_joint = (lines.table["facet"] == roles.joint_facet).to_numpy()
        cells = with_finest_counts(tables.cells.lazy(), roles)
        for of_windows in values_jointly(cells, roles, joint):
            own_values = _on_lines(lines, of_windows, roles.windows.keys, roles)
            found |= {name: np.where(is_joint, each, np.nan) for name, each in own_values.items()}
    return found


def _on_lines(
    lines: Lines, table: pl.DataFrame, keys: Sequence[str], roles: Roles
) -> dict[str, Floats]:
    number = lines.places(table, keys) if keys else np.zeros(len(lines), np.int64)
    found: dict[str, Floats] = {}
    for each in table:
        if each.name.startswith("metric."):
            # Infinity minus infinity is the only NaN that a formula gives.
            settled = each if roles.zero_division is None else each.fill_nan(roles.zero_division)
            values = settled.cast(pl.Float64).fill_null(np.nan).to_numpy()
            found[each.name.removeprefix("metric.")] = np.append(values, np.nan)[number]
    return found


def are_meant(lines: Lines, metric: Metric, roles: Roles) -> Bools:
    """Which lines a metric is about: those of all facets together, and of classes, or others."""
    meant = np.full(len(lines), True)
    if roles.are_joint:
        meant = (lines.table["facet"] == roles.joint_facet).to_numpy() == metric.is_joint
    if roles.windows.has_classes:
        meant &= lines.table.select(is_meant(metric, roles)).to_series().to_numpy()
    return meant


def ends(value: Floats, lower: Floats, upper: Floats, are_known: Bools) -> tuple[Floats, Floats]:
    """The bounds of values, which contain these; NaN without both."""
    has_both = are_known & ~np.isnan(lower) & ~np.isnan(upper)
    low, high = np.fmin(lower, value), np.fmax(upper, value)
    return np.where(has_both, low, np.nan), np.where(has_both, high, np.nan)
