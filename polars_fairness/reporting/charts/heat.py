"""The heat map: a cell for each pair of values of two facets, coloured by its distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import PER_LETTER, Look, apart, rows

_ROW_HEIGHT: Final = 40
_LONGEST: Final = 90
"""How long a name above a column may be; names wider than their column stand upright."""
_LONGEST_TITLE: Final = 200

_DEEPEST: Final = 0.6
"""The opacity of the farthest cell, low enough that the number in it stays readable."""

_WIDEST: Final = 38
"""The width of a number with some space around it."""


def heat_chart(
    marks: Sequence[Mapping[str, Any]],
    look: Look,
    down: Sequence[str],
    across: Sequence[str],
    titles: tuple[str, str],
) -> alt.LayerChart:
    """A map of marks with ``row`` and ``column`` as numbers, ``side``, ``depth`` and ``text``.

    ``depth`` is the distance of a cell, 1 for the deepest colour; a pair without a mark is empty.
    """
    names, heads = apart(down, look.most_letters), apart(across)
    data = rows(
        [{**mark, "row": names[mark["row"]], "column": heads[mark["column"]]} for mark in marks]
    )
    of_rows, of_columns = titles
    widest = min(_LONGEST, PER_LETTER * max(map(len, heads)))
    x = alt.X(
        "column:N",
        title=of_columns,
        scale=alt.Scale(domain=heads),
        axis=alt.Axis(
            orient="top",
            ticks=False,
            domain=False,
            labelColor=look.colours.ink,
            labelLimit=_LONGEST,
            titleLimit=_LONGEST_TITLE,
            labelAngle=_where_narrow(widest, "270", "0"),
            labelAlign=_where_narrow(widest, "'left'", "'center'"),
            labelBaseline=_where_narrow(widest, "'middle'", "'bottom'"),
        ),
    )
    y = alt.Y(
        "row:N",
        title=of_rows,
        scale=alt.Scale(domain=names),
        axis=alt.Axis(
            ticks=False, domain=False, labelPadding=6, titleLimit=_ROW_HEIGHT * len(names)
        ),
    )
    base = alt.Chart(data).encode(x=x, y=y)
    shades = alt.Scale(domain=[0, 1], range=[0, _DEEPEST])
    cells = base.mark_rect(stroke=look.colours.line).encode(
        fill=alt.Fill("side:N", scale=look.of_sides(), legend=None),
        fillOpacity=alt.FillOpacity("depth:Q", scale=shades, legend=None),
    )
    numbers = base.mark_text(
        color=look.colours.ink, fontSize=12, angle=_where_narrow(_WIDEST, "270", "0")
    ).encode(text=alt.Text("text:N"))
    return alt.LayerChart(layer=[cells, numbers], height=_ROW_HEIGHT * len(names))


def _where_narrow(width: float, narrow: str, wide: str) -> alt.ExprRef:
    """One of two settings, by whether a column of the drawn chart is narrower than this width."""
    return alt.ExprRef(f"bandwidth('x') < {width:g} ? {narrow} : {wide}")
