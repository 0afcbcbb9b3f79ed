"""The chart of comparisons: one metric of every group, with its interval, size and band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import (
    Look,
    named_rows,
    rows,
    shapes,
    sizes_beside,
)
from polars_fairness.reporting.charts.scales import Values

_ROW_HEIGHT: Final = 24
_SMALL: Final = 11
_ABOVE: Final = -8
"""How far above a mark at the edge its number stands, in the space between two rows."""


def comparison_chart(
    marks: Sequence[Mapping[str, Any]],
    look: Look,
    *,
    band: tuple[float, float] | None,
    ideal: float | None,
    ends: Sequence[float],
    is_log: bool,
    sign: int,
) -> alt.LayerChart:
    """A chart of marks with ``name``, ``value``, ``lower``, ``upper`` and ``tone``.

    The scale has a place for the numbers in ``ends``; a value beyond it is drawn at the edge, with
    its ``text``. The ``sign`` is 1 where values to the right speak against the group, -1 where
    those to the left do.
    """
    colours = look.colours
    values = Values.of(ends, is_log=is_log)
    data, y = named_rows([_placed(each, values) for each in marks], look)
    x = alt.X("value:Q", title=_direction(sign), scale=values.scale, axis=_axis(values, sign))
    base = alt.Chart(data).encode(y=y)
    tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    layers = [
        *_standards(values, band, ideal, look),
        base.mark_rule(color=colours.soft, strokeWidth=2).encode(
            x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
        ),
        base.mark_point(filled=True, opacity=1, size=70).encode(x=x, color=tinted, shape=shaped),
        *_at_edges(data.values, y, look),
        *sizes_beside(base, marks, look),
    ]
    return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(marks))


def _axis(values: Values, sign: int) -> alt.Axis:
    axis = values.axis.copy()
    axis.titleAnchor = "start" if sign < 0 else "end"
    return axis


def _direction(sign: int) -> str | None:
    return {-1: "← against the group", 1: "against the group →"}.get(sign)


def _standards(
    values: Values, band: tuple[float, float] | None, ideal: float | None, look: Look
) -> list[alt.Chart]:
    """The band, as far as the scale reaches, and the ideal."""
    colours = look.colours
    layers = []
    if band is not None:
        low, high = max(values.low, band[0]), min(values.high, band[1])
        shaded = alt.Chart(rows([{"from": low, "to": high}])).mark_rect(
            color=colours.band, opacity=1
        )
        layers.append(shaded.encode(x=alt.X("from:Q"), x2=alt.X2("to:Q")))
    if ideal is not None:
        line = alt.Chart(rows([{"ideal": ideal}])).mark_rule(color=colours.soft, strokeDash=[3, 3])
        layers.append(line.encode(x=alt.X("ideal:Q")))
    return layers


def _placed(mark: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """The mark within the scale; where it is not there itself, what stands at the edge."""
    value = mark["value"]
    placed = values.placed(mark, ("value", "lower", "upper"))
    if value is None:
        return placed | {"edge": values.low, "side": "left", "rise": 0}
    if values.low <= value <= values.high:
        return placed
    is_low = value < values.low
    edge = {"edge": placed["value"], "side": "left" if is_low else "right", "rise": _ABOVE}
    return placed | edge


def _at_edges(named: Sequence[Mapping[str, Any]], y: alt.Y, look: Look) -> list[alt.Chart]:
    """The numbers of values beyond the scale, and a word for those that do not exist."""
    beyond = [each for each in named if "edge" in each]
    if not beyond:
        return []
    texts = alt.Chart(rows(beyond)).mark_text(
        align=alt.ExprRef("datum.side"),
        dy=alt.ExprRef("datum.rise"),
        fontSize=_SMALL,
        color=look.colours.ink,
    )
    return [texts.encode(y=y, x=alt.X("edge:Q"), text=alt.Text("text:N"))]
