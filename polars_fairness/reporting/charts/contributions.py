"""The chart of contributions: what each subgroup adds to a conditional metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import Look, named_rows, numbers_beside, rows

_ROW_HEIGHT: Final = 24
_NUMBERS: Final = ("Contribution", "Share", "Value", "Rows", "Weight")


def contributions_chart(bars: Sequence[Mapping[str, Any]], look: Look) -> alt.LayerChart:
    """A chart of bars with ``name`` and ``contribution``; the first bar is on top."""
    data, y = named_rows(bars, look)
    base = alt.Chart(data).encode(y=y)
    x = alt.X("contribution:Q", title=None, axis=alt.Axis(tickCount=4))
    drawn = base.mark_bar(color=look.colours.soft, height=12).encode(x=x)
    zero = alt.Chart(rows([{"zero": 0}])).mark_rule(color=look.colours.ink)
    numbers = numbers_beside(base, bars, _NUMBERS, look)
    layers = [drawn, zero.encode(x=alt.X("zero:Q")), *numbers]
    return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(bars))
