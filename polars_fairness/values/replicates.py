"""The values of metrics on replicates of counts: arrays with a column for each replicate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.in_numpy import Layout
from polars_fairness.formula.levels import GROUP, GROUP_BY_SCORE, ROC, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import Expression, term
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import (
    Rows,
    formulas_of,
    formulas_of_measures,
    measured_by,
    measures_of,
    write_in_columns,
)

if TYPE_CHECKING:
    from polars_fairness.values.by_key import Values

_COUNTS: Final = ("negative", "positive")


def values_of(
    rows: Rows,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    settled: float | None = None,
) -> dict[str, Floats]:
    """The values of metrics on the rows of their level, NaN where they are null.

    Infinity minus infinity is ``settled`` by a number if there is one.
    """
    if level == GROUP_BY_SCORE:
        of_groups, formulas = _measured(rows, roles, metrics), formulas_of_measures(roles, metrics)
        return _numbers(of_groups.values(formulas, GROUP, roles.zero_division))
    formulas = formulas_of(metrics, level, roles)
    return _numbers(
        made_ready(rows, roles, level).values(formulas, level, roles.zero_division), settled
    )


def _numbers(values: Mapping[str, Values], settled: float | None = None) -> dict[str, Floats]:
    if settled is not None:
        values = {n: (np.where(np.isnan(v), settled, v), null) for n, (v, null) in values.items()}
    return {name: np.where(null, np.nan, value) for name, (value, null) in values.items()}


def made_ready(rows: Rows, roles: Roles, level: Level) -> Rows:
    """Rows of counts with what formulas of a level need beside these, or in their place."""
    if level.is_within_labels:
        # Rows with their shares of the rows of one label, on each side; null without any.
        assert rows.parts is not None
        order = np.argsort(rows.parts, kind="stable")
        starts = np.flatnonzero(np.diff(rows.parts[order], prepend=-1))
        shares = {}
        for side, n in zip(level.counted_names, _counts(rows, roles, level, "n"), strict=True):
            whole = np.add.reduceat(n[order], starts, axis=0)[rows.parts]
            shares[f"{side}.share"] = np.divide(
                n, whole, out=np.full(n.shape, np.nan), where=whole > 0
            )
        return replace(rows, columns={**rows.columns, **shares}, nullable=frozenset(shares))
    return _corner_intervals(rows, roles, level) if level == ROC else rows


def _measured(rows: Rows, roles: Roles, metrics: Mapping[str, Metric]) -> Rows:
    """The measures and counts of each group, from its rows in the order of scores."""
    assert rows.parts is not None
    starts = np.flatnonzero(np.diff(rows.parts, prepend=-1))
    place = np.repeat(np.arange(len(rows.sizes)), rows.sizes)[starts]
    groups = replace(rows, sizes=np.diff(starts, append=len(rows.parts)).tolist())
    formulas = measured_by(roles, measures_of(metrics))
    values = groups.values(formulas, GROUP_BY_SCORE, roles.zero_division)
    return Rows(
        _numbers(values),
        np.bincount(place, minlength=len(rows.sizes)).tolist(),
        nullable=frozenset(name for name, (_, null) in values.items() if null.any()),
    )


def numbers_on_rows(
    rows: Rows, roles: Roles, level: Level, numbers: Mapping[str, Expression]
) -> dict[str, Floats]:
    """Numbers on each row; the terms of all groups repeat on the rows of a place."""
    columns = dict(rows.columns)
    starts = np.cumsum([0, *rows.sizes[:-1]])
    [of_all] = [side.name for side in level.sums] if level == GROUP else [""]
    for name, each in rows.columns.items() if of_all else ():
        whole = f"{of_all}.{name.partition('.')[2]}"
        if whole not in rows.columns:
            columns[whole] = np.repeat(np.add.reduceat(each, starts, axis=0), rows.sizes, axis=0)
    alone = replace(rows, columns=columns, sizes=[1] * sum(rows.sizes))
    in_columns = write_in_columns(level, roles)
    formulas = {name: in_columns(each) for name, each in numbers.items()}
    return _numbers(alone.values(formulas, level, roles.zero_division))


def _counts(rows: Rows, roles: Roles, level: Level, *words: str) -> list[Floats]:
    names = [f"{side}.{word}" for word in words for side in level.counted_names]
    return [*numbers_on_rows(rows, roles, level, {name: term(name) for name in names}).values()]


def _corner_intervals(rows: Rows, roles: Roles, level: Level) -> Rows:
    """The intervals between the false positive rates at which one of two ROC curves has a corner.

    ``start`` and ``end`` of a side are its true positive rates at the ends of the interval. If one
    of four counts is 0, a curve is missing, and they are null.
    """
    places = np.arange(len(rows.sizes))
    of_rows = np.repeat(places, rows.sizes)[::-1]
    falling = Layout(rows.sizes[::-1])
    counts = [falling.shaped(each[::-1]) for each in _counts(rows, roles, level, *_COUNTS)]
    totals = [falling.total(each) for each in counts]
    have_curves = np.all([total > 0 for total in totals], axis=0)
    safe = [np.where(have_curves, total, np.inf) for total in totals]
    # Each curve rises from the highest score on, after (0, 0).
    fpr_a, fpr_d, tpr_a, tpr_d = (
        np.concatenate(
            [
                np.zeros((len(places), rows.replicates)),
                (falling.running_sum(each) / falling.repeated(total)).reshape(len(of_rows), -1),
            ]
        )
        for each, total in zip(counts, safe, strict=True)
    )
    place = np.tile(np.concatenate([places, of_rows]), 2)
    x, is_a = np.concatenate([fpr_a, fpr_d]), np.arange(len(place)) < len(fpr_a)
    # The corners of each curve rise, and keep their order where rates are equal. Only there, on
    # intervals without width, may a value be filled in from another place.
    order = np.argsort(x, axis=0, kind="stable")
    if len(places) > 1:
        order = np.take_along_axis(order, np.argsort(place[order], axis=0, kind="stable"), axis=0)
    x = np.take_along_axis(x, order, axis=0)
    width = np.clip(np.diff(x, axis=0, prepend=0.0), 0, None)
    columns = {"width": width}
    sizes = [2 * size + 2 for size in rows.sizes]
    are_curves = np.repeat(have_curves.reshape(len(places), -1)[::-1], sizes, axis=0)
    for side, tpr, own in zip(level.counted_names, (tpr_a, tpr_d), (is_a, ~is_a), strict=True):
        y = np.zeros(x.shape)
        y[own] = tpr
        end = _along_lines(x, np.take_along_axis(y, order, axis=0), own[order])
        start = np.concatenate([np.zeros((1, end.shape[1])), end[:-1]])
        for word, value in (("start", start), ("end", end)):
            columns[f"{side}.{word}"] = np.where(are_curves, value, np.nan)
    nullable = frozenset(columns) - {"width"} if not have_curves.all() else frozenset[str]()
    return Rows(columns, sizes, nullable=nullable)


def _along_lines(x: Floats, y: Floats, is_own: Any) -> Floats:
    """The rate of one side at the corners of both, along straight lines between its own."""
    row = np.arange(len(x))[:, np.newaxis]
    before = np.maximum.accumulate(np.where(is_own, row, 0), axis=0)
    after = np.minimum.accumulate(np.where(is_own, row, len(x) - 1)[::-1], axis=0)[::-1]
    (x0, y0), (x1, y1) = (
        [np.take_along_axis(each, at, axis=0) for each in (x, y)] for at in (before, after)
    )
    wide = x1 > x0
    share = np.divide(x - x0, x1 - x0, out=np.zeros(x.shape), where=wide)
    heights: Floats = y0 + share * (y1 - y0)
    return heights
