"""Figures of values over time, and the largest changes from window to window as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from math import inf, isfinite
from typing import Final

import polars as pl

from polars_fairness.api.verdicts import TONES, tone_of
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.groups import Row, Rows, Spec
from polars_fairness.reporting.charts.marks import Lines
from polars_fairness.reporting.charts.scales import is_ratio, places, scale_of
from polars_fairness.reporting.findings import (
    IS_MARKED,
    PREVIOUS,
    Comparison,
    Findings,
    comparisons_of,
    followed,
    time_column,
)
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.verdicts import with_other_groups
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    confidence_in_words,
    difference_of,
    number,
    standards_of,
    value_in_words,
    value_of,
)

MOST_TRENDS: Final = 8
_MOST_CHANGES: Final = 3
_JUDGED: Final = ("ideal", "band_lower", "band_upper", "verdict")


@dataclass(frozen=True)
class _Series:
    """One metric of a comparison, whose window is the model, in the order of time.

    Each row is one of the audit; ``steps`` has those that are marked, by their moments.
    """

    metric: str
    comparison: Comparison
    column: str
    rows: Sequence[Row]
    steps: Mapping[date, Row] = field(default_factory=dict)

    @property
    def last_tone(self) -> str:
        return tone_of(self.rows[-1]["verdict"]).name

    @property
    def largest_step(self) -> float:
        return max(map(_size, self.steps.values()), default=0)


def time_figures(audited: pl.DataFrame, windows: Sequence[str], note: str = "") -> list[Figure]:
    """One figure for every metric, pair of sides and model, if ``by`` is one date or time.

    Figures of the same metric have one scale. In a contrast, a point has the value that it is
    compared with as well.
    """
    column = time_column(audited)
    if column is None or audited.is_empty():
        return []
    models = [name for name in windows if name == MODEL]
    return _figures([*_series_of(comparisons_of(audited, models), column, {})], note)


def trend_figures(findings: Findings, most: int = 2) -> list[Figure]:
    """The figures of the metrics that are followed over time, the largest changes first.

    Then those follow whose last value has the worst verdict.
    """
    return _figures(_trends(findings)[:most])


def changes_over_time(findings: Findings, most: int = _MOST_CHANGES) -> list[str]:
    """The largest changes from one window to the next, as sentences in the order of time.

    What is outside its band now comes before what is over. If no change is beyond chance, one
    sentence says so; without any step there is none.
    """
    if findings.steps.is_empty() or findings.confidence is None:
        return []
    if changes := _changes(findings)[:most]:
        changes.sort(key=lambda each: each[0][each[1].column])
        return [_change_in_words(*each) for each in changes]
    steps, confidence = findings.steps.height, confidence_in_words(findings.confidence)
    none = "The one step" if steps == 1 else f"None of the {steps:,} steps"
    is_beyond = "is not beyond" if steps == 1 else "is by itself beyond"
    return [
        f"{none} from one window to the next {is_beyond} chance, at a confidence of "
        f"{confidence} for all steps together."
    ]


def more_changes_in_words(findings: Findings, shown: int) -> Iterator[str]:
    """How many changes there are beside so many that are shown, if any."""
    if (more := len(_changes(findings)) - shown) > 0:
        yield f"Smaller changes, or changes that are over: {more:,}; see “Over time”."


def _changes(findings: Findings) -> list[tuple[Row, _Series]]:
    """The changes beyond chance: those outside their bands now, then the largest, come first.

    Of a facet in a window there is the largest: the other groups changed because it did, or with
    it.
    """
    if findings.steps.is_empty():
        return []
    changes = [(step, series) for series in _trends(findings) for step in series.steps.values()]
    largest: dict[tuple[object, ...], tuple[Row, _Series]] = {}
    for step, series in sorted(changes, key=lambda each: -_size(each[0])):
        place = (series.comparison.facet, series.comparison.window, step[series.column])
        largest.setdefault(place, (step, series))
    return sorted(largest.values(), key=lambda each: each[1].last_tone != "outside")


def _trends(findings: Findings) -> list[_Series]:
    """The series of the metrics that are followed over time, the most important first."""
    column = findings.time_column
    if column is None or findings.audited.is_empty():
        return []
    names = followed(findings.audited, [*findings.metrics()] if findings.requested else [])
    audited = findings.with_references(findings.audited.filter(pl.col("metric").is_in(names)))
    marked = findings.with_references(findings.steps.filter(IS_MARKED))
    steps = {_place(row, column): row for row in marked.iter_rows(named=True)}
    models = [name for name in findings.windows if name == MODEL]
    compared = with_other_groups(findings, comparisons_of(audited, models))
    tones = [*TONES]

    def importance(each: _Series) -> tuple[float, ...]:
        tone, name = tones.index(each.last_tone), names.index(each.metric)
        is_against_d = each.rows[-1]["verdict"] == "against_disfavored"
        return (-round(each.largest_step, 9), tone, name, not is_against_d)

    return sorted(_series_of(compared, column, steps), key=importance)


def _series_of(
    comparisons: Iterable[Comparison], column: str, marked: Mapping[tuple[object, ...], Row]
) -> Iterator[_Series]:
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
                yield _Series(rows[0]["metric"], comparison, column, rows, steps)


def _place(row: Row, column: str) -> tuple[object, ...]:
    keys = (column, MODEL, "facet", "disfavored", "favored", "metric")
    return tuple(row.get(key) for key in keys)


def _size(step: Row) -> float:
    """How large a step is: in halves of the width of the band, a ratio by its logarithm."""
    place = places(band_of(step), step["ideal"], 1)
    here, there = place(step["value"]), place(step["reference"])
    if here is None or there is None:
        return abs(float(step["difference"]))
    return abs(here - there) if isfinite(here - there) else inf


def _change_in_words(step: Row, series: _Series) -> str:
    """A change, and where the values have been since, if all of them are in one place."""
    moment = step[series.column]
    after = [row for row in series.rows if row[series.column] >= moment]
    before = [row for row in series.rows if row[series.column] < moment]
    tones, since = {tone_of(row["verdict"]).name for row in after}, ""
    if len(tones) == 1 and tones <= {"outside", "within"}:
        (tone,) = tones
        if before and tone_of(before[-1]["verdict"]).name == tone:
            since = f"; it was {tone} its band before, too"
        elif len(after) > 1:
            since = f" and has been {tone} its band since"
        else:
            since = f" and is {tone} its band"
    verb = "fell" if step["difference"] < 0 else "rose"
    difference, bounds = difference_of(step)
    reference = number(step["reference"], beside=standards_of(step))
    return (
        f"{series.metric} of {comparison_in_words(series.comparison)} {verb} from {reference} in "
        f"{value_in_words(step[PREVIOUS])} to {value_of(step)} in {value_in_words(moment)} "
        f"(difference {difference}, {bounds}){since}."
    )


def _figures(every: Sequence[_Series], note: str = "") -> list[Figure]:
    """A figure of each series; those of a metric have one scale."""
    figures = []
    for series in every:
        first, column = series.rows[0], series.column
        limits = band_of(first)
        is_log = is_ratio(series.metric, first["ideal"], limits)
        alike = [row for each in every if each.metric == series.metric for row in each.rows]
        sentences = [_change_in_words(step, series) for step in series.steps.values()]
        if limits is not None:
            tones = [tone_of(row["verdict"]).name for row in series.rows]
            outside, uncertain = (tones.count(name) for name in ("outside", "uncertain"))
            more = f", {uncertain:,} uncertain" if uncertain else ""
            sentences.append(
                f"{outside:,} of {len(tones):,} windows are outside the band of "
                f"{band(limits)}{more}."
            )
        spec = Spec(
            f"{series.metric}, {comparison_in_words(series.comparison)}",
            partial(_marks, series),
            partial(_values_in_words, column),
            " ".join(sentences).removesuffix("."),
            partial(
                Lines,
                scale=scale_of(alike, is_log=is_log),
                band=limits,
                ideal=first["ideal"],
                dates=_written([row[column] for row in series.rows]),
            ),
            "over time",
            note,
        )
        figures.append(spec.figure([("", series.rows)]))
    return figures


def _values_in_words(column: str, rows: Rows) -> list[str]:
    return [f"{value_in_words(row[column])} {value_of(row)}" for row in rows]


def _marks(series: _Series, rows: Rows) -> Iterator[Row]:
    """The value of each moment, in milliseconds since 1970 by its own clock, and its change."""
    for row in rows:
        moment, step = row[series.column], series.steps.get(row[series.column])
        if not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)
        sign = "+" if step and step["difference"] > 0 else ""
        yield {
            "x": 1000 * moment.replace(tzinfo=UTC).timestamp(),
            "y": row["value"],
            **{key: row.get(key) for key in ("lower", "upper", "reference")},
            "tone": tone_of(row["verdict"]).name,
            "step": f"{sign}{difference_of(step)[0]}" if step else "",
        }


def _written(moments: Sequence[date]) -> str:
    """How an axis writes these moments: always with the year, as finely as they differ."""
    if any(isinstance(each, datetime) and each.time() != each.time().min for each in moments):
        return "%-d %b %Y, %H:%M"
    if any(each.day > 1 for each in moments):
        return "%-d %b %Y"
    return "%b %Y" if any(each.month > 1 for each in moments) else "%Y"
