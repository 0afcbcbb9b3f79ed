"""Tables as HTML, with small pictures and with what a screen reader and a printer need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.colours import ON_PAGE
from polars_fairness.reporting.parts import Axis, Bar, Cell, Dot, Head, Table

_WIDTH: Final = 120
_HEIGHT: Final = 16
_BAR_WIDTH: Final = 48
_SHAPES: Final = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "cross": "M-4-1H-1V-4H1V-1H4V1H1V4H-1V1H-4Z",
    "diamond": "M0-5L4 0L0 5L-4 0Z",
    "triangle-up": "M0-4.5L4.5 4H-4.5Z",
}
"""The shapes of `answers.verdicts.TONES`, around the place of a value."""
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
