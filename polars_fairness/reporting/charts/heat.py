"""Every pair of two attributes' values as a cell, coloured by how far it is off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import ABOVE, BELOW, INK, LINE, apart, by_tone, rows

_ROW_HEIGHT: Final = 40
_LONGEST: Final = 90
"""How long the names above the columns may get, which stand upright where columns are narrower."""
_LONGEST_TITLE: Final = 200

_DEEPEST: Final = 0.6
"""How much of its colour the cell farthest off has: the number in it stays readable."""

_WIDEST: Final = 38
"""How wide a number is, with a little room."""

_PER_LETTER: Final = 6.5
"""How wide a letter of a name is, or rather less."""


def heat_chart(
    marks: Sequence[Mapping[str, Any]],
    down: Sequence[str],
    across: Sequence[str],
    titles: tuple[str, str],
) -> alt.LayerChart:
    """Draw marks with ``row`` and ``column``, by number, ``side``, ``depth`` and ``text``.

    ``depth`` is how far a cell is off, the farthest being 1; pairs without a mark stay empty.
    """
    names, heads = apart(down), apart(across)
    data = rows(
        [{**mark, "row": names[mark["row"]], "column": heads[mark["column"]]} for mark in marks]
    )
    of_rows, of_columns = titles
    widest = min(_LONGEST, _PER_LETTER * max(map(len, heads)))
    x = alt.X(
        "column:N",
        title=of_columns,
        scale=alt.Scale(domain=heads),
        axis=alt.Axis(
            orient="top",
            ticks=False,
            domain=False,
            labelColor=INK,
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
    sides = by_tone({"above": ABOVE, "below": BELOW})
    shades = alt.Scale(domain=[0, 1], range=[0, _DEEPEST])
    cells = base.mark_rect(stroke=LINE).encode(
        fill=alt.Fill("side:N", scale=sides, legend=None),
        fillOpacity=alt.FillOpacity("depth:Q", scale=shades, legend=None),
    )
    numbers = base.mark_text(
        color=INK, fontSize=12, angle=_where_narrow(_WIDEST, "270", "0")
    ).encode(text="text:N")
    return alt.LayerChart(layer=[cells, numbers]).properties(height=_ROW_HEIGHT * len(names))


def _where_narrow(width: float, narrow: str, wide: str) -> alt.ExprRef:
    """Choose by whether a text of this width has to stand upright: columns are as wide as fits."""
    return alt.ExprRef(f"bandwidth('x') < {width:g} ? {narrow} : {wide}")
