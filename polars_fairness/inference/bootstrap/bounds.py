"""Bounds of metrics: the counts of their level, drawn, evaluated and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap.counts import (
    counts_at,
    joint_counts,
    joint_values,
    values_of_sides,
)
from polars_fairness.inference.bootstrap.draws import DRAW, Drawable, Drawing, drawn
from polars_fairness.inference.bootstrap.percentiles import percentiles
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.progress import report_progress
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import keys_of, valued

Evaluate = Callable[[pl.LazyFrame], pl.LazyFrame]


@dataclass(frozen=True)
class _Task:
    """Counts to draw, the metrics that are evaluated on the draws, and how."""

    keys: list[str]
    counts: Drawable
    metrics: Mapping[str, Metric]
    evaluate: Evaluate


def bootstrapped(
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], drawing: Drawing
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Find the bounds of metrics: for each level its keys, and a table of these and the bounds."""
    tasks = list(_tasks(cells, roles, metrics))
    total = drawing.replicates * sum(task.counts.table.height for task in tasks)
    progress = _Progress(total)
    for task in tasks:
        bounds = _bounds(task, drawing, progress)
        yield task.keys, task.counts.places.with_columns(bounds)


def _tasks(cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric]) -> Iterator[_Task]:
    jointly = {name: metric for name, metric in metrics.items() if metric.is_joint}
    if jointly:
        counts, values = joint_counts(cells, roles)
        evaluate = partial(joint_values, values=values, roles=roles, metrics=jointly)
        yield _Task([*roles.windows.keys, "facet"], counts, jointly, evaluate)
    together: dict[tuple[Level, frozenset[str]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            # By what a metric needs: what the others of a call need does not change its draws.
            outcomes = frozenset(metric.needs) & {"label", "predicted"}
            together.setdefault((metric.parsed.level, outcomes), {})[name] = metric
    made_of = values_of_sides(cells, roles)
    for (level, outcomes), alike in together.items():
        needed = roles.with_outcomes(outcomes)
        evaluate = partial(valued, roles=needed, level=level, metrics=alike, keys=[DRAW])
        yield _Task(
            keys_of(level, roles), counts_at(level, cells, needed, made_of), alike, evaluate
        )


class _Progress:
    """How many rows of counts have been drawn, of all that are to be."""

    def __init__(self, total: int) -> None:
        self._done, self._total = 0, total
        report_progress(0, total)

    def advance(self, rows: int) -> None:
        self._done += rows
        report_progress(self._done, self._total)


def _bounds(task: _Task, drawing: Drawing, progress: _Progress) -> Iterator[pl.Series]:
    """Draw the counts, evaluate the formulas on every draw, and take the percentiles."""
    bounds = {name: np.empty((2, len(task.counts.rows))) for name in task.metrics}
    for places, tables in drawn(task.counts, drawing):
        rows, values = task.counts.rows[places], []
        for table in tables:
            values.append(collected(task.evaluate(table.lazy())))
            progress.advance(table.height)
        for name, of_metric in bounds.items():
            columns = (each[f"metric.{name}"].fill_null(np.nan).to_numpy() for each in values)
            of_place = np.hstack([column.reshape(len(rows), -1) for column in columns])
            of_metric[:, places] = percentiles(of_place, rows, drawing.confidence)
    for name, of_metric in bounds.items():
        for bound, series in zip(bound_names(name), of_metric, strict=True):
            yield pl.Series(f"metric.{bound}", series).fill_nan(None)
