"""Dots, lines, points and cells: whatever is drawn is one of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import cycle, islice, pairwise
from typing import Any, Final

from polars_fairness.question.judging import Band
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import PER_LETTER, Look, apart, inline_data, shapes
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.parts import Chart

MOST_LINES: Final = 8
"""As many lines as a chart has colours for."""
WIDTH: Final = 360
"""The width of a chart below another, whose scales have other names."""
_ROW: Final = 24
_CELL: Final = 40
_SQUARE: Final = 300
_FLAT: Final = 170
_SMALL: Final = 11
_SIZES: Final = ("Rows", "Weight")
_GAP: Final = 18
_WIDEST: Final = 260
"""The width at which a text beside a mark is cut: a verdict may have a long name in it."""
_DASHED: Final = (3, 3)

Mark = Mapping[str, Any]
Marks = Sequence[Mark]


def standards(band: Band, ideal: float | None, look: Look, on: str, values: Values) -> list[Any]:
    """The band as far as the scale reaches, and the ideal, on the axis ``x`` or ``y``."""
    layers, channel = [], {"x": alt.X, "y": alt.Y}[on]
    if band is not None:
        ends = {"low": max(values.low, band[0]), "high": min(values.high, band[1])}
        strip = alt.Chart(inline_data([ends])).mark_rect(
            color=look.colours.band, opacity=1, clip=True
        )
        layers.append(strip.encode(**{on: channel("low:Q"), f"{on}2": "high:Q"}))
    if ideal is not None:
        line = alt.Chart(inline_data([{"ideal": ideal}])).mark_rule(
            color=look.colours.soft, strokeDash=_DASHED, clip=True
        )
        layers.append(line.encode(**{on: channel("ideal:Q")}))
    return layers


def toned(look: Look) -> dict[str, Any]:
    """The colour and the shape of each verdict."""
    return {
        "color": alt.Color("tone:N", scale=look.tints(), legend=None),
        "shape": alt.Shape("tone:N", scale=shapes(), legend=None),
    }


@dataclass(frozen=True)
class Dots(Chart):
    """A row for each mark with a ``name``: its dot, its interval, and numbers beside it.

    A mark may have ``value``, ``lower`` and ``upper``, and a ``tone`` or a ``side``, which give its
    colour; an ``ideal`` of its own; and a ``text`` for a value that the scale has no place for.
    ``columns`` are the texts of marks that stand beside them where no table does. As ``bars``,
    intervals are thick.
    """

    scale: Values
    title: str | None = None
    columns: Sequence[str] = ()
    band: Band = None
    ideal: float | None = None
    bars: bool = False
    is_quiet: bool = False
    """Whether the axis is left out on a page, whose legend says what it is."""

    @property
    def has_heads(self) -> bool:
        return bool(self.columns)

    def draw(self, look: Look) -> alt.LayerChart:
        colours, values = look.colours, self.scale
        placed = [values.placed(each, ("value", "lower", "upper", "ideal")) for each in self.marks]
        names = apart((each["name"] for each in placed), look.most_letters)
        rows = [{**each, "name": name} for each, name in zip(placed, names, strict=True)]
        # A mark at the edge is half as wide as this. The order of the data would not be kept by
        # marks without a place.
        y = alt.Y(
            "name:N",
            scale=alt.Scale(domain=names),
            sort=None,
            title=None,
            axis=alt.Axis(ticks=False, domain=False, labelPadding=7),
        )
        base = alt.Chart(inline_data(rows)).encode(y=y)
        bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
        is_bare = self.is_quiet and not (look.has_numbers and self.title)
        axis, title = (bare, None) if is_bare else (values.axis, self.title)
        x = alt.X("value:Q", title=title, scale=values.scale, axis=axis)
        dots = base.mark_point(color=colours.ink, filled=True, opacity=1, size=70).encode(x=x)
        if any("tone" in each for each in rows):
            dots = dots.encode(**toned(look))
        elif any("side" in each for each in rows):
            dots = dots.encode(color=alt.Color("side:N", scale=look.of_sides(), legend=None))
        spans = base.mark_rule(color=colours.soft, strokeWidth=12 if self.bars else 2)
        layers = [
            *standards(self.band, self.ideal, look, "x", values),
            *self._ideals(rows, y, look),
            spans.encode(x=alt.X("lower:Q"), x2=alt.X2("upper:Q")),
            dots,
            *self._at_edges(rows, y, look),
            *self._sizes(base, look),
            *self._columns(base, look),
        ]
        return alt.LayerChart(layer=layers, height=_ROW * len(rows))

    def _ideals(self, rows: Marks, y: alt.Y, look: Look) -> Iterator[alt.Chart]:
        """A line across each row whose mark has an ideal of its own, and a tick there."""
        ends = {"low": self.scale.low, "high": self.scale.high}
        ideals = [{**each, **ends} for each in rows if each.get("ideal") is not None]
        if ideals:
            base = alt.Chart(inline_data(ideals)).encode(y=y)
            line = base.mark_rule(color=look.colours.line)
            yield line.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
            tick = base.mark_tick(color=look.colours.ink, thickness=1, size=14)
            yield tick.encode(x=alt.X("ideal:Q"))

    def _at_edges(self, rows: Marks, y: alt.Y, look: Look) -> Iterator[alt.Chart]:
        """The numbers of values beyond the scale, above their marks, and those of no value."""
        beyond = []
        for mark, row in zip(self.marks, rows, strict=True):
            if "text" in mark and (mark["value"] is None or mark["value"] != row["value"]):
                is_low = mark["value"] is None or mark["value"] < self.scale.low
                rise = 0 if mark["value"] is None else -8
                edge = self.scale.low if is_low else self.scale.high
                side = "left" if is_low else "right"
                beyond.append({**row, "edge": edge, "side": side, "rise": rise})
        if beyond:
            texts = alt.Chart(inline_data(beyond)).mark_text(
                align=alt.ExprRef("datum.side"),
                dy=alt.ExprRef("datum.rise"),
                fontSize=_SMALL,
                color=look.colours.ink,
            )
            yield texts.encode(y=y, x=alt.X("edge:Q"), text=alt.Text("text:N"))

    def _sizes(self, base: alt.Chart, look: Look) -> Iterator[alt.Chart]:
        """On a page, the numbers of rows of the marks on the right, or their weights."""
        size = next((name for name in _SIZES if self.marks and name in self.marks[0]), None)
        if size is not None and not look.has_numbers:
            style: dict[str, Any] = {"align": "left", "fontSize": _SMALL, "x": "width", "dx": 8}
            style["color"] = look.colours.soft
            yield base.mark_text(**style).encode(text=alt.Text(f"{size}:N"))
            yield alt.Chart(inline_data([{}])).mark_text(y=-8, text=size.lower(), **style)

    def _columns(self, base: alt.Chart, look: Look) -> Iterator[alt.Chart]:
        """A column of texts on the right for each key of the marks, with the key above it."""
        place, edge = 0.0, alt.value("width")
        for column in self.columns if look.has_numbers else ():
            widths = [len(mark.get(column, "")) for mark in self.marks]
            if not any(widths):
                continue
            place += _GAP + min(PER_LETTER * max(len(column), *widths), _WIDEST)
            style: dict[str, Any] = {"align": "right", "dx": place, "fontSize": 12}
            texts = base.mark_text(color=look.colours.ink, limit=_WIDEST, **style)
            yield texts.encode(x=edge, text=alt.Text(f"{column}:N"))
            head = alt.Chart(inline_data([{}])).mark_text(color=look.colours.soft, **style)
            yield head.encode(x=edge, y=alt.value(-8), text=alt.value(column))


_LEGEND: Final = 300
"""The width of a legend, which fits the narrowest chart."""
_SYMBOL: Final = 40
_MOST_DOTS: Final = 30
"""How many points of a line have dots: closer ones would hide how it is dashed."""
_DASHES: Final = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
_FAR_APART: Final = 0.2
"""How far apart two steps are at least, as a share of the chart, if both have their numbers."""
_EDGE: Final = 0.1
_MOST_TICKS: Final = 4


@dataclass(frozen=True)
class Lines(Chart):
    """A line for each name through marks with ``line``, the place of its name, ``x`` and ``y``.

    ``lower`` and ``upper`` are the bounds of ``y``: rules, or an ``area``. With a ``total``, the
    line after those of the names is about all rows. A mark may have the ``tone`` of its verdict, a
    ``reference`` that it is compared with, and the ``step`` by which it changed from the last.
    Where ``dates`` is the format of moments, ``x`` is in milliseconds since 1970.
    """

    names: Sequence[str] = ("",)
    total: str = ""
    x: str | None = None
    y: str | None = None
    across: Values | None = None
    scale: Values | None = None
    band: Band = None
    ideal: float | None = None
    is_log: bool = False
    is_share: bool = False
    area: bool = False
    diagonal: bool = False
    steps: bool = False
    dates: str = ""

    @property
    def is_flat(self) -> bool:
        return not self.diagonal

    @cached_property
    def _all(self) -> list[str]:
        return apart([*self.names, self.total] if self.total else self.names)

    def draw(self, look: Look) -> alt.LayerChart:
        keys = ("y", "lower", "upper", "reference")
        known = [*(each.get(key) for each in self.marks for key in keys), *(self.band or ())]
        values = self.scale or Values.of(known, is_log=self.is_log, is_share=self.is_share)
        placed = [values.placed(each, keys) for each in self.marks]
        x = self._x()
        y = alt.Y("y:Q", title=self.y, scale=values.scale, axis=values.axis)
        base = self._named(look, placed)
        own: dict[str, Any] = {} if len(self._all) > 1 else {"color": look.colours.ink}
        spans = (
            base.mark_area(opacity=0.18, **own)
            if self.area
            else base.mark_rule(strokeWidth=2, opacity=0.5, **own)
        )
        layers = [*standards(self.band, self.ideal, look, "y", values)]
        if self.diagonal:
            corners = alt.Chart(inline_data([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
            line = corners.mark_line(color=look.colours.soft, strokeDash=_DASHED, strokeWidth=1)
            layers.append(line.encode(x=alt.X("x:Q"), y=alt.Y("y:Q")))
        if any(each.get("lower") is not None for each in placed):
            layers.append(spans.encode(x=x, y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")))
        layers.append(self._lines(base, look, own).encode(x=x, y=y))
        layers += _steps(placed, x, y, look)
        if any(each.get("reference") is not None for each in placed):
            dash = base.mark_tick(
                color=look.colours.ink, orient="horizontal", thickness=1.5, size=16
            )
            layers.append(dash.encode(x=x, y=alt.Y("reference:Q")))
        if self.dates:
            dots = alt.Chart(inline_data(placed)).mark_point(filled=True, opacity=1, size=60)
            layers.append(dots.encode(x=x, y=y, **toned(look)))
        return alt.LayerChart(layer=layers, height=_SQUARE if self.diagonal else _FLAT)

    def _x(self) -> alt.X:
        if self.dates:
            moments = [each["x"] for each in self.marks]
            ticks = moments[:: -(-len(moments) // _MOST_TICKS)]
            axis = alt.Axis(
                grid=False, values=ticks, format=self.dates, labelFlush=True, labelOverlap=True
            )
            return alt.X("x:T", title=None, scale=alt.Scale(type="utc"), axis=axis)
        if self.across:
            return alt.X("x:Q", title=self.x, scale=self.across.scale, axis=self.across.axis)
        axis = alt.Axis(grid=False, tickCount=5)
        return alt.X("x:Q", title=self.x, scale=alt.Scale(zero=False, nice=False), axis=axis)

    def _named(self, look: Look, points: Marks) -> alt.Chart:
        """The points in their order, each with the name of its line; the last line is lowest."""
        named = [
            {**each, "name": self._all[each["line"]], "order": i} for i, each in enumerate(points)
        ]
        named.sort(key=lambda each: -each["line"])
        base = alt.Chart(inline_data(named))
        if len(self._all) < 2:
            return base
        shades = [*islice(look.colours.groups, len(self.names)), look.colours.soft]
        scale = alt.Scale(domain=self._all, range=shades[: len(self._all)])
        named_chart: alt.Chart = base.encode(
            color=alt.Color("name:N", scale=scale, legend=self._legend(look))
        )
        return named_chart

    def _lines(self, base: alt.Chart, look: Look, own: Mark) -> alt.Chart:
        """The lines through their points; a single line has no colour of its own."""
        style: dict[str, Any] = {"strokeWidth": 1 if self.dates else 2, **own}
        if self.steps:
            style["interpolate"] = "step-after"
        elif not self.dates and len(self.marks) <= _MOST_DOTS * len(self._all):
            style["point"] = {"size": 18, "filled": True, **own}
        lines: alt.Chart = base.mark_line(**style).encode(order=alt.Order("order:Q"))
        if own:
            return lines
        dashes = [*islice(cycle(_DASHES), len(self.names)), _DASHES[0]][: len(self._all)]
        scale = alt.Scale(domain=self._all, range=dashes)
        return lines.encode(
            strokeDash=alt.StrokeDash("name:N", scale=scale, legend=self._legend(look))
        )

    def _legend(self, look: Look) -> alt.Legend:
        """The names below the chart, in as many columns as fit."""
        widest = _SYMBOL + PER_LETTER * max(map(len, self._all))
        return alt.Legend(
            title=None,
            orient="bottom",
            columns=max(1, int(_LEGEND // widest)),
            labelColor=look.colours.ink,
            labelFontSize=12,
            labelLimit=_LEGEND - _SYMBOL,
            symbolOpacity=1,
            symbolSize=400,
            symbolStrokeWidth=2,
            symbolType="stroke",
        )


def _steps(points: Marks, x: alt.X, y: alt.Y, look: Look) -> Iterator[alt.Chart]:
    """A thick line from the point before each step, and above the chart how large it is."""
    lines: list[dict[str, Any]] = []
    numbers: list[dict[str, Any]] = []
    last = -1.0
    for before, here in pairwise(points):
        if not here.get("step"):
            continue
        lines += [{**each, "step": len(numbers)} for each in (before, here)]
        place = (here["x"] - points[0]["x"]) / (points[-1]["x"] - points[0]["x"])
        arrow = "▼" if here["step"].startswith("−") else "▲"
        is_free = last < 0 or place - last >= _FAR_APART
        last = place if is_free else last
        align = "left" if place < _EDGE else "right" if place > 1 - _EDGE else "center"
        text = f"{arrow} {here['step']}" if is_free else arrow
        numbers.append({"x": here["x"], "text": text, "align": align})
    if lines:
        thick = alt.Chart(inline_data(lines)).mark_line(color=look.colours.ink, strokeWidth=4)
        yield thick.encode(x=x, y=y, detail=alt.Detail("step:N"))
        above = alt.Chart(inline_data(numbers)).mark_text(
            y=-4,
            color=look.colours.ink,
            fontSize=12,
            baseline="bottom",
            align=alt.ExprRef("datum.align"),
        )
        yield above.encode(x=x, text=alt.Text("text:N"))


@dataclass(frozen=True)
class Points(Chart):
    """Marks with ``x``, ``y`` and ``tone``, large with ``is_large``; a ring with its ``text``."""

    titles: tuple[str, str]
    ideal: float | None
    is_log: bool

    def draw(self, look: Look) -> alt.LayerChart:
        across = Values.of([*(each["x"] for each in self.marks), self.ideal], is_log=self.is_log)
        up = Values.of((each["y"] for each in self.marks), is_log=False)
        placed = [across.placed(each, ("x",)) for each in self.marks]
        place: dict[str, Any] = {
            "x": alt.X("x:Q", title=self.titles[0], scale=across.scale, axis=across.axis),
            "y": alt.Y("y:Q", title=self.titles[1], scale=up.scale, axis=up.axis),
        }
        large, ringed = (
            alt.Chart(inline_data([each for each in placed if each[key]])).encode(**place)
            for key in ("is_large", "is_ringed")
        )
        small = alt.Chart(inline_data(placed)).encode(**place)
        ink, tones = look.colours.ink, toned(look)
        layers = [
            *standards(None, self.ideal, look, "x", across),
            small.mark_point(filled=True, opacity=0.35, size=18).encode(**tones),
            large.mark_point(filled=True, opacity=1, size=70).encode(**tones),
            ringed.mark_point(color=ink, size=260, strokeWidth=2),
            ringed.mark_text(color=ink, fontSize=12, dx=-18, dy=18).encode(text=alt.Text("text:N")),
        ]
        return alt.LayerChart(layer=layers, height=_SQUARE)


_LONGEST: Final = 130
"""How long a name above a column may be; names wider than their column stand upright."""
_LONGEST_TITLE: Final = 200
_DEEPEST: Final = 0.6
"""The opacity of the farthest cell, low enough that the number in it stays readable."""
_NUMBER: Final = 38
"""The width of a number with some space around it."""


@dataclass(frozen=True)
class Heat(Chart):
    """A map of marks with ``row`` and ``column`` as numbers, ``side``, ``depth`` and ``text``.

    ``depth`` is the distance of a cell, 1 for the deepest colour; a pair without a mark is empty.
    """

    down: Sequence[str]
    across: Sequence[str]
    titles: Sequence[str]

    def draw(self, look: Look) -> alt.LayerChart:
        names, heads = apart(self.down, look.most_letters), apart(self.across)
        cells = [
            {**mark, "row": names[mark["row"]], "column": heads[mark["column"]]}
            for mark in self.marks
        ]
        widest = min(_LONGEST, PER_LETTER * max(map(len, heads)))
        where_narrow = partial(_where_narrow, len(heads))
        plain: dict[str, Any] = {"ticks": False, "domain": False}
        above = alt.Axis(
            orient="top",
            labelColor=look.colours.ink,
            labelLimit=_LONGEST,
            titleLimit=_LONGEST_TITLE,
            labelAngle=where_narrow(widest, "270", "0"),
            labelAlign=where_narrow(widest, "'left'", "'center'"),
            labelBaseline=where_narrow(widest, "'middle'", "'bottom'"),
            **plain,
        )
        left = alt.Axis(labelPadding=6, titleLimit=_CELL * len(names), **plain)
        x = alt.X("column:N", title=self.titles[1], scale=alt.Scale(domain=heads), axis=above)
        y = alt.Y("row:N", title=self.titles[0], scale=alt.Scale(domain=names), axis=left)
        base = alt.Chart(inline_data(cells)).encode(x=x, y=y)
        shades = alt.Scale(domain=[0, 1], range=[0, _DEEPEST])
        filled = base.mark_rect(stroke=look.colours.line).encode(
            fill=alt.Fill("side:N", scale=look.of_sides(), legend=None),
            fillOpacity=alt.FillOpacity("depth:Q", scale=shades, legend=None),
        )
        numbers = base.mark_text(
            color=look.colours.ink, fontSize=12, angle=where_narrow(_NUMBER, "270", "0")
        ).encode(text=alt.Text("text:N"))
        return alt.LayerChart(layer=[filled, numbers], height=_CELL * len(names))


def _where_narrow(columns: int, width: float, narrow: str, wide: str) -> alt.ExprRef:
    """One of two settings, by whether a column of the drawn chart is narrower than this width."""
    drawn = f"(bandwidth('x') || {WIDTH / columns:g})"
    return alt.ExprRef(f"{drawn} < {width:g} ? {narrow} : {wide}")
