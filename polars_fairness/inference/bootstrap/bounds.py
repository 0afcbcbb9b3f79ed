"""Bootstrapped bounds: percentiles of the values that metrics have on drawn counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap.counts import (
    counts_at,
    drawable,
    joint_counts,
    joint_values,
    level_values,
    side_digests,
)
from polars_fairness.inference.bootstrap.draws import Drawable, Drawing, drawn, undrawn
from polars_fairness.inference.bootstrap.percentiles import Floats, percentiles
from polars_fairness.inference.bootstrap.spans import in_spans
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.progress import report_progress
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import keys_of, measures_of

Evaluate = Callable[[pl.LazyFrame], pl.LazyFrame]


@dataclass(frozen=True)
class _Task:
    """Counts to draw, and the metrics to evaluate on each draw.

    For metrics of scores, ``exact`` has the values on the counts by score, also where counts by
    span are drawn in place of these.
    """

    keys: list[str]
    counts: Drawable
    metrics: Mapping[str, Metric]
    evaluate: Evaluate
    exact: pl.DataFrame | None = None

    def values(self) -> pl.DataFrame:
        """The values on the counts as they are, a row for each place."""
        return collected(self.evaluate(undrawn(self.counts).lazy()))


def bootstrapped(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Compute bounds by the bootstrap: pairs of key columns, and a table of these with bounds."""
    of_scores = {name: each for name, each in metrics.items() if each.parsed.level.is_by_score}
    of_cells = {name: each for name, each in metrics.items() if name not in of_scores}
    tasks = list(_tasks(cells, roles, of_cells))
    if of_scores:
        # Once for all thresholds, at which scores are the same.
        tasks += _tasks(collected(scored), roles.of_scores, of_scores)
    total = drawing.replicates * sum(task.counts.table.height for task in tasks)
    progress = _Progress(total)
    for task in tasks:
        bounds = _bounds(task, drawing, progress)
        yield task.keys, task.counts.places.with_columns(bounds)


def _tasks(cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric]) -> Iterator[_Task]:
    joint_metrics = {name: metric for name, metric in metrics.items() if metric.is_joint}
    if joint_metrics:
        counts, values = joint_counts(cells, roles)
        evaluate = partial(joint_values, values=values, roles=roles, metrics=joint_metrics)
        yield _Task([*roles.windows.keys, "facet"], counts, joint_metrics, evaluate)
    others: dict[tuple[Level, frozenset[str]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            # By the outcomes that a metric needs: the other metrics do not change its draws.
            outcomes = frozenset(metric.needs) & {"label", "predicted"}
            others.setdefault((metric.parsed.level, outcomes), {})[name] = metric
    digests = side_digests(cells, roles)
    for (level, outcomes), at_level in others.items():
        needed = roles.with_outcomes(outcomes)
        table = counts_at(level, cells, needed)
        evaluate = partial(level_values, roles=needed, level=level, metrics=at_level)
        drawn_counts = drawable(table, level, needed, digests)
        task = _Task(keys_of(level, roles), drawn_counts, at_level, evaluate)
        yield _of_scores(task, table, needed, level, digests) if level.is_by_score else task


def _of_scores(
    whole: _Task, counts: pl.DataFrame, roles: Roles, level: Level, digests: pl.DataFrame
) -> _Task:
    """The task with spans of scores in place of scores, where these are too many to draw."""
    whole = replace(whole, exact=whole.values())
    bins = {each.bins for each in measures_of(whole.metrics) if each.bins is not None}
    spans, of_spans = in_spans(counts, roles, level, sorted(bins))
    if spans is counts:
        return whole
    return replace(
        whole,
        counts=drawable(spans, level, of_spans, digests),
        evaluate=partial(level_values, roles=of_spans, level=level, metrics=whole.metrics),
    )


class _Progress:
    """Reports how many rows of counts have been drawn, of all to be drawn."""

    def __init__(self, total: int) -> None:
        self._done, self._total = 0, total
        report_progress(0, total)

    def advance(self, rows: int) -> None:
        self._done += rows
        report_progress(self._done, self._total)


def _bounds(task: _Task, drawing: Drawing, progress: _Progress) -> Iterator[pl.Series]:
    """Draw the counts, evaluate the formulas on each draw, and take percentiles of the values."""
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
    for name, of_metric in _adjusted(bounds, task):
        for bound, series in zip(bound_names(name), of_metric, strict=True):
            yield pl.Series(f"metric.{bound}", series).fill_nan(None)


def _adjusted(bounds: Mapping[str, Floats], task: _Task) -> Iterator[tuple[str, Floats]]:
    """Lower the lower bounds of distances of scores, and add what spans change in the values.

    Chance moves a distance up only, such as a largest miscalibration: once in the data, and once
    more in each draw. So the lower bound is at least as far below the value as the upper bound is
    above it. Of 200 intervals of 500 rows, 2 held the true `miscalibration` without this, and 186
    with it; 183 and 191 held `score_ks`. Bias-corrected percentiles of `abroca` held 79 of 100.
    """
    if task.exact is None:
        yield from bounds.items()
        return
    values = task.values()
    for name, of_metric in bounds.items():
        metric = task.metrics[name]
        exact, value = (each[f"metric.{name}"].to_numpy() for each in (task.exact, values))
        lower, upper = of_metric
        with np.errstate(invalid="ignore"):  # infinity less infinity
            mirrored, change = 2 * value - upper, exact - value
        lowered = np.fmin(lower, mirrored) if metric.ideal == metric.range[0] else lower
        change = np.nan_to_num(change, posinf=0.0, neginf=0.0)
        yield name, np.clip(np.array([lowered, upper]) + change, *metric.range)
