"""Figures as charts: one for a page, or several below each other that need no page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any, Final

from polars_fairness.reporting.charts.comparison import comparison_chart
from polars_fairness.reporting.charts.contributions import contributions_chart
from polars_fairness.reporting.charts.curves import (
    calibration_chart,
    roc_chart,
    scores_chart,
)
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.forest import forest_chart
from polars_fairness.reporting.charts.heat import heat_chart
from polars_fairness.reporting.charts.look import ALONE, Look, inline_data, with_writable
from polars_fairness.reporting.charts.rates import rate_chart
from polars_fairness.reporting.charts.sweeps import frontier_chart, sweep_chart
from polars_fairness.reporting.charts.switches import switches_chart
from polars_fairness.reporting.charts.trends import time_chart
from polars_fairness.reporting.parts import Chart, Figure, writable
from polars_fairness.reporting.words import NOTHING

_BUILDERS: Final[Mapping[Chart, Any]] = {
    "rates": rate_chart,
    "comparison": comparison_chart,
    "forest": forest_chart,
    "time": time_chart,
    "contributions": contributions_chart,
    "switches": switches_chart,
    "heat": heat_chart,
    "roc": roc_chart,
    "calibration": calibration_chart,
    "scores": scores_chart,
    "sweep": sweep_chart,
    "frontier": frontier_chart,
}


def draw_figure(figure: Figure, look: Look) -> alt.LayerChart:
    """The chart of a figure, without a width."""
    chart: alt.LayerChart = _BUILDERS[figure.chart](figure.marks, look, **figure.settings)
    return chart


_WIDTH: Final = 360
_WIDE: Final = 640
_FLAT: Final = {"time", "sweep", "scores"}
"""Charts that are wider than they are high."""
_WITH_NUMBERS: Final = {"rates", "forest", "contributions", "switches"}
"""Charts with the numbers of their marks in columns beside them, below the names of these."""
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
    has_heads = figure.chart in _WITH_NUMBERS
    title = alt.Title(
        wrap(first, _LETTERS),
        subtitle=wrap(" ".join(others), _LETTERS),
        offset=24 if has_heads else 8,
    )
    written = replace(figure, marks=with_writable(figure.marks))
    width = _WIDE if figure.chart in _FLAT else _WIDTH
    return draw_figure(written, ALONE).properties(width=width, title=title)


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
