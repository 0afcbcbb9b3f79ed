"""Curves over scores: ROC, selection, calibration and distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import Final

import polars as pl

from polars_fairness.reporting.charts.marks import Lines
from polars_fairness.reporting.charts.scales import SHARES, Values
from polars_fairness.reporting.charts.specs import (
    MOST_IN_WORDS,
    MOST_POINTS,
    Groups,
    Row,
    Rows,
    Spec,
    evenly,
    figures_by_facet,
)
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.words import extremes_in_words, number, score, share


def roc_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The true by the false positive rate over the thresholds, for each window and facet.

    The curve of a group joins the points of its thresholds, and the corners, where all rows and no
    rows are accepted.
    """
    known = rated.filter(pl.col("tpr").is_not_null() & pl.col("fpr").is_not_null())
    return figures_by_facet([_ROC], known, windows)


def _roc(rows: Rows) -> list[Row]:
    """From the corner where all rows are accepted to the corner where no rows are."""
    inner = ({"x": row["fpr"], "y": row["tpr"]} for row in evenly(rows, MOST_POINTS))
    return [{"x": 1.0, "y": 1.0}, *inner, {"x": 0.0, "y": 0.0}]


def _area(points: Rows) -> float:
    corners = pairwise((point["x"], point["y"]) for point in points)
    return float(sum((x0 - x1) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in corners))


def _extremes(what: str, value: Callable[[Rows], float], digits: int = 3) -> Callable[..., str]:
    """The first clause of figures that are compared by a number for each group."""

    def found(groups: Groups) -> str:
        values = ((name, value(rows)) for name, rows in groups)
        return f"{what} is {extremes_in_words(values, partial(number, digits=digits))}"

    return found


_ROC: Final = Spec(
    "ROC curves",
    _roc,
    lambda rows: [
        f"{share(row['tpr'])} by {share(row['fpr'])} from {score(row['threshold'])} on"
        for row in evenly(rows, MOST_IN_WORDS)
    ],
    _extremes("the area below the curve", lambda rows: _area(_roc(rows)), digits=2),
    partial(
        Lines,
        x="False positive rate",
        y="True positive rate",
        across=SHARES,
        scale=SHARES,
        diagonal=True,
    ),
    "true by false positive rate",
)


def selection_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The selection rate over the thresholds, a figure for each window and facet."""
    return figures_by_facet([_SELECTION], rated, windows)


def _farthest_apart(groups: Groups) -> str:
    """The rates of the groups at the threshold at which they are farthest apart."""
    by_threshold: dict[float, list[tuple[str, float | None]]] = {}
    for name, row in ((name, row) for name, rows in groups for row in rows):
        by_threshold.setdefault(row["threshold"], []).append((name, row["selection_rate"]))
    at, farthest = max(by_threshold.items(), key=lambda each: _distance(each[1]))
    return f"groups are farthest apart at {score(at)}: {extremes_in_words(farthest, share)}"


def _distance(rates: Iterable[tuple[str, float | None]]) -> float:
    known = [rate for _, rate in rates if rate is not None]
    return max(known) - min(known) if known else -1


_SELECTION: Final = Spec(
    "Selection rate over thresholds",
    lambda rows: [
        {"x": row["threshold"], "y": row["selection_rate"]} for row in evenly(rows, MOST_POINTS)
    ],
    lambda rows: [
        f"{share(row['selection_rate'])} at {score(row['threshold'])}"
        for row in evenly(rows, MOST_IN_WORDS)
    ],
    _farthest_apart,
    partial(Lines, x="Threshold", is_share=True),
    "share predicted positive",
)


def calibration_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The share with a positive label by mean score, a figure for each window and facet."""
    known = calibrated.filter(pl.col("mean_score").is_not_null())
    return figures_by_facet([_CALIBRATION], known, windows)


def score_figures(calibrated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """How the scores of each group are distributed, a figure for each window and facet."""
    return figures_by_facet([_SCORES], calibrated.filter(pl.col("n") > 0), windows)


def _mean(value: Callable[[Row], float], rows: Rows) -> float:
    """The mean over the rows that a bin has, of all bins."""
    return float(sum(row["n"] * value(row) for row in rows) / sum(row["n"] for row in rows))


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
    lambda rows: [f"{share(row['base_rate'])} at {number(row['mean_score'])}" for row in rows],
    _extremes(
        "the mean distance of the share from the score",
        partial(_mean, lambda row: abs(row["base_rate"] - row["mean_score"])),
    ),
    partial(
        Lines,
        x="Mean score",
        y="Share with a positive label",
        across=Values(0, 1),
        scale=SHARES,
        diagonal=True,
    ),
    "share with a positive label by mean score",
)
_SCORES: Final = Spec(
    "Scores",
    _steps,
    lambda rows: [f"{share(step['y'])} from {score(step['x'])} on" for step in _steps(rows)],
    _extremes("the mean score", partial(_mean, itemgetter("mean_score"))),
    partial(Lines, x="Score", y="Share of the group", is_share=True, steps=True),
    "share of each group by score",
)
