"""How every chart looks, and how it becomes a drawing that needs no script.

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
    # Vega-Lite would describe each mark by an expression with the axis titles in it, and escape
    # their quotes but no backslash or line break. The drawing has a text of its own.
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
    """Give a chart its numbers as they are."""
    return alt.InlineData(values=[dict(value) for value in values])


def named_rows(values: Sequence[Mapping[str, Any]]) -> tuple[alt.InlineData, alt.Y]:
    """Give every value a row of its own, called by its ``name``, from the top."""
    names = apart(value["name"] for value in values)
    named = [{**value, "name": name} for value, name in zip(values, names, strict=True)]
    axis = alt.Axis(ticks=False, domain=False)
    return rows(named), alt.Y("name:N", sort=None, title=None, axis=axis)


def apart(names: Iterable[str]) -> list[str]:
    """Keep two that are written alike two places of a chart, by blanks that nobody sees."""
    times: Counter[str] = Counter()
    told = []
    for name in map(writable, names):
        told.append(name + "\u200b" * times[name])
        times[name] += 1
    return told


def by_tone(looks: Mapping[str, str]) -> alt.Scale:
    """Give every kind of verdict its own look, the same in every chart."""
    return alt.Scale(domain=list(looks), range=list(looks.values()))


def drawing(chart: alt.LayerChart, width: int, in_words: str) -> str:
    """Draw a chart, with a text in its place for those who do not see it."""
    # Parts are checked when they are made; to check the whole again takes as long as drawing it.
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
    """Clean every text of a specification: what XML has no place for ends vl-convert's process."""
    if isinstance(part, str):
        return writable(part)
    if isinstance(part, Mapping):
        return {_writable(key): _writable(value) for key, value in part.items()}
    return [_writable(each) for each in part] if isinstance(part, list | tuple) else part
