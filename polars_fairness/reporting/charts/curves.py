"""Figures of groups: curves over thresholds, scores and time, and heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from math import inf, isfinite
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.api.verdicts import TONES, tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.answers import (
    IS_MARKED,
    Answers,
    Comparison,
    comparisons_of,
    followed,
    parts_of,
    time_column,
    window_of,
)
from polars_fairness.reporting.charts.marks import MOST_LINES, Heat, Lines
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.scales import SHARES, Values, is_logarithmic, places, scale_of
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.verdicts import (
    disadvantages_d,
    with_other_groups,
)
from polars_fairness.reporting.words import (
    ALL_ROWS,
    Unit,
    band_of,
    comparison_in_words,
    facet_in_words,
    measured,
    named_in_words,
    score,
    share,
    side_in_words,
    value_in_words,
    window_in_words,
)

MOST_POINTS: Final = 500
"""About as many points as a line has pixels on a page."""
MOST_IN_WORDS: Final = 5

Row = Mapping[str, Any]
Rows = Sequence[Row]
Group = tuple[str, Rows]
Groups = Sequence[Group]
Each = TypeVar("Each")


@dataclass(frozen=True)
class Spec:
    """What a figure is called, and what is drawn of each group.

    ``chart`` takes the marks, the names of the groups, and the name of all rows or "".
    """

    title: str
    marks: Callable[[Rows], Iterable[Row]]
    chart: Callable[..., Chart]
    note: str = ""
    most: int | None = MOST_LINES

    def figure(self, groups: Groups, about: str = "", total: Rows = ()) -> Figure:
        """The figure of the first of these groups, and of all rows, with a title about them."""
        named = groups[: self.most]
        shown = [*named, *([(ALL_ROWS, total)] if total else [])]
        marks = [
            {"line": i, "name": name, **mark}
            for i, (name, rows) in enumerate(shown)
            for mark in self.marks(rows)
        ]
        chart = self.chart(marks, [name for name, _ in named], ALL_ROWS if total else "")
        return Figure("\n".join(filter(None, [f"{self.title}{about}", self.note])), chart)


def figures_by_facet(frame: pl.DataFrame, windows: Sequence[str], *specs: Spec) -> list[Figure]:
    """The figures of each window and facet, with the groups of the facet and all rows."""
    figures = []
    for part in parts_of(frame, windows):
        facets: dict[str, dict[str | None, list[Row]]] = {}
        for row in part.iter_rows(named=True):
            facets.setdefault(row["facet"], {}).setdefault(row["value"], []).append(row)
        total = facets.pop(ALL, {}).get(None, [])
        window = window_in_words(window_of(part.row(0, named=True), windows))
        for facet, of_facet in facets.items() or [("", {})]:
            groups: list[Group] = [(group_in_words(rows[0]), rows) for rows in of_facet.values()]
            for spec in specs:
                first = first_of(groups, spec.most or len(groups))
                about = f" by {facet_in_words(facet)}{first}" if groups else " of all rows"
                figures.append(spec.figure(groups, f"{about}{window and ', '}{window}", total))
    return figures


def evenly(things: Sequence[Each], most: int = MOST_POINTS) -> list[Each]:
    """At most so many of these things at equal distances, with the first and the last.

    Examples
    --------
    >>> evenly(range(9), 3)
    [0, 4, 8]
    """
    if len(things) <= most:
        return [*things]
    return [things[round(i * (len(things) - 1) / (most - 1))] for i in range(most)]


def roc_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The true by the false positive rate over the thresholds, for each window and facet.

    The curve of a group joins the points of its thresholds, and the corners, where all rows and no
    rows are accepted.
    """
    return figures_by_facet(rated.drop_nulls(["tpr", "fpr"]), windows, _ROC)


def _roc(rows: Rows) -> list[Row]:
    """From the corner where all rows are accepted to the corner where no rows are."""
    inner = ({"x": row["fpr"], "y": row["tpr"]} for row in evenly(rows))
    return [{"x": 1.0, "y": 1.0}, *inner, {"x": 0.0, "y": 0.0}]


_ROC: Final = Spec(
    "ROC curves",
    _roc,
    partial(
        Lines,
        x="False positive rate",
        y="True positive rate",
        across=SHARES,
        scale=SHARES,
        diagonal=True,
    ),
)


SELECTION: Final = Spec(
    "Selection rate over thresholds",
    lambda rows: [{"x": row["threshold"], "y": row["selection_rate"]} for row in evenly(rows)],
    partial(Lines, x="Threshold", is_share=True),
)


def apart_by_decisions(
    audited: pl.DataFrame, metrics: Mapping[str, Metric]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of metrics that need decisions; and once, at one threshold, those of all others.

    Without decisions a metric, such as one of the scores, is the same at each threshold.
    """
    names = audited["metric"].unique()
    same = [name for name in names if name in metrics and "predicted" not in metrics[name].needs]
    is_same = pl.col("metric").is_in(same)
    is_first = pl.col(THRESHOLD) == pl.col(THRESHOLD).min()
    return audited.filter(~is_same), audited.filter(is_same & is_first)


def sweep_figures(audited: pl.DataFrame, windows: Sequence[str], note: str) -> list[Figure]:
    """Each metric over the thresholds, a figure for each window and facet.

    The lines of a figure are the comparisons of a facet.
    """
    known = audited.filter(pl.col("value").is_not_null().any().over("metric"))
    figures = []
    for part in parts_of(known, [*windows, "facet", "metric"]):
        if not part["value"].count():
            continue
        first = part.row(0, named=True)
        by_side: dict[str, list[Row]] = {}
        limits, metric = band_of(first), first["metric"]
        for row in part.sort("threshold").iter_rows(named=True):
            side = row["disfavored"] and side_in_words(row["disfavored"])
            by_side.setdefault(side or "", []).append(row)
        spec = Spec(
            f"{value_in_words(metric)} by threshold, ",
            lambda rows: [
                {"x": row["threshold"], "y": row["value"]}
                | {end: row[end] for end in ("lower", "upper")}
                for row in evenly(rows)
            ],
            partial(
                Lines,
                x="Threshold",
                band=limits,
                ideal=first["ideal"],
                is_log=is_logarithmic(metric, first["ideal"], limits),
                area=True,
            ),
            note=note,
        )
        compared = comparison_in_words(common_comparison(part, windows))
        figures.append(spec.figure([*by_side.items()], compared + first_of(by_side, MOST_LINES)))
    return figures


def common_comparison(part: pl.DataFrame, windows: Sequence[str]) -> Comparison:
    """The comparison of these rows; of several, what they have in common."""
    several = {"disfavored": "each group", "favored": "the favored"}
    sides = {side: part[side].unique().to_list() for side in several}
    d, a = (values[0] if len(values) == 1 else several[side] for side, values in sides.items())
    first = part.row(0, named=True)
    return Comparison(window_of(first, windows), first["facet"], d, a, part)


def spans_in_words(rows: Rows, fits: Iterable[bool]) -> str:
    """The thresholds, from one to another, between which all rows fit."""
    spans = []
    for is_fit, run in groupby(zip(fits, rows, strict=True), key=itemgetter(0)):
        if is_fit:
            first, *_, last = (score(row["threshold"]) for _, row in [*run] * 2)
            spans.append(f"at {first}" if first == last else f"from {first} to {last}")
    more = len(spans) - MOST_IN_WORDS
    shown = ", ".join(spans[:MOST_IN_WORDS]) or "nowhere"
    return f"{shown} and {more:,} more" if more > 0 else shown


def calibration_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The share with a positive label by mean score, then how scores are distributed.

    There is a figure for each window and facet of either.
    """
    known, filled = calibrated.drop_nulls("mean_score"), calibrated.filter(pl.col("n") > 0)
    return [
        *figures_by_facet(known, windows, _CALIBRATION),
        *figures_by_facet(filled, windows, _SCORES),
    ]


def _steps(rows: Rows) -> list[Row]:
    """The share of a group in each bin, from its lower edge on; 0 between bins and after them."""
    whole = sum(row["n"] for row in rows)
    steps: list[Row] = []
    for row in rows:
        if steps and steps[-1]["x"] == row["bin_lower"]:
            steps.pop()
        steps.append({"x": row["bin_lower"], "y": row["n"] / whole})
        steps.append({"x": row["bin_upper"], "y": 0.0})
    return steps


_PLACES: Final = {"x": "mean_score", "y": "base_rate", "lower": "lower", "upper": "upper"}
_CALIBRATION: Final = Spec(
    "Calibration",
    lambda rows: [{key: row[column] for key, column in _PLACES.items()} for row in rows],
    partial(
        Lines,
        x="Mean score",
        y="Share with a positive label",
        across=Values(0, 1),
        scale=SHARES,
        diagonal=True,
    ),
)
_SCORES: Final = Spec(
    "Scores",
    _steps,
    partial(Lines, x="Score", y="Share of the group", is_share=True, steps=True),
)


def confusion_figures(matrices: Iterable[pl.DataFrame], windows: Sequence[str]) -> list[Figure]:
    """A heat map of each matrix."""
    figures = []
    for part in matrices:
        down, across = (
            {each: i for i, each in enumerate(part[role].unique(maintain_order=True))}
            for role in ("label", "predicted")
        )
        marks = [
            {
                "row": down[row["label"]],
                "column": across[row["predicted"]],
                "side": "below" if row["label"] == row["predicted"] else "above",
                "depth": row["share"],
                "text": share(row["share"]),
            }
            for row in part.iter_rows(named=True)
            if row["share"] is not None
        ]
        title = f"{OF_EACH_LABEL}: {matrix_in_words(part, windows)}\n{_OF_COLOURS}"
        rows, columns = ([*map(value_in_words, places)] for places in (down, across))
        figures.append(Figure(title, Heat(marks, rows, columns, ("label", "predicted"))))
    return figures


_OF_COLOURS: Final = "wrong predictions have another colour than right ones"
MOST_CLASSES: Final = 12
"""The largest number of classes that a matrix has room for."""


def matrices_of(confused: pl.DataFrame, windows: Sequence[str]) -> list[pl.DataFrame]:
    """The matrix of each group and of all rows, those of many classes left out."""
    if confused.is_empty() or max(classes_of(confused).values()) > MOST_CLASSES:
        return []
    return [part for part in parts_of(confused, [*windows, "facet", "value"]) if part["n"].sum()]


def classes_of(confused: pl.DataFrame) -> dict[str, int]:
    """The number of classes of the label, and of the prediction."""
    return {role: confused[role].n_unique() for role in ("label", "predicted")}


OF_EACH_LABEL: Final = "Of each label, the share predicted"


def matrix_in_words(part: pl.DataFrame, windows: Sequence[str]) -> str:
    """The window and the group of a confusion matrix."""
    row = part.row(0, named=True)
    group = group_in_words(row)
    of_facet = group if row["facet"] == ALL else f"{facet_in_words(row['facet'])} {group}"
    return ", ".join([*(named_in_words(name, row[name]) for name in windows), of_facet])


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
    unit_of: Callable[[str], Unit] = lambda _: "number",
) -> list[Figure]:
    """A figure of each series, with the title of its metric; those of a metric have one scale."""
    figures = []
    for series in every:
        first, column = series.rows[0], series.column
        limits = band_of(first)
        is_log = is_logarithmic(series.metric, first["ideal"], limits)
        alike = [row for each in every if each.metric == series.metric for row in each.rows]
        unit = unit_of(series.metric)
        is_in_points = unit == "points"
        of_metric = title(series.metric) + ", in points" * is_in_points
        spec = Spec(
            f"{of_metric}, {comparison_in_words(series.comparison)}",
            partial(_marks, series, unit),
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


def change_in_words(step: Row | None, unit: Unit) -> str:
    """A step with its sign; empty without one."""
    if step is None:
        return ""
    sign = "+" if step["difference"] > 0 else ""
    return sign + measured(step["difference"], unit, (0,))


def _marks(series: Series, unit: Unit, rows: Rows) -> Iterator[Row]:
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
            "step": change_in_words(step, unit),
        }


def _written(moments: Sequence[date]) -> str:
    """How an axis writes these moments: always with the year, as finely as they differ."""
    if any(isinstance(each, datetime) and each.time() != each.time().min for each in moments):
        return "%-d %b %Y, %H:%M"
    if any(each.day > 1 for each in moments):
        return "%-d %b %Y"
    return "%b %Y" if any(each.month > 1 for each in moments) else "%Y"
