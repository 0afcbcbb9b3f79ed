"""Figures of groups, by a `Spec` each: curves over thresholds and scores, and heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answers import (
    Comparison,
    parts_of,
    window_of,
)
from polars_fairness.reporting.charts.marks import MOST_LINES, Heat, Lines
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.scales import SHARES, Values, is_logarithmic
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.words import (
    ALL_ROWS,
    band_of,
    comparison_in_words,
    facet_in_words,
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


def selection_figures(rated: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """The selection rate over the thresholds, a figure for each window and facet."""
    return figures_by_facet(rated, windows, _SELECTION)


_SELECTION: Final = Spec(
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


def heat(
    down: Mapping[Any, str], across: Mapping[Any, str], titles: Sequence[str]
) -> Callable[..., Heat]:
    """What draws the marks of a `Spec` as cells: each group is a pair, row after row."""

    def draw(marks: Rows, *_: Any) -> Heat:
        placed = []
        for mark in marks:
            row, column = divmod(mark["line"], len(across))
            look = {key: mark[key] for key in ("side", "depth", "text")}
            placed.append({"row": row, "column": column, **look})
        return Heat(placed, [*down.values()], [*across.values()], titles)

    return draw


def confusion_figures(matrices: Iterable[pl.DataFrame], windows: Sequence[str]) -> list[Figure]:
    """A heat map of each matrix."""
    figures = []
    for part in matrices:
        rows = {(row["label"], row["predicted"]): row for row in part.iter_rows(named=True)}
        down, across = (
            {each: value_in_words(each) for each in part[role].unique(maintain_order=True)}
            for role in ("label", "predicted")
        )
        spec = Spec(
            OF_EACH_LABEL,
            lambda rows: [
                {
                    "side": "below" if row["label"] == row["predicted"] else "above",
                    "depth": row["share"],
                    "text": share(row["share"]),
                }
                for row in rows
                if row["share"] is not None
            ],
            heat(down, across, ("label", "predicted")),
            note="wrong predictions have another colour than right ones",
            most=None,
        )
        groups = [
            (f"{down[label]} as {across[predicted]}", [rows[label, predicted]])
            for label, predicted in product(down, across)
        ]
        figures.append(spec.figure(groups, f": {matrix_in_words(part, windows)}"))
    return figures


OF_EACH_LABEL: Final = "Of each label, the share predicted"


def matrix_in_words(part: pl.DataFrame, windows: Sequence[str]) -> str:
    """The window and the group of a confusion matrix."""
    row = part.row(0, named=True)
    group = group_in_words(row)
    of_facet = group if row["facet"] == ALL else f"{facet_in_words(row['facet'])} {group}"
    return ", ".join([*(named_in_words(name, row[name]) for name in windows), of_facet])
