"""The chart of switches: the shares of every group that a model decides otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import (
    Look,
    inline_data,
    named_rows,
    numbers_beside,
    sizes_beside,
)
from polars_fairness.reporting.parts import Chart

_ROW_HEIGHT: Final = 24
_SIZES: Final = ("Rows", "Weight")
_PERCENT: Final = "format(100 * abs(datum.value), '~g') + ' %'"


@dataclass(frozen=True)
class SwitchesChart(Chart):
    """A chart of marks with ``name`` and the shares ``accepted`` and ``rejected``.

    ``words`` has the words for both.

    What is newly accepted is drawn to the right, and what is newly rejected to the left.
    """

    words: Mapping[str, str]

    has_heads = True

    def draw(self, look: Look) -> alt.LayerChart:
        data, y = named_rows([{**mark, "rejected": -mark["rejected"]} for mark in self.marks], look)
        base = alt.Chart(data).encode(y=y)
        bars = base.mark_bar(color=look.colours.soft, height=12)
        axis = alt.Axis(tickCount=4, labelExpr=_PERCENT)
        title = f"← {self.words['rejected']}, {self.words['accepted']} →"
        x = alt.X("accepted:Q", title=title, axis=axis)
        columns = (*(text.capitalize() for text in self.words.values()), *_SIZES)
        zero = alt.Chart(inline_data([{"zero": 0}])).mark_rule(color=look.colours.ink)
        layers = [
            bars.encode(x=x),
            bars.encode(x=alt.X("rejected:Q")),
            zero.encode(x=alt.X("zero:Q")),
            *sizes_beside(base, self.marks, look),
            *numbers_beside(base, self.marks, columns, look),
        ]
        return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(self.marks))
