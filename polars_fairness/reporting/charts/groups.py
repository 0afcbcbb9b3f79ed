"""Figures of groups: rates, ranks, contributions, and curves over scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import isfinite
from operator import itemgetter
from typing import Final

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.marks import Lines
from polars_fairness.reporting.charts.scales import SHARES, Values
from polars_fairness.reporting.charts.specs import (
    MOST_IN_WORDS,
    MOST_POINTS,
    Groups,
    Row,
    Rows,
    Spec,
    dots,
    evenly,
    figures_by_facet,
)
from polars_fairness.reporting.findings import Comparison, bounds_of
from polars_fairness.reporting.parts import Figure, first_of
from polars_fairness.reporting.tables import rate_span, subgroups_of
from polars_fairness.reporting.words import (
    comparison_in_words,
    extremes_in_words,
    number,
    score,
    share,
    share_span,
    size,
    size_name,
)

_MOST_ROWS: Final = 30
_MOST_SUBGROUPS: Final = 20
_OF_RATES: Final = ("Rate", "Interval", "Rows", "Weight")


def rate_figures(
    rated: pl.DataFrame, shown: Sequence[str], windows: Sequence[str], note: str = ""
) -> list[Figure]:
    """One figure for every window, facet and shown rate; the last group of each is all rows.

    Figures of the same rate have one scale.
    """
    ends = {rate: pl.max_horizontal(rate, bounds_of(rate)[1]).cast(pl.Float64) for rate in shown}
    known = [end.filter(end.is_finite()).max().alias(rate) for rate, end in ends.items()]
    highest = rated.select(known).row(0, named=True) if shown else {}
    specs = [_rates(rate, highest[rate] or 1, note) for rate in shown]
    is_alone = (rated["facet"] == ALL).all()
    return [] if is_alone else figures_by_facet(specs, rated, windows)


def _rates(rate: str, highest: float, note: str) -> Spec:
    lower, upper = bounds_of(rate)
    return Spec(
        RATES[rate].title,
        lambda rows: [_rated(row, row[rate], row[lower], row[upper]) for row in rows],
        lambda rows: filter(None, (share(rows[0][rate]), rate_span(rows[0], rate))),
        lambda groups: extremes_in_words(((name, rows[0][rate]) for name, rows in groups), share),
        dots(Values(0, highest, is_share=True), columns=_OF_RATES),
        note=note,
        most=_MOST_ROWS,
    )


def _rated(row: Row, rate: float | None, lower: float | None, upper: float | None) -> Row:
    return {
        "value": rate,
        "lower": lower,
        "upper": upper,
        "Rate": share(rate),
        "Interval": share_span(lower, upper),
        size_name(row["n"]): size(row["n"]),
    }


def ranked_figure(groups: Groups, window: str) -> Figure:
    """Groups by rank, each with one row, beside the overall rate."""
    overall = groups[0][1][0]["rate_of_all"]
    line = f"the dashed line is the overall rate, {share(overall)}"
    known = [overall, *(row[key] for _, (row,) in groups for key in ("rate", "upper"))]
    highest = max((each for each in known if each is not None and isfinite(each)), default=1)

    def marks(rows: Rows) -> Sequence[Row]:
        rated = (_rated(row, row["rate"], row["lower"], row["upper"]) for row in rows)
        return [{**mark, "side": row["direction"]} for mark, row in zip(rated, rows, strict=True)]

    spec = Spec(
        "Groups by rank, the worst first",
        marks,
        lambda rows: [share(rows[0]["rate"])],
        line,
        dots(
            Values(0, highest or 1, is_share=True),
            columns=_OF_RATES,
            ideal=overall if overall is not None and isfinite(overall) else None,
        ),
        note=line,
        most=_MOST_ROWS,
    )
    return spec.figure(groups, f"{first_of(groups, _MOST_ROWS)}{window and ', '}{window}")


def contribution_figure(name: str, comparison: Comparison) -> Figure | None:
    """The largest contributions to a conditional metric; None if no subgroup has one."""
    groups = [
        (subgroup, [row])
        for subgroup, row in subgroups_of(comparison, _MOST_SUBGROUPS)
        if row["contribution"] is not None and isfinite(row["contribution"])
    ]
    if not groups:
        return None

    def found(groups: Groups) -> str:
        most, (row,) = max(groups, key=lambda each: abs(each[1][0]["contribution"]))
        return f"farthest from 0 for {most}, {number(row['contribution'])}"

    spec = Spec(
        f"Contributions of subgroups to {name}, {comparison_in_words(comparison)}",
        lambda rows: [
            {
                "lower": 0,
                "upper": row["contribution"],
                "Contribution": number(row["contribution"]),
                "Value": number(row["value"]),
                size_name(row["n"]): size(row["n"]),
            }
            for row in rows
        ],
        lambda rows: [number(rows[0]["contribution"])],
        found,
        dots(
            Values.of([0, *(row["contribution"] for _, (row,) in groups)]),
            columns=("Contribution", "Value", "Rows", "Weight"),
            ideal=0,
            bars=True,
        ),
        most=_MOST_SUBGROUPS,
    )
    return spec.figure(groups, first_of(comparison.table, _MOST_SUBGROUPS))


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
