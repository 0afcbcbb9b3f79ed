"""Figures of groups, by a `Spec` each: rates, ranks, contributions, curves and heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import isfinite
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.charts.marks import MOST_LINES, Dots, Heat, Lines
from polars_fairness.reporting.charts.scales import SHARES, Values
from polars_fairness.reporting.findings import Comparison, RankedGroups, Window, bounds_of, parts_of
from polars_fairness.reporting.parts import Chart, Figure, Part, first_of
from polars_fairness.reporting.tables import group_in_words, rate_span, subgroups_of
from polars_fairness.reporting.words import (
    ALL_ROWS,
    comparison_in_words,
    extremes_in_words,
    number,
    points,
    score,
    share,
    share_span,
    size,
    size_name,
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
    """What a figure is called, what is drawn of each group, and what is said of each and of all.

    ``chart`` takes the marks, the names of the groups, and the name of all rows or "". What was
    ``found`` is said first, then each group with what is ``said`` of it.
    """

    title: str
    marks: Callable[[Rows], Sequence[Row]]
    said: Callable[[Rows], Iterable[str]]
    found: str | Callable[[Groups], str]
    chart: Callable[..., Chart]
    meaning: str = ""
    note: str = ""
    most: int = MOST_LINES

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
        words = "; ".join(f"{name} {', '.join(self.said(rows))}".lstrip() for name, rows in shown)
        title = f"{self.title}{about}"
        text = [", ".join(filter(None, [title, self.meaning])) + ":"]
        found = self.found if isinstance(self.found, str) else self.found(named or shown)
        text += [f"{each}." for each in (found, words) if each]
        return Figure("\n".join(filter(None, [title, self.note])), " ".join(text), chart)


def figures_by_facet(
    specs: Sequence[Spec], frame: pl.DataFrame, windows: Sequence[str]
) -> list[Figure]:
    """The figures of each window and facet, with the groups of the facet and all rows."""
    return [
        spec.figure(groups, f" by {facet}{first_of(groups, spec.most)}{window}", total)
        if groups
        else spec.figure([], f" of all rows{window}", total)
        for window, facet, groups, total in _by_facet(frame, windows)
        for spec in specs
    ]


def _by_facet(
    frame: pl.DataFrame, windows: Sequence[str]
) -> Iterator[tuple[str, str, list[Group], Rows]]:
    """The window, the facet, the rows of each of its groups by their names, and of all rows."""
    for part in parts_of(frame, windows) if frame.height else ():
        facets: dict[str, dict[str | None, list[Row]]] = {}
        for row in part.iter_rows(named=True):
            facets.setdefault(row["facet"], {}).setdefault(row["value"], []).append(row)
        total = facets.pop(ALL, {}).get(None, [])
        window = window_in_words(tuple((name, part[name][0]) for name in windows))
        for facet, groups in facets.items() or [("", {})]:
            named: list[Group] = [(group_in_words(rows[0]), rows) for rows in groups.values()]
            yield window and f", {window}", facet, named, total


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


def dots(scale: Values, **options: Any) -> Callable[..., Dots]:
    """What draws the marks of a `Spec` as a row of dots each."""
    return lambda marks, *_: Dots(marks, scale, **options)


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


_MOST_VALUES: Final = 12
"""The largest number of values of a facet that a map has room for."""

_DEEPEST_AT_LEAST: Final = 0.1
"""The distance with the deepest colour is at least this: acceptable distances stay pale."""

Distances = Mapping[tuple[object, object], float]
"""The rate of each pair of values that has one, minus the overall rate."""


def heat_map(
    ranking: RankedGroups, rate: str, parts: Sequence[tuple[Window, pl.DataFrame]]
) -> tuple[Part, ...]:
    """One map for each window, if there are two facets and groups that fix both."""
    if len(ranking.facets) != 2:
        return ()
    distances = [_distances(part) for _, part in parts]
    if not any(distances):
        return ()
    axes = [_values(ranking, i) for i in range(2)]
    for facet, values in zip(ranking.facets, axes, strict=True):
        if len(values) > _MOST_VALUES:
            return (
                f"There is no heat map: {facet} has {len(values):,} values, and there is room "
                f"for {_MOST_VALUES}.",
            )
    farthest = max(
        [_DEEPEST_AT_LEAST, *(abs(far) for window in distances for far in window.values())]
    )
    about = f"by {' and '.join(ranking.facets)}"
    title = f"{rate} minus the overall rate, in percentage points, {about}"
    figures = tuple(
        _figure(
            ranking,
            ", ".join(filter(None, [title, window_in_words(window)])),
            axes,
            of_window,
            farthest,
        )
        for (window, _), of_window in zip(parts, distances, strict=True)
        if of_window
    )
    return (figures,)


def _about(window: Window) -> str:
    return f", {window_in_words(window)}" if window else ""


def _distances(part: pl.DataFrame) -> Distances:
    pairs = part.filter(pl.col("depth") == 2, pl.col("rate").is_not_null())
    rows = pairs.select("facet.0", "facet.1", pl.col("rate") - pl.col("rate_of_all"))
    return {(first, second): far for first, second, far in rows.iter_rows() if isfinite(far)}


def _values(ranking: RankedGroups, i: int) -> dict[object, str]:
    """The text of each value of a facet, in the order of the values, unknown last."""
    value, text = f"facet.{i}", f"value.{i}"
    fixed = ranking.table.select(value, text).filter(pl.col(text).is_not_null())
    return dict(fixed.unique().sort(value, nulls_last=True).iter_rows())


def _figure(
    ranking: RankedGroups,
    title: str,
    axes: Sequence[Mapping[object, str]],
    distances: Distances,
    farthest: float,
) -> Figure:
    down, across = axes
    marks, words, pairs = [], [], []
    for (row, first), (column, second) in product(enumerate(down), enumerate(across)):
        far = distances.get((first, second))
        text = "empty" if far is None else points(far)
        pair = f"{down[first]} and {across[second]}"
        words.append(f"{pair} {text}")
        pairs.append((pair, far))
        if far is not None:
            side, depth = "above" if far > 0 else "below", abs(far) / farthest
            mark = {"row": row, "column": column, "side": side, "depth": depth, "text": text}
            marks.append(mark)
    chart = Heat(marks, [*down.values()], [*across.values()], ranking.facets)
    in_words = f"{title}: {extremes_in_words(pairs, points)}. {'; '.join(words)}."
    return Figure(title, in_words, chart)
