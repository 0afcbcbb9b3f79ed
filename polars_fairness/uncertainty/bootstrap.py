"""Bounds of metrics: the counts of their level, drawn, evaluated and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import polars as pl

from polars_fairness.closed_forms import bound_names
from polars_fairness.collected import collected
from polars_fairness.levels import keys_of, valued
from polars_fairness.metric import Metric
from polars_fairness.roles import Roles
from polars_fairness.terms import Level
from polars_fairness.uncertainty.counts import counts_at, joint_counts, joint_values
from polars_fairness.uncertainty.draws import DRAW, Drawable, Drawing, drawn
from polars_fairness.uncertainty.percentiles import percentiles

Evaluate = Callable[[pl.LazyFrame], pl.LazyFrame]


def bootstrapped(
    cells: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], drawing: Drawing
) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Find the bounds of metrics: for each level its keys, and a table of these and the bounds."""
    jointly = {name: metric for name, metric in metrics.items() if metric.is_joint}
    if jointly:
        counts, values = joint_counts(cells, roles)
        evaluate = partial(joint_values, values=values, roles=roles, metrics=jointly)
        keys = [*roles.window, "facet"]
        yield keys, counts.places.with_columns(_bounds(counts, jointly, drawing, evaluate))
    together: dict[tuple[Level, frozenset[str]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            # By what a metric needs: what the others of a call need does not change its draws.
            outcomes = frozenset(metric.needs) & {"label", "predicted"}
            together.setdefault((metric.parsed.level, outcomes), {})[name] = metric
    for (level, outcomes), alike in together.items():
        needed = roles.with_outcomes(outcomes)
        counts = counts_at(level, cells, needed)
        evaluate = partial(valued, roles=needed, level=level, metrics=alike, keys=[DRAW])
        bounds = _bounds(counts, alike, drawing, evaluate)
        yield keys_of(level, roles), counts.places.with_columns(bounds)


def _bounds(
    counts: Drawable, metrics: Mapping[str, Metric], drawing: Drawing, evaluate: Evaluate
) -> Iterator[pl.Series]:
    """Draw the counts, evaluate the formulas on every draw, and take the percentiles."""
    bounds = {name: np.empty((2, len(counts.rows))) for name in metrics}
    for places, tables in drawn(counts, drawing):
        rows = counts.rows[places]
        values = [collected(evaluate(table.lazy())) for table in tables]
        for name, of_metric in bounds.items():
            columns = (each[f"metric.{name}"].fill_null(np.nan).to_numpy() for each in values)
            of_place = np.hstack([column.reshape(len(rows), -1) for column in columns])
            of_metric[:, places] = percentiles(of_place, rows, drawing.confidence)
    for name, of_metric in bounds.items():
        for bound, series in zip(bound_names(name), of_metric, strict=True):
            yield pl.Series(f"metric.{bound}", series).fill_nan(None)
