"""The look that all charts share, and the drawing of a chart as SVG, which needs no script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import Any, Final
from unicodedata import east_asian_width

from polars_fairness.api.verdicts import TONES
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
    datasets: dict[str, list[dict[str, Any]]] | None = None
    """The data of charts that a slider moves, by their names; None where there is no slider."""

    width: int = 0
    """How wide charts are that a slider moves."""

    @property
    def moves(self) -> bool:
        """Whether a slider chooses the marks by their ``at``, and a list by their ``window``."""
        return self.datasets is not None

    def data(self, values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The data of a chart, in it or beside all charts; a picture needs five digits."""
        if self.datasets is None:
            return {"data": {"values": [*values]}}
        name = f"data.{len(self.datasets)}"
        self.datasets[name] = [
            {
                key: float(f"{value:.5g}") if isinstance(value, float) else value
                for key, value in each.items()
            }
            for each in values
        ]
        return {"data": {"name": name}}

    def tints(self) -> dict[str, Any]:
        """The colour of every tone, the same in every chart."""
        return _scale({name: getattr(self.colours, tone.colour) for name, tone in TONES.items()})

    def shapes(self) -> dict[str, Any]:
        """The shape of every tone."""
        return _scale({name: tone.shape for name, tone in TONES.items()})

    def side_colours(self) -> dict[str, Any]:
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


def _scale(looks: Mapping[str, str]) -> dict[str, Any]:
    return {"domain": [*looks], "range": [*looks.values()]}


def drawing(chart: Mapping[str, Any], width: int, in_words: str) -> str:
    """The chart of a page as SVG, with a text for readers who cannot see it."""
    import vl_convert  # brought by the extra

    specification = {
        **chart,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": PAGE.config(),
    }
    drawn = vl_convert.vegalite_to_svg(with_writable(specification), allowed_base_urls=[])
    start = _OPENING.match(drawn)
    assert start is not None
    w, h = start.groups()
    label = escape(in_words)
    opening = (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
    )
    marks = _ALOUD.sub("", drawn[start.end() :])
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
