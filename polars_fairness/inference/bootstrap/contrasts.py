"""Bootstrapped contrasts of models on the same rows: both decisions are drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from polars_fairness.inference.bootstrap.percentiles import Floats, percentiles, widened

from polars_fairness.formula.arithmetic import difference
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap import Progress, Task, drawn_values, tasks_of
from polars_fairness.inference.bound_names import CORRELATION, DIFFERENCE, SUM, bound_names
from polars_fairness.inference.draws import Drawing, places_at_once
from polars_fairness.question.roles import Roles
from polars_fairness.values.folds import find_fold


def contrasted(
    cells: pl.DataFrame,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Compare each model with the champion: pairs of key columns, and a table of these with bounds.

    The bounds are those of the difference, and of the sum of both offsets from the ideal. A metric
    whose interval is not made of draws has in their place the correlation of both values.
    """
    # Without decisions both models are the same.
    paired = replace(roles, is_paired=roles.predicted is not None)
    tasks = tasks_of(cells, scored, paired, metrics)
    progress = Progress(2 * drawing.replicates * sum(each.counts.table.height for each in tasks))
    for task in tasks:
        found = _contrasts(task, drawing, progress)
        columns = (pl.Series(f"metric.{name}", each).fill_nan(None) for name, each in found.items())
        yield task.keys, task.counts.places.with_columns(columns)


def is_contrasted_by_draws(metric: Metric) -> bool:
    """Whether draws of a difference are as wide as the difference varies.

    They are not for a distance, nor for the largest of several, which chance moves away from the
    ideal in each draw, nor for small strata, whose draws vary too little.
    """
    formula = metric.parsed
    is_mean_or_maximum = formula.level.divided_by == "subgroup" or formula.largest is not None
    return not is_mean_or_maximum and find_fold(metric) is None


def _contrasts(task: Task, drawing: Drawing, progress: Progress) -> dict[str, Floats]:
    assert task.of_champion is not None
    counts, lines = task.counts, len(task.counts.rows)
    found: dict[str, Floats] = {}
    by_draws = {name for name, metric in task.metrics.items() if is_contrasted_by_draws(metric)}
    for name in task.metrics:
        kinds = (DIFFERENCE, SUM) if name in by_draws else ()
        bounds = [bound for kind in kinds for bound in bound_names(f"{name}{kind}")]
        for column in bounds or [f"{name}{CORRELATION}"]:
            found[column] = np.full(lines, np.nan)
    factors = drawing.factors(counts.places, counts.rows)
    for places in places_at_once(counts.ends, drawing.replicates):
        values, references = (
            drawn_values(counts, evaluate, task.metrics, places, drawing, progress)
            for evaluate in (task.evaluate, task.of_champion)
        )
        for name, metric in task.metrics.items():
            if name not in by_draws:
                correlation = _correlation(values[name], references[name])
                found[f"{name}{CORRELATION}"][places] = correlation
                continue
            for kind, drawn in _combined(values[name], references[name], metric).items():
                held = percentiles(drawn, counts.rows[places], drawing.confidence)
                of_all_pairs = widened(held, drawn, factors[places])
                for bound, each in zip(bound_names(f"{name}{kind}"), of_all_pairs, strict=True):
                    found[bound][places] = each
    return found


def _combined(values: Floats, references: Floats, metric: Metric) -> dict[str, Floats]:
    """The differences of draws, and the sums of their offsets from the ideal."""
    drawn = {"value": values.ravel(), "reference": references.ravel()}
    value, reference = pl.col("value"), pl.col("reference")
    combined = pl.DataFrame(drawn, nan_to_null=True).select(
        difference(value, reference).alias(DIFFERENCE),
        (metric.offset(value) + metric.offset(reference)).fill_nan(None).alias(SUM),
    )
    return {each.name: each.to_numpy().reshape(values.shape) for each in combined}


def _correlation(values: Floats, references: Floats) -> Floats:
    """The correlation of values and references over the draws of each place; 0 without any."""
    are_finite = np.isfinite(values) & np.isfinite(references)
    draws = np.maximum(are_finite.sum(axis=1, keepdims=True), 1)

    def centred(drawn: Floats) -> Floats:
        mean = np.where(are_finite, drawn, 0.0).sum(axis=1, keepdims=True) / draws
        return np.where(are_finite, drawn - mean, 0.0)

    with np.errstate(invalid="ignore"):  # infinity less infinity
        one, other = centred(values), centred(references)
    spread = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    product = (one * other).sum(axis=1)
    correlation: Floats = np.divide(product, spread, out=np.zeros(len(spread)), where=spread > 0)
    return correlation
