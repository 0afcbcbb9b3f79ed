"""A report as a page: tables as HTML with small pictures, and charts that vl-convert draws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.charts.look import PAGE, drawing
from polars_fairness.reporting.colours import DARK, LIGHT, ON_PAGE, stylesheet, values_of
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.outputs.notes import notes_as_html
from polars_fairness.reporting.parts import (
    Axis,
    Bar,
    Cell,
    Document,
    Dot,
    Figure,
    Head,
    Markdown,
    Part,
    Section,
    Sentences,
    Table,
    Tally,
    writable,
)

_WIDTH: Final = 120
_HEIGHT: Final = 16
_BAR_WIDTH: Final = 48
_SHAPES: Final = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "cross": "M-4-1H-1V-4H1V-1H4V1H1V4H-1V1H-4Z",
    "diamond": "M0-5L4 0L0 5L-4 0Z",
    "triangle-up": "M0-4.5L4.5 4H-4.5Z",
}
"""The shapes of `api.verdicts.TONES`, around the place of a value."""
_EDGE: Final = 15
"""The room at either end of a scale, for a dot at its edge and for the label of a tick."""


def _picture_drawn(picture: Bar | Dot) -> str:
    """The picture as SVG, hidden from screen readers: the text of its cell says the same."""
    return _bar(picture) if isinstance(picture, Bar) else _dot(picture)


def _axis_drawn(axis: Axis) -> str:
    """The ticks of a scale with their labels, below the name of a column.

    Labels at the ends stand inside the picture, which would cut them.
    """
    ends: dict[float, tuple[float, str]] = {0: (0, "start"), 1: (_WIDTH, "end")}
    marks = ""
    for place, text in axis.ticks:
        x, anchor = ends.get(place, (_place(place), "middle"))
        marks += (
            f'<text x="{x}" y="11" fill="{ON_PAGE.soft}" font-size="10" '
            f'text-anchor="{anchor}">{escape(text)}</text>'
        )
    return _svg(_WIDTH, marks)


def _svg(width: int, marks: str) -> str:
    return (
        f'<svg aria-hidden="true" class="pf-picture" viewBox="0 0 {width} {_HEIGHT}" '
        f'width="{width}" height="{_HEIGHT}">{marks}</svg>'
    )


def _bar(bar: Bar) -> str:
    lengths = ((ON_PAGE.band, _BAR_WIDTH), (ON_PAGE.soft, _BAR_WIDTH * bar.share))
    return _svg(
        _BAR_WIDTH,
        "".join(
            f'<rect fill="{colour}" width="{length:.2f}" y="4" height="8"/>'
            for colour, length in lengths
        ),
    )


def _dot(dot: Dot) -> str:
    axis, marks = dot.axis, []
    if axis.band is not None:
        low, high = (_place(edge) for edge in axis.band)
        marks.append(
            f'<rect fill="{ON_PAGE.band}" x="{low}" width="{high - low:.2f}" height="{_HEIGHT}"/>'
        )
    if axis.ideal is not None:
        x = _place(axis.ideal)
        marks.append(f'<path stroke="{ON_PAGE.soft}" stroke-dasharray="2 2" d="M{x} 0V{_HEIGHT}"/>')
    if dot.lower is not None and dot.upper is not None:
        interval = f"M{_place(dot.lower)} 8H{_place(dot.upper)}"
        marks.append(f'<path stroke="{ON_PAGE.ink}" stroke-width="1.5" d="{interval}"/>')
    tone = TONES[dot.tone]
    place = f"translate({_place(dot.value)} 8)"
    colour, shape = getattr(ON_PAGE, tone.colour), _SHAPES[tone.shape]
    marks.append(f'<path fill="{colour}" transform="{place}" d="{shape}"/>')
    return _svg(_WIDTH, "".join(marks))


def _place(share: float) -> float:
    return round(_EDGE + share * (_WIDTH - 2 * _EDGE), 2)


_SHORT: Final = 8
"""Tables of so many rows are not broken between two printed pages."""


def html_table(table: Table) -> str:
    """A table as HTML, with a caption and row headings, in a box that scrolls if it is too wide."""
    caption = escape(table.caption)
    heads = _row(f'<th scope="col"{_side(head)}>{_head(head)}</th>' for head in table.heads)
    body = "\n".join(f"<tbody>\n{rows}\n</tbody>" for rows in _bodies(table))
    # A region for each table would hide the few landmarks of the page.
    return (
        f'<div class="{" ".join(_looks(table))}" role="group" aria-label="{caption}" '
        f'tabindex="0">\n<table>\n<caption><span>{caption}</span></caption>\n'
        f"<thead>\n{heads}\n</thead>\n{body}\n</table>\n</div>"
    )


def _looks(table: Table) -> Iterator[str]:
    yield "pf-box"
    if table.look:
        yield f"pf-{table.look}"
    if len(table.rows) <= _SHORT:
        yield "pf-short"


def _bodies(table: Table) -> Iterator[str]:
    """The rows of each part of the table; a heading of the rows below it opens a part."""
    parts: list[list[str]] = [[]]
    for row in table.rows:
        if len(row) > 1:
            parts[-1].append(_row(_cells(table, row)))
        else:
            heading = f'<th scope="rowgroup" colspan="{len(table.heads)}">{_cell(row[0])}</th>'
            parts.append([f'<tr class="pf-heading">{heading}</tr>'])
    # Without an empty part before the first heading.
    yield from ("\n".join(part) for part in parts if part or len(parts) == 1)


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cells(table: Table, row: Iterable[Cell]) -> Iterator[str]:
    """The cells of a row; the first names it."""
    for i, (head, cell) in enumerate(zip(table.heads, row, strict=True)):
        tag, scope = ("td", "") if i else ("th", ' scope="row"')
        yield f"<{tag}{scope}{_side(head)}>{_cell(cell)}</{tag}>"


def _side(head: Head) -> str:
    return ' class="pf-number"' if head.is_number else ""


def _head(head: Head) -> str:
    # A long name of a metric may break after each of its words.
    text = escape(head.title).replace("_", "_<wbr>")
    return text + _axis_drawn(head.axis) if head.axis else text


def _cell(cell: Cell) -> str:
    detail = f"<small>{escape(cell.detail)}</small>" if cell.detail else ""
    picture = "" if cell.picture is None else _picture_drawn(cell.picture)
    if not cell.tone:
        # Bars of one length beside the edge start at one line, whatever the length of the numbers.
        return f"{escape(cell.text)}{detail}{picture}"
    mark = TONES[cell.tone].mark
    shown = f'<i aria-hidden="true">{mark}</i> ' if mark else ""
    said = f' <span class="pf-said">{escape(cell.said)}</span>' if cell.said else ""
    text = f'<span class="pf-{cell.tone}">{shown}{escape(cell.text)}</span>'
    return f"{picture}{text}{said}{detail}"


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
_WIDTH_OF_FIGURES: Final = 400

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
    drawn = drawing(figure.chart.draw(PAGE), _WIDTH_OF_FIGURES, figure.in_words)
    title, *notes = figure.caption.split("\n")
    small = "".join(f" <small>{escape(note)}</small>" for note in notes)
    return f"<figure>\n<figcaption>{escape(title)}{small}</figcaption>\n{drawn}\n</figure>"
