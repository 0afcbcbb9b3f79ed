"""Lines on a page as SVG, by the rules of its style sheet: those of Vega took 12 to 26 kB each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from html import escape
from itertools import pairwise
from math import hypot, inf
from typing import Final

from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.charts.marks import MOST_DOTS, MOST_TICKS, Lines
from polars_fairness.reporting.scales import Scale, Values
from polars_fairness.reporting.words import PERCENT

_WIDTH: Final = 400
"""Half of a page on a desktop; A4 and a telephone make it a little smaller."""
_RIGHT: Final = _WIDTH - 8
_FLAT: Final = 170
_SQUARE: Final = 300
_LINE: Final = 18
"""The height of a line of text."""
_MOST_STEPS: Final = 5
_PER_DIGIT: Final = 6.8
_NEAR: Final = 0.3
"""How far a point is from the line through others at least, else it is left out."""
_FAR_APART: Final = 80
"""How far apart two changes are at least, if both have their numbers."""
_AT_EDGE: Final = 30

Point = tuple[float, float]

SHAPES: Final = {
    "circle": "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "diamond": "m0-6l5 6l-5 6l-5-6z",
    "triangle-up": "m0-5.5l5.5 10h-11z",
}
"""The shapes of `api.verdicts.TONES` around a point."""


def plot(chart: Lines) -> str:
    """The lines of a chart, as high as wide with a diagonal; tables say what they draw."""
    return _Plot(chart).drawn()


def look_of_line(chart: Lines, line: int) -> str:
    """The class of a line: its colour and its dashes; a single one, and all rows, have none."""
    if len(chart.all_names) == 1:
        return "pf-line-0"
    return f"pf-line-{line + 1 if line < len(chart.names) else 'all'}"


@dataclass(frozen=True)
class _Plot:
    chart: Lines

    @cached_property
    def down(self) -> Scale:
        chart, values = self.chart, self.chart.values
        factor = 100 if values.is_share or values.in_points else 1
        return Scale(
            values, chart.band, chart.ideal, factor, PERCENT * values.is_share, _MOST_STEPS
        )

    @cached_property
    def across(self) -> Scale:
        places = [mark["x"] for mark in self.chart.marks]
        low, high = min(places, default=0.0), max(places, default=1.0)
        values = self.chart.across or Values(low, high if high > low else low + 1)
        sign = PERCENT * values.is_share
        return Scale(values, None, None, 100 if sign else 1, sign, _MOST_STEPS)

    @cached_property
    def left(self) -> float:
        return 8 + _PER_DIGIT * max((len(text) for _, text in self.down.ticks), default=0)

    @cached_property
    def top(self) -> int:
        return _LINE + 4 if self.chart.y or self.chart.dates else 8

    @property
    def bottom(self) -> int:
        return self.top + (_SQUARE if self.chart.diagonal else _FLAT)

    def x(self, value: float) -> float:
        return round(self._from_left(self.across.place(value)), 1)

    def y(self, value: float) -> float:
        return self._from_top(self.down.place(value))

    def _from_left(self, place: float) -> float:
        return self.left + (_RIGHT - self.left) * place / 100

    def _from_top(self, place: float) -> float:
        return round(self.bottom - (self.bottom - self.top) * place / 100, 1)

    def drawn(self) -> str:
        chart = self.chart
        named = "".join(map(self._line, reversed(range(len(chart.all_names)))))
        parts = [*self._standards(), *self._texts(), named, *self._over()]
        height = self.bottom + _LINE * (2 if chart.x else 1)
        opening = f'<svg class="pf-plot" aria-hidden="true" viewBox="0 0 {_WIDTH} {height}">'
        return f"{opening}{''.join(parts)}</svg>"

    def _standards(self) -> Iterator[str]:
        """The band, the ticks of the scale, and the ideal or the diagonal."""
        chart, width = self.chart, f"{_RIGHT - self.left:g}"
        if chart.band is not None:
            low, high = map(self.y, chart.band)
            size = f'width="{width}" height="{low - high:.4g}"'
            yield f'<rect x="{self.left:g}" y="{high:g}" {size}/>'
        grid = "".join(
            f"M{self.left:g} {self._from_top(place):g}h{width}" for place, _ in self.down.ticks
        )
        yield f'<path class="pf-grid" d="{grid}"/>'
        if chart.ideal is not None:
            yield f'<path class="pf-ideal" d="M{self.left:g} {self.y(chart.ideal):g}h{width}"/>'
        if chart.diagonal:
            corners = [(self.x(end), self.y(end)) for end in (0.0, 1.0)]
            yield f'<path class="pf-ideal" d="{_path(corners)}"/>'

    def _texts(self) -> Iterator[str]:
        """The ticks of both scales, and their titles."""
        for place, text in self.down.ticks:
            yield _text(self.left - 5, self._from_top(place) + 4, text, "pf-end")
        for x, text in self._ticks_across():
            look = (
                "pf-end"
                if x > _RIGHT - _AT_EDGE
                else ""
                if x > self.left + _AT_EDGE
                else "pf-start"
            )
            yield _text(x, self.bottom + _LINE - 3, text, look)
        if self.chart.y:
            yield _text(2, 10, self.chart.y, "pf-start")
        if self.chart.x:
            yield _text((self.left + _RIGHT) / 2, self.bottom + 2 * _LINE - 4, self.chart.x)

    def _ticks_across(self) -> Iterator[tuple[float, str]]:
        if not self.chart.dates:
            for place, text in self.across.ticks:
                yield self._from_left(place), text
            return
        moments = sorted({mark["x"] for mark in self.chart.marks})
        for x in moments[:: -(-len(moments) // MOST_TICKS)]:
            moment = datetime.fromtimestamp(x / 1000, UTC)
            yield self.x(x), moment.strftime(self.chart.dates.replace("%-d", str(moment.day)))

    def _line(self, line: int) -> str:
        """A line, with its intervals and its points if they are few."""
        chart = self.chart
        marks = [mark for mark in chart.marks if mark["line"] == line]
        points = [(self.x(m["x"]), self.y(m["y"])) for m in marks if m["y"] is not None]
        drawn = f'<path d="{_path(_stairs(points) if chart.steps else _thinned(points))}"/>'
        bounded = [mark for mark in marks if mark.get("lower") is not None]
        ends = [[(self.x(m["x"]), self.y(m[end])) for m in bounded] for end in ("lower", "upper")]
        if bounded and chart.area:
            drawn += f'<path class="pf-area" d="{_path([*ends[0], *reversed(ends[1])])}"/>'
        elif bounded:
            bars = "".join(map(_path, zip(*ends, strict=True)))
            drawn += f'<path class="pf-ends" d="{bars}"/>'
        if not (chart.steps or chart.dates) and len(points) <= MOST_DOTS:
            drawn += f'<path class="pf-dots" d="{"".join(f"M{x:g} {y:g}h0" for x, y in points)}"/>'
        return f'<g class="{look_of_line(chart, line)}">{drawn}</g>'

    def _over(self) -> Iterator[str]:
        """What stands on a line over time: references, changes with their size, and verdicts."""
        marks = [mark for mark in self.chart.marks if mark["y"] is not None]
        places = [(self.x(mark["x"]), self.y(mark["y"])) for mark in marks]
        references = (
            f"M{x - 8:g} {self.y(mark['reference']):g}h16"
            for mark, (x, _) in zip(marks, places, strict=True)
            if mark.get("reference") is not None
        )
        if dashes := "".join(references):
            yield f'<path class="pf-thin" d="{dashes}"/>'
        last = -inf
        for i, mark in enumerate(marks):
            if not mark.get("step"):
                continue
            x = places[i][0]
            yield f'<path class="pf-thick" d="{_path(places[i - 1 : i + 1])}"/>' if i else ""
            arrow = "▼" if mark["step"].startswith("−") else "▲"
            is_free, look = x - last >= _FAR_APART, "pf-end" if x > _RIGHT - _AT_EDGE else ""
            yield _text(x, 12, f"{arrow} {mark['step']}" if is_free else arrow, f"pf-change {look}")
            last = x if is_free else last
        for tone in TONES.values():
            of_tone = [
                place
                for mark, place in zip(marks, places, strict=True)
                if mark.get("tone") == tone.name
            ]
            shape = SHAPES.get(tone.shape, SHAPES["circle"])
            if of_tone:
                drawn = "".join(f"M{x:g} {y:g}{shape}" for x, y in of_tone)
                yield f'<path class="pf-mark pf-{tone.name}" d="{drawn}"/>'


def _text(x: float, y: float, text: str, look: str = "") -> str:
    where = f' class="{look}"' if look else ""
    return f'<text{where} x="{x:.4g}" y="{y:.4g}">{escape(text)}</text>'


def _path(points: Sequence[Point]) -> str:
    """A path from point to point by its steps, which have fewer digits than places."""
    if not points:
        return ""
    (x, y), *others = points
    path = f"M{x:g} {y:g}"
    for there, down in others:
        path += f"l{there - x:.4g} {down - y:.4g}".replace(" -", "-")
        x, y = there, down
    return path


def _stairs(points: Sequence[Point]) -> list[Point]:
    """Points that keep their height up to the next one."""
    corners = [corner for (_, y), (x, down) in pairwise(points) for corner in ((x, y), (x, down))]
    return [*points[:1], *corners]


def _thinned(points: Sequence[Point]) -> list[Point]:
    """The points without those on the line through others, by the method of Douglas and Peucker."""
    if len(points) < 3:
        return [*points]
    (x, y), (there, down) = points[0], points[-1]
    width, height = there - x, down - y
    length = hypot(width, height)

    def distance(point: Point) -> float:
        across, along = point[0] - x, point[1] - y
        return abs(width * along - height * across) / length if length else hypot(across, along)

    far = max(range(len(points)), key=lambda i: distance(points[i]))
    if distance(points[far]) < _NEAR:
        return [points[0], points[-1]]
    return [*_thinned(points[: far + 1])[:-1], *_thinned(points[far:])]
