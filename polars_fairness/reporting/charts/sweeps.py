"""Metrics over thresholds, and the frontier of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isclose, isinf
from operator import itemgetter
from typing import Any, Final

import polars as pl

from polars_fairness.answers.columns import values_of_choice
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.curves import (
    MOST_IN_WORDS,
    MOST_LINES,
    MOST_POINTS,
    SweepChart,
    evenly,
)
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import Look, inline_data, shapes
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.findings import Comparison, parts_of
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.verdicts import is_within
from polars_fairness.reporting.words import (
    band,
    band_of,
    candidate_in_words,
    comparison_in_words,
    extremes_in_words,
    kind_of_candidates,
    number,
    score,
    value_of,
    window_in_words,
)
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.evaluate import SIDES

Row = Mapping[str, Any]


def sweep_figures(audited: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """Each metric over the thresholds, a figure for each window and facet.

    The lines of a figure are the comparisons of a facet.
    """
    known = audited.filter(pl.col("value").is_not_null().any().over("metric"))
    parts = parts_of(known, [*windows, "facet", "metric"]) if known.height else []
    return [_sweep_figure(part, windows) for part in parts if part["value"].count()]


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


def _sweep_figure(part: pl.DataFrame, windows: Sequence[str]) -> Figure:
    first = part.row(0, named=True)
    limits = band_of(first)
    by_side: dict[str | None, list[Row]] = {}
    for row in part.sort("threshold").iter_rows(named=True):
        by_side.setdefault(row["disfavored"], []).append(row)
    lines = {side or "": rows for side, rows in [*by_side.items()][:MOST_LINES]}
    points = [
        {"line": i, "x": row["threshold"], "y": row["value"]}
        | {bound: row[bound] for bound in ("lower", "upper")}
        for i, rows in enumerate(lines.values())
        for row in evenly(rows, MOST_POINTS)
    ]
    words = "; ".join(f"{side} {_in_words(rows)}".lstrip() for side, rows in lines.items())
    compared = comparison_in_words(in_common(part, windows)) + first_of(by_side, MOST_LINES)
    title = f"{first['metric']} by threshold, {compared}"
    chart = SweepChart(
        points,
        names=[*lines],
        band=limits,
        ideal=first["ideal"],
        is_log=is_ratio(first["metric"], first["ideal"], limits),
    )
    return Figure(title, f"{title}: {_found(lines, limits)}. {words}.", chart)


def in_common(part: pl.DataFrame, windows: Sequence[str]) -> Comparison:
    """The comparison of these rows; of several, what they have in common."""
    several = {"disfavored": "each group", "favored": "the favored"}
    sides = {side: part[side].unique().to_list() for side in several}
    d, a = (values[0] if len(values) == 1 else several[side] for side, values in sides.items())
    window = tuple((name, part[name][0]) for name in windows)
    return Comparison(window, part["facet"][0], d, a, part)


def _found(lines: Mapping[str, Sequence[Row]], limits: Band) -> str:
    """The thresholds at which each line is within the band; without one, the extremes of all."""
    if limits is None:
        values = (
            (f"{f'{side} at' if side else 'threshold'} {score(row['threshold'])}", row["value"])
            for side, rows in lines.items()
            for row in rows
        )
        return extremes_in_words(values, number)
    spans = []
    for side, rows in lines.items():
        fits = (row["value"] is not None and is_within(row["value"], limits) for row in rows)
        spans.append(f"{side} {spans_in_words(rows, fits)}".lstrip())
    return f"values within {band(limits)}: {'; '.join(spans)}"


def _in_words(rows: Sequence[Row]) -> str:
    some = evenly(rows, MOST_IN_WORDS)
    return ", ".join(f"{value_of(row)} at {score(row['threshold'])}" for row in some)


def spans_in_words(rows: Sequence[Row], fits: Iterable[bool]) -> str:
    """The thresholds, from one to another, between which all rows fit."""
    spans = []
    for is_fit, run in groupby(zip(fits, rows, strict=True), key=itemgetter(0)):
        if is_fit:
            first, *_, last = (score(row["threshold"]) for _, row in [*run] * 2)
            spans.append(f"at {first}" if first == last else f"from {first} to {last}")
    more = len(spans) - MOST_IN_WORDS
    shown = ", ".join(spans[:MOST_IN_WORDS]) or "nowhere"
    return f"{shown} and {more:,} more" if more > 0 else shown


def is_ratio(name: str, ideal: float | None, limits: Band) -> bool:
    """Whether a metric is a ratio, by the catalogue, or else by a band such as 0.8 to 1.25."""
    if name in CATALOGUE:
        return ideal == 1 and isinf(CATALOGUE[name].range[1])
    return limits is not None and limits[0] > 0 and isclose(limits[0] * limits[1], 1)


def as_audited(values: pl.DataFrame, windows: Sequence[str]) -> pl.DataFrame:
    """The answer of `metrics` with a row for each metric, without intervals, as `audit` has it."""
    places = values[[*windows, THRESHOLD, *SIDES]]
    known = {*places.columns, *COLUMNS_OF_METRICS}
    metrics = [name for name in values.columns if name not in known]
    return pl.concat(_of_metric(places, values[name]) for name in metrics)


def _of_metric(places: pl.DataFrame, values: pl.Series) -> pl.DataFrame:
    metric = CATALOGUE.get(values.name)
    low, high = (metric and metric.acceptable) or (None, None)
    numbers = {"ideal": metric and metric.ideal, "band_lower": low, "band_upper": high}
    nothing = dict.fromkeys(("lower", "upper"))
    table = places.with_columns(
        values.alias("value"),
        pl.lit(values.name).alias("metric"),
        *(pl.lit(number, pl.Float64).alias(name) for name, number in (numbers | nothing).items()),
    )
    if metric is None or metric.has_sides:
        return table
    # Repeated on every row of its facet.
    no_sides = (pl.lit(None, pl.String).alias(side) for side in ("disfavored", "favored"))
    return table.with_columns(no_sides).unique(maintain_order=True)


def choice_figures(
    chosen: pl.DataFrame, windows: Sequence[str], candidate: tuple[str, ...]
) -> list[Figure]:
    """What each candidate reaches, and at what disparity: a figure for each window and metric.

    Without a metric, over the thresholds; without these too, over the selection rate.
    """
    selection, *others = values_of_choice(chosen.columns)
    if others and (others[0] not in CATALOGUE or CATALOGUE[others[0]].parsed.level.is_one_group):
        objective, *metrics = others
    else:  # the selection rate is maximised, which has one column
        objective, metrics = selection, others
    beside = metrics or [THRESHOLD if THRESHOLD in candidate else selection]
    return [
        _choice_figure(part, windows, candidate, objective, metric)
        for part in (parts_of(chosen, windows) if chosen.height else ())
        for metric in beside
    ]


def _choice_figure(
    part: pl.DataFrame,
    windows: Sequence[str],
    candidate: tuple[str, ...],
    objective: str,
    metric: str,
) -> Figure:
    rows = part.rows(named=True)
    names = [candidate_in_words(row, candidate) for row in rows]
    window = window_in_words(tuple((name, part[name][0]) for name in windows))
    title = " and ".join(dict.fromkeys([objective, *([metric] if metric not in candidate else [])]))
    title += f" of {len(rows)} {kind_of_candidates(candidate)}s" + (window and f", {window}")
    best = [(row, name) for row, name in zip(rows, names, strict=True) if row["is_on_frontier"]]
    places = (
        f"{number(row[objective])} and {number(row[metric])} at {name}"
        for row, name in evenly(best, MOST_IN_WORDS)
    )
    chosen = [name for row, name in zip(rows, names, strict=True) if row["is_chosen"]]
    found = f"chosen is {', '.join(chosen) or 'none'}"
    words = f"{title}: {found}. On the frontier {', '.join(places)}."
    points = [
        {
            "x": row[metric],
            "y": row[objective],
            "tone": tone_of(_VERDICTS[row["is_within"]]).name,
            "is_on_frontier": bool(row["is_on_frontier"]),
            "is_chosen": bool(row["is_chosen"]),
            "text": name,
        }
        for row, name in evenly([*zip(rows, names, strict=True)], MOST_POINTS)
    ]
    ideal = CATALOGUE[metric].ideal if metric in CATALOGUE else None
    is_log = is_ratio(metric, ideal, None)
    return Figure(title, words, FrontierChart(points, (metric, objective), ideal, is_log))


_VERDICTS: Final = {True: "fair", False: "outside", None: "undefined"}


_HEIGHT: Final = 300


@dataclass(frozen=True)
class FrontierChart(Chart):
    """A chart of points with ``x``, ``y`` and ``tone``, one for each candidate.

    Points with ``is_on_frontier`` are large; the one with ``is_chosen`` has its ``text``.
    """

    titles: tuple[str, str]
    ideal: float | None
    is_log: bool

    def draw(self, look: Look) -> alt.LayerChart:
        colours = look.colours
        values = Values.of([*(each["x"] for each in self.marks), self.ideal], is_log=self.is_log)
        placed = [values.placed(each, ("x",)) for each in self.marks]
        reached = Values.of((each["y"] for each in self.marks), is_log=False)
        x = alt.X("x:Q", title=self.titles[0], scale=values.scale, axis=values.axis)
        y = alt.Y("y:Q", title=self.titles[1], scale=reached.scale, axis=reached.axis)
        tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
        shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
        base = alt.Chart(inline_data(placed)).encode(x=x, y=y)
        best = alt.Chart(inline_data([each for each in placed if each["is_on_frontier"]])).encode(
            x=x, y=y
        )
        chosen = alt.Chart(inline_data([each for each in placed if each["is_chosen"]])).encode(
            x=x, y=y
        )
        aim = alt.Chart(inline_data([] if self.ideal is None else [{"ideal": self.ideal}]))
        layers = [
            aim.mark_rule(color=colours.soft, strokeDash=[3, 3]).encode(x=alt.X("ideal:Q")),
            base.mark_point(filled=True, opacity=0.35, size=18).encode(color=tinted, shape=shaped),
            best.mark_point(filled=True, opacity=1, size=70).encode(color=tinted, shape=shaped),
            chosen.mark_point(color=colours.ink, size=260, strokeWidth=2),
            chosen.mark_text(color=colours.ink, fontSize=12, dx=-18, dy=18).encode(
                text=alt.Text("text:N")
            ),
        ]
        return alt.LayerChart(layer=layers, height=_HEIGHT)
