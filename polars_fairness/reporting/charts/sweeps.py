"""Figures of values over thresholds and over time, and the frontier of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from itertools import groupby
from math import inf, isfinite
from operator import itemgetter
from typing import Final

import polars as pl

from polars_fairness.api.columns import values_of_choice
from polars_fairness.api.verdicts import TONES, tone_of
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.charts.groups import (
    MOST_IN_WORDS,
    MOST_POINTS,
    Groups,
    Row,
    Rows,
    Spec,
    evenly,
)
from polars_fairness.reporting.charts.marks import MOST_LINES, Lines, Points
from polars_fairness.reporting.charts.scales import Values, is_ratio, places, scale_of
from polars_fairness.reporting.findings import (
    IS_MARKED,
    PREVIOUS,
    Comparison,
    Findings,
    comparisons_of,
    followed,
    parts_of,
    time_column,
)
from polars_fairness.reporting.parts import Figure, first_of
from polars_fairness.reporting.verdicts import is_within, with_other_groups
from polars_fairness.reporting.words import (
    band,
    band_of,
    candidate_in_words,
    comparison_in_words,
    confidence_in_words,
    difference_of,
    extremes_in_words,
    kind_of_candidates,
    number,
    score,
    standards_of,
    value_in_words,
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


MOST_TRENDS: Final = 8
_MOST_CHANGES: Final = 3
_JUDGED: Final = ("ideal", "band_lower", "band_upper", "verdict")


@dataclass(frozen=True)
class _Series:
    """One metric of a comparison, whose window is the model, in the order of time.

    Each row is one of the audit; ``steps`` has those that are marked, by their moments.
    """

    metric: str
    comparison: Comparison
    column: str
    rows: Sequence[Row]
    steps: Mapping[date, Row] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.metric} of {comparison_in_words(self.comparison)}"

    @property
    def last(self) -> Row:
        return self.rows[-1]

    @property
    def largest_step(self) -> float:
        return max(map(_size, self.steps.values()), default=0)


def time_figures(audited: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    """One figure for every metric, pair of sides and model, if ``by`` is one date or time.

    Figures of the same metric have one scale. In a contrast, a point has the value that it is
    compared with as well.
    """
    column = time_column(audited)
    if column is None or audited.is_empty():
        return []
    models = [name for name in windows if name == MODEL]
    return [*_figures([*_series_of(comparisons_of(audited, models), column, {})])]


def trend_figures(findings: Findings, most: int = 2) -> list[Figure]:
    """The figures of the metrics that are followed over time, the largest changes first.

    Then those follow whose last value has the worst verdict.
    """
    return [*_figures(_trends(findings)[:most])]


def changes_over_time(findings: Findings, most: int = _MOST_CHANGES) -> list[str]:
    """The largest changes from one window to the next, as sentences in the order of time.

    What is outside its band now comes before what is over. If no change is beyond chance, one
    sentence says so; without any step there is none.
    """
    if findings.steps.is_empty() or findings.confidence is None:
        return []
    if changes := _changes(findings)[:most]:
        return [
            _change_in_words(*each)
            for each in sorted(changes, key=lambda each: each[0][each[1].column])
        ]
    steps, confidence = findings.steps.height, confidence_in_words(findings.confidence)
    none = "The one step" if steps == 1 else f"None of the {steps:,} steps"
    is_beyond = "is not beyond" if steps == 1 else "is by itself beyond"
    return [
        f"{none} from one window to the next {is_beyond} chance, at a confidence of "
        f"{confidence} for all steps together."
    ]


def more_changes_in_words(findings: Findings, shown: int) -> Iterator[str]:
    """How many changes there are beside so many that are shown, if any."""
    if (more := len(_changes(findings)) - shown) > 0:
        yield f"Smaller changes, or changes that are over: {more:,}; see “Over time”."


def _changes(findings: Findings) -> list[tuple[Row, _Series]]:
    """The changes beyond chance: those outside their bands now, then the largest, come first.

    Of a facet in a window there is the largest: the other groups changed because it did, or with
    it.
    """
    if findings.steps.is_empty():
        return []
    found = [(step, series) for series in _trends(findings) for step in series.steps.values()]
    largest: dict[tuple[object, ...], tuple[Row, _Series]] = {}
    for step, series in sorted(found, key=lambda each: -_size(each[0])):
        place = (series.comparison.facet, series.comparison.window, step[series.column])
        largest.setdefault(place, (step, series))
    return sorted(
        largest.values(), key=lambda each: tone_of(each[1].last["verdict"]).name != "outside"
    )


def _trends(findings: Findings) -> list[_Series]:
    """The series of the metrics that are followed over time, the most important first."""
    column = findings.time_column
    if column is None or findings.audited.is_empty():
        return []
    names = followed(findings.audited, [*findings.metrics()] if findings.requested else [])
    audited = findings.over_time(findings.audited.filter(pl.col("metric").is_in(names)))
    marked = findings.over_time(findings.steps.filter(IS_MARKED))
    steps = {_place(row, column): row for row in marked.iter_rows(named=True)}
    models = [name for name in findings.windows if name == MODEL]
    compared = with_other_groups(findings, comparisons_of(audited, models))
    tones = [*TONES]

    def importance(each: _Series) -> tuple[float, ...]:
        tone = tones.index(tone_of(each.last["verdict"]).name)
        is_against_d = each.last["verdict"] == "against_disfavored"
        return (-round(each.largest_step, 9), tone, names.index(each.metric), not is_against_d)

    return sorted(_series_of(compared, column, steps), key=importance)


def _series_of(
    comparisons: Iterable[Comparison], column: str, marked: Mapping[tuple[object, ...], Row]
) -> Iterator[_Series]:
    """The series of these comparisons, with the ``marked`` steps by their places."""
    for comparison in comparisons:
        for part in comparison.table.partition_by("metric", maintain_order=True):
            # A time of day alone, or a duration, is no moment.
            rows = [row for row in part.to_dicts() if isinstance(row[column], date)]
            if len(rows) > 1:
                # A step is judged as its row is.
                steps = {
                    row[column]: {**step, **{key: row[key] for key in _JUDGED}}
                    for row in rows
                    if (step := marked.get(_place(row, column)))
                }
                yield _Series(rows[0]["metric"], comparison, column, rows, steps)


def _place(row: Row, column: str) -> tuple[object, ...]:
    keys = (column, MODEL, "facet", "disfavored", "favored", "metric")
    return tuple(row.get(key) for key in keys)


def _size(step: Row) -> float:
    """How large a step is: in halves of the width of the band, a ratio by its logarithm."""
    place = places(band_of(step), step["ideal"], 1)
    here, there = place(step["value"]), place(step["reference"])
    if here is None or there is None:
        return abs(float(step["difference"]))
    return abs(here - there) if isfinite(here - there) else inf


def _change_in_words(step: Row, series: _Series) -> str:
    column = series.column
    verb = "fell" if step["difference"] < 0 else "rose"
    difference, bounds = difference_of(step)
    reference = number(step["reference"], beside=standards_of(step))
    return (
        f"{series.name} {verb} from {reference} in "
        f"{value_in_words(step[PREVIOUS])} to {value_of(step)} in "
        f"{value_in_words(step[column])} (difference {difference}, {bounds})"
        f"{_since(step[column], series)}."
    )


def _since(moment: date, series: _Series) -> str:
    """Where the values have been since a step, if all of them are in one place."""
    after = [row for row in series.rows if row[series.column] >= moment]
    tones = {tone_of(row["verdict"]).name for row in after}
    if len(tones) > 1 or not tones <= {"outside", "within"}:
        return ""
    tone = tones.pop()
    before = [row for row in series.rows if row[series.column] < moment]
    if before and tone_of(before[-1]["verdict"]).name == tone:
        return f"; it was {tone} its band before, too"
    return f" and has been {tone} its band since" if len(after) > 1 else f" and is {tone} its band"


def _figures(every: Sequence[_Series]) -> Iterator[Figure]:
    of_metric: dict[str, list[Row]] = {}
    for series in every:
        of_metric.setdefault(series.metric, []).extend(series.rows)
    for series in every:
        is_log = is_ratio(series.metric, series.last["ideal"], band_of(series.last))
        yield _figure(series, scale_of(of_metric[series.metric], is_log=is_log))


def _figure(series: _Series, scale: Values) -> Figure:
    first = series.rows[0]
    marks = [
        {"line": 0, "x": _milliseconds(row[series.column]), "y": row["value"]}
        | {key: row.get(key) for key in ("lower", "upper", "reference")}
        | {"tone": tone_of(row["verdict"]).name}
        | {"step": _signed(series.steps.get(row[series.column]))}
        for row in series.rows
    ]
    values = "; ".join(
        f"{value_in_words(row[series.column])} {value_of(row)}" for row in series.rows
    )
    changes = " ".join(_change_in_words(step, series) for step in series.steps.values())
    words = [changes, _verdicts_in_words(series), f"{series.name} over time: {values}."]
    chart = Lines(
        marks,
        scale=scale,
        band=band_of(first),
        ideal=first["ideal"],
        dates=_written([row[series.column] for row in series.rows]),
    )
    caption = f"{series.metric}, {comparison_in_words(series.comparison)}"
    return Figure(caption, " ".join(filter(None, words)), chart)


def _signed(step: Row | None) -> str:
    if step is None:
        return ""
    return f"{'+' if step['difference'] > 0 else ''}{difference_of(step)[0]}"


def _verdicts_in_words(series: _Series) -> str:
    """How many values are outside the band, and how many may be."""
    limits = band_of(series.rows[0])
    if limits is None:
        return ""
    tones = [tone_of(row["verdict"]).name for row in series.rows]
    outside, uncertain = (tones.count(name) for name in ("outside", "uncertain"))
    more = f", {uncertain:,} uncertain" if uncertain else ""
    return f"{outside:,} of {len(tones):,} windows are outside the band of {band(limits)}{more}."


def _milliseconds(moment: date) -> float:
    """Milliseconds from 1970 on, by the moment's own clock, whose days windows are of."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return 1000 * moment.replace(tzinfo=UTC).timestamp()


def _written(moments: Sequence[date]) -> str:
    """How an axis writes these moments: always with the year, as finely as they differ."""
    if any(isinstance(each, datetime) and each.time() != each.time().min for each in moments):
        return "%-d %b %Y, %H:%M"
    if any(each.day > 1 for each in moments):
        return "%-d %b %Y"
    return "%b %Y" if any(each.month > 1 for each in moments) else "%Y"
