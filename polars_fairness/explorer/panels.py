"""The panels of an exploration: rates, disparities and values of all rows, at every threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.look import apart
from polars_fairness.reporting.charts.marks import Dots, Lines
from polars_fairness.reporting.charts.scales import SHARES, Values, is_of_ratios, places
from polars_fairness.reporting.charts.sweeps import in_common, spans_in_words
from polars_fairness.reporting.findings import Window, parts_of
from polars_fairness.reporting.parts import Figure, first_of, writable
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    number,
    share,
    value_of,
)

_RATES: Final = ("selection_rate", "tpr", "fpr")
_MOST_GROUPS: Final = 30
_MOST_COMPARISONS: Final = 6
_MOST_LETTERS: Final = 20
"""So long a name fits beside its number."""
_MOST_BESIDE: Final = 42
"""So many letters stand beside each other above a mark."""
_REACH: Final = 3
"""How far a disparity is drawn at least from the middle of its band, in halves of the band."""

Row = Mapping[str, Any]


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

    def place(self, row: Row) -> dict[str, int]:
        """The places of the threshold and of the window of a row of an answer."""
        window = tuple((name, row[name]) for name, _ in self.windows[0])
        return {"at": self._thresholds[row[THRESHOLD]], "window": self._windows[repr(window)]}

    @cached_property
    def _thresholds(self) -> dict[float, int]:
        return {each: place for place, each in enumerate(self.thresholds)}

    @cached_property
    def _windows(self) -> dict[str, int]:
        # By their texts: NaN is not equal to itself.
        return {repr(each): place for place, each in enumerate(self.windows)}


def cutoffs_in_words(swept: Swept) -> str:
    """At which thresholds all metrics lie within their bands; empty if none has a band."""
    judged = swept.audited.drop_nulls("verdict")
    names = judged["metric"].unique(maintain_order=True).to_list()
    if not names:
        return ""
    found = _within(judged)
    bands = (
        f"{'its band' if len(names) == 1 else 'their bands'}{_every(judged, len(swept.windows))}"
    )
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    if any(found.values()):
        verb, among = "lies" if len(names) == 1 else "lie", sum(found.values())
        return (
            f"{listed} {verb} within {bands} {_spans(found)}: {among} of {len(found)} thresholds."
        )
    words = f"No threshold puts {listed} within {bands}."
    if len(names) > 1:
        words += f" {names[0]} alone does so {_spans(_within(judged.filter(metric=names[0])))}."
    return words


def _spans(found: Mapping[float, bool]) -> str:
    return spans_in_words([{THRESHOLD: each} for each in found], found.values())


def _within(judged: pl.DataFrame) -> dict[float, bool]:
    """Whether all verdicts at a threshold are fair, by threshold."""
    is_fair = (pl.col("verdict") == "fair").all()
    return dict(judged.group_by(THRESHOLD).agg(is_fair).sort(THRESHOLD).iter_rows())


def _every(judged: pl.DataFrame, windows: int) -> str:
    comparisons = judged.select("facet", "disfavored").drop_nulls().n_unique()
    parts = [("comparison", comparisons), ("window", windows)]
    several = [f"every {name}" for name, count in parts if count > 1]
    return f" in {' of '.join(several)}" if several else ""


def panels_of(swept: Swept) -> list[Figure]:
    """The first metric with a band, rates of groups, the disparities, and values of all rows."""
    facets = [facet for facet in swept.rated["facet"].unique(maintain_order=True) if facet != ALL]
    of_groups = [panel for facet in facets or [ALL] for panel in _rates(swept, facet)]
    return [*_first_metric(swept), *of_groups, *_disparities(swept), *_curves(swept)]


def _rates(swept: Swept, facet: str) -> Iterator[Figure]:
    """A panel for each rate of the first groups of a facet, and of all rows."""
    rows: dict[tuple[str, str | None], list[Row]] = {}
    for row in swept.rated.filter(pl.col("facet").is_in([facet, ALL])).iter_rows(named=True):
        rows.setdefault((row["facet"], row["value"]), []).append(row)
    all_rows = rows.pop((ALL, None), [])
    groups = [*rows.values()]
    shown = [group for group in (*groups[:_MOST_GROUPS], all_rows) if group]
    names = apart(group_in_words(group[0]) for group in shown)
    about = "of all rows" if facet == ALL else f"by {facet}{first_of(groups, _MOST_GROUPS)}"
    for rate in _RATES:
        marks = [
            {"name": name, "lower": 0, "upper": row[rate], "text": share(row[rate])}
            | swept.place(row)
            for name, group in zip(names, shown, strict=True)
            for row in group
        ]
        if any(mark["upper"] is not None for mark in marks):
            chart = Dots(marks, SHARES, bars=True)
            yield Figure(f"{RATES[rate].title} {about}", "", chart)


def _first_metric(swept: Swept) -> Iterator[Figure]:
    """A panel for each comparison with the first metric that has a band, over the thresholds."""
    judged = swept.audited.drop_nulls("verdict")
    judged = judged.filter(pl.col("metric") == pl.col("metric").first())
    parts = parts_of(judged, ["facet", "disfavored"]) if judged.height else []
    for part in [*parts][:_MOST_COMPARISONS]:
        rows = part.rows(named=True)
        limits, name = band_of(rows[0]), rows[0]["metric"]
        if limits is None:
            continue
        title, sides = f"{name} by threshold", comparison_in_words(in_common(part, ()))
        least = 0 if is_of_ratios(limits) else -inf
        tones = [{"tone": tone_of(row["verdict"]).name, "text": _in_words(row)} for row in rows]
        chart = _over_thresholds(swept, title, rows, tones, least)
        banded = replace(chart, band=limits, is_log=is_of_ratios(limits))
        yield Figure(f"{title}\n{sides}; band {band(limits)}", "", banded)


def _over_thresholds(
    swept: Swept,
    title: str,
    rows: Sequence[Row],
    more: Sequence[dict[str, str]],
    least: float = -inf,
) -> Lines:
    """A line of values; one that the scale has no place for is null."""
    marks = [
        {
            "line": 0,
            "x": row[THRESHOLD],
            "y": row["value"] if row["value"] is not None and least < row["value"] < inf else None,
        }
        | each
        | swept.place(row)
        for row, each in zip(rows, more, strict=True)
    ]
    return Lines(marks, [title], x="Threshold")


def _disparities(swept: Swept) -> Iterator[Figure]:
    """A panel for the metrics of each comparison, and one for those over all groups of a facet.

    Low values are left. A ratio of 0, and what is infinite, has no place.
    """
    of_groups = [name for name, metric in swept.metrics.items() if not _is_of_all_rows(metric)]
    table = swept.audited.filter(pl.col("metric").is_in(of_groups))
    for part in parts_of(table, ["facet", "disfavored"]) if table.height else ():
        rows = part.rows(named=True)
        texts = [_in_words(row) for row in rows]
        room = _MOST_BESIDE - max(map(len, texts))
        marks = [
            _mark(row, text, room) | swept.place(row) for row, text in zip(rows, texts, strict=True)
        ]
        reach = max([_REACH, *(1.1 * abs(mark["value"] or 0) for mark in marks)])
        chart = Dots(marks, Values(-reach, reach), band=(-1, 1))
        yield Figure(comparison_in_words(in_common(part, ())), "", chart)


def _mark(row: Row, text: str, room: int) -> dict[str, Any]:
    """A value with its tone, as a place on the scale of its band, which is named if it fits."""
    limits = band_of(row)
    place = places(limits, row["ideal"], 1)
    value, named = place(row["value"]), f"{row['metric']} ({band(limits)})"
    return {
        "name": row["metric"] if limits is None or len(named) > room else named,
        "value": value if value is not None and isfinite(value) else None,
        "ideal": place(row["ideal"]),
        "tone": tone_of(row["verdict"]).name,
        "text": text,
    }


def _in_words(row: Row) -> str:
    """A value with its verdict, and the side that it is against."""
    tone = tone_of(row["verdict"])
    against = {"against_disfavored": row["disfavored"], "against_favored": row["favored"]}
    side = against.get(row["verdict"])
    words = f"against {side}" if side and len(side) <= _MOST_LETTERS else tone.name
    return writable(f"{value_of(row)} {tone.mark} {words}") if tone.mark else value_of(row)


def _curves(swept: Swept) -> Iterator[Figure]:
    """A panel for each metric of all rows, such as the accuracy, over the thresholds."""
    for name, metric in swept.metrics.items():
        if not _is_of_all_rows(metric):
            continue
        table = swept.audited.filter(metric=name)
        # Repeated for each facet.
        rows = table.filter(pl.col("facet").eq_missing(table["facet"].first())).rows(named=True)
        texts = [{"text": number(row["value"])} for row in rows]
        title = f"{metric.title} of all rows"
        yield Figure(title, "", _over_thresholds(swept, title, rows, texts))


def _is_of_all_rows(metric: Metric) -> bool:
    return metric.parsed.level.is_one_group
