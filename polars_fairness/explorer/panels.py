"""The panels of an exploration: rates, disparities and values of all rows, at every threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.rates import RATES
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.forest import places
from polars_fairness.reporting.charts.sweeps import in_common
from polars_fairness.reporting.findings import Window, parts_of
from polars_fairness.reporting.parts import first_of
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    favored_in_words,
    number,
    share,
)
from polars_fairness.values.formula_checks import sign_of

_RATES: Final = ("selection_rate", "tpr", "fpr")
_MOST_GROUPS: Final = 30

Row = Mapping[str, Any]


class Name(NamedTuple):
    """What stands on the left of a row, and whether the scale of a disparity has a band."""

    name: str
    has_band: bool | None = None


class RateMark(NamedTuple):
    """The rate of the group in a row, with the places of its threshold and of its window."""

    at: int
    window: int
    row: int
    value: float | None
    text: str


class DisparityMark(NamedTuple):
    """The value of the metric in a row, by its distance from the middle of the band in halves."""

    at: int
    window: int
    row: int
    place: float | None
    tone: str
    text: str


class CurveMark(NamedTuple):
    """A value of all rows at the threshold ``x``."""

    at: int
    window: int
    x: float
    value: float | None
    text: str


@dataclass(frozen=True)
class Panel:
    """The numbers of a chart at every threshold; a reader of the page chooses the threshold."""

    title: str
    marks: Sequence[RateMark] | Sequence[DisparityMark] | Sequence[CurveMark]
    names: Sequence[Name] = ()
    subtitle: str = ""


@dataclass(frozen=True, eq=False)
class Swept:
    """The answers of `rates` and of `audit` at several thresholds, and the metrics of the audit."""

    rated: pl.DataFrame
    audited: pl.DataFrame
    metrics: Mapping[str, Metric]
    favorable: bool = True

    @cached_property
    def thresholds(self) -> list[float]:
        return self.rated[THRESHOLD].unique().sort().to_list()

    @cached_property
    def windows(self) -> list[Window]:
        """The windows of ``by``; one without columns if there are none."""
        by = self.rated.columns[: self.rated.columns.index(THRESHOLD)]
        rows = self.rated[by].unique(maintain_order=True).rows() if by else [()]
        return [tuple(zip(by, row, strict=True)) for row in rows]

    def place(self, row: Row) -> tuple[int, int]:
        """The places of the threshold and of the window of a row of an answer."""
        window = tuple((name, row[name]) for name, _ in self.windows[0])
        return self._thresholds[row[THRESHOLD]], self._windows[repr(window)]

    @cached_property
    def _thresholds(self) -> dict[float, int]:
        return {each: place for place, each in enumerate(self.thresholds)}

    @cached_property
    def _windows(self) -> dict[str, int]:
        # By their texts: NaN is not equal to itself.
        return {repr(each): place for place, each in enumerate(self.windows)}


def panels_of(swept: Swept) -> list[Panel]:
    """The rates of each facet's groups, the disparities between them, and values of all rows."""
    facets = [facet for facet in swept.rated["facet"].unique(maintain_order=True) if facet != ALL]
    of_groups = [panel for facet in facets or [ALL] for panel in _rates(swept, facet)]
    return [*of_groups, *_disparities(swept), *_curves(swept)]


def _rates(swept: Swept, facet: str) -> Iterator[Panel]:
    """A panel for each rate of the first groups of a facet, and of all rows."""
    rows: dict[tuple[str, str | None], list[Row]] = {}
    for row in swept.rated.filter(pl.col("facet").is_in([facet, ALL])).iter_rows(named=True):
        rows.setdefault((row["facet"], row["value"]), []).append(row)
    all_rows = rows.pop((ALL, None), [])
    groups = [*rows.values()]
    shown = [group for group in (*groups[:_MOST_GROUPS], all_rows) if group]
    about = "of all rows" if facet == ALL else f"by {facet}{first_of(groups, _MOST_GROUPS)}"
    names = [Name(group_in_words(group[0])) for group in shown]
    for rate in _RATES:
        marks = [
            RateMark(*swept.place(row), i, row[rate], share(row[rate]))
            for i, group in enumerate(shown)
            for row in group
        ]
        if any(mark.value is not None for mark in marks):
            yield Panel(f"{RATES[rate].title} {about}", marks, names)


def _disparities(swept: Swept) -> Iterator[Panel]:
    """A panel for the metrics of each comparison, and one for those over all groups of a facet."""
    of_groups = [name for name, metric in swept.metrics.items() if not _is_of_all_rows(metric)]
    table = swept.audited.filter(pl.col("metric").is_in(of_groups))
    for part in parts_of(table, ["facet", "disfavored"]) if table.height else ():
        names = part["metric"].unique(maintain_order=True).to_list()
        signs = {name: sign_of(swept.metrics[name]) for name in names}
        rows = part.rows(named=True)
        limits = {row["metric"]: band_of(row) for row in rows}
        compared = in_common(part, ())
        sides = (
            f"right of the band against {compared.disfavored}, left {favored_in_words(compared)}"
        )
        yield Panel(
            comparison_in_words(compared),
            [_mark(swept, row, names.index(row["metric"]), signs) for row in rows],
            [_named(name, limits[name]) for name in names],
            sides if any(signs.values()) else "",
        )


def _named(name: str, limits: Band) -> Name:
    shown = name if limits is None else f"{name} ({band(limits)})"
    return Name(shown, limits is not None)


def _mark(swept: Swept, row: Row, line: int, signs: Mapping[str, Sign | None]) -> DisparityMark:
    """A value with its tone, in words and as a place on the scale of its band."""
    place = places(band_of(row), row["ideal"], signs[row["metric"]] or 1)(row["value"])
    tone = tone_of(row["verdict"])
    words = f" {tone.mark} {tone.name}" if tone.mark else ""
    text = f"{number(row['value'])}{words}"
    return DisparityMark(*swept.place(row), line, place, tone.name, text)


def _curves(swept: Swept) -> Iterator[Panel]:
    """A panel for each metric of all rows, such as the accuracy, over the thresholds."""
    for name, metric in swept.metrics.items():
        if not _is_of_all_rows(metric):
            continue
        rows = swept.audited.filter(metric=name)
        # Repeated for each facet.
        rows = rows.filter(pl.col("facet").eq_missing(rows["facet"].first()))
        marks = [
            CurveMark(*swept.place(row), row[THRESHOLD], row["value"], number(row["value"]))
            for row in rows.iter_rows(named=True)
        ]
        yield Panel(f"{metric.title} of all rows", marks)


def _is_of_all_rows(metric: Metric) -> bool:
    return metric.parsed.level.is_one_group
