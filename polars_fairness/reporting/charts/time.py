"""The chart over time: a metric from window to window, with its interval and its band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import Look, finite, ideal_line, rows, shapes, strip

_HEIGHT: Final = 150


def time_chart(
    points: Sequence[Mapping[str, Any]],
    look: Look,
    band: tuple[float, float] | None,
    ideal: float | None,
) -> alt.LayerChart:
    """A chart of points with ``at`` (milliseconds since 1970), ``value`` and ``tone``.

    ``lower`` and ``upper`` are the bounds of the value, ``reference`` is the value that it is
    compared with, each or None.
    """
    colours = look.colours
    at = alt.X(
        "at:T",
        title=None,
        scale=alt.Scale(type="utc"),
        axis=alt.Axis(grid=False, tickCount=4, labelOverlap=True),
    )
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=4), scale=alt.Scale(zero=False))
    base = alt.Chart(rows([finite(point) for point in points])).encode(x=at)
    tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    marks = base.mark_point(filled=True, opacity=1, size=60)
    compared = any(point["reference"] is not None for point in points)
    references = base.mark_tick(color=colours.ink, orient="horizontal", thickness=1.5, size=16)
    layers = [
        *([strip(band, look)] if band is not None and all(map(isfinite, band)) else []),
        *([ideal_line(ideal, look)] if ideal is not None else []),
        base.mark_rule(color=colours.soft, strokeWidth=2).encode(y=alt.Y("lower:Q"), y2="upper:Q"),
        base.mark_line(color=colours.ink, strokeWidth=1).encode(y=y),
        *([references.encode(y=alt.Y("reference:Q"))] if compared else []),
        marks.encode(y=y, color=tinted, shape=shaped),
    ]
    return alt.LayerChart(layer=layers).properties(height=_HEIGHT)
