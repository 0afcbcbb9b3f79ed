"""An answer as a table of great_tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import product
from typing import Any, Final

import great_tables as gt
import polars as pl

from polars_fairness.api.columns import TEXTS, Column
from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.colours import LIGHT
from polars_fairness.reporting.parts import writable
from polars_fairness.reporting.shown.layouts import Layout, Row
from polars_fairness.reporting.tables import written
from polars_fairness.reporting.words import NOTHING

_MOST_ROWS: Final = 200


def table_of(layout: Layout) -> gt.GT:
    """The table of an answer, on light paper wherever it is shown."""
    rows = layout.rows[:_MOST_ROWS]
    name = replace(layout.name, name="name")
    values: dict[str, list[Any]] = {
        "under": [writable(row["under"]) for row in rows],
        "name": [writable(written(name, row)) for row in rows],
    }
    texts = {
        key
        for key, each in layout.columns.items()
        if each.format in TEXTS or any(isinstance(row[key], str) for row in rows)
    }
    for key, each in layout.columns.items():
        values[key] = [_text(each, row) if key in texts else row[key] for row in rows]
    under = "under" if any(values["under"]) else None
    frame = pl.DataFrame(values, strict=False)
    table = (
        gt.GT(frame if under else frame.drop("under"), rowname_col="name", groupname_col=under)
        .tab_stubhead(layout.name.label)
        .cols_label({key: each.label for key, each in layout.columns.items()})
    )
    for key, each in layout.columns.items():
        # great_tables 1.0 inserts a text that has no format as it is.
        table = table.fmt(escape if key in texts else partial(_number, each), columns=key)
        table = table.cols_align("left" if each.format == "verdict" else "right", key)
    for note in _notes(layout):
        table = table.tab_source_note(note)
    return _styled(table, layout.columns, rows)


def _number(column: Column, value: object) -> str:
    """A number as its format writes it; a function with a name, so that tables can be pickled."""
    return written(column, {column.name: value})


def _text(column: Column, row: Row) -> str:
    """A text of the row; a verdict has the mark of its tone, so that colour is not all it has."""
    mark = TONES[row["tones"][column.name]].mark if column.format == "verdict" else ""
    return writable(f"{mark} {written(column, row)}".lstrip())


def _notes(layout: Layout) -> Iterator[str]:
    yield from map(writable, layout.notes)
    more = len(layout.rows) - _MOST_ROWS
    if more > 0:
        shown = f"The first {_MOST_ROWS} of {len(layout.rows):,} rows"
        yield f"{shown}; filter the answer to see others."
    if not layout.rows:
        yield NOTHING


def _styled(table: gt.GT, columns: Mapping[str, Column], rows: Sequence[Row]) -> gt.GT:
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
    short = [name for name in columns if name != "verdict"]
    table = table.tab_style(gt.style.css("white-space: nowrap;"), gt.loc.body(short))
    toned_columns = [name for name, each in columns.items() if each.format == "verdict"]
    for name, tone in product(toned_columns, TONES.values()):
        toned = [i for i, row in enumerate(rows) if row["tones"][name] == tone.name]
        colour = getattr(LIGHT, tone.colour)
        look = gt.style.text(color=colour, weight="bold" if tone.mark else "normal")
        table = table.tab_style(look, gt.loc.body(name, toned)) if toned else table
    totals = [i for i, row in enumerate(rows) if row.get("is_total")]
    places = [gt.loc.body(rows=totals), gt.loc.stub(totals)]
    return table.tab_style(gt.style.text(weight="bold"), places) if totals else table
