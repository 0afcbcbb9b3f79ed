"""An exploration as a page, on which Vega draws charts that a slider moves.

The page loads nothing. Its script is that of Vega, packed with the charts, which are data. Every
text is escaped where it is inserted.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.metadata import version
from typing import Any, Final

import vl_convert

from polars_fairness.catalogue.wording import word
from polars_fairness.explorer.panels import Swept, cutoffs_in_words, panels_of
from polars_fairness.reporting.charts.chart import titled
from polars_fairness.reporting.charts.look import PAGE, Look, with_writable
from polars_fairness.reporting.outputs.html_tables import html_table
from polars_fairness.reporting.outputs.page import style
from polars_fairness.reporting.parts import Figure, writable
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

_DESCRIPTION: Final = "Rates, disparities and values of all rows at the threshold of the slider"
_WIDTH: Final = 290
_GAP: Final = 34

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
    return _PAGE.format(
        title=writable(escape(title)),
        style=style(),
        found=f'<div class="pf-headline"><p>{writable(escape(found))}</p></div>\n' if found else "",
        opening=escape(opening),
        definitions=writable(html_table(definitions_table(swept.metrics))),
        version=version("polars-fairness"),
        packed=_packed(panels_of(swept), thresholds, windows, accepted.capitalize()),
    )


def _packed(
    panels: Sequence[Figure], thresholds: Sequence[float], windows: Sequence[str], accepted: str
) -> str:
    """Vega and the charts that it draws, packed: a fifth as long, and without markup of names.

    Vega-Lite and its embedding, which the page can do without, would double it.
    """
    datasets: dict[str, list[dict[str, Any]]] = {}
    look = replace(PAGE, width=_WIDTH, datasets=datasets)
    charts = _charts(panels, look, thresholds, windows, accepted)
    compiled = vl_convert.vegalite_to_vega(charts)
    for each in compiled["data"]:
        if each["name"] in datasets:
            each["values"] = datasets[each["name"]]
    library = vl_convert.javascript_bundle(_VEGA.format(vl_convert.get_vega_version()))
    script = f"{library};{_DRAWN.format(json.dumps(compiled, allow_nan=False))}"
    return b64encode(gzip.compress(script.encode(), mtime=0)).decode()


def _charts(
    panels: Sequence[Figure],
    look: Look,
    thresholds: Sequence[float],
    windows: Sequence[str],
    accepted: str,
) -> dict[str, Any]:
    """The charts without their data, with a slider, and a list of windows if there are any.

    ``at`` is the place of a threshold in its list, so that the slider stops at each of them.
    ``accepted`` is the word for rows whose score is at least the threshold.
    """
    last = len(thresholds) - 1
    slider = {"input": "range", "min": 0, "max": last, "step": 1, "name": "Threshold"}
    choices = {"input": "select", "options": [*range(len(windows))], "labels": [*windows]}
    whole = {
        "params": [
            {"name": "at", "value": last // 2, "bind": slider},
            _readout(accepted),
            {"name": "window", "value": 0}
            | ({"bind": choices | {"name": "Window"}} if windows else {}),
            {"name": "thresholds", "value": [*thresholds]},
        ],
        "concat": [titled(panel, look) for panel in panels],
        "spacing": _GAP,
        "columns": {"signal": _COLUMNS},
        "config": _config(),
        "resolve": {"scale": dict.fromkeys(("x", "y", "color", "shape"), "independent")},
        "description": _DESCRIPTION,
    }
    written: dict[str, Any] = with_writable(whole)
    return written


def _readout(accepted: str) -> dict[str, Any]:
    """The threshold beside the slider, which shows its own number: the place of the threshold."""
    return {
        "name": "threshold",
        "expr": "thresholds[at]",
        "on": [{"events": {"signal": "at"}, "update": "thresholds[at]"}],
        "bind": {"input": "text", "readonly": True, "name": f"{accepted} from a score of"},
    }


def _config() -> dict[str, Any]:
    colours = PAGE.colours
    return PAGE.config() | {
        "aria": True,
        "mark": {"aria": False},
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
