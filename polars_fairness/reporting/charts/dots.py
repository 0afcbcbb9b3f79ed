"""The strips of a table as charts of their own: what `chart` draws of an answer."""

from __future__ import annotations

from typing import Final

from polars_fairness.reporting.charts.marks import Dots
from polars_fairness.reporting.parts import Dot, Figure, Table, first_of

_MOST_ROWS: Final = 40


def figures_of_table(table: Table) -> list[Figure]:
    """A chart for each title of the dots of a table, with the numbers of its rows beside it."""
    charts: dict[str, list[Dot]] = {}
    for row in table.rows:
        for dot in row.get("dots", {}).values():
            if dot.value is not None or dot.lower is not None:
                charts.setdefault(dot.title, []).append(dot)
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
