"""The figures of scores by group: ROC curves, calibration, and how scores are distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.reporting.figures import first_of
from polars_fairness.reporting.findings import parts_of
from polars_fairness.reporting.parts import ChartOfScores, Figure
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import ALL_ROWS, number, score, share, window_in_words

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
    meaning = "true by false positive rate"
    return _figures("roc", "ROC curves", meaning, known, windows, _roc, _roc_in_words)


def _roc(rows: Rows) -> Points:
    """From the corner where all rows are accepted to the corner where no rows are."""
    inner = ({"x": row["fpr"], "y": row["tpr"]} for row in evenly(rows, MOST_POINTS))
    return [{"x": 1.0, "y": 1.0}, *inner, {"x": 0.0, "y": 0.0}]


def _roc_in_words(rows: Rows) -> Iterator[str]:
    for row in evenly(rows, MOST_IN_WORDS):
        yield f"{share(row['tpr'])} by {share(row['fpr'])} from {score(row['threshold'])} on"


def selection_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The selection rate over the thresholds, a figure for each window and facet."""
    title, meaning = "Selection rate over thresholds", "share predicted positive"
    return _figures("sweep", title, meaning, rated, windows, _selected, _selected_in_words)


def _selected(rows: Rows) -> Points:
    nothing = dict.fromkeys(("lower", "upper"))
    return [
        {"x": row["threshold"], "y": row["selection_rate"], **nothing}
        for row in evenly(rows, MOST_POINTS)
    ]


def _selected_in_words(rows: Rows) -> Iterator[str]:
    for row in evenly(rows, MOST_IN_WORDS):
        yield f"{share(row['selection_rate'])} at {score(row['threshold'])}"


def calibration_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The share with a positive label by mean score, a figure for each window and facet."""
    known = calibrated.filter(pl.col("mean_score").is_not_null())
    meaning = "share with a positive label by mean score"
    in_words = _calibration_in_words
    return _figures("calibration", "Calibration", meaning, known, windows, _calibration, in_words)


def _calibration(rows: Rows) -> Points:
    places = {"x": "mean_score", "y": "base_rate", "lower": "lower", "upper": "upper"}
    return [{key: row[column] for key, column in places.items()} for row in rows]


def _calibration_in_words(rows: Rows) -> Iterator[str]:
    for row in rows:
        yield f"{share(row['base_rate'])} at {number(row['mean_score'])}"


def score_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """How the scores of each group are distributed, a figure for each window and facet."""
    known = calibrated.filter(pl.col("n") > 0)
    meaning = "share of each group by score"
    return _figures("scores", "Scores", meaning, known, windows, _steps, _steps_in_words)


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


def _figures(
    chart: ChartOfScores,
    title: str,
    meaning: str,
    frame: pl.DataFrame,
    windows: Sequence[str],
    line: Callable[[Rows], Points],
    in_words: Callable[[Rows], Iterable[str]],
) -> list[Figure]:
    """A figure for each window and facet, with a line for each group and for all rows."""
    figures = []
    for about, groups, all_rows in _by_facet(frame, windows):
        lines = [*groups, *([all_rows] if all_rows else [])]
        points = [{**point, "line": i} for i, rows in enumerate(lines) for point in line(rows)]
        words = (f"{group_in_words(rows[0])} {', '.join(in_words(rows))}" for rows in lines)
        settings = {
            "names": [group_in_words(rows[0]) for rows in groups],
            "total": ALL_ROWS if all_rows else "",
        }
        text = f"{title}{about}, {meaning}: {'; '.join(words)}."
        figures.append(Figure(f"{title}{about}", text, chart, points, settings))
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
