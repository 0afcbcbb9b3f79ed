"""The look that all charts share, and the drawing of a chart as SVG, which needs no script.

Colours are the page's own CSS variables, so that one drawing reads well in light and in dark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

import altair as alt
import vl_convert

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.writable import writable

INK: Final = "var(--pf-ink)"
SOFT: Final = "var(--pf-soft)"
LINE: Final = "var(--pf-line)"
BAND: Final = "var(--pf-band)"
ABOVE: Final = "var(--pf-above)"
BELOW: Final = "var(--pf-below)"

COLOURS: Final = {name: tone.colour for name, tone in TONES.items()}
SHAPES: Final = {name: tone.shape for name, tone in TONES.items()}

_CONFIG: Final[Mapping[str, Any]] = {
    # Vega-Lite would describe each mark by an expression that contains the axis titles, and it
    # escapes their quotes but no backslash or line break. `drawing` adds a text of its own.
    "aria": False,
    "background": "transparent",
    "font": "Helvetica, Arial, sans-serif",
    "padding": 2,
    "view": {"stroke": None},
    "axis": {
        "labelColor": SOFT,
        "titleColor": SOFT,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
}
_OPENING: Final = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"[^>]*>')


def rows(values: Sequence[Mapping[str, Any]]) -> alt.InlineData:
    """The data of a chart."""
    return alt.InlineData(values=[dict(value) for value in values])


def named_rows(values: Sequence[Mapping[str, Any]]) -> tuple[alt.InlineData, alt.Y]:
    """The data of a chart with one row per value, and its axis of names, the first on top."""
    names = apart(value["name"] for value in values)
    named = [{**value, "name": name} for value, name in zip(values, names, strict=True)]
    axis = alt.Axis(ticks=False, domain=False)
    return rows(named), alt.Y("name:N", sort=None, title=None, axis=axis)


def apart(names: Iterable[str]) -> list[str]:
    """Names made distinct by invisible characters, so that equal names have places of their own."""
    times: Counter[str] = Counter()
    distinct = []
    for name in map(writable, names):
        distinct.append(name + "\u200b" * times[name])
        times[name] += 1
    return distinct


def by_tone(looks: Mapping[str, str]) -> alt.Scale:
    """The scale that gives every kind of verdict its look, the same in every chart."""
    return alt.Scale(domain=list(looks), range=list(looks.values()))


def drawing(chart: alt.LayerChart, width: int, in_words: str) -> str:
    """The chart as SVG, with a text for readers who cannot see it."""
    # altair checked the parts; checking the whole again would take as long as drawing it.
    specification = chart.to_dict(validate=False) | {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": {**_CONFIG, "axisY": {"labelColor": INK, "labelLimit": 0.42 * width}},
    }
    drawn = vl_convert.vegalite_to_svg(_writable(specification), allowed_base_urls=[])
    found = _OPENING.match(drawn)
    assert found is not None
    w, h = found.groups()
    label = escape(in_words)
    opening = (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
    )
    return opening + drawn[found.end() :]


def _writable(part: Any) -> Any:
    """The specification with writable texts: others would end the process in vl-convert."""
    if isinstance(part, str):
        return writable(part)
    if isinstance(part, Mapping):
        return {_writable(key): _writable(value) for key, value in part.items()}
    return [_writable(each) for each in part] if isinstance(part, list | tuple) else part
