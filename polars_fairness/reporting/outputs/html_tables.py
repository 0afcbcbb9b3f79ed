"""Tables as HTML, with what a screen reader and a printer need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.outputs.pictures import axis_drawn, picture_drawn
from polars_fairness.reporting.parts import Cell, Table

_SHORT: Final = 8
"""Tables of so many rows are not broken between two printed pages."""


def html_table(table: Table) -> str:
    """A table as HTML, with a caption and row headings, in a box that scrolls if it is too wide."""
    caption = escape(table.caption)
    heads = _row(
        f'<th scope="col"{_side(table, head)}>{_head(table, head)}</th>' for head in table.heads
    )
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
        yield f"<{tag}{scope}{_side(table, head)}>{_cell(cell)}</{tag}>"


def _side(table: Table, head: str) -> str:
    return ' class="pf-number"' if head in table.numbers else ""


def _head(table: Table, head: str) -> str:
    # A long name of a metric may break after each of its words.
    text = escape(head).replace("_", "_<wbr>")
    return text + axis_drawn(table.axes[head]) if head in table.axes else text


def _cell(cell: Cell) -> str:
    detail = f"<small>{escape(cell.detail)}</small>" if cell.detail else ""
    picture = "" if cell.picture is None else picture_drawn(cell.picture)
    if not cell.tone:
        # Bars of one length beside the edge start at one line, whatever the length of the numbers.
        return f"{escape(cell.text)}{detail}{picture}"
    mark = TONES[cell.tone].mark
    shown = f'<i aria-hidden="true">{mark}</i> ' if mark else ""
    said = f' <span class="pf-said">{escape(cell.said)}</span>' if cell.said else ""
    text = f'<span class="pf-{cell.tone}">{shown}{escape(cell.text)}</span>'
    return f"{picture}{text}{said}{detail}"
