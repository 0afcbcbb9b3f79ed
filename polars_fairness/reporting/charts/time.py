"""The chart over time: a metric from window to window, with its interval and its band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, isfinite
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import Look, ideal_line, rows, shapes, strip
from polars_fairness.reporting.charts.scales import Values

_HEIGHT: Final = 150
_MOST_TICKS: Final = 4
_FAR_APART: Final = 0.2
"""How far apart two steps are at least, as a share of the chart, if both have their numbers."""
_EDGE: Final = 0.1
_ABOVE: Final = 4


def time_chart(
    points: Sequence[Mapping[str, Any]],
    look: Look,
    *,
    band: tuple[float, float] | None,
    ideal: float | None,
    ends: Sequence[float],
    is_log: bool,
    written: str,
) -> alt.LayerChart:
    """A chart of points with ``at`` (milliseconds since 1970), ``value`` and ``tone``.

    ``lower`` and ``upper`` are the bounds of the value, ``reference`` is the value that it is
    compared with, each or None. A point with a ``step`` changed by it from the point before. The
    vertical scale has a place for the numbers in ``ends``; ``written`` is the format of moments.
    """
    colours = look.colours
    values = Values.of(ends, is_log=is_log)
    placed = [values.placed(point, ("value", "lower", "upper", "reference")) for point in points]
    moments = [point["at"] for point in points]
    ticks = moments[:: ceil(len(moments) / _MOST_TICKS)]
    axis = alt.Axis(grid=False, values=ticks, format=written, labelFlush=True, labelOverlap=True)
    at = alt.X("at:T", title=None, scale=alt.Scale(type="utc"), axis=axis)
    y = alt.Y("value:Q", title=None, axis=values.axis, scale=values.scale)
    base = alt.Chart(rows(placed)).encode(x=at)
    tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    compared = any(point["reference"] is not None for point in points)
    references = base.mark_tick(color=colours.ink, orient="horizontal", thickness=1.5, size=16)
    layers = [
        *([strip(band, look)] if band is not None and all(map(isfinite, band)) else []),
        *([ideal_line(ideal, look)] if ideal is not None else []),
        base.mark_rule(color=colours.soft, strokeWidth=2).encode(
            y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")
        ),
        base.mark_line(color=colours.ink, strokeWidth=1).encode(y=y),
        *_steps(placed, at, y, look),
        *([references.encode(y=alt.Y("reference:Q"))] if compared else []),
        base.mark_point(filled=True, opacity=1, size=60).encode(y=y, color=tinted, shape=shaped),
    ]
    return alt.LayerChart(layer=layers, height=_HEIGHT)


def _steps(points: Sequence[Mapping[str, Any]], at: alt.X, y: alt.Y, look: Look) -> list[alt.Chart]:
    """A thick line from the point before each step, and above the chart how large it is."""
    ink = look.colours.ink
    lines: list[dict[str, Any]] = []
    numbers: list[dict[str, Any]] = []
    last = -1.0
    for before, here in pairwise(points):
        if not here["step"]:
            continue
        lines += [{**each, "line": len(numbers)} for each in (before, here)]
        place = (here["at"] - points[0]["at"]) / (points[-1]["at"] - points[0]["at"])
        arrow = "▼" if here["step"].startswith("−") else "▲"
        is_free = last < 0 or place - last >= _FAR_APART
        text = f"{arrow} {here['step']}" if is_free else arrow
        last = place if is_free else last
        numbers.append({"at": here["at"], "text": text, "align": _aligned(place)})
    if not lines:
        return []
    thick = alt.Chart(rows(lines)).mark_line(color=ink, strokeWidth=4)
    above = alt.Chart(rows(numbers)).mark_text(
        y=-_ABOVE, color=ink, fontSize=12, baseline="bottom", align=alt.ExprRef("datum.align")
    )
    return [
        thick.encode(x=at, y=y, detail=alt.Detail("line:N")),
        above.encode(x=at, text=alt.Text("text:N")),
    ]


def _aligned(place: float) -> str:
    """How a text at this share of the width is aligned, so that it stays on the chart."""
    if place < _EDGE:
        return "left"
    return "right" if place > 1 - _EDGE else "center"
