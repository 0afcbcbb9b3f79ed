"""Tables as HTML, laid out by great_tables, with what a screen reader needs."""

from __future__ import annotations

import re
from html import escape
from typing import Final

import great_tables as gt
import polars as pl

from polars_fairness.answers.verdicts import TONES
from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.pictures import axis_drawn, picture_drawn

_OWN_STYLE: Final = re.compile(r"<style>.*?</style>", re.DOTALL)
_OWN_BOX: Final = re.compile(r'<div id="([^"]*)" style="[^"]*">')


def html_table(table: Table, identity: str) -> str:
    """A table as HTML, with a caption and row headings, in a box that scrolls if it is too wide."""
    # Numbers for names: great_tables makes HTML ids of the names of columns.
    columns = [f"c{i}" for i in range(len(table.heads))]
    cells = pl.DataFrame(
        {column: [_cell(row[i]) for row in table.rows] for i, column in enumerate(columns)},
        schema=dict.fromkeys(columns, pl.String),
    )
    first, *others = table.heads
    labels = zip(columns[1:], (_head(table, head) for head in others), strict=True)
    numbers = [
        column for column, head in zip(columns, table.heads, strict=True) if head in table.numbers
    ]
    laid_out = (
        gt.GT(cells, rowname_col="c0", id=identity)
        .tab_stubhead(gt.html(escape(first)))
        .cols_label({column: gt.html(label) for column, label in labels})
        .fmt(str, columns=columns)
        .cols_align("left", columns)
        .cols_align("right", numbers)
    )
    return _made_accessible(laid_out.as_raw_html(inline_css=False), table)


def _head(table: Table, head: str) -> str:
    # A long name of a metric may break after each of its words.
    text = escape(head).replace("_", "_<wbr>")
    return text + axis_drawn(table.axes[head]) if head in table.axes else text


def _cell(cell: Cell) -> str:
    detail = f"<small>{escape(cell.detail)}</small>" if cell.detail else ""
    picture = "" if cell.picture is None else picture_drawn(cell.picture)
    if not cell.tone:
        return f"{picture}{escape(cell.text)}{detail}"
    mark = TONES[cell.tone].mark
    shown = f'<i aria-hidden="true">{mark}</i> ' if mark else ""
    said = f' <span class="pf-said">{escape(cell.said)}</span>' if cell.said else ""
    text = f'<span class="pf-{cell.tone}">{shown}{escape(cell.text)}</span>'
    return f"{picture}{text}{said}{detail}"


def _made_accessible(drawn: str, table: Table) -> str:
    """The table without its style, which has no dark mode, with a caption, in a labelled group."""
    text = escape(table.caption)
    looks = f"pf-box pf-{table.look}" if table.look else "pf-box"
    # A region for each table would hide the few landmarks of the page.
    label = f'role="group" aria-label="{text}" tabindex="0"'
    # A function inserts the caption as it is; in a template `CORP\\1` would refer to a group.
    drawn = _OWN_BOX.sub(
        lambda found: f'<div class="{looks}" id="{found[1]}" {label}>',
        _OWN_STYLE.sub("", drawn),
        count=1,
    )
    return re.sub(
        r"<table[^>]*>",
        lambda found: f"{found[0]}<caption><span>{text}</span></caption>",
        drawn,
        count=1,
    )
