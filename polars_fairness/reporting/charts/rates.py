"""The chart of rates: one rate of every group, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import (
    Look,
    finite,
    named_rows,
    numbers_beside,
    rows,
    sizes_beside,
)

_ROW_HEIGHT: Final = 24
_PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"


def rate_chart(
    points: Sequence[Mapping[str, Any]],
    look: Look,
    overall: float | None = None,
    highest: float | None = None,
) -> alt.LayerChart:
    """A chart of points with ``name``, ``rate``, ``lower`` and ``upper``; the first is on top.

    With the ``overall`` rate, a dashed line shows it, and each point has the colour of its
    ``side`` of this line. The scale ends at the ``highest`` number, or at that of the points.
    """
    colours, points = look.colours, [finite(point) for point in points]
    if highest is None:
        known = [p[key] for p in points for key in ("rate", "upper") if p[key] is not None]
        highest = max(known, default=1)
    x = alt.X(
        "rate:Q",
        title=None,
        scale=alt.Scale(domain=[0, highest or 1], nice=True),
        axis=alt.Axis(labelExpr=_PERCENT, tickCount=4, labelOverlap="greedy", labelSeparation=6),
    )
    data, y = named_rows(points, look)
    base = alt.Chart(data).encode(y=y)
    spans = base.mark_rule(color=colours.soft, strokeWidth=2).encode(
        x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
    )
    marks = base.mark_point(color=colours.ink, filled=True, opacity=1, size=60).encode(x=x)
    layers = [spans, marks]
    if overall is not None:
        line = alt.Chart(rows([{"overall": overall}])).mark_rule(
            color=colours.ink, strokeDash=[3, 3]
        )
        coloured = alt.Color("side:N", scale=look.of_sides(), legend=None)
        layers = [line.encode(x=alt.X("overall:Q")), spans, marks.encode(color=coloured)]
    layers += sizes_beside(base, points, look)
    layers += numbers_beside(base, points, ("Rate", "Interval", "Rows", "Weight"), look)
    return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(points))
