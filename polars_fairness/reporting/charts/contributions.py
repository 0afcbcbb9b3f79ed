"""Bars: the contributions of subgroups to a conditional metric."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Final

from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import Look, inline_data, named_rows, numbers_beside
from polars_fairness.reporting.findings import Comparison
from polars_fairness.reporting.parts import Chart, Figure, first_of
from polars_fairness.reporting.tables import (
    subgroups_of,
)
from polars_fairness.reporting.words import (
    comparison_in_words,
    number,
    size,
    size_name,
)

_MOST_BARS: Final = 20


def contribution_figure(name: str, comparison: Comparison) -> Figure | None:
    """The largest contributions to a conditional metric; None if no subgroup has one."""
    bars = [
        {
            "name": subgroup,
            "contribution": row["contribution"],
            "Contribution": number(row["contribution"]),
            "Value": number(row["value"]),
            size_name(row["n"]): size(row["n"]),
        }
        for subgroup, row in subgroups_of(comparison, _MOST_BARS)
        if row["contribution"] is not None and isfinite(row["contribution"])
    ]
    if not bars:
        return None
    title = f"Contributions of subgroups to {name}, {comparison_in_words(comparison)}"
    title += first_of(comparison.table, _MOST_BARS)
    words = "; ".join(f"{bar['name']} {bar['Contribution']}" for bar in bars)
    most = max(bars, key=lambda bar: abs(bar["contribution"]))
    found = f"farthest from 0 for {most['name']}, {most['Contribution']}"
    return Figure(title, f"{title}: {found}. {words}.", ContributionsChart(bars))


_ROW_HEIGHT: Final = 24
_NUMBERS: Final = ("Contribution", "Share", "Value", "Rows", "Weight")


@dataclass(frozen=True)
class ContributionsChart(Chart):
    """A chart of bars with ``name`` and ``contribution``; the first bar is on top."""

    has_heads = True

    def draw(self, look: Look) -> alt.LayerChart:
        data, y = named_rows(self.marks, look)
        base = alt.Chart(data).encode(y=y)
        x = alt.X("contribution:Q", title=None, axis=alt.Axis(tickCount=4))
        drawn = base.mark_bar(color=look.colours.soft, height=12).encode(x=x)
        zero = alt.Chart(inline_data([{"zero": 0}])).mark_rule(color=look.colours.ink)
        numbers = numbers_beside(base, self.marks, _NUMBERS, look)
        layers = [drawn, zero.encode(x=alt.X("zero:Q")), *numbers]
        return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(self.marks))
