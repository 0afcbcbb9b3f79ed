"""A report as a page: tables as HTML with small pictures, and lines as SVG."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from html import escape
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from polars_fairness.api.columns import Column
from polars_fairness.api.verdicts import TONES, Tone
from polars_fairness.reporting.charts.look import DARK, LIGHT, rules_of, stylesheet, values_of
from polars_fairness.reporting.charts.plots import SHAPES, look_of_line, plot
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.parts import (
    ISOLATED,
    Cell,
    Document,
    Dot,
    Table,
    writable,
)
from polars_fairness.reporting.tables import blocks, cell_of, is_number, page_columns
from polars_fairness.reporting.words import value_in_words

_SHAPES: Final = {
    "circle": '<circle cx="{0}%" cy="11"/>',
    **{
        name: f'<svg x="{{0}}%" y="11"><path d="{SHAPES[name]}"/></svg>'
        for name in ("diamond", "triangle-up")
    },
}
"""The shapes of `api.verdicts.TONES`, at the place of a value."""


def strip(dot: Dot) -> Markup:
    """A dot on its scale, as wide as its cell; the texts of its row say the same.

    Its looks are rules of the style sheet: written in each of 61 strips, they were a tenth of a
    page.
    """
    place, scale, tone = dot.scale.place, dot.scale, TONES.get(dot.tone, _PLAIN)
    drawn = ""
    if scale.band is not None:
        low, high = (place(edge) for edge in scale.band)
        drawn += f'<rect x="{low:g}%" width="{high - low:.3g}%"/>'
    if scale.ideal is not None:
        x = place(scale.ideal)
        drawn += f'<line x1="{x:g}%" x2="{x:g}%" y2="22"/>'
    if dot.lower is not None and dot.upper is not None:
        ends = f'x1="{place(dot.lower):g}%" x2="{place(dot.upper):g}%"'
        drawn += f'<line {ends} y1="11" y2="11"/>'
    if dot.value is not None:
        drawn += _SHAPES.get(tone.shape, _SHAPES["circle"]).format(f"{place(dot.value):g}")
    look = f' class="pf-{dot.tone}"' if dot.tone else ""
    return Markup(f"<svg{look}>{drawn}</svg>")


_PLAIN: Final = Tone("", "ink", "circle")


def _axis(dots: Iterable[Dot | None]) -> Markup:
    """The ticks of the only scale of some dots; nothing where there are several."""
    scales = {dot.scale for dot in dots if dot is not None}
    if len(scales) != 1:
        return Markup("")
    ticks = (
        f'<text x="{place:g}%" y="11">{escape(text)}</text>' for place, text in scales.pop().ticks
    )
    return Markup(f'<svg class="pf-axis">{"".join(ticks)}</svg>')


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
    """The style of a report that a notebook shows: its rules reach no other part of the page."""
    themes = "".join(
        f":is({pages}) .pf-report {{\ncolor-scheme: {scheme};\n{values_of(colours)}}}\n"
        for pages, scheme, colours in (
            (_LIGHT_PAGES, "light", LIGHT),
            (_DARK_PAGES, "dark", DARK),
        )
    )
    # Lengths that depend on the root of the page: 10 pixels are its letters in older notebooks.
    own = _REM.sub(lambda length: f"{16 * float(length[1]):g}px", style)
    # JupyterLab's rules for cells name two classes, and would win over rules that name one.
    return f"{_OWN}{own}@media screen {{\n{themes}}}\n".replace(_ROOT, 3 * _ROOT)


def _marked_up(text: object) -> Markup:
    """A text between tags, which isolate what its characters isolate."""
    return Markup(ISOLATED.sub(r"<bdi>\1</bdi>", escape(str(text))))


TEMPLATES: Final = Environment(
    loader=PackageLoader("polars_fairness.reporting", "outputs"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=lambda text: text if hasattr(text, "__html__") else _marked_up(text),
    keep_trailing_newline=True,
)
"""The templates of pages, which escape each text."""


_UNLABELLED: Final = ("judgement", "place", "change", "says", "outside", "uncertain", "within")
"""Columns whose texts need no label on a narrow screen."""
_NUMBERS: Final = ("value", "p", "n", "decided", "rate")
_STYLED: Final = (*_UNLABELLED, "band", "range")
_LOOKS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("board", "rates", "groups"), _STYLED),
    "exhibit": (*_STYLED, *_NUMBERS),
    "values": (*_STYLED, *_NUMBERS[:2]),
}
"""Columns with rules of their own in the style sheet, by the looks of tables."""


def _kind(table: Table, column: Column, cell: Cell | None = None) -> Markup:
    """The attributes of a cell: what the style sheet has rules for."""
    classes = []
    if column.name in _LOOKS.get(table.look, ()):
        classes = [f"pf-k-{column.name}"]
    elif not is_number(column) and (table.look not in _LOOKS or column.name not in _NUMBERS):
        classes = ["pf-text"] * (table.look != "texts")
    if cell is not None and not (cell.text or cell.items):
        classes.append("pf-empty")
    style = ""
    if cell is not None and cell.ground is not None:
        ground, depth = cell.ground
        classes.append(f"pf-{ground}")
        style = f' style="--pf-depth:{_DEEPEST * depth:.2g}"'
    return Markup((f' class="{" ".join(classes)}"' if classes else "") + style)


_DEEPEST: Final = 0.6
"""The opacity of the deepest ground, low enough that the number on it stays readable."""
_NOT_IN_CSS: Final = re.compile(r"[^\w ]")


def _labels(table: Table) -> Markup:
    """The heads of columns by their places, which stand before the cells of a narrow screen."""
    labels, place = [], 0
    for column in page_columns(table):
        place += 1 + (column.name in table.strips)
        if place > 1 and column.name not in _UNLABELLED:
            text = _NOT_IN_CSS.sub(lambda sign: f"\\{ord(sign[0]):x} ", writable(column.label))
            labels.append(f"--pf-{place}:'{text}'")
    return Markup(f' style="{escape(";".join(labels), quote=False)}"' if labels else "")


def _key(key: str) -> Markup:
    """The key of a row in an attribute: that of `to_dict`, unless its names are long."""
    return Markup(escape(value_in_words(key)))


TEMPLATES.filters.update(id=id, key_of_page=_key)
TEMPLATES.globals.update(
    axis=_axis,
    # Tags stand in no attribute; the characters isolate there.
    attribute=lambda text: Markup(escape(text)),
    # A long name of a metric may break after each of its words.
    broken=lambda title: Markup(str(_marked_up(title)).replace("_", "_<wbr>")),
    plot=lambda chart: Markup(plot(chart)),
    look_of_line=look_of_line,
    key=_key,
    kind=_kind,
    labels=_labels,
    strip=strip,
    blocks=blocks,
    cell_of=cell_of,
    page_columns=page_columns,
)


def page(document: Document) -> str:
    """The report as a complete HTML page."""
    return _rendered(document, "pf", style_of_page, is_whole=True)


def fragment(document: Document) -> str:
    """The report as an HTML element, for the page of a notebook.

    Its ids are its own, as there may be other reports on the page.
    """
    prefix = f"pf-{sha256(written_in_markdown(document).encode()).hexdigest()[:8]}"
    return _rendered(document, prefix, _style_in_notebook, is_whole=False)


_UNREAD: Final = re.compile(
    r"/\*.*?\*/\s*|(?<=[{};])\s+|;?\s+(?=\})|\s+(?=\{)|(?<=[:,>]) | (?=>)", re.DOTALL
)
_INSIDE: Final = re.compile(r"\.pf-report (?!\{)")
_RULE: Final = re.compile(r"([^{}]*)\{[^{}]*\}")
_EITHER: Final = re.compile(r":\w+\([^()]*(?:\([^()]*\)[^()]*)*\)")
_CLASS: Final = re.compile(r"\bpf-[\w-]+")
_COLOUR: Final = re.compile(r" *--pf-([a-z]\w+):[^;]+;\n")


def style(body: str, tables: Iterable[Table]) -> str:
    """The rules of this body, with the colours of light, dark and paper.

    Those of classes that it does not have, and the colours of such, were 2 of 10 kB of a page.
    """
    widest = max((len(table.columns) + len(table.strips) for table in tables), default=1)
    label = ".pf-report td:nth-child({0})::before {{ content: var(--pf-{0}) ' '; }}\n"
    labels = "".join(map(label.format, range(2, widest + 1)))
    there = {*_CLASS.findall(body), "pf-page", "pf-report"}

    def read(rule: re.Match[str]) -> str:
        selectors = _EITHER.sub("", rule[1]).split(",")
        return rule[0] if any({*_CLASS.findall(each)} <= there for each in selectors) else ""

    narrow = f"@media screen and (max-width: 40rem) {{\n{labels}}}\n"
    rules = _RULE.sub(read, rules_of("style.css") + narrow)
    used = {*re.findall(r"var\(--pf-(\w+)", rules + body)}
    colours = _COLOUR.sub(lambda colour: colour[0] if colour[1] in used else "", stylesheet())
    return colours + rules


def style_of_page(style: str) -> str:
    """That of a page of its own, all of whose elements are the report's, without what none reads.

    Comments, blanks and the names of reports were 4 of 14 kB of it.
    """
    return _UNREAD.sub("", _INSIDE.sub("", style))


def _rendered(
    document: Document, prefix: str, written: Callable[[str], str], *, is_whole: bool
) -> str:
    """The page or its element, with the rules of what is there."""
    template = TEMPLATES.get_template("page.html.j2")
    body = template.module.body(document, prefix)  # type: ignore[attr-defined]
    tables = [table for section in document.sections for table in section.tables]
    rules = style(body, tables).replace("Fairness audit", document.kind)
    own = Markup(written(rules))
    given = {"page": document, "shown": body, "style": own, "is_whole": is_whole}
    return f"{writable(template.render(given).strip())}\n"
