"""The figures of scores by group: ROC curves, calibration, and how scores are distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.reporting.figures.figures import first_of
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import ChartOfScores, Figure
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
        "roc", "ROC curves", "true by false positive rate", _roc, _roc_in_words, _areas_in_words
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
    kind = _Kind("sweep", title, meaning, _selected, _selected_in_words, _farthest_in_words)
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
        _Kind("calibration", "Calibration", meaning, _calibration, *in_words), known, windows
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
    kind = _Kind("scores", "Scores", meaning, _steps, _steps_in_words, _means_in_words)
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

    chart: ChartOfScores
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
        settings = {
            "names": [group_in_words(rows[0]) for rows in groups],
            "total": ALL_ROWS if all_rows else "",
        }
        title, found = f"{kind.title}{about}", kind.found(groups or lines)
        text = f"{title}, {kind.meaning}: {found}. {'; '.join(words)}."
        figures.append(Figure(title, text, kind.chart, points, settings))
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
