"""The strips of a table as charts of their own: what `chart` draws of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from polars_fairness.api.columns import Column
from polars_fairness.reporting.charts.marks import Dots
from polars_fairness.reporting.parts import Dot, Figure, Row, Table, first_of
from polars_fairness.reporting.tables import cell_of

_MOST_ROWS: Final = 40


def figures_of_table(table: Table) -> list[Figure]:
    """A chart for each title of the dots of a table, with the numbers of its rows beside it."""
    by_name = {each.name: each for each in table.columns}
    charts: dict[str, list[Dot]] = {}
    for row in table.rows:
        for name, dot in row.get("dots", {}).items():
            if dot.value is not None or dot.lower is not None:
                charts.setdefault(dot.title, []).append(_with_texts(dot, name, row, by_name))
    figures = []
    for title, dots in charts.items():
        shown = dots[:_MOST_ROWS]
        marks = [
            {
                "line": line,
                "name": dot.name,
                **{key: getattr(dot, key) for key in ("value", "lower", "upper")},
                **({"tone": dot.tone} if dot.tone else {}),
                **dot.beside,
            }
            for line, dot in enumerate(shown)
        ]
        scale = dots[0].scale
        columns = [*dict.fromkeys(key for dot in shown for key in dot.beside if key != "text")]
        chart = Dots(marks, scale.values, columns=columns, band=scale.band, ideal=scale.ideal)
        first, *others = title.split("\n")
        caption = "\n".join([f"{first}{first_of(dots, _MOST_ROWS)}", *others])
        figures.append(Figure(caption, chart))
    return figures


_JUDGED_IN: Final = {"value": "verdict", "difference": "change"}


def _with_texts(dot: Dot, strip: str, row: Row, columns: Mapping[str, Column]) -> Dot:
    """A dot with the texts of its row: its cell, its interval, and its verdict or its rows."""
    if dot.beside:
        return dot
    cell = cell_of(columns[strip], row)
    beside = {columns[strip].label: cell.text, "Interval": cell.detail}
    if other := columns.get(_JUDGED_IN.get(strip, "n")):
        beside[other.label] = cell_of(other, row).text
    return replace(dot, beside={"text": cell.text, **beside} if strip == "value" else beside)
