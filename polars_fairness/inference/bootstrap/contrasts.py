"""Bootstrapped bounds of differences: draws of each place less draws of its reference place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from polars_fairness.formula.arithmetic import difference
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap.draws import Drawable, Drawing, places_at_once
from polars_fairness.inference.bootstrap.percentiles import Floats, percentiles
from polars_fairness.inference.bootstrap.tasks import (
    Evaluate,
    Progress,
    Task,
    drawn_values,
    tasks_of,
)
from polars_fairness.inference.bound_names import DIFFERENCE, FARTHER, REFERENCE, bound_names
from polars_fairness.question.roles import Roles


@dataclass(frozen=True)
class _Pairs:
    """Places of a task, and the reference place of each on the same line.

    For metrics of scores, the shifts are what spans of scores change in the values of both.
    """

    places: pl.DataFrame
    here: Drawable
    there: Drawable
    of_reference: Evaluate
    shifts_here: Mapping[str, Floats]
    shifts_there: Mapping[str, Floats]


def contrasted(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    references: pl.DataFrame,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Compute the bounds of differences and of distances from the ideal less the reference's.

    ``references`` has the keys of windows, and the keys of the window that is the reference of
    each. Under two models the rows are the same, and so are the draws; all else is independent.
    """
    paired = replace(roles, is_paired=roles.champion is not None)
    tasks = tasks_of(cells, scored, paired, metrics)
    pairs = [_pairs(task, roles, references) for task in tasks]
    heights = (each.here.table.height + each.there.table.height for each in pairs)
    progress = Progress(drawing.replicates * sum(heights))
    for task, pair in zip(tasks, pairs, strict=True):
        yield task.keys, pair.places.with_columns(_bounds(task, pair, drawing, progress))


def _pairs(task: Task, roles: Roles, references: pl.DataFrame) -> _Pairs:
    counts = task.counts
    if task.of_champion is not None:
        return _Pairs(counts.places, counts, counts, task.of_champion, {}, {})
    windows = [key for key in roles.windows.keys if key in task.keys]
    renamed = {f"{REFERENCE}{key}": key for key in windows}
    wanted = references.select(*windows, *renamed).unique(maintain_order=True)
    # Another group may be side a there. At several thresholds there may be several such groups, for
    # which scores are drawn once: then only those of the same group are compared.
    apart = [] if roles.windows.has_thresholds else roles.reference_keys
    same = [key for key in task.keys if key not in apart]
    numbered = counts.places.with_row_index("here")
    sought = numbered.join(wanted, on=windows, nulls_equal=True, maintain_order="left")
    found = (
        sought.drop(windows)
        .rename(renamed)
        .join(
            counts.places.with_row_index("there"),
            on=same,
            nulls_equal=True,
            maintain_order="left",
        )
    )
    here, there = found["here"].to_list(), found["there"].to_list()
    shifts = {} if task.exact is None else _shifts(task, task.exact)
    return _Pairs(
        counts.places[here],
        counts.at(here),
        counts.at(there),
        task.evaluate,
        {name: shift[here] for name, shift in shifts.items()},
        {name: shift[there] for name, shift in shifts.items()},
    )


def _shifts(task: Task, exact: pl.DataFrame) -> dict[str, Floats]:
    """The values on counts by score less the values on counts by span, of each place."""
    of_spans, shifts = task.values(), {}
    for name in task.metrics:
        by_score, by_span = (each[f"metric.{name}"].to_numpy() for each in (exact, of_spans))
        with np.errstate(invalid="ignore"):  # infinity less infinity
            shifts[name] = np.nan_to_num(by_score - by_span, posinf=0.0, neginf=0.0)
    return shifts


def _bounds(task: Task, pairs: _Pairs, drawing: Drawing, progress: Progress) -> Iterator[pl.Series]:
    counts, metrics = pairs.here, task.metrics
    bounds = {
        f"{name}{kind}": np.full((2, len(counts.rows)), np.nan)
        for name in metrics
        for kind in (DIFFERENCE, FARTHER)
    }
    ends = np.add(pairs.here.ends, pairs.there.ends).tolist()
    rows = np.minimum(pairs.here.rows, pairs.there.rows).tolist()
    for places in places_at_once(ends, drawing.replicates):
        values = drawn_values(pairs.here, task.evaluate, metrics, places, drawing, progress)
        references = drawn_values(
            pairs.there, pairs.of_reference, metrics, places, drawing, progress
        )
        for name, metric in metrics.items():
            for drawn, shifts in (
                (values, pairs.shifts_here),
                (references, pairs.shifts_there),
            ):
                if name in shifts:
                    drawn[name] += shifts[name][places, np.newaxis]
            for kind, of_places in _contrasts(values[name], references[name], metric).items():
                bounds[f"{name}{kind}"][:, places] = percentiles(
                    of_places, rows[places], drawing.confidence
                )
    for name, of_metric in bounds.items():
        for bound, series in zip(bound_names(name), of_metric, strict=True):
            yield pl.Series(f"metric.{bound}", series).fill_nan(None)


def _contrasts(values: Floats, references: Floats, metric: Metric) -> dict[str, Floats]:
    """The differences of draws, and by how much they are farther from the ideal."""
    drawn = {"value": values.ravel(), "reference": references.ravel()}
    value, reference = pl.col("value"), pl.col("reference")
    contrasts = pl.DataFrame(drawn, nan_to_null=True).select(
        difference(value, reference).alias(DIFFERENCE),
        difference(metric.distance(value), metric.distance(reference)).alias(FARTHER),
    )
    return {each.name: each.to_numpy().reshape(values.shape) for each in contrasts}
