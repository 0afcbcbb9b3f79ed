"""An exploration as a page: altair describes the charts, and Vega draws them in the browser.

The page loads nothing. Its script is that of Vega, packed with the charts, which are data. Every
text is escaped where it is inserted.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib.metadata import version
from math import inf, isfinite
from typing import Any, Final

import vl_convert

from polars_fairness.catalogue.wording import word
from polars_fairness.explorer.panels import (
    BandMark,
    CurveMark,
    DisparityMark,
    Panel,
    RateMark,
    Swept,
    cutoffs_in_words,
    panels_of,
)
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import PAGE, finite, shapes, with_writable
from polars_fairness.reporting.outputs.html_tables import html_table
from polars_fairness.reporting.outputs.page import style
from polars_fairness.reporting.parts import writable
from polars_fairness.reporting.tables import definitions_table
from polars_fairness.reporting.words import score, window_in_words

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline' 'unsafe-eval'">
<title>{title} · Fairness by threshold</title>
<style>
{style}</style>
</head>
<body class="pf-page">
<main class="pf-report pf-explorer">
<header><p class="pf-kicker">Fairness by threshold</p><h1>{title}</h1></header>
{found}<div id="pf-charts"></div>
<div class="pf-notes"><p>{opening}</p></div>
<h2>What the metrics mean</h2>
{definitions}
<footer><p>Made by polars-fairness {version}.</p></footer>
</main>
<script>(async () => {{
const packed = Uint8Array.from(atob("{packed}"), letter => letter.charCodeAt());
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
(0, eval)(await new Response(unpacked).text());
}})();</script>
</body>
</html>
"""

_VEGA: Final = (
    'import {{View, parse}} from "https://cdn.jsdelivr.net/npm/vega@{}/+esm"; '
    "window.pf = {{View, parse}};"
)
"""The address at which vl-convert has Vega inside; nothing is loaded."""

_DRAWN: Final = """
new pf.View(pf.parse({}), {{renderer: "svg", container: "#pf-charts", hover: true}}).run();
"""

_OPENING: Final = (
    "A row is {} if its score is at least the threshold. The slider stops at {} thresholds, "
    "from {} to {}. Each metric is drawn on the scale of its own band, the shaded middle, and "
    "judged by its value alone: a circle is within the band, a triangle is outside. Low values are "
    "left and below; a ratio of 0 has its number only."
)

_WIDTH: Final = 290
_GAP: Final = 34
_ROW: Final = 40
_FLAT: Final = 110
_HIGH: Final = 150
_REACH: Final = 3
"""How far a disparity is drawn at least from the middle of its band, in halves of the band."""

_COLUMNS: Final = "clamp(floor((windowSize()[0] - 60) / 345), 1, 3)"
"""As many charts beside each other as there is room for."""


def explorer_page(title: str, swept: Swept) -> str:
    """The exploration as a complete HTML page."""
    thresholds = swept.thresholds
    accepted = word("accepted", favorable=swept.favorable)
    found = cutoffs_in_words(swept)
    ends = map(score, (thresholds[0], thresholds[-1]))
    opening = _OPENING.format(accepted, len(thresholds), *ends)
    windows = [window_in_words(window) for window in swept.windows if window]
    charts = _specification(panels_of(swept), thresholds, windows, accepted.capitalize())
    return _PAGE.format(
        title=writable(escape(title)),
        style=style(),
        found=f'<div class="pf-headline"><p>{writable(escape(found))}</p></div>\n' if found else "",
        opening=escape(opening),
        definitions=writable(html_table(definitions_table(swept.metrics))),
        version=version("polars-fairness"),
        packed=_packed(charts),
    )


def _packed(charts: dict[str, Any]) -> str:
    """Vega and what it draws, packed: a fifth as long, and without the markup that names may have.

    Vega-Lite and its embedding, which the page can do without, would double it.
    """
    library = vl_convert.javascript_bundle(_VEGA.format(vl_convert.get_vega_version()))
    compiled = json.dumps(vl_convert.vegalite_to_vega(charts), allow_nan=False)
    script = f"{library};{_DRAWN.format(compiled)}"
    return b64encode(gzip.compress(script.encode(), mtime=0)).decode()


def _specification(
    panels: Sequence[Panel], thresholds: Sequence[float], windows: Sequence[str], accepted: str
) -> dict[str, Any]:
    """The specification of the charts, with a slider, and with a list of windows if there are any.

    ``at`` is the place of a threshold in its list, so that the slider stops at each of them.
    ``accepted`` is the word for rows whose score is at least the threshold.
    """
    last = len(thresholds) - 1
    slider = alt.binding_range(min=0, max=last, step=1, name="Threshold")
    choices = alt.binding_select(options=[*range(len(windows))], labels=[*windows], name="Window")
    parameters = [
        alt.param(name="at", value=last // 2, bind=slider),
        alt.param(name="window", value=0, bind=choices if windows else alt.Undefined),
        alt.param(name="thresholds", value=[*thresholds]),
    ]
    drawn = [_BUILDERS[type(panel.marks[0])](panel, f"{i}") for i, panel in enumerate(panels)]
    charts = alt.ConcatChart(concat=drawn, spacing=_GAP).add_params(*parameters)
    whole = charts.to_dict(validate=False)
    whole["params"].insert(1, _readout(accepted))
    own = {
        # Inside of the charts, altair would copy the data more than once.
        "datasets": {name: data for i, each in enumerate(panels) for name, data in _data(each, i)},
        "columns": {"signal": _COLUMNS},
        "config": _config(),
        "description": "Rates, disparities and values of all rows at the threshold of the slider",
    }
    specification: dict[str, Any] = with_writable(whole | own)
    return specification


def _readout(accepted: str) -> dict[str, Any]:
    """The threshold beside the slider, which shows its own number: the place of the threshold.

    altair knows no such input.
    """
    return {
        "name": "threshold",
        "expr": "thresholds[at]",
        "on": [{"events": {"signal": "at"}, "update": "thresholds[at]"}],
        "bind": {"input": "text", "readonly": True, "name": f"{accepted} from a score of"},
    }


def _rates(panel: Panel, key: str) -> alt.LayerChart:
    """Bars of marks with ``row``, the place of a name, ``value`` from 0 to 1 and its ``text``."""
    colours = PAGE.colours
    x = alt.X("value:Q", scale=alt.Scale(domain=[0, 1]), axis=None)
    names, now = _names(panel, key), _now(panel, key)
    track = names.mark_bar(aria=False, color=colours.band, height=8, yOffset=8)
    bars = now.mark_bar(aria=False, color=colours.soft, height=8, yOffset=8)
    layers = [
        track.encode(x=_at(1)),
        bars.encode(x=x),
        *_texts(names, now),
    ]
    return _titled(layers, panel, len(panel.names) * _ROW)


def _disparities(panel: Panel, key: str) -> alt.LayerChart:
    """Marks with ``row``, ``place``, its distance from the middle of a band, ``tone`` and ``text``.

    A mark without a place has its text only.
    """
    colours = PAGE.colours
    drawn = (mark.place for mark in panel.marks if isinstance(mark, DisparityMark))
    reach = max([_REACH, *(1.1 * abs(place) for place in drawn if place is not None)])
    scale = alt.Scale(domain=[-reach, reach])
    x = alt.X("place:Q", scale=scale, axis=None)
    names, now = _names(panel, key), _now(panel, key)
    has_band = names.transform_filter("datum.has_band")
    line = has_band.mark_rule(aria=False, color=colours.line, yOffset=8)
    band = has_band.mark_bar(aria=False, color=colours.band, height=14, yOffset=8)
    marks = now.transform_filter("isValid(datum.place)").mark_point(
        aria=False, filled=True, opacity=1, size=110, yOffset=8
    )
    tinted = alt.Color("tone:N", scale=PAGE.tints(), legend=None)
    layers = [
        line.encode(x=_at(-reach), x2=alt.datum(reach)),
        band.encode(x=_at(-1), x2=alt.datum(1)),
        marks.encode(x=x, color=tinted, shape=alt.Shape("tone:N", scale=shapes(), legend=None)),
        *_texts(names, now, tinted),
    ]
    return _titled(layers, panel, len(panel.names) * _ROW)


def _first_metric(panel: Panel, key: str) -> alt.LayerChart:
    """A line of marks with ``x``, ``value``, ``tone`` and ``text`` beside the band.

    A thick part of the line is within the band.
    """
    colours, (low, high) = PAGE.colours, panel.band or (-inf, inf)
    found = [mark.value for mark in panel.marks if isinstance(mark, BandMark)]
    ends = [each for each in (*found, low, high) if each is not None and isfinite(each)]
    domain = [min(ends), max(ends)]
    scale = alt.Scale(type="log" if panel.is_of_ratios else "linear", domain=domain, nice=False)
    y = alt.Y("value:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4, grid=False))
    x = alt.X("x:Q", title="Threshold", axis=alt.Axis(grid=False, tickCount=4))
    x = x.scale(zero=False, nice=False)
    base = alt.Chart(alt.NamedData(f"marks.{key}")).transform_filter(_IN_WINDOW)
    now = base.transform_filter(_NOW)
    tinted = alt.Color("tone:N", scale=PAGE.tints(), legend=None)
    shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
    edges = (max(low, domain[0]), min(high, domain[1]))
    band = now.mark_rect(aria=False, color=colours.band)
    within = base.transform_filter("datum.tone == 'within' && isValid(datum.value)")
    layers = [
        band.encode(
            y=alt.YDatum(edges[0], type="quantitative", scale=scale), y2=alt.datum(edges[1])
        ),
        base.mark_line(aria=False, color=colours.soft, strokeWidth=1.5).encode(x=x, y=y),
        within.mark_circle(aria=False, opacity=1, size=26).encode(x=x, y=y, color=tinted),
        now.mark_rule(aria=False, color=colours.ink).encode(x=x),
        now.transform_filter("isValid(datum.value)")
        .mark_point(aria=False, filled=True, opacity=1, size=110)
        .encode(x=x, y=y, color=tinted, shape=shaped),
        _said_above(now, panel.title),
    ]
    return _titled(layers, panel, _HIGH)


def _said_above(now: alt.Chart, name: str) -> alt.Chart:
    """The number of the threshold above a chart, read aloud with a name."""
    said = now.transform_calculate(said=f"{json.dumps(name)} + ': ' + datum.text")
    number = said.mark_text(align="right", dy=-10, color=PAGE.colours.ink, fontSize=12)
    placed: alt.Chart = number.encode(
        x=alt.value("width"), y=alt.value(0), text="text:N", description="said:N"
    )
    return placed


def _curve(panel: Panel, key: str) -> alt.LayerChart:
    """A line of marks with ``x``, the threshold, ``value`` and its ``text``."""
    colours = PAGE.colours
    x = alt.X("x:Q", title="Threshold", axis=alt.Axis(grid=False, tickCount=4))
    x = x.scale(zero=False, nice=False)
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=3))
    base = alt.Chart(alt.NamedData(f"marks.{key}")).transform_filter(_IN_WINDOW)
    now = base.transform_filter(_NOW)
    dot = now.mark_point(aria=False, filled=True, opacity=1, size=70, color=colours.ink)
    layers = [
        base.mark_line(aria=False, color=colours.soft, strokeWidth=2).encode(x=x, y=y),
        now.mark_rule(aria=False, color=colours.ink).encode(x=x),
        dot.encode(x=x, y=y),
        _said_above(now, panel.title),
    ]
    return _titled(layers, panel, _FLAT)


_NOW: Final = "datum.at == at"
_IN_WINDOW: Final = "datum.window == window"

_BUILDERS: Final[Mapping[type, Callable[[Panel, str], alt.LayerChart]]] = {
    RateMark: _rates,
    DisparityMark: _disparities,
    BandMark: _first_metric,
    CurveMark: _curve,
}


def _data(panel: Panel, key: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The data of a panel by their names."""
    names = [
        {"row": i, "name": name} | ({} if has_band is None else {"has_band": has_band})
        for i, (name, has_band) in enumerate(panel.names)
    ]
    yield f"names.{key}", names
    yield f"marks.{key}", [finite(mark._asdict()) for mark in panel.marks]


def _names(panel: Panel, key: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(f"names.{key}")).encode(y=_in_rows(panel))


def _now(panel: Panel, key: str) -> alt.Chart:
    """The marks at the threshold of the slider, in the window that is chosen."""
    marks = alt.Chart(alt.NamedData(f"marks.{key}")).encode(y=_in_rows(panel))
    return marks.transform_filter(_NOW).transform_filter(_IN_WINDOW)


def _at(place: float) -> alt.XDatum:
    return alt.XDatum(place, type="quantitative", axis=None)


def _in_rows(panel: Panel) -> alt.Y:
    return alt.Y("row:O", scale=alt.Scale(domain=[*range(len(panel.names))]), axis=None)


def _texts(
    names: alt.Chart, now: alt.Chart, tinted: alt.Color | None = None
) -> tuple[alt.Chart, alt.Chart]:
    """The names on the left above their marks, and the numbers on the right."""
    ink = PAGE.colours.ink
    left = names.mark_text(
        aria=False, align="left", color=ink, fontSize=12, yOffset=-8, limit=0.68 * _WIDTH
    )
    right = now.mark_text(align="right", fontSize=12, yOffset=-8, color=ink)
    # A screen reader reads a number with its name.
    both = alt.LookupData(data=names.data, key="row", fields=["name"])
    said = right.transform_lookup("row", from_=both).transform_calculate(
        said="datum.name + ': ' + datum.text"
    )
    numbers = said.encode(x=alt.value(_WIDTH), text="text:N", description="said:N")
    return (
        left.encode(x=alt.value(0), text="name:N"),
        numbers if tinted is None else numbers.encode(color=tinted),
    )


def _titled(layers: Sequence[alt.Chart], panel: Panel, height: int) -> alt.LayerChart:
    title = alt.Title(panel.title, subtitle=panel.subtitle, limit=_WIDTH)
    return alt.LayerChart(layer=[*layers]).properties(width=_WIDTH, height=height, title=title)


def _config() -> dict[str, Any]:
    colours = PAGE.colours
    return PAGE.config(_WIDTH) | {
        "aria": True,
        "title": {
            "anchor": "start",
            "frame": "group",
            "color": colours.ink,
            "fontSize": 14,
            "subtitleColor": colours.soft,
            "subtitleFontSize": 12,
            "offset": 10,
        },
    }
