"""Curves over scores: ROC, selection, calibration and distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, cycle, islice, pairwise
from math import isfinite
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.question.judging import Band
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import (
    PER_LETTER,
    Look,
    apart,
    ideal_line,
    inline_data,
    strip,
)
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import (
    ALL_ROWS,
    extremes_in_words,
    number,
    score,
    share,
    window_in_words,
)

MOST_LINES: Final = 8
"""As many lines as a chart has colours for."""
MOST_POINTS: Final = 500
"""About as many points as a line has pixels on a page."""
MOST_IN_WORDS: Final = 5

Row = Mapping[str, Any]
Rows = Sequence[Row]
Points = list[dict[str, Any]]
Each = TypeVar("Each")


def roc_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The true by the false positive rate, a figure for each window and facet.

    The curve of a group joins the points of its thresholds, and the corners, where all rows and no
    rows are accepted.
    """
    known = rated.filter(pl.col("tpr").is_not_null() & pl.col("fpr").is_not_null())
    kind = _Kind(
        RocChart, "ROC curves", "true by false positive rate", _roc, _roc_in_words, _areas_in_words
    )
    return _figures(kind, known, windows)


def _roc(rows: Rows) -> Points:
    """From the corner where all rows are accepted to the corner where no rows are."""
    inner = ({"x": row["fpr"], "y": row["tpr"]} for row in evenly(rows, MOST_POINTS))
    return [{"x": 1.0, "y": 1.0}, *inner, {"x": 0.0, "y": 0.0}]


def _roc_in_words(rows: Rows) -> Iterator[str]:
    for row in evenly(rows, MOST_IN_WORDS):
        yield f"{share(row['tpr'])} by {share(row['fpr'])} from {score(row['threshold'])} on"


def _areas_in_words(groups: Sequence[Rows]) -> str:
    areas = _of_each(groups, lambda rows: _area(_roc(rows)))
    return f"the area below the curve is {extremes_in_words(areas, partial(number, digits=2))}"


def _area(points: Points) -> float:
    corners = pairwise((point["x"], point["y"]) for point in points)
    return float(sum((x0 - x1) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in corners))


def selection_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The selection rate over the thresholds, a figure for each window and facet."""
    title, meaning = "Selection rate over thresholds", "share predicted positive"
    kind = _Kind(SweepChart, title, meaning, _selected, _selected_in_words, _farthest_in_words)
    return _figures(kind, rated, windows)


def _selected(rows: Rows) -> Points:
    nothing = dict.fromkeys(("lower", "upper"))
    return [
        {"x": row["threshold"], "y": row["selection_rate"], **nothing}
        for row in evenly(rows, MOST_POINTS)
    ]


def _selected_in_words(rows: Rows) -> Iterator[str]:
    for row in evenly(rows, MOST_IN_WORDS):
        yield f"{share(row['selection_rate'])} at {score(row['threshold'])}"


def _farthest_in_words(groups: Sequence[Rows]) -> str:
    """The rates of the groups at the threshold at which they are farthest apart."""
    by_threshold: dict[float, list[Row]] = {}
    for row in chain.from_iterable(groups):
        by_threshold.setdefault(row["threshold"], []).append(row)
    farthest = max(by_threshold.values(), key=_distance)
    rates = [(group_in_words(row), row["selection_rate"]) for row in farthest]
    at = score(farthest[0]["threshold"])
    return f"groups are farthest apart at {at}: {extremes_in_words(rates, share)}"


def _distance(rows: Rows) -> float:
    rates = [row["selection_rate"] for row in rows if row["selection_rate"] is not None]
    return max(rates) - min(rates) if rates else -1


def calibration_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The share with a positive label by mean score, a figure for each window and facet."""
    known = calibrated.filter(pl.col("mean_score").is_not_null())
    meaning = "share with a positive label by mean score"
    in_words = _calibration_in_words, _distances_in_words
    return _figures(
        _Kind(CalibrationChart, "Calibration", meaning, _calibration, *in_words), known, windows
    )


def _calibration(rows: Rows) -> Points:
    places = {"x": "mean_score", "y": "base_rate", "lower": "lower", "upper": "upper"}
    return [{key: row[column] for key, column in places.items()} for row in rows]


def _calibration_in_words(rows: Rows) -> Iterator[str]:
    for row in rows:
        yield f"{share(row['base_rate'])} at {number(row['mean_score'])}"


def _distances_in_words(groups: Sequence[Rows]) -> str:
    distances = _of_each(
        groups, partial(_mean, lambda row: abs(row["base_rate"] - row["mean_score"]))
    )
    found = extremes_in_words(distances, number)
    return f"the mean distance of the share from the score is {found}"


def score_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """How the scores of each group are distributed, a figure for each window and facet."""
    known = calibrated.filter(pl.col("n") > 0)
    meaning = "share of each group by score"
    kind = _Kind(ScoresChart, "Scores", meaning, _steps, _steps_in_words, _means_in_words)
    return _figures(kind, known, windows)


def _steps(rows: Rows) -> Points:
    """The share of a group in each bin, from its lower edge on; 0 between bins and after them."""
    whole = sum(row["n"] for row in rows)
    steps: Points = []
    for row in rows:
        if steps and steps[-1]["x"] == row["bin_lower"]:
            steps.pop()
        steps.append({"x": row["bin_lower"], "y": row["n"] / whole})
        steps.append({"x": row["bin_upper"], "y": 0.0})
    return steps


def _steps_in_words(rows: Rows) -> Iterator[str]:
    for step in _steps(rows):
        yield f"{share(step['y'])} from {score(step['x'])} on"


def _means_in_words(groups: Sequence[Rows]) -> str:
    means = _of_each(groups, partial(_mean, itemgetter("mean_score")))
    return f"the mean score is {extremes_in_words(means, number)}"


def _mean(value: Callable[[Row], float], rows: Rows) -> float:
    """The mean over the rows that a bin has, of all bins."""
    return float(sum(row["n"] * value(row) for row in rows) / sum(row["n"] for row in rows))


def _of_each(groups: Sequence[Rows], value: Callable[[Rows], float]) -> Iterator[tuple[str, float]]:
    return ((group_in_words(rows[0]), value(rows)) for rows in groups)


def evenly(things: Sequence[Each], most: int) -> list[Each]:
    """At most so many of these things at equal distances, with the first and the last.

    Examples
    --------
    >>> evenly(range(9), 3)
    [0, 4, 8]
    """
    if len(things) <= most:
        return [*things]
    return [things[round(i * (len(things) - 1) / (most - 1))] for i in range(most)]


@dataclass(frozen=True)
class _Kind:
    """What a chart is called, what is drawn for a group, and what is said of it and of all."""

    chart: type[_ChartOfLines]
    title: str
    meaning: str
    line: Callable[[Rows], Points]
    in_words: Callable[[Rows], Iterable[str]]
    found: Callable[[Sequence[Rows]], str]


def _figures(kind: _Kind, frame: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """A figure for each window and facet, with a line for each group and for all rows."""
    figures = []
    for about, groups, all_rows in _by_facet(frame, windows):
        lines = [*groups, *([all_rows] if all_rows else [])]
        points = [{**point, "line": i} for i, rows in enumerate(lines) for point in kind.line(rows)]
        words = (f"{group_in_words(rows[0])} {', '.join(kind.in_words(rows))}" for rows in lines)
        names = [group_in_words(rows[0]) for rows in groups]
        chart = kind.chart(points, names, ALL_ROWS if all_rows else "")
        title, found = f"{kind.title}{about}", kind.found(groups or lines)
        text = f"{title}, {kind.meaning}: {found}. {'; '.join(words)}."
        figures.append(Figure(title, text, chart))
    return figures


def _by_facet(
    frame: pl.DataFrame, windows: Sequence[str]
) -> Iterator[tuple[str, list[list[Row]], list[Row]]]:
    """What a figure is about, with the rows of each of its groups, and those about all rows."""
    for part in parts_of(frame, windows) if frame.height else ():
        facets: dict[str, dict[str | None, list[Row]]] = {}
        for row in part.iter_rows(named=True):
            facets.setdefault(row["facet"], {}).setdefault(row["value"], []).append(row)
        all_rows = facets.pop(ALL, {}).get(None, [])
        window = window_in_words(tuple((name, part[name][0]) for name in windows))
        for facet, groups in facets.items() or [("", {})]:
            about = f" by {facet}{first_of(groups, MOST_LINES)}" if facet else " of all rows"
            yield about + (window and f", {window}"), [*groups.values()][:MOST_LINES], all_rows


_SQUARE: Final = 300
_FLAT: Final = 170
_WIDEST: Final = 300
"""The width of a legend, which fits the narrowest chart."""
_SYMBOL: Final = 40
_MOST_DOTS: Final = 30
"""How many points of a line have dots: closer ones would hide how it is dashed."""
_DASHES: Final = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
_PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"


@dataclass(frozen=True)
class _ChartOfLines(Chart):
    """A chart whose marks have ``line``, the place of the name of their line, ``x`` and ``y``.

    With a ``total``, the line after those of the names is about all rows.
    """

    names: Sequence[str]
    total: str = ""

    @cached_property
    def all(self) -> list[str]:
        return apart([*self.names, self.total] if self.total else self.names)

    def named(self, look: Look, points: Sequence[Row]) -> alt.Chart:
        """The points in their order, each with the name of its line; the last line is lowest."""
        named = [
            {**each, "name": self.all[each["line"]], "order": i} for i, each in enumerate(points)
        ]
        named.sort(key=lambda each: -each["line"])
        groups = look.colours.groups if len(self.all) > 1 else [look.colours.ink]
        shades = [*islice(groups, len(self.names)), look.colours.soft][: len(self.all)]
        scale = alt.Scale(domain=self.all, range=shades)
        coloured = alt.Color("name:N", scale=scale, legend=self.legend(look))
        return alt.Chart(inline_data(named)).encode(color=coloured)

    def line(self, look: Look, points: Sequence[Row], x: alt.X, y: alt.Y, **more: Any) -> alt.Chart:
        """The lines through their points."""
        has_dots = len(points) <= _MOST_DOTS * len(self.all) and not more
        dots = {"size": 18, "filled": True} if has_dots else False
        line: alt.Chart = self.named(look, points).mark_line(strokeWidth=2, point=dots, **more)
        dashes = [*islice(cycle(_DASHES), len(self.names)), _DASHES[0]][: len(self.all)]
        scale = alt.Scale(domain=self.all, range=dashes)
        dashed = alt.StrokeDash("name:N", scale=scale, legend=self.legend(look))
        return line.encode(x=x, y=y, strokeDash=dashed, order=alt.Order("order:Q"))

    def legend(self, look: Look) -> alt.Legend | None:
        """The names below the chart, in as many columns as fit; a single line has none."""
        if len(self.all) < 2:
            return None
        widest = _SYMBOL + PER_LETTER * max(map(len, self.all))
        return alt.Legend(
            title=None,
            orient="bottom",
            columns=max(1, int(_WIDEST // widest)),
            labelColor=look.colours.ink,
            labelFontSize=12,
            labelLimit=_WIDEST - _SYMBOL,
            symbolOpacity=1,
            symbolSize=400,
            symbolStrokeWidth=2,
            symbolType="stroke",
        )


@dataclass(frozen=True)
class RocChart(_ChartOfLines):
    """The true by the false positive rate, beside the line of equal rates."""

    def draw(self, look: Look) -> alt.LayerChart:
        axis = alt.Axis(tickCount=4, labelExpr=_PERCENT)
        scale = alt.Scale(domain=[0, 1])
        x = alt.X("x:Q", title="False positive rate", scale=scale, axis=axis)
        y = alt.Y("y:Q", title="True positive rate", scale=scale, axis=axis)
        layers = [_diagonal(look), self.line(look, self.marks, x, y)]
        return alt.LayerChart(layer=layers, height=_SQUARE)


@dataclass(frozen=True)
class CalibrationChart(_ChartOfLines):
    """Lines of points as in `RocChart`, with ``lower`` and ``upper`` as bounds of ``y``."""

    def draw(self, look: Look) -> alt.LayerChart:
        scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(tickCount=4)
        x = alt.X("x:Q", title="Mean score", scale=scale, axis=axis)
        y = alt.Y("y:Q", title="Share with a positive label", scale=scale, axis=axis)
        spans = self.named(look, self.marks).mark_rule(strokeWidth=2, opacity=0.5)
        layers = [
            _diagonal(look),
            spans.encode(x=x, y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")),
            self.line(look, self.marks, x, y),
        ]
        return alt.LayerChart(layer=layers, height=_SQUARE)


@dataclass(frozen=True)
class ScoresChart(_ChartOfLines):
    """Steps of points as in `RocChart`: the share of each group by score."""

    is_flat = True

    def draw(self, look: Look) -> alt.LayerChart:
        x = alt.X("x:Q", title="Score", axis=alt.Axis(grid=False, tickCount=4))
        share = alt.Axis(tickCount=4, labelExpr=_PERCENT)
        y = alt.Y("y:Q", title="Share of the group", axis=share)
        steps = self.line(look, self.marks, x, y, interpolate="step-after")
        return alt.LayerChart(layer=[steps], height=_FLAT)


@dataclass(frozen=True)
class SweepChart(_ChartOfLines):
    """Lines of points as in `CalibrationChart` over thresholds, with the band and the ideal.

    ``over`` is the title of the horizontal scale.
    """

    band: Band = None
    ideal: float | None = None
    is_log: bool = False
    over: str = "Threshold"

    is_flat = True

    def draw(self, look: Look) -> alt.LayerChart:
        strips = [] if self.band is None or not all(map(isfinite, self.band)) else [self.band]
        keys = ("y", "lower", "upper")
        known = [*(each[key] for each in self.marks for key in keys), *chain(*strips)]
        values = Values.of(known, is_log=self.is_log)
        placed = [values.placed(each, keys) for each in self.marks]
        x = alt.X(
            "x:Q",
            title=self.over,
            scale=alt.Scale(zero=False, nice=False),
            axis=alt.Axis(grid=False, tickCount=5),
        )
        y = alt.Y("y:Q", title=None, scale=values.scale, axis=values.axis)
        layers = [
            *(strip(each, look) for each in strips),
            *([ideal_line(self.ideal, look)] if self.ideal is not None else []),
            self.named(look, placed)
            .mark_area(opacity=0.18)
            .encode(x=x, y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")),
            self.line(look, placed, x, y),
        ]
        return alt.LayerChart(layer=layers, height=_FLAT)


def _diagonal(look: Look) -> alt.Chart:
    """The line of equal rates, from corner to corner."""
    corners = alt.Chart(inline_data([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    drawn: alt.Chart = corners.mark_line(
        color=look.colours.soft, strokeDash=[3, 3], strokeWidth=1
    ).encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))
    return drawn
