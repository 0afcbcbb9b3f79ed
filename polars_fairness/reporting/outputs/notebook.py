"""A table as one of great_tables, for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import product
from typing import Any, Final

import great_tables as gt
import polars as pl

from polars_fairness.api.columns import TEXTS, Column
from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.charts.look import LIGHT
from polars_fairness.reporting.parts import Cell, Row, Table, writable
from polars_fairness.reporting.tables import cell_of
from polars_fairness.reporting.words import NOTHING

_MOST_ROWS: Final = 200


def great_table(table: Table) -> gt.GT:
    """The first rows of a table, on light paper wherever it is shown."""
    rows = table.rows[:_MOST_ROWS]
    name, *columns = table.columns
    values: dict[str, list[Any]] = {
        "under": [writable(row["under"]) for row in rows],
        name.name: [writable(cell_of(name, row).text) for row in rows],
    }
    texts = {
        each.name
        for each in columns
        if each.format in TEXTS or any(isinstance(row[each.name], str) for row in rows)
    }
    for each in columns:
        is_text = each.name in texts
        values[each.name] = [
            _text(cell_of(each, row)) if is_text else row[each.name] for row in rows
        ]
    under = "under" if any(values["under"]) else None
    frame = pl.DataFrame(values, strict=False)
    made = (
        gt.GT(frame if under else frame.drop("under"), rowname_col=name.name, groupname_col=under)
        .tab_stubhead(name.label)
        .cols_label({each.name: each.label for each in columns})
    )
    for each in columns:
        # great_tables 1.0 inserts a text that has no format as it is.
        made = made.fmt(escape if each.name in texts else partial(_number, each), columns=each.name)
        made = made.cols_align("left" if each.format == "verdict" else "right", each.name)
    for note in _notes(table):
        made = made.tab_source_note(note)
    return _styled(made, columns, rows)


def _number(column: Column, value: object) -> str:
    """A number as its format writes it; a function with a name, so that tables can be pickled."""
    return cell_of(column, {column.name: value}).text


def _text(cell: Cell) -> str:
    """A text of the row; a verdict has the mark of its tone, so that colour is not all it has."""
    mark = TONES[cell.tone].mark if cell.tone else ""
    return writable(f"{mark} {cell.text}".lstrip())


def _notes(table: Table) -> Iterator[str]:
    yield from map(writable, table.notes_on(table.columns))
    more = len(table.rows) - _MOST_ROWS
    if more > 0:
        shown = f"The first {_MOST_ROWS} of {len(table.rows):,} rows"
        yield f"{shown}; filter the answer to see others."
    if not table.rows:
        yield NOTHING


def _styled(table: gt.GT, columns: Sequence[Column], rows: Sequence[Row]) -> gt.GT:
    table = table.tab_options(
        table_background_color=LIGHT.paper,
        table_font_color=LIGHT.ink,
        table_font_size="14px",
        column_labels_font_weight="bold",
        row_group_font_weight="bold",
        table_border_top_color=LIGHT.line,
        table_border_bottom_color=LIGHT.line,
        column_labels_border_top_color=LIGHT.line,
        column_labels_border_bottom_color=LIGHT.soft,
        row_group_border_top_color=LIGHT.line,
        row_group_border_bottom_color=LIGHT.line,
        table_body_border_bottom_color=LIGHT.soft,
        table_body_hlines_color=LIGHT.line,
        stub_border_style="none",
        data_row_padding_horizontal="10px",
        column_labels_padding_horizontal="10px",
        row_group_padding_horizontal="10px",
        source_notes_padding_horizontal="10px",
    )
    # Not by the style of the whole table alone: the page of a notebook may colour each cell.
    everywhere = [gt.loc.body(), gt.loc.stub(), gt.loc.stubhead(), gt.loc.column_labels()]
    everywhere += [gt.loc.row_groups(), gt.loc.source_notes()]
    table = table.tab_style(gt.style.text(color=LIGHT.ink), everywhere)
    short = [each.name for each in columns if each.name != "verdict"]
    table = table.tab_style(gt.style.css("white-space: nowrap;"), gt.loc.body(short))
    toned_columns = [each.name for each in columns if each.format == "verdict"]
    for name, tone in product(toned_columns, TONES.values()):
        toned = [i for i, row in enumerate(rows) if row["tones"][name] == tone.name]
        colour = getattr(LIGHT, tone.colour)
        look = gt.style.text(color=colour, weight="bold" if tone.mark else "normal")
        table = table.tab_style(look, gt.loc.body(name, toned)) if toned else table
    totals = [i for i, row in enumerate(rows) if row.get("is_total")]
    places = [gt.loc.body(rows=totals), gt.loc.stub(totals)]
    return table.tab_style(gt.style.text(weight="bold"), places) if totals else table
