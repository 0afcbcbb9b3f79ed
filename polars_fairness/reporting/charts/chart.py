"""Figures as charts: one for a page, or several below each other that need no page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any, Final

from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import ALONE, inline_data, with_writable
from polars_fairness.reporting.parts import Figure, writable
from polars_fairness.reporting.words import NOTHING

_WIDTH: Final = 360
_WIDE: Final = 640
_WIDEST_NAME: Final = 330
_LETTERS: Final = 120
"""How many letters of a title fit a line."""


def draw_figures(figures: Sequence[Figure], note: str) -> alt.VConcatChart:
    """The charts of these figures below each other, with a note above them unless it is empty."""
    parts = [_titled(figure) for figure in figures] or [_nothing()]
    title = alt.Title(wrap(note, _LETTERS)) if note else alt.Undefined
    apart = alt.ScaleResolveMap(color="independent", strokeDash="independent")
    # All at once: altair copies a chart, with all that it is made of, for each change.
    return alt.VConcatChart(
        vconcat=parts,
        title=title,
        spacing=28,
        resolve=alt.Resolve(scale=apart),
        config=alt.Config(**_config()),
    )


def _titled(figure: Figure) -> alt.LayerChart:
    first, *others = writable(figure.caption).split("\n")
    title = alt.Title(
        wrap(first, _LETTERS),
        subtitle=wrap(" ".join(others), _LETTERS),
        offset=24 if figure.chart.has_heads else 8,
    )
    written = replace(figure.chart, marks=with_writable(figure.chart.marks))
    width = _WIDE if written.is_flat else _WIDTH
    drawn: alt.LayerChart = written.draw(ALONE).properties(width=width, title=title)
    return drawn


def _nothing() -> alt.LayerChart:
    text = alt.Chart(inline_data([{}])).mark_text(
        align="left", fontSize=13, color=ALONE.colours.soft
    )
    words = text.encode(x=alt.value(0), y=alt.value(10), text=alt.value(NOTHING))
    return alt.LayerChart(layer=[words]).properties(width=_WIDTH, height=20)


def _config() -> dict[str, Any]:
    colours = ALONE.colours
    return ALONE.config(_WIDEST_NAME) | {
        "background": colours.paper,
        "padding": 12,
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": colours.ink,
            "fontSize": 13,
            "subtitleColor": colours.soft,
            "subtitleFontSize": 12,
        },
    }
