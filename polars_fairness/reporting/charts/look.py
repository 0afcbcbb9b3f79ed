"""The look that all charts share, and the drawing of a chart as SVG, which needs no script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from math import isfinite
from typing import Any, Final
from unicodedata import east_asian_width

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.colours import LIGHT, ON_PAGE, Colours
from polars_fairness.reporting.parts import writable


@dataclass(frozen=True)
class Look:
    """The colours of a chart, and whether the numbers of its marks stand beside them.

    With ``most_letters``, longer names beside a chart are cut. Without, the chart cuts them by
    their width; to measure it takes vl-convert a third of the time of a whole drawing.
    """

    colours: Colours
    has_numbers: bool
    most_letters: int | None = None

    def tints(self) -> alt.Scale:
        """The colour of every tone, the same in every chart."""
        return _scale({name: getattr(self.colours, tone.colour) for name, tone in TONES.items()})

    def of_sides(self) -> alt.Scale:
        """The colour of what is above the overall rate, and of what is below it."""
        return _scale({"above": self.colours.above, "below": self.colours.below})

    def config(self, widest_name: float = 0) -> dict[str, Any]:
        """The settings of a whole chart; names beside it that are wider are cut, unless it is 0."""
        colours = self.colours
        return {
            # Vega-Lite would describe each mark by an expression that contains the axis titles, and
            # it escapes their quotes but no backslash or line break. `drawing` adds a text.
            "aria": False,
            "background": "transparent",
            "font": "Helvetica, Arial, sans-serif",
            "padding": 2,
            "view": {"stroke": None},
            "axis": {
                "labelColor": colours.soft,
                "titleColor": colours.soft,
                "gridColor": colours.line,
                "domainColor": colours.line,
                "tickColor": colours.line,
                "labelFontSize": 12,
                "labelLimit": 0,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
            },
            "axisY": {"labelColor": colours.ink, "labelLimit": widest_name},
        }


PAGE: Final = Look(ON_PAGE, has_numbers=False, most_letters=30)
"""The look of a page, which has the numbers in tables."""

ALONE: Final = Look(LIGHT, has_numbers=True)
"""The look of a chart that stands alone, in a notebook or as a picture."""

_OPENING: Final = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"[^>]*>')
# In a tag, not in a text, where `>` is escaped. A part of a picture that is a picture itself, as
# Vega has it, would need a text of its own.
_ALOUD: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"(?=[^<>]*>)')
_TAG: Final = re.compile(r"<[^<>]*>")
_NUMBER: Final = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|-?\d+e-\d+")
PER_LETTER: Final = 6.5
"""The estimated width of a letter, rather too wide than too narrow."""
_SIZES: Final = ("Rows", "Weight")
_GAP: Final = 18
_WIDEST: Final = 260
"""The width at which a text beside a mark is cut: a verdict may have a long name in it."""


def inline_data(values: Sequence[Mapping[str, Any]]) -> alt.InlineData:
    """The data of a chart."""
    return alt.InlineData(values=[dict(value) for value in values])


def named_rows(values: Sequence[Mapping[str, Any]], look: Look) -> tuple[alt.InlineData, alt.Y]:
    """The data of a chart with one row per value, and its axis of names, the first on top."""
    names = apart((value["name"] for value in values), look.most_letters)
    named = [{**value, "name": name} for value, name in zip(values, names, strict=True)]
    # A mark at the edge is half as wide as this.
    axis = alt.Axis(ticks=False, domain=False, labelPadding=7)
    # The order of the data would not be kept by marks without a place.
    scale = alt.Scale(domain=names)
    return inline_data(named), alt.Y("name:N", scale=scale, sort=None, title=None, axis=axis)


def finite(mark: Mapping[str, Any]) -> dict[str, Any]:
    """The mark with None in place of infinite numbers, which have no place on an axis."""
    return {
        key: None if isinstance(value, float) and not isfinite(value) else value
        for key, value in mark.items()
    }


def apart(names: Iterable[str], most: int | None = None) -> list[str]:
    """Names made distinct by invisible characters, so that equal names have places of their own.

    Names of more than so many letters are cut in the middle; wide letters count twice.
    """
    times: Counter[str] = Counter()
    distinct = []
    for name in map(writable, names):
        shown = name if most is None else _cut(name, most)
        distinct.append(shown + "\u200b" * times[shown])
        times[shown] += 1
    return distinct


def _cut(name: str, most: int) -> str:
    """The name without its middle: what sets groups apart may stand at either end."""
    if len(_first(name, most)) == len(name):
        return name
    end = most // 3
    return f"{_first(name, most - end - 1)}…{_first(name[::-1], end)[::-1]}"


def _first(name: str, most: int) -> str:
    widths = accumulate(1 + (east_asian_width(letter) in "WF") for letter in name)
    return name[: sum(width <= most for width in widths)]


def shapes() -> alt.Scale:
    """The shape of every tone."""
    return _scale({name: tone.shape for name, tone in TONES.items()})


def _scale(looks: Mapping[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(looks), range=list(looks.values()))


def strip(band: tuple[float, float], look: Look) -> alt.Chart:
    """A band across a chart whose values are on the vertical axis."""
    acceptable = alt.Chart(inline_data([{"from": band[0], "to": band[1]}]))
    drawn: alt.Chart = acceptable.mark_rect(color=look.colours.band, opacity=1, clip=True).encode(
        y=alt.Y("from:Q"), y2=alt.Y2("to:Q")
    )
    return drawn


def ideal_line(ideal: float, look: Look) -> alt.Chart:
    """The ideal value across a chart whose values are on the vertical axis."""
    line = alt.Chart(inline_data([{"ideal": ideal}])).mark_rule(
        color=look.colours.soft, strokeDash=[3, 3], clip=True
    )
    drawn: alt.Chart = line.encode(y=alt.Y("ideal:Q"))
    return drawn


def numbers_beside(
    base: alt.Chart, marks: Sequence[Mapping[str, Any]], columns: Sequence[str], look: Look
) -> Iterator[alt.Chart]:
    """A column of texts on the right for each of these keys of the marks, with the key above it."""
    if not look.has_numbers:
        return
    place, edge = 0.0, alt.value("width")
    for column in columns:
        widths = [len(mark.get(column, "")) for mark in marks]
        if not any(widths):
            continue
        place += _GAP + min(PER_LETTER * max(len(column), *widths), _WIDEST)
        texts = base.mark_text(
            align="right", dx=place, fontSize=12, color=look.colours.ink, limit=_WIDEST
        )
        yield texts.encode(x=edge, text=alt.Text(f"{column}:N"))
        head = alt.Chart(inline_data([{}])).mark_text(
            align="right", dx=place, fontSize=12, color=look.colours.soft
        )
        yield head.encode(x=edge, y=alt.value(-8), text=alt.value(column))


def sizes_beside(
    base: alt.Chart, marks: Sequence[Mapping[str, Any]], look: Look
) -> list[alt.Chart]:
    """On a page, the numbers of rows of the marks on the right, or their weights."""
    column = next((name for name in _SIZES if marks and name in marks[0]), None)
    if look.has_numbers or column is None:
        return []
    style: dict[str, Any] = {"align": "left", "fontSize": 11, "color": look.colours.soft}
    head = alt.Chart(inline_data([{}])).mark_text(
        x="width", dx=8, y=-8, text=column.lower(), **style
    )
    return [base.mark_text(x="width", dx=8, **style).encode(text=alt.Text(f"{column}:N")), head]


def drawing(chart: alt.LayerChart, width: int, in_words: str) -> str:
    """The chart of a page as SVG, with a text for readers who cannot see it."""
    import vl_convert  # brought by the extra

    # altair checked the parts; checking the whole again would take as long as drawing it.
    specification = chart.to_dict(validate=False) | {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": PAGE.config(),
    }
    drawn = vl_convert.vegalite_to_svg(with_writable(specification), allowed_base_urls=[])
    found = _OPENING.match(drawn)
    assert found is not None
    w, h = found.groups()
    label = escape(in_words)
    opening = (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
    )
    marks = _ALOUD.sub("", drawn[found.end() :])
    return opening + _TAG.sub(lambda tag: _NUMBER.sub(_rounded, tag[0]), marks)


def _rounded(number: re.Match[str]) -> str:
    """A length in a tag with three decimals: sums of floats differ in the last from run to run."""
    return f"{round(float(number[0]), 3) + 0.0:.10g}"


def with_writable(part: Any) -> Any:
    """The specification with writable texts: others would end the process in vl-convert."""
    if isinstance(part, str):
        return writable(part)
    if isinstance(part, Mapping):
        return {with_writable(key): with_writable(value) for key, value in part.items()}
    return [with_writable(each) for each in part] if isinstance(part, list | tuple) else part
