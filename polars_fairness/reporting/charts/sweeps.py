"""Metrics over thresholds, and the frontier of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final

import polars as pl

from polars_fairness.answers.columns import values_of_choice
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.marks import MOST_LINES, Lines, Points
from polars_fairness.reporting.charts.scales import is_ratio
from polars_fairness.reporting.charts.specs import (
    MOST_IN_WORDS,
    MOST_POINTS,
    Groups,
    Row,
    Rows,
    Spec,
    evenly,
)
from polars_fairness.reporting.findings import Comparison, parts_of
from polars_fairness.reporting.parts import Figure, first_of
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


def sweep_figures(audited: pl.DataFrame, windows: Sequence[str], note: str = "") -> list[Figure]:
    """Each metric over the thresholds, a figure for each window and facet.

    The lines of a figure are the comparisons of a facet.
    """
    known = audited.filter(pl.col("value").is_not_null().any().over("metric"))
    parts = parts_of(known, [*windows, "facet", "metric"]) if known.height else []
    return [_sweep_figure(part, windows, note) for part in parts if part["value"].count()]


def _sweep_figure(part: pl.DataFrame, windows: Sequence[str], note: str) -> Figure:
    first = part.row(0, named=True)
    limits = band_of(first)
    by_side: dict[str, list[Row]] = {}
    for row in part.sort("threshold").iter_rows(named=True):
        by_side.setdefault(row["disfavored"] or "", []).append(row)
    spec = Spec(
        f"{first['metric']} by threshold, ",
        lambda rows: [
            {"x": row["threshold"], "y": row["value"], "lower": row["lower"], "upper": row["upper"]}
            for row in evenly(rows, MOST_POINTS)
        ],
        lambda rows: [
            f"{value_of(row)} at {score(row['threshold'])}" for row in evenly(rows, MOST_IN_WORDS)
        ],
        partial(_thresholds_within, limits),
        partial(
            Lines,
            x="Threshold",
            band=limits,
            ideal=first["ideal"],
            is_log=is_ratio(first["metric"], first["ideal"], limits),
            area=True,
        ),
        note=note,
    )
    compared = comparison_in_words(in_common(part, windows)) + first_of(by_side, MOST_LINES)
    return spec.figure([*by_side.items()], compared)


def in_common(part: pl.DataFrame, windows: Sequence[str]) -> Comparison:
    """The comparison of these rows; of several, what they have in common."""
    several = {"disfavored": "each group", "favored": "the favored"}
    sides = {side: part[side].unique().to_list() for side in several}
    d, a = (values[0] if len(values) == 1 else several[side] for side, values in sides.items())
    window = tuple((name, part[name][0]) for name in windows)
    return Comparison(window, part["facet"][0], d, a, part)


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
            "is_large": bool(row["is_on_frontier"]),
            "is_ringed": bool(row["is_chosen"]),
            "text": name,
        }
        for row, name in evenly([*zip(rows, names, strict=True)], MOST_POINTS)
    ]
    ideal = CATALOGUE[metric].ideal if metric in CATALOGUE else None
    is_log = is_ratio(metric, ideal, None)
    return Figure(title, words, Points(points, (metric, objective), ideal, is_log))


_VERDICTS: Final = {True: "fair", False: "outside", None: "undefined"}
