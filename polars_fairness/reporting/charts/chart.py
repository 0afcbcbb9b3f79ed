"""Figures as charts: one for a page, or several below each other that need no page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from polars_fairness.reporting.charts.look import ALONE, Look, with_writable
from polars_fairness.reporting.charts.marks import WIDTH
from polars_fairness.reporting.parts import Figure, writable
from polars_fairness.reporting.words import NOTHING

if TYPE_CHECKING:
    import altair as alt

_WIDE: Final = 640
_WIDEST_NAME: Final = 330
_LETTERS: Final = 120
"""How many letters of a title fit a line."""


def draw_figures(figures: Sequence[Figure], note: str) -> alt.VConcatChart:
    """The charts of these figures below each other, with a note above them unless it is empty."""
    import altair as alt  # brought by the extra

    apart = dict.fromkeys(("color", "strokeDash"), "independent")
    charts = []
    for drawn in [titled(figure, ALONE) for figure in figures] or [_nothing()]:
        layers = [
            alt.Chart(**layer | {"encoding": alt.FacetedEncoding(**layer["encoding"])})
            for layer in drawn.pop("layer")
        ]
        title = alt.TitleParams(**drawn.pop("title", {"text": ""}))
        charts.append(alt.LayerChart(layer=layers, title=title, **drawn))
    # All at once: altair copies a chart, with all that it is made of, for each change.
    return alt.VConcatChart(
        vconcat=charts,
        title=alt.TitleParams(wrap(note, _LETTERS)) if note else alt.Undefined,
        spacing=28,
        resolve=alt.Resolve(scale=apart),
        config=alt.Config(**_config()),
    )


def titled(figure: Figure, look: Look) -> dict[str, Any]:
    """The chart of a figure below its title, whose other lines are smaller."""
    first, *others = writable(figure.caption).split("\n")
    width = look.width or (_WIDE if figure.chart.is_flat else WIDTH)
    letters = _LETTERS * look.width // _WIDE or _LETTERS
    title: dict[str, Any] = {
        "text": wrap(first, letters),
        "subtitle": wrap(" ".join(others), letters),
    }
    title |= {"limit": look.width} if look.width else {}
    offset = 24 if figure.chart.has_heads else 18 if look.moves and figure.chart.is_flat else 8
    # vl-convert sees no marks of charts that move.
    marks = figure.chart.marks if look.moves else with_writable(figure.chart.marks)
    drawn: dict[str, Any] = replace(figure.chart, marks=marks).draw(look)
    return {**drawn, "width": width, "title": {**title, "offset": offset}}


def _nothing() -> dict[str, Any]:
    text = {"type": "text", "align": "left", "fontSize": 13, "color": ALONE.colours.soft}
    places = {"x": {"value": 0}, "y": {"value": 10}, "text": {"value": NOTHING}}
    layer = {**ALONE.data([{}]), "mark": text, "encoding": places}
    return {"layer": [layer], "width": WIDTH, "height": 20}


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
