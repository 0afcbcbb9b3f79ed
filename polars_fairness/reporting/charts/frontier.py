"""The chart of a choice: what each candidate reaches, and at what disparity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import Look, rows, shapes
from polars_fairness.reporting.charts.scales import Values

_HEIGHT: Final = 300


def frontier_chart(
    points: Sequence[Mapping[str, Any]],
    look: Look,
    titles: tuple[str, str],
    ideal: float | None,
    *,
    is_log: bool,
) -> alt.LayerChart:
    """A chart of points with ``x``, ``y`` and ``tone``, one for each candidate.

    Points with ``is_on_frontier`` are large; the one with ``is_chosen`` has its ``text``.
    """
    colours = look.colours
    values = Values.of([*(each["x"] for each in points), ideal], is_log=is_log)
    placed = [values.placed(each, ("x",)) for each in points]
    reached = Values.of((each["y"] for each in points), is_log=False)
    x = alt.X("x:Q", title=titles[0], scale=values.scale, axis=values.axis)
    y = alt.Y("y:Q", title=titles[1], scale=reached.scale, axis=reached.axis)
    tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    base = alt.Chart(rows(placed)).encode(x=x, y=y)
    best = alt.Chart(rows([each for each in placed if each["is_on_frontier"]])).encode(x=x, y=y)
    chosen = alt.Chart(rows([each for each in placed if each["is_chosen"]])).encode(x=x, y=y)
    aim = alt.Chart(rows([] if ideal is None else [{"ideal": ideal}]))
    layers = [
        aim.mark_rule(color=colours.soft, strokeDash=[3, 3]).encode(x=alt.X("ideal:Q")),
        base.mark_point(filled=True, opacity=0.35, size=18).encode(color=tinted, shape=shaped),
        best.mark_point(filled=True, opacity=1, size=70).encode(color=tinted, shape=shaped),
        chosen.mark_point(color=colours.ink, size=260, strokeWidth=2),
        chosen.mark_text(color=colours.ink, fontSize=12, dx=-18, dy=18).encode(
            text=alt.Text("text:N")
        ),
    ]
    return alt.LayerChart(layer=layers, height=_HEIGHT)
