"""An exploration as a page: altair describes the charts, and Vega-Lite draws them in the browser.

The page loads nothing. Its scripts are those of Vega-Lite; the charts are data. Every text is
escaped where it is inserted.
"""

from __future__ import annotations

import json
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Final

import vl_convert

from polars_fairness.catalogue.wording import word
from polars_fairness.reporting.charts.explorer import explorer
from polars_fairness.reporting.colours import stylesheet
from polars_fairness.reporting.figures.panels import Swept, panels_of
from polars_fairness.reporting.outputs.html_tables import html_table
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
<script>{library}</script>
</head>
<body class="pf-page">
<main class="pf-report pf-explorer">
<header><p class="pf-kicker">Fairness by threshold</p><h1>{title}</h1></header>
<p>{opening}</p>
<div id="pf-charts"></div>
<h2>What the metrics mean</h2>
{definitions}
<footer><p>Made by polars-fairness {version}.</p></footer>
</main>
<script>vegaEmbed("#pf-charts", {charts});</script>
</body>
</html>
"""

_OPENING: Final = (
    "A row is {} if its score is at least the threshold. The slider stops at {} thresholds, "
    "from {} to {}. Each metric is drawn on the scale of its own band, the shaded middle, and "
    "judged by its value alone: a circle is within the band, a triangle is outside. Values beyond "
    "the edge of a chart are drawn at the edge."
)


def explorer_page(title: str, swept: Swept) -> str:
    """The exploration as a complete HTML page."""
    thresholds = swept.thresholds
    accepted = word("accepted", favorable=swept.favorable)
    ends = map(score, (thresholds[0], thresholds[-1]))
    opening = _OPENING.format(accepted, len(thresholds), *ends)
    windows = [window_in_words(window) for window in swept.windows if window]
    charts = explorer(panels_of(swept), thresholds, windows, accepted.capitalize())
    return _PAGE.format(
        title=writable(escape(title)),
        style=_style(),
        library=vl_convert.javascript_bundle(),  # type: ignore[call-arg]  # has a default
        opening=escape(opening),
        definitions=writable(html_table(definitions_table(swept.metrics))),
        version=version("polars-fairness"),
        charts=_as_script(charts),
    )


def _style() -> str:
    rules = files("polars_fairness.reporting.outputs").joinpath("style.css").read_text("utf-8")
    return stylesheet() + rules


def _as_script(charts: object) -> str:
    """Data as a script that has no markup: `</script>` in a name would end the script."""
    return json.dumps(charts, allow_nan=False).replace("<", "\\u003c")
