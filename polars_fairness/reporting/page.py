"""A report as a page: great_tables lays out the tables, altair draws the charts.

The page loads nothing and runs no script. Every text is escaped where it is inserted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from itertools import count
from typing import Final

from polars_fairness.reporting.charts.built import built
from polars_fairness.reporting.charts.look import PAGE, drawing
from polars_fairness.reporting.colours import stylesheet
from polars_fairness.reporting.html_tables import html_table
from polars_fairness.reporting.parts import Figure, Part, Section, Table, Tally
from polars_fairness.reporting.writable import writable

# A figure that stands alone is drawn twice, for wide and for narrow screens; CSS shows one.
_NARROW: Final = 320
_WIDE: Final = 680

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="pf-page">
<main class="pf-report">
{body}
</main>
</body>
</html>
"""


def page(title: str, sections: Sequence[Section]) -> str:
    """The report as a complete HTML page."""
    page_title = writable(f"{escape(title)} · Fairness report")
    return _PAGE.format(title=page_title, style=_style(), body=_body(title, sections))


def fragment(title: str, sections: Sequence[Section]) -> str:
    """The report as an HTML element, for the page of a notebook."""
    body = _body(title, sections)
    return f'<div class="pf-report">\n<style>\n{_style()}</style>\n{body}\n</div>\n'


def _style() -> str:
    rules = files("polars_fairness.reporting").joinpath("style.css").read_text("utf-8")
    return stylesheet() + rules


def _body(title: str, sections: Sequence[Section]) -> str:
    ids = (f"pf-{i}" for i in count(1))
    lines = "\n".join(
        [
            f'<header><p class="pf-kicker">Fairness report</p><h1>{escape(title)}</h1></header>',
            *(block for section in sections for block in _section(section, ids)),
            f"<footer><p>Made by polars-fairness {version('polars-fairness')}.</p></footer>",
        ]
    )
    return writable(lines)


def _section(section: Section, ids: Iterator[str]) -> Iterable[str]:
    yield f"<h{section.level}>{escape(section.title)}</h{section.level}>"
    for part in section.parts:
        yield _part(part, ids)


def _part(part: Part, ids: Iterator[str]) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>"
    if isinstance(part, Table):
        return html_table(part, next(ids))
    figures = [each for each in part if isinstance(each, Figure)]
    if figures:
        return _figures(figures)
    tallies = "".join(_tally(each) for each in part if isinstance(each, Tally))
    return f'<ul class="pf-tallies">{tallies}</ul>'


def _tally(tally: Tally) -> str:
    words = f"<b>{tally.count:,}</b> <span>{escape(tally.words)}</span>"
    return f'<li class="pf-{tally.tone}">{words}</li>'


def _figures(figures: Sequence[Figure]) -> str:
    if len(figures) > 1:
        drawn = "\n".join(_figure(figure, {"": _NARROW}) for figure in figures)
        return f'<div class="pf-figures">\n{drawn}\n</div>'
    return _figure(figures[0], {"pf-wide": _WIDE, "pf-narrow": _NARROW})


def _figure(figure: Figure, widths: Mapping[str, int]) -> str:
    chart = built(figure, PAGE)
    drawn = "\n".join(
        f'<div class="{name}">{drawing(chart, width, figure.in_words)}</div>'
        for name, width in widths.items()
    )
    return f"<figure>\n<figcaption>{escape(figure.caption)}</figcaption>\n{drawn}\n</figure>"
