"""The figures of an answer: those of the report, and one of ranked groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.api.columns import Kind
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.charts.curves import (
    apart_by_decisions,
    calibration_figures,
    confusion_figures,
    roc_figures,
    selection_figures,
    sweep_figures,
)
from polars_fairness.reporting.charts.dots import figures_of_table
from polars_fairness.reporting.charts.time import time_figures
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.sections.classes import MOST_CLASSES, classes_of, matrices_of
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.evaluate import SIDES

_OF_SWEEP: Final = "the strip is the band, the dashed line is the ideal; shades are intervals"
_OF_TIME: Final = (
    "shaded is the band, dashed the ideal; circles are within the band, triangles outside, "
    "diamonds uncertain"
)
_OF_REFERENCES: Final = "a dash is the value that this one is compared with"


def figures_of(answer: Answer) -> list[Figure]:
    """The figures of an answer; none if it has nothing to draw."""
    return FIGURES[answer.kind](answer)


def _audit_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds or over time, or the strips of the table of the answer.

    Metrics that no threshold changes are strips beside those over thresholds.
    """
    if answer.is_swept:
        decided, same = apart_by_decisions(answer.frame, CATALOGUE)
        once = figures_of_table(lay_out(Answer(answer.kind, same.drop(THRESHOLD))))
        alike = [
            replace(each, caption=f"{each.caption}; the same at each threshold") for each in once
        ]
        return [*sweep_figures(decided, answer.windows[:-1], _OF_SWEEP), *alike]
    note = f"{_OF_TIME}; {_OF_REFERENCES}" if answer.has_contrast else _OF_TIME
    return time_figures(answer.frame, answer.windows, note) or figures_of_table(lay_out(answer))


def _metric_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds; an answer at one threshold has too little to draw."""
    if not answer.is_swept:
        raise FairnessError(
            "answer: has metrics without intervals and verdicts, which are drawn over several "
            "thresholds only; give the result of audit, or give threshold= several "
            "numbers"
        )
    windows = answer.windows[:-1]
    decided, same = apart_by_decisions(_as_audited(answer.frame, windows), CATALOGUE)
    if decided.is_empty() and not same.is_empty():
        raise FairnessError(
            f"answer: no threshold changes {listed(same['metric'].unique(maintain_order=True))}, "
            "so that there is no line to draw; give the result of audit, or show it by table"
        )
    return sweep_figures(decided, windows, _OF_SWEEP)


def _as_audited(values: pl.DataFrame, windows: Sequence[str]) -> pl.DataFrame:
    """The answer of `metrics` with a row for each metric, without intervals, as `audit` has it."""
    places, parts = values[[*windows, THRESHOLD, *SIDES]], []
    for name in values.drop(places.columns, *COLUMNS_OF_METRICS, strict=False).columns:
        metric = CATALOGUE.get(name)
        low, high = (metric and metric.acceptable) or (None, None)
        numbers = {"ideal": metric and metric.ideal, "band_lower": low, "band_upper": high}
        numbers |= {"lower": None, "upper": None}
        part = places.with_columns(
            values[name].alias("value"),
            pl.lit(name).alias("metric"),
            *(pl.lit(number, pl.Float64).alias(key) for key, number in numbers.items()),
        )
        if metric is not None and not metric.has_sides:
            # Repeated on every row of its facet.
            no_sides = (pl.lit(None, pl.String).alias(side) for side in SIDES[1:])
            part = part.with_columns(no_sides).unique(maintain_order=True)
        parts.append(part)
    return pl.concat(parts)


def _rate_figures(answer: Answer) -> list[Figure]:
    """The ROC curves and selection rates over thresholds, or the strips of the rates."""
    rated, windows = answer.frame, answer.windows
    if answer.is_swept:
        return [*roc_figures(rated, windows[:-1]), *selection_figures(rated, windows[:-1])]
    return figures_of_table(lay_out(answer))


def _confusion_figures(answer: Answer) -> list[Figure]:
    """The confusion matrix of each group as a heat map."""
    for role, classes in classes_of(answer.frame).items():
        if classes > MOST_CLASSES:
            raise FairnessError(
                f"answer: there are {classes:,} classes of {role}, and a chart has room for "
                f"{MOST_CLASSES}; filter the answer"
            )
    frame, windows = answer.frame, answer.windows
    groups = frame.filter(pl.col("facet") != ALL)
    return confusion_figures(matrices_of(groups, windows) or matrices_of(frame, windows), windows)


def _strips(answer: Answer) -> list[Figure]:
    return figures_of_table(lay_out(answer))


FIGURES: Final[Mapping[Kind, Callable[[Answer], list[Figure]]]] = {
    "audit": _audit_figures,
    "rates": _rate_figures,
    "worst_groups": _strips,
    "decompose": _strips,
    "drivers": _strips,
    "metrics": _metric_figures,
    "calibration": lambda answer: calibration_figures(answer.frame, answer.windows),
    "switches": _strips,
    "confusions": _confusion_figures,
}
