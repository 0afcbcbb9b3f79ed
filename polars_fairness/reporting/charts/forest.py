"""Forest plots: metrics and differences with intervals, each on the scale of its own band."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isclose, isfinite, isinf, log
from typing import Any, Final

import polars as pl

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.verdicts import CHANGES, tone_of, tone_of_change
from polars_fairness.formula.metric import Sign
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import (
    Look,
    inline_data,
    named_rows,
    numbers_beside,
    shapes,
)
from polars_fairness.reporting.findings import Comparison, comparisons_of
from polars_fairness.reporting.parts import Chart, Figure
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    difference_of,
    favored_in_words,
    interval_of,
    value_of,
    window_in_words,
)


def with_place(comparison: Comparison) -> Comparison:
    """The comparison with the metrics that have a place on the scale of their bands."""
    has_place = pl.col("value").is_not_null() & pl.col("band_lower").is_not_null()
    return replace(comparison, table=comparison.table.filter(has_place))


def forest_figures(comparison: Comparison, signs: Mapping[str, Sign | None]) -> list[Figure]:
    """One plot of the metrics that have a sign, and one of the metrics that have none.

    A metric without a value or a band has a row without a mark.
    """
    rows = comparison.table.rows(named=True)
    has_sides = comparison.disfavored is not None
    signed = [row for row in rows if has_sides and signs[row["metric"]]]
    unsigned = [row for row in rows if row not in signed]
    favored = favored_in_words(comparison)
    title = "Metrics on the scale of their bands"
    right = f"values to the right speak against {comparison.disfavored}"
    above = "values to the right are above; they do not show which side they speak against"
    plots = (
        (signed, f"{title}: {right}, values to the left against {favored}"),
        (unsigned, f"{title}: {above}"),
    )
    return [_forest_figure(comparison, signs, *plot) for plot in plots if plot[0]]


def _forest_figure(
    comparison: Comparison,
    signs: Mapping[str, Sign | None],
    rows: Sequence[Mapping[str, Any]],
    title: str,
) -> Figure:
    marks = [_mark(row, signs[row["metric"]] or 1, comparison) for row in rows]
    if all(mark["ideal"] is None for mark in marks):
        title = "Metrics without a band"
    words = "; ".join(
        f"{row['metric']} {value_of(row)}, {mark['Verdict']}"
        for row, mark in zip(rows, marks, strict=True)
    )
    in_words = f"{title}, {comparison_in_words(comparison)}: {words}."
    return Figure(title, in_words, ForestChart(marks))


def _mark(row: Mapping[str, Any], sign: int, comparison: Comparison) -> dict[str, Any]:
    """A row of the audit on the scale of its band, where the right speaks against d."""
    limits = band_of(row)
    place = places(limits, row["ideal"], sign)
    return {
        "name": f"{row['metric']}  {value_of(row)}",
        **{key: place(row[key]) for key in ("value", "lower", "upper", "ideal")},
        "tone": tone_of(row["verdict"]).name,
        "Interval": interval_of(row),
        "Band": band(limits),
        "Verdict": verdict_in_words(row, comparison),
    }


def places(limits: Band, ideal: float, sign: int) -> Callable[[float | None], float | None]:
    """The function that places a number on the scale of a band; without a band, nowhere."""
    if limits is None:
        return lambda _: None
    low, high = limits
    read = _logarithm if is_of_ratios(limits) else float
    middle, half = _scale(read(low), read(high), read(ideal))
    return lambda value: None if value is None else sign * (read(value) - middle) / half


def is_of_ratios(limits: tuple[float, float]) -> bool:
    """Whether a band is drawn by its logarithms: 0.8 and 1.25 are equally far from 1."""
    low, high = limits
    return low > 0 and isclose(low * high, 1)


def _logarithm(value: float) -> float:
    return log(value) if value > 0 else -inf


def _scale(low: float, high: float, ideal: float) -> tuple[float, float]:
    """The middle of a band and half its width; a band with one end has its ideal in the middle."""
    if isinf(low) and isinf(high):
        return ideal, 1.0
    if isinf(high):
        return max(ideal, low + 1), max(ideal - low, 1.0)
    if isinf(low):
        return min(ideal, high - 1), max(high - ideal, 1.0)
    return (low + high) / 2, (high - low) / 2 or 1.0


_MOST_ROWS: Final = 40
_MOST_NAMED: Final = 5
_SCALE: Final = "difference, in halves of the width of the band"
_NO_BANDS: Final = "metrics without a band have numbers, and no place on its scale"


def without_champion(audited: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a difference, without a model that differs nowhere, as a champion does.

    If no model differs anywhere, there are the rows of each.
    """
    known = audited.filter(pl.col("change").is_not_null())
    if MODEL not in audited.columns:
        return known
    differs = pl.any_horizontal(pl.col(name) != 0 for name in ("difference", *BOUNDS_OF_DIFFERENCE))
    others = known.filter(differs.any().over(MODEL))
    return known if others.is_empty() else others


def difference_figures(
    audited: pl.DataFrame, windows: Sequence[str], signs: Mapping[str, Sign | None]
) -> list[Figure]:
    """For each two sides, one plot of the metrics that have a sign, and one of all others.

    A row is a metric in a window, and windows of the same metric follow each other.
    """
    figures = []
    for comparison in comparisons_of(audited, []) if audited.height else ():
        has_sides = comparison.disfavored is not None
        is_signed = pl.col("metric").is_in([name for name, sign in signs.items() if sign])
        d, a = comparison.disfavored, favored_in_words(comparison)
        for signed, meaning in (
            (True, f"values to the right moved against {d}, values to the left against {a}"),
            (False, "values to the right are higher than their references"),
        ):
            part = comparison.table.filter((is_signed & has_sides) == signed)
            if part.height:
                figures.append(
                    _difference_figure(replace(comparison, table=part), windows, signs, meaning)
                )
    return figures


def _difference_figure(
    comparison: Comparison,
    windows: Sequence[str],
    signs: Mapping[str, Sign | None],
    meaning: str,
) -> Figure:
    table = comparison.table
    by_metric = table.partition_by("metric", maintain_order=True)
    most, longest = max(1, _MOST_ROWS // len(by_metric)), max(part.height for part in by_metric)
    rows = [row for part in by_metric for row in part.tail(most).iter_rows(named=True)]
    # The only window is named once, in the title.
    is_only = not windows or table[[*windows]].n_unique() == 1
    named, titled = ([], windows) if is_only else (windows, [])
    marks = [_mark_of_difference(row, named, signs[row["metric"]] or 1) for row in rows]
    last = f" (the last {most} of {longest:,} windows)" if longest > most else ""
    about = [comparison_in_words(comparison), _window_in_words(rows[0], titled)]
    title = f"Differences, {', '.join(filter(None, about))}{last}"
    words = "; ".join(f"{mark['name']} {mark['Difference']}, {mark['Change']}" for mark in marks)
    changes = (f"{change} for {names}" for change, names in _changes(marks))
    columns = ("Difference", "Interval", "Change")
    chart = ForestChart(marks, title=_SCALE, columns=columns, has_bands=False)
    has_place = any(mark["ideal"] is not None for mark in marks)
    caption = f"{title}\n{meaning if has_place else _NO_BANDS}"
    in_words = f"{title}: {', '.join(changes)}. {words}."
    return Figure(caption, in_words, chart)


def _changes(marks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The names of the marks with each change, the worst first."""
    for change in CHANGES:
        names = [mark["name"] for mark in marks if mark["Change"] == change]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        if names:
            yield change, ", ".join(names[:_MOST_NAMED]) + more


def _window_in_words(row: Mapping[str, Any], windows: Sequence[str]) -> str:
    return window_in_words(tuple((name, row[name]) for name in windows))


def _mark_of_difference(
    row: Mapping[str, Any], windows: Sequence[str], sign: int
) -> dict[str, Any]:
    """A difference on the scale of the metric's band, where the right speaks against d.

    A ratio is drawn by its logarithm, so the interval is that of the value less the reference.
    """
    place, reference = places(band_of(row), row["ideal"], sign), row["reference"]
    origin = place(reference)

    def moved(difference: float | None) -> float | None:
        if difference is None or origin is None or isinf(origin):
            return None
        there = place(reference + difference)
        return None if there is None else there - origin

    lower, upper = (row[bound] for bound in BOUNDS_OF_DIFFERENCE)
    difference, interval = difference_of(row)
    window = _window_in_words(row, windows)
    return {
        "name": f"{row['metric']}, {window}" if window else row["metric"],
        "value": moved(row["difference"]),
        "lower": moved(lower),
        "upper": moved(upper),
        "ideal": moved(0.0),
        "tone": tone_of_change(row["change"]).name,
        "Difference": difference,
        "Interval": interval,
        "Change": row["change"],
    }


_ROW_HEIGHT: Final = 26
_FARTHEST: Final = 6.0
"""How far the chart reaches at most, in halves of a band; values beyond are at the edge."""


@dataclass(frozen=True)
class ForestChart(Chart):
    """A plot of marks with ``name``, ``value``, ``lower``, ``upper``, ``ideal`` and ``tone``.

    All numbers are distances from the middle of the band, in halves of it, or from a reference. A
    mark without a band has none of them. The ``title`` is that of the axis; ``columns`` are the
    texts of marks that stand beside them.
    """

    title: str = "distance from the middle of the band; its edges are −1 and 1"
    columns: Sequence[str] = ("Interval", "Band", "Verdict")
    has_bands: bool = True

    has_heads = True

    def draw(self, look: Look) -> alt.LayerChart:
        colours, end = look.colours, _reach(self.marks)
        placed = [_placed(mark, end) for mark in self.marks]
        has_scale = any(mark["ideal"] is not None for mark in self.marks)
        data, y = named_rows(placed, look)
        scale = alt.Scale(domain=[-end, end], nice=False)
        axis = _axis(end, self.title if has_scale and look.has_numbers else "")
        x = alt.X("value:Q", title=None, scale=scale, axis=axis)
        base = alt.Chart(data).encode(y=y)
        tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
        shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
        band = alt.Chart(inline_data([{"from": -1, "to": 1}] * (has_scale and self.has_bands)))
        layers = [
            band.mark_rect(color=colours.band, opacity=1).encode(
                x=alt.X("from:Q"), x2=alt.X2("to:Q")
            ),
            base.mark_rule(color=colours.line).encode(x=alt.X("start:Q"), x2=alt.X2("end:Q")),
            base.mark_tick(color=colours.ink, thickness=1, size=14).encode(x=alt.X("ideal:Q")),
            base.mark_rule(color=colours.soft, strokeWidth=2).encode(
                x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
            ),
            base.mark_point(filled=True, opacity=1, size=90).encode(
                x=x, color=tinted, shape=shaped
            ),
            *numbers_beside(base, self.marks, self.columns, look),
        ]
        return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(self.marks))


def _axis(end: float, title: str) -> alt.Axis:
    if not title:
        return alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    values = [*range(-int(end), int(end) + 1)]
    return alt.Axis(
        values=values,
        tickCount=len(values),
        format="d",
        grid=False,
        title=title,
    )


def _reach(marks: Sequence[Mapping[str, Any]]) -> float:
    """How far the chart reaches: to the farthest finite number, but no farther than `_FARTHEST`."""
    places = [abs(mark[key]) for mark in marks for key in _PLACES if mark[key] is not None]
    return max(2.0, min(_FARTHEST, 1.1 * max(filter(isfinite, places), default=0)))


def _placed(mark: Mapping[str, Any], end: float) -> dict[str, Any]:
    within = {key: _clipped(mark[key], end) for key in _PLACES}
    line = {} if mark["ideal"] is None else {"start": -end, "end": end}
    return {**mark, **within, **line}


_PLACES: Final = ("value", "lower", "upper", "ideal")


def _clipped(place: float | None, end: float) -> float | None:
    return None if place is None else max(-end, min(end, place))
