"""Lines over time: each metric of a comparison with its band, and the steps beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from math import inf, isfinite
from typing import Final

import polars as pl

from polars_fairness.api.verdicts import TONES, tone_of
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.answers import (
    IS_MARKED,
    Answers,
    Comparison,
    comparisons_of,
    followed,
    time_column,
)
from polars_fairness.reporting.charts.curves import Row, Rows, Spec
from polars_fairness.reporting.charts.marks import Lines
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.scales import is_logarithmic, places, scale_of
from polars_fairness.reporting.verdicts import (
    disadvantages_d,
    with_other_groups,
)
from polars_fairness.reporting.words import (
    band_of,
    comparison_in_words,
    measured,
)

_JUDGED: Final = ("ideal", "band_lower", "band_upper", "verdict")


@dataclass(frozen=True)
class Series:
    """One metric of a comparison, whose window is the model, in the order of time.

    Each row is one of the audit; ``steps`` has those that are marked, by their moments.
    """

    metric: str
    comparison: Comparison
    column: str
    rows: Sequence[Row]
    steps: Mapping[date, Row] = field(default_factory=dict)


def time_figures(audited: pl.DataFrame, windows: Sequence[str], note: str = "") -> list[Figure]:
    """One figure for every metric, pair of sides and model, if ``by`` is one date or time.

    Figures of the same metric have one scale. In a contrast, a point has the value that it is
    compared with as well.
    """
    column = time_column(audited)
    if column is None or audited.is_empty():
        return []
    models = [name for name in windows if name == MODEL]
    series = [*_series_of(comparisons_of(audited, models), column, {})]
    return figures_of_series(series, str, note)


def trends(answers: Answers) -> list[Series]:
    """The series of the metrics that are followed over time, the most important first."""
    column = answers.time_column
    if column is None or answers.audited.is_empty():
        return []
    names = followed(answers.audited, [*answers.metrics()] if answers.requested else [])
    audited = answers.with_references(answers.audited.filter(pl.col("metric").is_in(names)))
    marked = answers.with_references(answers.steps.filter(IS_MARKED))
    steps = {_place(row, column): row for row in marked.iter_rows(named=True)}
    models = [name for name in answers.windows if name == MODEL]
    compared = with_other_groups(answers, comparisons_of(audited, models))
    tones = [*TONES]

    def importance(each: Series) -> tuple[float, ...]:
        largest, last = max(map(_size, each.steps.values()), default=0), each.rows[-1]
        tone, name = tones.index(tone_of(last["verdict"]).name), names.index(each.metric)
        return (-round(largest, 9), tone, name, not disadvantages_d(last))

    return sorted(_series_of(compared, column, steps), key=importance)


def _series_of(
    comparisons: Iterable[Comparison], column: str, marked: Mapping[tuple[object, ...], Row]
) -> Iterator[Series]:
    """The series of these comparisons, with the ``marked`` steps by their places."""
    for comparison in comparisons:
        for part in comparison.table.partition_by("metric", maintain_order=True):
            # A time of day alone, or a duration, is no moment.
            rows = [row for row in part.to_dicts() if isinstance(row[column], date)]
            if len(rows) > 1:
                # A step is judged as its row is.
                steps = {
                    row[column]: {**step, **{key: row[key] for key in _JUDGED}}
                    for row in rows
                    if (step := marked.get(_place(row, column)))
                }
                yield Series(rows[0]["metric"], comparison, column, rows, steps)


def _place(row: Row, column: str) -> tuple[object, ...]:
    keys = (column, MODEL, "facet", "disfavored", "favored", "metric")
    return tuple(row.get(key) for key in keys)


def _size(step: Row) -> float:
    """How large a step is: in halves of the width of the band, a ratio by its logarithm."""
    place = places(band_of(step), step["ideal"])
    here, there = place(step["value"]), place(step["reference"])
    if here is None or there is None:
        return abs(float(step["difference"]))
    return abs(here - there) if isfinite(here - there) else inf


def figures_of_series(
    every: Sequence[Series],
    title: Callable[[str], str],
    note: str = "",
    in_points: Callable[[str], bool] = lambda _: False,
) -> list[Figure]:
    """A figure of each series, with the title of its metric; those of a metric have one scale."""
    figures = []
    for series in every:
        first, column = series.rows[0], series.column
        limits = band_of(first)
        is_log = is_logarithmic(series.metric, first["ideal"], limits)
        alike = [row for each in every if each.metric == series.metric for row in each.rows]
        is_in_points = in_points(series.metric)
        of_metric = title(series.metric) + ", in points" * is_in_points
        spec = Spec(
            f"{of_metric}, {comparison_in_words(series.comparison)}",
            partial(_marks, series, in_points=is_in_points),
            partial(
                Lines,
                scale=replace(scale_of(alike, is_log=is_log), in_points=is_in_points),
                band=limits,
                ideal=first["ideal"],
                dates=_written([row[column] for row in series.rows]),
            ),
            note,
        )
        figures.append(spec.figure([("", series.rows)]))
    return figures


def change_in_words(step: Row | None, *, in_points: bool) -> str:
    """A step with its sign; empty without one."""
    if step is None:
        return ""
    sign = "+" if step["difference"] > 0 else ""
    return sign + measured(step["difference"], "points" if in_points else "number", (0,))


def _marks(series: Series, rows: Rows, *, in_points: bool) -> Iterator[Row]:
    """The value of each moment, in milliseconds since 1970 by its own clock, and its change."""
    for row in rows:
        moment, step = row[series.column], series.steps.get(row[series.column])
        if not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)
        yield {
            "x": 1000 * moment.replace(tzinfo=UTC).timestamp(),
            "y": row["value"],
            **{key: row.get(key) for key in ("lower", "upper", "reference")},
            "tone": tone_of(row["verdict"]).name,
            "step": change_in_words(step, in_points=in_points),
        }


def _written(moments: Sequence[date]) -> str:
    """How an axis writes these moments: always with the year, as finely as they differ."""
    if any(isinstance(each, datetime) and each.time() != each.time().min for each in moments):
        return "%-d %b %Y, %H:%M"
    if any(each.day > 1 for each in moments):
        return "%-d %b %Y"
    return "%b %Y" if any(each.month > 1 for each in moments) else "%Y"
