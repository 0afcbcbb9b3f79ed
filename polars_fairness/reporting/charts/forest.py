"""The forest plot: metrics with their intervals, on scales that make all bands equally wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import Look, named_rows, numbers_beside, rows, shapes

_ROW_HEIGHT: Final = 26
_FARTHEST: Final = 6.0
"""How far the chart reaches at most, in halves of a band; values beyond are at the edge."""


def forest_chart(
    marks: Sequence[Mapping[str, Any]],
    look: Look,
    title: str = "distance from the middle of the band; its edges are −1 and 1",
    columns: Sequence[str] = ("Interval", "Band", "Verdict"),
    *,
    has_bands: bool = True,
) -> alt.LayerChart:
    """A plot of marks with ``name``, ``value``, ``lower``, ``upper``, ``ideal`` and ``tone``.

    All numbers are distances from the middle of the band, in halves of it, or from a reference. A
    mark without a band has none of them. The ``title`` is that of the axis; ``columns`` are the
    texts of marks that stand beside them.
    """
    colours, end = look.colours, _reach(marks)
    placed = [_placed(mark, end) for mark in marks]
    has_scale = any(mark["ideal"] is not None for mark in marks)
    data, y = named_rows(placed, look)
    scale = alt.Scale(domain=[-end, end], nice=False)
    axis = _axis(end, title if has_scale and look.has_numbers else "")
    x = alt.X("value:Q", title=None, scale=scale, axis=axis)
    base = alt.Chart(data).encode(y=y)
    tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    band = alt.Chart(rows([{"from": -1, "to": 1}] * (has_scale and has_bands)))
    layers = [
        band.mark_rect(color=colours.band, opacity=1).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q")),
        base.mark_rule(color=colours.line).encode(x=alt.X("start:Q"), x2=alt.X2("end:Q")),
        base.mark_tick(color=colours.ink, thickness=1, size=14).encode(x=alt.X("ideal:Q")),
        base.mark_rule(color=colours.soft, strokeWidth=2).encode(
            x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
        ),
        base.mark_point(filled=True, opacity=1, size=90).encode(x=x, color=tinted, shape=shaped),
        *numbers_beside(base, marks, columns, look),
    ]
    return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(marks))


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
