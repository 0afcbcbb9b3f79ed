"""A report as a page: tables as HTML with small pictures, and charts that vl-convert draws."""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from polars_fairness.api.verdicts import TONES
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
from polars_fairness.reporting.parts import (
    ISOLATED,
    Axis,
    Bar,
    Document,
    Dot,
    Figure,
    Part,
    writable,
)
from polars_fairness.reporting.tables import is_number, page_cells

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


def _drawn(picture: Bar | Dot) -> Markup:
    """The picture as SVG, hidden from screen readers: the text of its cell says the same."""
    return _bar(picture) if isinstance(picture, Bar) else _dot(picture)


def _axis_drawn(axis: Axis) -> Markup:
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


def _svg(width: int, marks: str) -> Markup:
    return Markup(
        f'<svg aria-hidden="true" class="pf-picture" viewBox="0 0 {width} {_HEIGHT}" '
        f'width="{width}" height="{_HEIGHT}">{marks}</svg>'
    )


def _bar(bar: Bar) -> Markup:
    lengths = ((ON_PAGE.band, _BAR_WIDTH), (ON_PAGE.soft, _BAR_WIDTH * bar.share))
    return _svg(
        _BAR_WIDTH,
        "".join(
            f'<rect fill="{colour}" width="{length:.2f}" y="4" height="8"/>'
            for colour, length in lengths
        ),
    )


def _dot(dot: Dot) -> Markup:
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


def _kind_of(part: Part) -> str:
    """The kind of a part, or of the things that stand beside each other in it."""
    return type(part[0] if isinstance(part, tuple) and part else part).__name__


def _chart(figure: Figure) -> Markup:
    return Markup(drawing(figure.chart.draw(PAGE), _WIDTH_OF_FIGURES, figure.in_words))


TEMPLATES.globals.update(
    axis=_axis_drawn,
    # Tags stand in no attribute; the characters isolate there.
    attribute=lambda text: Markup(escape(text)),
    # A long name of a metric may break after each of its words.
    broken=lambda title: Markup(str(_marked_up(title)).replace("_", "_<wbr>")),
    chart=_chart,
    drawn=_drawn,
    kind_of=_kind_of,
    is_number=is_number,
    page_cells=page_cells,
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
