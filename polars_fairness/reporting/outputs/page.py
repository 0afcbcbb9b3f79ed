"""A report as a page, whose charts vl-convert draws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from polars_fairness.reporting.charts.look import PAGE, drawing
from polars_fairness.reporting.colours import DARK, LIGHT, stylesheet, values_of
from polars_fairness.reporting.outputs.html_tables import html_table
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.outputs.notes import notes_as_html
from polars_fairness.reporting.parts import (
    Document,
    Figure,
    Markdown,
    Part,
    Section,
    Sentences,
    Table,
    Tally,
    writable,
)

_ROOT: Final = ".pf-report"
_OWN: Final = """\
.pf-report { all: initial; display: block; }
.pf-report :where(:not(svg, svg *)) { all: revert; }
"""
"""Each element as a browser shows it without any rule; parts of charts have attributes instead."""

# JupyterLab and nbconvert; VS Code, twice; marimo; Colab.
_DARK_PAGES: Final = (
    '[data-jp-theme-light="false"], [data-vscode-theme-kind="vscode-dark"], '
    '[data-vscode-theme-kind="vscode-high-contrast"], .dark-theme, html[theme="dark"]'
)
_LIGHT_PAGES: Final = (
    '[data-jp-theme-light="true"], [data-vscode-theme-kind$="light"], .light-theme, '
    'html[theme]:not([theme="dark"])'
)
_REM: Final = re.compile(r"([\d.]+)rem\b")


def _style_in_notebook(style: str) -> str:
    """The style of a page as that of an element in another page."""
    themes = "".join(
        f":is({pages}) .pf-report {{\ncolor-scheme: {scheme};\n{values_of(colours)}}}\n"
        for pages, scheme, colours in (
            (_LIGHT_PAGES, "light", LIGHT),
            (_DARK_PAGES, "dark", DARK),
        )
    )
    # Lengths that depend on the root of the page: 10 pixels are its letters in older notebooks.
    own = _REM.sub(lambda found: f"{16 * float(found[1]):g}px", style)
    # JupyterLab's rules for cells name two classes, and would win over rules that name one.
    return f"{_OWN}{own}@media screen {{\n{themes}}}\n".replace(_ROOT, 3 * _ROOT)


# Half of the page on a desktop; A4 and a telephone make it a little smaller.
_WIDTH: Final = 400

_CLIP: Final = re.compile(r"""( id="|="url\(#)clip(\d+)("|\)")""")

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
{about}<title>{title}</title>
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


def page(document: Document) -> str:
    """The report as a complete HTML page."""
    page_title = writable(f"{escape(document.title)} · {escape(document.kind)}")
    about = "".join(
        f'<meta name="{name}" content="{escape(text)}">\n' for name, text in document.about.items()
    )
    body = _body(document, "pf")
    return _PAGE.format(about=writable(about), title=page_title, style=style(), body=body)


def fragment(document: Document) -> str:
    """The report as an HTML element, for the page of a notebook.

    Its ids are its own, as there may be other reports on the page.
    """
    prefix = f"pf-{sha256(written_in_markdown(document).encode()).hexdigest()[:8]}"
    scoped = _style_in_notebook(style())
    body = _body(document, prefix)
    return f'<div class="pf-report" lang="en">\n<style>\n{scoped}</style>\n{body}\n</div>\n'


def style() -> str:
    """The style sheet of every page, with the colours of light, dark and paper."""
    rules = files("polars_fairness.reporting.outputs").joinpath("style.css").read_text("utf-8")
    return stylesheet() + rules


def _body(document: Document, prefix: str) -> str:
    anchors = [f"{prefix}-section-{i}" for i, _ in enumerate(document.sections, start=1)]
    last = "".join(f"<p>{escape(line)}</p>" for line in document.last)
    lines = "\n".join(
        [
            '<section class="pf-first">',
            *_header(document),
            *(_part(part) for part in document.first),
            "</section>",
            *_contents(document.sections, anchors),
            *(
                block
                for section, anchor in zip(document.sections, anchors, strict=True)
                for block in _section(section, anchor)
            ),
            f"<footer>{last}</footer>",
        ]
    )
    return _with_own_clips(writable(lines), prefix)


def _with_own_clips(body: str, prefix: str) -> str:
    """The page with the clip paths of its charts numbered from 1.

    vl-convert numbers those of all charts that a process has drawn. No text has these attributes:
    its quotes are escaped.
    """
    numbers: dict[str, int] = {}

    def renamed(found: re.Match[str]) -> str:
        number = numbers.setdefault(found[2], len(numbers) + 1)
        return f"{found[1]}{prefix}-clip-{number}{found[3]}"

    return _CLIP.sub(renamed, body)


def _header(document: Document) -> Iterable[str]:
    kind = f'<p class="pf-kicker">{escape(document.kind)}</p>'
    yield f"<header>{kind}<h1>{escape(document.title)}</h1>"
    yield from (f'<p class="pf-details">{escape(line)}</p>' for line in document.details)
    yield "</header>"


def _contents(sections: Sequence[Section], anchors: Sequence[str]) -> Iterable[str]:
    """Links to the sections, if there are several."""
    if sum(section.level == 2 for section in sections) < 2:
        return
    yield '<nav class="pf-contents" aria-label="Contents"><h2>Contents</h2><ol>'
    for section, anchor in zip(sections, anchors, strict=True):
        if section.level == 2:
            yield f'<li><a href="#{anchor}">{escape(section.title)}</a></li>'
    yield "</ol></nav>"


def _section(section: Section, anchor: str) -> Iterable[str]:
    heading = f"h{section.level}"
    yield f'<{heading} id="{anchor}">{escape(section.title)}</{heading}>'
    if section.finding:
        yield f'<p class="pf-finding">{escape(section.finding)}</p>'
    for part in section.parts:
        yield _part(part)


def _part(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>"
    if isinstance(part, Sentences):
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in part.sentences)
        return f'<div class="pf-{part.look}">{paragraphs}</div>'
    if isinstance(part, Table):
        return html_table(part)
    if isinstance(part, Markdown):
        return f'<div class="pf-markdown">\n{notes_as_html(part.text)}</div>'
    figures = [each for each in part if isinstance(each, Figure)]
    if figures:
        return _figures(figures)
    tallies = "".join(_tally(each) for each in part if isinstance(each, Tally))
    return f'<ul class="pf-tallies">{tallies}</ul>'


def _tally(tally: Tally) -> str:
    words = f"<b>{tally.count:,}</b> <span>{escape(tally.words)}</span>"
    return f'<li class="pf-{tally.tone}">{words}</li>'


def _figures(figures: Sequence[Figure]) -> str:
    """The figures, two beside each other where there is room."""
    drawn = "\n".join(_figure(figure) for figure in figures)
    return f'<div class="pf-figures">\n{drawn}\n</div>'


def _figure(figure: Figure) -> str:
    drawn = drawing(figure.chart.draw(PAGE), _WIDTH, figure.in_words)
    title, *notes = figure.caption.split("\n")
    small = "".join(f" <small>{escape(note)}</small>" for note in notes)
    return f"<figure>\n<figcaption>{escape(title)}{small}</figcaption>\n{drawn}\n</figure>"
