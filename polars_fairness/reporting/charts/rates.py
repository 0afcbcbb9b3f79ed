"""The chart of rates: one rate of every group, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import INK, SOFT, named_rows

_ROW_HEIGHT: Final = 28


def rate_chart(points: Sequence[Mapping[str, Any]]) -> alt.LayerChart:
    """A chart of points with ``name``, ``rate``, ``lower`` and ``upper``; the first is on top."""
    known = [p[key] for p in points for key in ("rate", "upper") if p[key] is not None]
    x = alt.X(
        "rate:Q",
        title=None,
        scale=alt.Scale(domain=[0, max(known, default=1) or 1], nice=True),
        axis=alt.Axis(format=".0%", tickCount=4),
    )
    data, y = named_rows(points)
    base = alt.Chart(data).encode(y=y)
    spans = base.mark_rule(color=SOFT, strokeWidth=2).encode(x=alt.X("lower:Q"), x2="upper:Q")
    marks = base.mark_point(color=INK, filled=True, opacity=1, size=60).encode(x=x)
    return alt.LayerChart(layer=[spans, marks]).properties(height=_ROW_HEIGHT * len(points))
