"""The chart of contributions: what each subgroup adds to a conditional metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import INK, SOFT, named_rows, rows

_ROW_HEIGHT: Final = 24


def contributions_chart(bars: Sequence[Mapping[str, Any]]) -> alt.LayerChart:
    """A chart of bars with ``name`` and ``contribution``; the first bar is on top."""
    data, y = named_rows(bars)
    x = alt.X("contribution:Q", title=None, axis=alt.Axis(tickCount=4))
    drawn = alt.Chart(data).mark_bar(color=SOFT, height=12).encode(x=x, y=y)
    zero = alt.Chart(rows([{"zero": 0}])).mark_rule(color=INK).encode(x=alt.X("zero:Q"))
    return alt.LayerChart(layer=[drawn, zero]).properties(height=_ROW_HEIGHT * len(bars))
