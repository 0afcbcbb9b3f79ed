"""A report as a page: tables as HTML with small pictures, and charts that vl-convert draws."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from polars_fairness.api.verdicts import TONES, Tone
from polars_fairness.reporting.charts.look import (
    DARK,
    LIGHT,
    ON_PAGE,
    PAGE,
    drawing,
    stylesheet,
    values_of,
)
from polars_fairness.reporting.outputs.markdown import written_in_markdown
from polars_fairness.reporting.parts import ISOLATED, Document, Dot, Figure, writable
from polars_fairness.reporting.tables import is_number, page_rows
from polars_fairness.reporting.words import value_in_words

_HEIGHT: Final = 22
_AXIS: Final = 14
_SHAPES: Final = {
    "circle": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0",
    "diamond": "M0-6L5 0L0 6L-5 0Z",
    "triangle-up": "M0-5.5L5.5 4.5H-5.5Z",
}
"""The shapes of `api.verdicts.TONES`, around the place of a value."""


def _strip(dot: Dot) -> Markup:
    """A dot on its scale, as wide as its cell; the texts of its row say the same."""
    scale, marks = dot.scale, []
    if scale.band is not None:
        low, high = (scale.place(edge) for edge in scale.band)
        marks.append(
            f'<rect fill="{ON_PAGE.band}" x="{low:g}%" width="{high - low:.4g}%" y="0" '
            f'height="{_HEIGHT}"/>'
        )
    if scale.ideal is not None:
        x = f"{scale.place(scale.ideal):g}%"
        marks.append(
            f'<line stroke="{ON_PAGE.soft}" stroke-dasharray="2 3" x1="{x}" x2="{x}" y1="0" '
            f'y2="{_HEIGHT}"/>'
        )
    tone = TONES.get(dot.tone, _PLAIN)
    colour = getattr(ON_PAGE, tone.colour)
    if dot.lower is not None and dot.upper is not None:
        low, high = scale.place(dot.lower), scale.place(dot.upper)
        marks.append(
            f'<line stroke="{colour}" stroke-width="2.5" x1="{low:g}%" x2="{high:g}%" y1="11" '
            'y2="11"/>'
        )
    if dot.value is not None:
        shape = _SHAPES.get(tone.shape, _SHAPES["circle"])
        marks.append(
            f'<svg x="{scale.place(dot.value):g}%" y="11" overflow="visible">'
            f'<path fill="{colour}" d="{shape}"/></svg>'
        )
    return _svg(_HEIGHT, "".join(marks))


_PLAIN: Final = Tone("", "ink", "circle")


def _axis(dots: Iterable[Dot | None]) -> Markup:
    """The ticks of the only scale of some dots; nothing where there are several."""
    scales = {dot.scale for dot in dots if dot is not None}
    if len(scales) != 1:
        return Markup("")
    return _svg(
        _AXIS,
        "".join(
            f'<text x="{place:g}%" y="11" fill="{ON_PAGE.soft}" font-size="11" '
            f'text-anchor="middle">{escape(text)}</text>'
            for place, text in scales.pop().ticks
        ),
    )


def _svg(height: int, marks: str) -> Markup:
    return Markup(
        f'<svg aria-hidden="true" class="pf-strip" width="100%" height="{height}" '
        f'overflow="visible">{marks}</svg>'
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


# Half of the page on a desktop; A4 and a telephone make it a little smaller.
_WIDTH_OF_FIGURES: Final = 400

_CLIP: Final = re.compile(r"""( id="|="url\(#)clip(\d+)("|\)")""")


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


def _key(key: str) -> Markup:
    """The key of a row in an attribute: that of `to_dict`, unless its names are long."""
    return Markup(escape(value_in_words(key)))


def _chart(figure: Figure) -> Markup:
    return Markup(drawing(figure.chart.draw(PAGE), _WIDTH_OF_FIGURES))


TEMPLATES.filters.update(id=id, key_of_page=_key)
TEMPLATES.globals.update(
    axis=_axis,
    # Tags stand in no attribute; the characters isolate there.
    attribute=lambda text: Markup(escape(text)),
    # A long name of a metric may break after each of its words.
    broken=lambda title: Markup(str(_marked_up(title)).replace("_", "_<wbr>")),
    chart=_chart,
    key=_key,
    strip=_strip,
    is_number=is_number,
    page_rows=page_rows,
    tones=TONES,
    zip=partial(zip, strict=True),
)


def page(document: Document) -> str:
    """The report as a complete HTML page."""
    return _rendered(document, "pf", style(), is_whole=True)


def fragment(document: Document) -> str:
    """The report as an HTML element, for the page of a notebook.

    Its ids are its own, as there may be other reports on the page.
    """
    prefix = f"pf-{sha256(written_in_markdown(document).encode()).hexdigest()[:8]}"
    return _rendered(document, prefix, _style_in_notebook(style()), is_whole=False)


def style() -> str:
    """The style sheet of every page, with the colours of light, dark and paper."""
    rules = files("polars_fairness.reporting.outputs").joinpath("style.css").read_text("utf-8")
    return stylesheet() + rules


def _rendered(document: Document, prefix: str, style: str, *, is_whole: bool) -> str:
    """The page or its element, with the clip paths of its charts numbered from 1.

    vl-convert numbers those of all charts that a process has drawn. No text has these attributes:
    its quotes are escaped.
    """
    template = TEMPLATES.get_template("page.html.j2")
    given = {"page": document, "prefix": prefix, "style": Markup(style), "is_whole": is_whole}
    numbers: dict[str, int] = {}

    def renamed(clip: re.Match[str]) -> str:
        number = numbers.setdefault(clip[2], len(numbers) + 1)
        return f"{clip[1]}{prefix}-clip-{number}{clip[3]}"

    return f"{writable(_CLIP.sub(renamed, template.render(given).strip()))}\n"
