"""Figures of groups, by a `Spec` each: rates, ranks, contributions, curves and heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise, product
from math import isfinite
from operator import itemgetter
from typing import Any, Final, TypeVar

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.marks import (
    MOST_LINES,
    SHARES,
    Dots,
    Heat,
    Lines,
    Values,
    is_logarithmic,
)
from polars_fairness.reporting.findings import (
    Comparison,
    RankedGroups,
    Window,
    bounds_of,
    parts_of,
    window_of,
)
from polars_fairness.reporting.parts import Chart, Figure, Part, first_of
from polars_fairness.reporting.tables import group_in_words, rate_span, subgroups_of
from polars_fairness.reporting.verdicts import is_within
from polars_fairness.reporting.words import (
    ALL_ROWS,
    band,
    band_of,
    comparison_in_words,
    drivers_in_words,
    extremes_in_words,
    named_in_words,
    number,
    part_in_words,
    points,
    score,
    share,
    share_span,
    size,
    size_name,
    span,
    value_in_words,
    value_of,
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

    ``chart`` takes the marks, the names of the groups, and the name of all rows or "". The
    ``summary`` is said first, then each group with what is ``said`` of it.
    """

    title: str
    marks: Callable[[Rows], Iterable[Row]]
    said: Callable[[Rows], Iterable[str]]
    summary: str | Callable[[Groups], str]
    chart: Callable[..., Chart]
    meaning: str = ""
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
        words = "; ".join(f"{name} {', '.join(self.said(rows))}".lstrip() for name, rows in shown)
        title = f"{self.title}{about}"
        text = [", ".join(filter(None, [title, self.meaning])) + ":"]
        summary = self.summary if isinstance(self.summary, str) else self.summary(named or shown)
        text += [f"{each.removesuffix('.')}." for each in (summary, words) if each]
        return Figure("\n".join(filter(None, [title, self.note])), " ".join(text), chart)


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
                about = f" by {facet}{first}" if groups else " of all rows"
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
    if (rated["facet"] == ALL).all():
        return []
    specs = []
    for rate in shown:
        bounds = bounds_of(rate)
        ends = rated.select(pl.max_horizontal(rate, bounds[1]).cast(pl.Float64)).to_series()
        highest: Any = ends.filter(ends.is_finite()).max()
        specs.append(
            Spec(
                RATES[rate].title,
                partial(_rated, names=(rate, *bounds)),
                lambda rows, rate=rate: filter(  # type: ignore[misc]
                    None, (share(rows[0][rate]), rate_span(rows[0], rate))
                ),
                _extremes(lambda rows, rate=rate: rows[0][rate], share),  # type: ignore[misc]
                dots(Values(0, highest or 1, is_share=True), columns=_OF_RATES),
                note=note,
                most=_MOST_ROWS,
            )
        )
    return figures_by_facet(rated, windows, *specs)


def _rated(rows: Rows, names: Sequence[str] = ("rate", "lower", "upper")) -> list[Row]:
    """The rate of a group with its interval, on the side of the overall rate where it has one."""
    marks: list[Row] = []
    for row in rows:
        rate, lower, upper = (row[name] for name in names)
        numbers = {"value": rate, "lower": lower, "upper": upper, "Rate": share(rate)}
        texts = {"Interval": share_span(lower, upper), size_name(row["n"]): size(row["n"])}
        side = {"side": row["direction"]} if "direction" in row else {}
        marks.append({**numbers, **texts, **side})
    return marks


def ranked_figure(groups: Groups, window: str) -> Figure:
    """Groups by rank, each with one row, beside the overall rate."""
    overall = groups[0][1][0]["rate_of_all"]
    line = f"the dashed line is the overall rate, {share(overall)}"
    known = [overall, *(row[key] for _, (row,) in groups for key in ("rate", "upper"))]
    highest = max((each for each in known if each is not None and isfinite(each)), default=1)
    spec = Spec(
        "Groups by rank, the worst first",
        _rated,
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
    most, (row,) = max(groups, key=lambda each: abs(each[1][0]["contribution"]))
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
        f"farthest from 0 for {most}, {number(row['contribution'])}",
        dots(
            Values.covering([0, *(row["contribution"] for _, (row,) in groups)]),
            columns=("Contribution", "Value", "Rows", "Weight"),
            ideal=0,
            bars=True,
        ),
        most=_MOST_SUBGROUPS,
    )
    return spec.figure(groups, first_of(comparison.table, _MOST_SUBGROUPS))


def drivers_figure(comparison: Comparison) -> Figure | None:
    """A bridge from the raw difference to the one at equal controls; None if there is none."""
    rows = comparison.table.rows(named=True)
    if not (summary := drivers_in_words(rows)):
        return None
    left, groups = 0.0, list[Group]()
    for row in rows:
        value = row["contribution"]
        start = 0.0 if row["part"] != "control" else left
        left = start + (-value if row["part"] == "control" else value)
        groups.append((part_in_words(row), [row | {"start": start, "end": left}]))
    spec = Spec(
        f"What controls account for of {rows[0]['metric']}, {comparison_in_words(comparison)}",
        lambda rows: [
            {
                "lower": min(row["start"], row["end"]),
                "upper": max(row["start"], row["end"]),
                "Contribution": number(row["contribution"]),
                "Interval": span(row["lower"], row["upper"]),
            }
            for row in rows
        ],
        lambda rows: [number(rows[0]["contribution"])],
        summary,
        dots(
            Values.covering([0, *(row[end] for _, (row,) in groups for end in ("start", "end"))]),
            columns=("Contribution", "Interval"),
            ideal=0,
            bars=True,
        ),
        most=None,
    )
    return spec.figure(groups)


def _extremes(
    value: Callable[[Rows], float | None], written: Callable[[float], str], what: str = ""
) -> Callable[[Groups], str]:
    """The first clause of figures whose groups are compared by a number of each."""
    return lambda groups: (
        f"{what}{extremes_in_words(((name, value(rows)) for name, rows in groups), written)}"
    )


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


def _area(rows: Rows) -> float:
    corners = pairwise((point["x"], point["y"]) for point in _roc(rows))
    return float(sum((x0 - x1) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in corners))


_ROC: Final = Spec(
    "ROC curves",
    _roc,
    lambda rows: [
        f"{share(row['tpr'])} by {share(row['fpr'])} from {score(row['threshold'])} on"
        for row in evenly(rows, MOST_IN_WORDS)
    ],
    _extremes(_area, partial(number, digits=2), "the area below the curve is "),
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
    return figures_by_facet(rated, windows, _SELECTION)


def _farthest_apart(groups: Groups) -> str:
    """The rates of the groups at the threshold at which they are farthest apart."""
    by_threshold: dict[float, list[tuple[str, float | None]]] = {}
    for name, row in ((name, row) for name, rows in groups for row in rows):
        by_threshold.setdefault(row["threshold"], []).append((name, row["selection_rate"]))

    def distance(at: float) -> float:
        known = [rate for _, rate in by_threshold[at] if rate is not None]
        return max(known) - min(known) if known else -1

    at = max(by_threshold, key=distance)
    rates = extremes_in_words(by_threshold[at], share)
    return f"groups are farthest apart at {score(at)}: {rates}"


_SELECTION: Final = Spec(
    "Selection rate over thresholds",
    lambda rows: [{"x": row["threshold"], "y": row["selection_rate"]} for row in evenly(rows)],
    lambda rows: [
        f"{share(row['selection_rate'])} at {score(row['threshold'])}"
        for row in evenly(rows, MOST_IN_WORDS)
    ],
    _farthest_apart,
    partial(Lines, x="Threshold", is_share=True),
    "share predicted positive",
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
            by_side.setdefault(row["disfavored"] or "", []).append(row)
        spec = Spec(
            f"{metric} by threshold, ",
            lambda rows: [
                {"x": row["threshold"], "y": row["value"]}
                | {end: row[end] for end in ("lower", "upper")}
                for row in evenly(rows)
            ],
            lambda rows: [
                f"{value_of(row)} at {score(row['threshold'])}"
                for row in evenly(rows, MOST_IN_WORDS)
            ],
            partial(_thresholds_within, limits),
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


def _thresholds_within(limits: Band, groups: Groups) -> str:
    """The thresholds at which each line is within the band; without one, the extremes of all."""
    if limits is None:
        values = (
            (f"{f'{side} at' if side else 'threshold'} {score(row['threshold'])}", row["value"])
            for side, rows in groups
            for row in rows
        )
        return extremes_in_words(values, number)
    spans = []
    for side, rows in groups:
        fits = (row["value"] is not None and is_within(row["value"], limits) for row in rows)
        spans.append(f"{side} {spans_in_words(rows, fits)}".lstrip())
    return f"values within {band(limits)}: {'; '.join(spans)}"


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
        partial(_mean, lambda row: abs(row["base_rate"] - row["mean_score"])),
        number,
        "the mean distance of the share from the score is ",
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
    _extremes(partial(_mean, itemgetter("mean_score")), number, "the mean score is "),
    partial(Lines, x="Score", y="Share of the group", is_share=True, steps=True),
    "share of each group by score",
)


_MOST_VALUES: Final = 12
"""The largest number of values of a facet that a map has room for."""

_DEEPEST_AT_LEAST: Final = 0.1
"""The distance with the deepest colour is at least this: acceptable distances stay pale."""


def heat_map(
    ranking: RankedGroups, rate: str, parts: Sequence[tuple[Window, pl.DataFrame]]
) -> tuple[Part, ...]:
    """One map for each window, if there are two facets and groups that fix both."""
    if len(ranking.facets) != 2:
        return ()
    far = (pl.col("rate") - pl.col("rate_of_all")).alias("far")
    of_windows = [
        (window, rows.rows(named=True))
        for window, part in parts
        if (rows := part.filter(pl.col("depth") == 2, far.is_finite()).with_columns(far)).height
    ]
    if not of_windows:
        return ()
    # The text of each value of a facet, in the order of the values, unknown last.
    axes = []
    for i, facet in enumerate(ranking.facets):
        fixed = ranking.table.select(f"facet.{i}", f"value.{i}").drop_nulls(f"value.{i}").unique()
        axes.append(dict(fixed.sort(f"facet.{i}", nulls_last=True).iter_rows()))
        if len(axes[i]) > _MOST_VALUES:
            return (
                f"There is no heat map: {facet} has {len(axes[i]):,} values, and there is room "
                f"for {_MOST_VALUES}.",
            )
    farthest = max(
        [_DEEPEST_AT_LEAST, *(abs(row["far"]) for _, rows in of_windows for row in rows)]
    )

    def marks(rows: Rows) -> list[Row]:
        return [
            {
                "side": "above" if row["far"] > 0 else "below",
                "depth": abs(row["far"]) / farthest,
                "text": points(row["far"]),
            }
            for row in rows
        ]

    spec = Spec(
        f"{rate} minus the overall rate, in percentage points, by {' and '.join(ranking.facets)}",
        marks,
        lambda rows: [points(row["far"]) for row in rows] or ["empty"],
        _extremes(lambda rows: rows[0]["far"] if rows else None, points),
        heat(axes[0], axes[1], ranking.facets),
        most=None,
    )
    figures = []
    for window, of_window in of_windows:
        pairs = {(row["facet.0"], row["facet.1"]): [row] for row in of_window}
        groups = [
            (f"{axes[0][one]} and {axes[1][other]}", pairs.get((one, other), []))
            for one, other in product(*axes)
        ]
        about = window_in_words(window)
        figures.append(spec.figure(groups, f"{about and ', '}{about}"))
    return (tuple(figures),)


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
            lambda rows: [share(row["share"]) for row in rows],
            "",
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
    of_facet = group if row["facet"] == ALL else f"{row['facet']} {group}"
    return ", ".join([*(named_in_words(name, row[name]) for name in windows), of_facet])
