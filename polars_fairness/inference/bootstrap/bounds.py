"""Bootstrapped bounds: percentiles of the values that metrics have on drawn counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap.draws import Drawing, places_at_once
from polars_fairness.inference.bootstrap.percentiles import Floats, percentiles
from polars_fairness.inference.bootstrap.tasks import Progress, Task, drawn_values, tasks_of
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.question.roles import Roles


def bootstrapped(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Compute bounds by the bootstrap: pairs of key columns, and a table of these with bounds."""
    tasks = tasks_of(cells, scored, roles, metrics)
    progress = Progress(drawing.replicates * sum(task.counts.table.height for task in tasks))
    for task in tasks:
        bounds = _bounds(task, drawing, progress)
        yield task.keys, task.counts.places.with_columns(bounds)


def _bounds(task: Task, drawing: Drawing, progress: Progress) -> Iterator[pl.Series]:
    """Draw the counts, evaluate the formulas on each draw, and take percentiles of the values."""
    bounds = {name: np.empty((2, len(task.counts.rows))) for name in task.metrics}
    for places in places_at_once(task.counts.ends, drawing.replicates):
        values = drawn_values(task.counts, task.evaluate, task.metrics, places, drawing, progress)
        for name, of_places in values.items():
            rows = task.counts.rows[places]
            bounds[name][:, places] = percentiles(of_places, rows, drawing.confidence)
    for name, of_metric in _adjusted(bounds, task):
        for bound, series in zip(bound_names(name), of_metric, strict=True):
            yield pl.Series(f"metric.{bound}", series).fill_nan(None)


def _adjusted(bounds: Mapping[str, Floats], task: Task) -> Iterator[tuple[str, Floats]]:
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
