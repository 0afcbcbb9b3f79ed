"""Dots, lines and cells for Vega-Lite; and charts of them that need no page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle, islice
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from polars_fairness.question.judging import Band
from polars_fairness.reporting.charts.look import ALONE, PER_LETTER, Look, apart, with_writable
from polars_fairness.reporting.parts import Chart, Figure, writable
from polars_fairness.reporting.scales import Values
from polars_fairness.reporting.words import NOTHING

if TYPE_CHECKING:
    import altair as alt


MOST_LINES: Final = 8
"""As many lines as a chart has colours for."""
WIDTH: Final = 360
"""The width of a chart below another, whose scales have other names."""
_ROW: Final = 24
_CELL: Final = 40
_SQUARE: Final = 300
_FLAT: Final = 170
_SMALL: Final = 11
_GAP: Final = 18
_WIDEST: Final = 260
"""The width at which a text beside a mark is cut: a verdict may have a long name in it."""
_DASHED: Final = [3, 3]
_BAR: Final = 10
_BARE: Final = {"axis": dict.fromkeys(("labels", "ticks", "grid", "domain"), False), "title": None}
_ABOVE: Final = 14
"""How far above its mark a name stands that a slider moves."""
_IN_WINDOW: Final = {"filter": "datum.window == window"}
_NOW: Final = {"filter": "datum.at == at"}
_SAID: Final = {"calculate": "datum.name + ': ' + datum.text", "as": "said"}

Mark = Mapping[str, Any]
Marks = Sequence[Mark]
Layer = dict[str, Any]


def _field(name: str, kind: str = "quantitative", **more: Any) -> Layer:
    return {"field": name, "type": kind, **more}


def _layer(base: Layer, mark: str, style: Mark, **encoding: Any) -> Layer:
    """A mark of a kind at the places of a base, which has data and perhaps an axis."""
    there = {**base.get("encoding", {}), **encoding}
    return {**base, "mark": {"type": mark, **style}, "encoding": there}


def _filtered(base: Layer, *steps: Mark) -> Layer:
    return {**base, "transform": [*base.get("transform", ()), *steps]}


def _moved(base: Layer, look: Look, *steps: Mark) -> Layer:
    """The marks of the window that is chosen, where a slider moves them."""
    return _filtered(base, _IN_WINDOW, *steps) if look.moves else base


def _said(now: Layer, look: Look, **place: Any) -> Layer:
    """The texts of marks above them on the right; one that is read aloud has its name."""
    style = {"align": "right", "dy": -_ABOVE, "fontSize": 12, "color": look.colours.ink}
    texts = {"text": _field("text", "nominal"), "description": _field("said", "nominal")}
    place = {"x": {"value": "width"}, **texts, **place}
    return _layer(_filtered(now, _SAID), "text", {**style, "aria": True}, **place)


def _standards(
    band: Band, ideal: float | None, look: Look, on: str, values: Values
) -> Iterator[Layer]:
    """The band as far as the scale reaches, and the ideal, on the axis ``x`` or ``y``."""
    if band is not None:
        ends = {"low": max(values.low, band[0]), "high": min(values.high, band[1])}
        style = {"color": look.colours.band, "opacity": 1, "clip": True}
        span = {on: _field("low"), f"{on}2": {"field": "high"}}
        yield _layer(look.data([ends]), "rect", style, **span)
    if ideal is not None:
        style = {"color": look.colours.soft, "strokeDash": _DASHED, "clip": True}
        yield _layer(look.data([{"ideal": ideal}]), "rule", style, **{on: _field("ideal")})


def _toned(look: Look) -> Layer:
    return {
        "color": _field("tone", "nominal", scale=look.tints(), legend=None),
        "shape": _field("tone", "nominal", scale=look.shapes(), legend=None),
    }


def _dot(size: int, **more: Any) -> Layer:
    return {"filled": True, "opacity": 1, "size": size, **more}


@dataclass(frozen=True)
class Dots(Chart):
    """A row for each ``line`` with its ``name``: its dot, its interval, and numbers beside it.

    A mark may have ``value``, ``lower`` and ``upper``, and a ``tone``, which gives its colour; an
    ``ideal`` of its own; and a ``text`` for a value that the scale has no place for. ``columns``
    are the texts of marks that stand beside them. As ``bars``, intervals are thick.
    """

    scale: Values
    columns: Sequence[str] = ()
    band: Band = None
    ideal: float | None = None
    bars: bool = False

    @property
    def has_heads(self) -> bool:
        return bool(self.columns)

    def draw(self, look: Look) -> Layer:
        colours, keys = look.colours, ("value", "lower", "upper", "ideal")
        rows = [self.scale.placed(each, keys) for each in self.marks]
        # Where a slider moves them, a row has many marks.
        lines = {each["line"]: each["name"] for each in rows}
        names = apart(lines.values())
        named = dict(zip(lines, names, strict=True))
        rows = [{**each, "name": named[each["line"]]} for each in rows]
        y = self._names(names, look)
        base = _moved({**look.data(rows), "encoding": {"y": y}}, look, _NOW)
        dot, coloured = _dot(70), {}
        if any("tone" in each for each in rows):
            coloured = _toned(look)
        else:
            dot["color"] = colours.ink
        span = {"color": colours.soft, "strokeWidth": _BAR if self.bars else 2}
        ends = {"x": _field("lower"), "x2": {"field": "upper"}}
        layers = [
            *_standards(self.band, self.ideal, look, "x", self.scale),
            *self._ideals(base, look),
            _layer(base, "rule", span, **ends),
            _layer(base, "point", dot, x=self._x(look), **coloured),
            *([_said(base, look)] if look.moves else self._draw_numbers(base, rows, look)),
        ]
        return {"layer": layers, "height": (_CELL if look.moves else _ROW) * len(names)}

    def _names(self, names: Sequence[str], look: Look) -> Layer:
        """The axis of the names, the first on top; above their marks where a slider moves them."""
        # A mark at the edge is half as wide as the padding.
        axis: Layer = {"ticks": False, "domain": False, "labelPadding": 7}
        if look.moves:
            widest = look.width - PER_LETTER * max(len(each["text"]) for each in self.marks)
            above = {"labelAlign": "left", "labelPadding": 0, "labelOffset": -_ABOVE, "zindex": 1}
            axis |= {**above, "labelLimit": widest - _GAP / 2}
        # The order of the data would not be kept by marks without a place.
        scale = {"domain": names}
        return _field("name", "nominal", scale=scale, sort=None, title=None, axis=axis)

    def _x(self, look: Look) -> Layer:
        return _field("value", **self.scale.channel | (_BARE if look.moves else {"title": None}))

    def _ideals(self, base: Layer, look: Look) -> Iterator[Layer]:
        """A line across each row whose mark has an ideal of its own, and a tick there."""
        if any(each.get("ideal") is not None for each in self.marks):
            own = _filtered(base, {"filter": "isValid(datum.ideal)"})
            ends = {"x": {"datum": self.scale.low}, "x2": {"datum": self.scale.high}}
            yield _layer(own, "rule", {"color": look.colours.line}, **ends)
            tick = {"color": look.colours.ink, "thickness": 1, "size": 14}
            yield _layer(own, "tick", tick, x=_field("ideal"))

    def _draw_numbers(self, base: Layer, rows: Marks, look: Look) -> Iterator[Layer]:
        """The numbers of values beyond the scale, and those beside the marks."""
        beyond = []
        for mark, row in zip(self.marks, rows, strict=True):
            if "text" in mark and (mark["value"] is None or mark["value"] != row["value"]):
                is_low = mark["value"] is None or mark["value"] < self.scale.low
                edge, side = (self.scale.low, "left") if is_low else (self.scale.high, "right")
                rise = 0 if mark["value"] is None else -8
                beyond.append({**row, "edge": edge, "side": side, "rise": rise})
        if beyond:
            style: Layer = {"align": {"expr": "datum.side"}, "dy": {"expr": "datum.rise"}}
            style |= {"fontSize": _SMALL, "color": look.colours.ink}
            at = {**look.data(beyond), "encoding": base["encoding"]}
            yield _layer(at, "text", style, x=_field("edge"), text=_field("text", "nominal"))
        yield from self._columns(base, look)

    def _columns(self, base: Layer, look: Look) -> Iterator[Layer]:
        """A column of texts on the right for each key of the marks, with the key above it."""
        place, edge = 0.0, {"value": "width"}
        for column in self.columns:
            widths = [len(mark.get(column, "")) for mark in self.marks]
            if not any(widths):
                continue
            place += _GAP + min(PER_LETTER * max(len(column), *widths), _WIDEST)
            style = {"align": "right", "dx": place, "fontSize": 12}
            ink = {"color": look.colours.ink, "limit": _WIDEST}
            yield _layer(base, "text", style | ink, x=edge, text=_field(column, "nominal"))
            head = {"x": edge, "y": {"value": -8}, "text": {"value": column}}
            yield _layer(look.data([{}]), "text", style | {"color": look.colours.soft}, **head)


_LEGEND: Final = 300
"""The width of a legend, which fits the narrowest chart."""
_SYMBOL: Final = 40
MOST_DOTS: Final = 30
"""How many points of a line have dots: closer ones would hide how it is dashed."""
_ENDS: Final = ("y", "lower", "upper", "reference")
_DASHES: Final = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
MOST_TICKS: Final = 4


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
    def all_names(self) -> list[str]:
        return apart([*self.names, self.total] if self.total else self.names)

    @cached_property
    def values(self) -> Values:
        """The scale of the values."""
        if self.scale:
            return self.scale
        known = [*(each.get(key) for each in self.marks for key in _ENDS), *(self.band or ())]
        return Values.covering(known, is_log=self.is_log, is_share=self.is_share)

    def draw(self, look: Look) -> Layer:
        ink, values = look.colours.ink, self.values
        points = [values.placed(each, _ENDS) for each in self.marks]
        place = {"x": self._x(), "y": _field("y", title=self.y, **values.channel)}
        own = {} if len(self.all_names) > 1 else {"color": ink}
        base = _moved(self._named(points, look), look)
        layers = [*_standards(self.band, self.ideal, look, "y", values)]
        if self.diagonal:
            style = {"color": look.colours.soft, "strokeDash": _DASHED, "strokeWidth": 1}
            corners = look.data([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
            layers.append(_layer(corners, "line", style, x=_field("x"), y=_field("y")))
        if any(each.get("lower") is not None for each in points):
            ends = {"x": place["x"], "y": _field("lower"), "y2": {"field": "upper"}}
            style = {"opacity": 0.18} if self.area else {"strokeWidth": 2, "opacity": 0.5}
            layers.append(_layer(base, "area" if self.area else "rule", style | own, **ends))
        joined = {**place, "order": _field("order")}
        if not own:
            dashes = [*islice(cycle(_DASHES), len(self.names)), _DASHES[0]]
            joined["strokeDash"] = self._channel(dashes, look)
        layers.append(_layer(base, "line", self._style(look, own), **joined))
        if any(each.get("reference") is not None for each in points):
            dash = {"color": ink, "orient": "horizontal", "thickness": 1.5, "size": 16}
            layers.append(_layer(base, "tick", dash, x=place["x"], y=_field("reference")))
        toned = _toned(look) if any("tone" in each for each in points) else {}
        if look.moves:
            now = _filtered(base, _NOW)
            layers.append(_layer(now, "rule", {"color": ink}, x=place["x"]))
            layers.append(
                _layer(now, "point", _dot(90, **({} if toned else own)), **place, **toned)
            )
            layers.append(_said(now, look, y={"value": 4}))
        elif toned:
            layers.append(_layer(look.data(points), "point", _dot(60), **place, **toned))
        return {"layer": layers, "height": _SQUARE if self.diagonal else _FLAT}

    def _x(self) -> Layer:
        if self.dates:
            moments = [each["x"] for each in self.marks]
            axis = {"grid": False, "values": moments[:: -(-len(moments) // MOST_TICKS)]}
            axis |= {"format": self.dates, "labelFlush": True, "labelOverlap": True}
            return _field("x", "temporal", title=None, scale={"type": "utc"}, axis=axis)
        if self.across:
            return _field("x", title=self.x, **self.across.channel)
        scale, axis = {"zero": False, "nice": False}, {"grid": False, "tickCount": 5}
        return _field("x", title=self.x, scale=scale, axis=axis)

    def _named(self, points: Marks, look: Look) -> Layer:
        """The points in their order, each with the name of its line; the last line is lowest."""
        named = [
            {**each, "name": self.all_names[each["line"]], "order": i}
            for i, each in enumerate(points)
        ]
        base = look.data(sorted(named, key=lambda each: -each["line"]))
        if len(self.all_names) < 2:
            return base
        shades = [*islice(look.colours.groups, len(self.names)), look.colours.soft]
        return {**base, "encoding": {"color": self._channel(shades, look)}}

    def _channel(self, looks: Sequence[Any], look: Look) -> Layer:
        scale = {"domain": self.all_names, "range": [*looks[: len(self.all_names)]]}
        return _field("name", "nominal", scale=scale, legend=self._legend(look))

    def _style(self, look: Look, own: Mark) -> Layer:
        """The look of the lines; a single one has no colour of its own."""
        style: Layer = {"strokeWidth": 1 if self.dates else 2, **own}
        if self.steps:
            style["interpolate"] = "step-after"
        elif not (self.dates or look.moves) and len(self.marks) <= MOST_DOTS * len(self.all_names):
            style["point"] = {"size": 18, "filled": True, **own}
        return style

    def _legend(self, look: Look) -> Layer:
        """The names below the chart, in as many columns as fit."""
        widest = _SYMBOL + PER_LETTER * max(map(len, self.all_names))
        return {
            "title": None,
            "orient": "bottom",
            "columns": max(1, int(_LEGEND // widest)),
            "labelColor": look.colours.ink,
            "labelFontSize": 12,
            "labelLimit": _LEGEND - _SYMBOL,
            "symbolOpacity": 1,
            "symbolSize": 400,
            "symbolStrokeWidth": 2,
            "symbolType": "stroke",
        }


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

    def draw(self, look: Look) -> Layer:
        names, heads = apart(self.down), apart(self.across)
        cells = [
            {**mark, "row": names[mark["row"]], "column": heads[mark["column"]]}
            for mark in self.marks
        ]
        widest = min(_LONGEST, PER_LETTER * max(map(len, heads)))

        column = WIDTH / len(heads)
        is_upright = column < widest
        plain, ink = {"ticks": False, "domain": False}, look.colours.ink
        above = plain | {
            "orient": "top",
            "labelColor": ink,
            "labelLimit": _LONGEST,
            "titleLimit": _LONGEST_TITLE,
            "labelAngle": 270 if is_upright else 0,
            "labelAlign": "left" if is_upright else "center",
            "labelBaseline": "middle" if is_upright else "bottom",
        }
        left = plain | {"labelPadding": 6, "titleLimit": _CELL * len(names)}
        of_rows, of_columns = self.titles
        x = _field("column", "nominal", title=of_columns, scale={"domain": heads}, axis=above)
        y = _field("row", "nominal", title=of_rows, scale={"domain": names}, axis=left)
        base = {**look.data(cells), "encoding": {"x": x, "y": y}}
        shades = {"domain": [0, 1], "range": [0, _DEEPEST]}
        filled = {
            "fill": _field("side", "nominal", scale=look.side_colours(), legend=None),
            "fillOpacity": _field("depth", scale=shades, legend=None),
        }
        number = {"color": ink, "fontSize": 12, "angle": 270 if column < _NUMBER else 0}
        layers = [
            _layer(base, "rect", {"stroke": look.colours.line}, **filled),
            _layer(base, "text", number, text=_field("text", "nominal")),
        ]
        return {"layer": layers, "height": _CELL * len(names)}


_WIDE: Final = 640
_WIDEST_NAME: Final = 330
_LETTERS: Final = 120
"""How many letters of a title fit a line."""


def draw_figures(figures: Sequence[Figure], note: str) -> alt.VConcatChart:
    """The charts of these figures below each other, with a note above them unless it is empty."""
    import altair as alt  # brought by the extra

    apart = dict.fromkeys(("color", "strokeDash"), "independent")
    charts = []
    colours = ALONE.colours
    text = {"type": "text", "align": "left", "fontSize": 13, "color": colours.soft}
    places = {"x": {"value": 0}, "y": {"value": 10}, "text": {"value": NOTHING}}
    layer = {**ALONE.data([{}]), "mark": text, "encoding": places}
    nothing = {"layer": [layer], "width": WIDTH, "height": 20}
    for drawn in [titled(figure, ALONE) for figure in figures] or [nothing]:
        layers = [
            alt.Chart(**layer | {"encoding": alt.FacetedEncoding(**layer["encoding"])})
            for layer in drawn.pop("layer")
        ]
        title = alt.TitleParams(**drawn.pop("title", {"text": ""}))
        charts.append(alt.LayerChart(layer=layers, title=title, **drawn))
    heading = {"anchor": "start", "frame": "group", "color": colours.ink, "fontSize": 13}
    heading |= {"subtitleColor": colours.soft, "subtitleFontSize": 12}
    config = {"background": colours.paper, "padding": 12, "title": heading}
    # All at once: altair copies a chart, with all that it is made of, for each change.
    return alt.VConcatChart(
        vconcat=charts,
        title=alt.TitleParams(wrap(note, _LETTERS)) if note else alt.Undefined,
        spacing=28,
        resolve=alt.Resolve(scale=apart),
        config=alt.Config(**ALONE.config(_WIDEST_NAME) | config),
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
