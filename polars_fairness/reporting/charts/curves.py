"""Charts of lines, one for each group: ROC curves, calibration, scores, and sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle, islice
from math import isfinite
from typing import Any, Final

import altair as alt

from polars_fairness.reporting.charts.look import PER_LETTER, Look, apart, ideal_line, rows, strip
from polars_fairness.reporting.charts.scales import Values

_SQUARE: Final = 300
_FLAT: Final = 170
_WIDEST: Final = 300
"""The width of a legend, which fits the narrowest chart."""
_SYMBOL: Final = 40
_MOST_DOTS: Final = 30
"""How many points of a line have dots: closer ones would hide how it is dashed."""
_DASHES: Final = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
_PERCENT: Final = "format(100 * datum.value, '~g') + ' %'"

Points = Sequence[Mapping[str, Any]]


def roc_chart(points: Points, look: Look, names: Sequence[str], total: str = "") -> alt.LayerChart:
    """Curves of points with ``line``, the place of their name, ``x`` and ``y``.

    With a ``total``, the line after those of the names is about all rows.
    """
    lines = _Lines(look, names, total)
    axis = alt.Axis(tickCount=4, labelExpr=_PERCENT)
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("x:Q", title="False positive rate", scale=scale, axis=axis)
    y = alt.Y("y:Q", title="True positive rate", scale=scale, axis=axis)
    layers = [_diagonal(look), lines.drawn(points, x, y)]
    return alt.LayerChart(layer=layers, height=_SQUARE)


def calibration_chart(
    points: Points, look: Look, names: Sequence[str], total: str = ""
) -> alt.LayerChart:
    """Lines of points as in `roc_chart`, with ``lower`` and ``upper`` as bounds of ``y``."""
    lines = _Lines(look, names, total)
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(tickCount=4)
    x = alt.X("x:Q", title="Mean score", scale=scale, axis=axis)
    y = alt.Y("y:Q", title="Share with a positive label", scale=scale, axis=axis)
    spans = lines.of(points).mark_rule(strokeWidth=2, opacity=0.5)
    layers = [
        _diagonal(look),
        spans.encode(x=x, y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")),
        lines.drawn(points, x, y),
    ]
    return alt.LayerChart(layer=layers, height=_SQUARE)


def scores_chart(
    points: Points, look: Look, names: Sequence[str], total: str = ""
) -> alt.LayerChart:
    """Steps of points as in `roc_chart`: the share of each group by score."""
    lines = _Lines(look, names, total)
    x = alt.X("x:Q", title="Score", axis=alt.Axis(grid=False, tickCount=4))
    share = alt.Axis(tickCount=4, labelExpr=_PERCENT)
    y = alt.Y("y:Q", title="Share of the group", axis=share)
    steps = lines.drawn(points, x, y, interpolate="step-after")
    return alt.LayerChart(layer=[steps], height=_FLAT)


def sweep_chart(
    points: Points,
    look: Look,
    names: Sequence[str],
    total: str = "",
    *,
    band: tuple[float, float] | None = None,
    ideal: float | None = None,
    is_log: bool = False,
    over: str = "Threshold",
) -> alt.LayerChart:
    """Lines of points as in `calibration_chart` over thresholds, with the band and the ideal.

    ``over`` is the title of the horizontal scale.
    """
    lines = _Lines(look, names, total)
    strips = [] if band is None or not all(map(isfinite, band)) else [band]
    keys = ("y", "lower", "upper")
    known = [*(each[key] for each in points for key in keys), *chain(*strips)]
    values = Values.of(known, is_log=is_log)
    placed = [values.placed(each, keys) for each in points]
    x = alt.X(
        "x:Q",
        title=over,
        scale=alt.Scale(zero=False, nice=False),
        axis=alt.Axis(grid=False, tickCount=5),
    )
    y = alt.Y("y:Q", title=None, scale=values.scale, axis=values.axis)
    layers = [
        *(strip(each, look) for each in strips),
        *([ideal_line(ideal, look)] if ideal is not None else []),
        lines.of(placed)
        .mark_area(opacity=0.18)
        .encode(x=x, y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")),
        lines.drawn(placed, x, y),
    ]
    return alt.LayerChart(layer=layers, height=_FLAT)


@dataclass(frozen=True)
class _Lines:
    """The names of lines and their look; the last line may be about all rows, the total."""

    look: Look
    names: Sequence[str]
    total: str = ""

    @cached_property
    def all(self) -> list[str]:
        return apart([*self.names, self.total] if self.total else self.names)

    def of(self, points: Points) -> alt.Chart:
        """The points in their order, each with the name of its line; the last line is lowest."""
        named = [
            {**each, "name": self.all[each["line"]], "order": i} for i, each in enumerate(points)
        ]
        named.sort(key=lambda each: -each["line"])
        return alt.Chart(rows(named)).encode(color=self.coloured())

    def drawn(self, points: Points, x: alt.X, y: alt.Y, **more: Any) -> alt.Chart:
        """The lines through their points."""
        has_dots = len(points) <= _MOST_DOTS * len(self.all) and not more
        dots = {"size": 18, "filled": True} if has_dots else False
        line: alt.Chart = self.of(points).mark_line(strokeWidth=2, point=dots, **more)
        return line.encode(x=x, y=y, strokeDash=self.dashed(), order=alt.Order("order:Q"))

    def coloured(self) -> alt.Color:
        colours = self.look.colours
        groups = colours.groups if len(self.all) > 1 else [colours.ink]
        shades = [*islice(groups, len(self.names)), colours.soft][: len(self.all)]
        scale = alt.Scale(domain=self.all, range=shades)
        return alt.Color("name:N", scale=scale, legend=self.legend())

    def dashed(self) -> alt.StrokeDash:
        dashes = [*islice(cycle(_DASHES), len(self.names)), _DASHES[0]][: len(self.all)]
        scale = alt.Scale(domain=self.all, range=dashes)
        return alt.StrokeDash("name:N", scale=scale, legend=self.legend())

    def legend(self) -> alt.Legend | None:
        """The names below the chart, in as many columns as fit; a single line has none."""
        if len(self.all) < 2:
            return None
        widest = _SYMBOL + PER_LETTER * max(map(len, self.all))
        return alt.Legend(
            title=None,
            orient="bottom",
            columns=max(1, int(_WIDEST // widest)),
            labelColor=self.look.colours.ink,
            labelFontSize=12,
            labelLimit=_WIDEST - _SYMBOL,
            symbolOpacity=1,
            symbolSize=400,
            symbolStrokeWidth=2,
            symbolType="stroke",
        )


def _diagonal(look: Look) -> alt.Chart:
    """The line of equal rates, from corner to corner."""
    corners = alt.Chart(rows([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    drawn: alt.Chart = corners.mark_line(
        color=look.colours.soft, strokeDash=[3, 3], strokeWidth=1
    ).encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))
    return drawn
