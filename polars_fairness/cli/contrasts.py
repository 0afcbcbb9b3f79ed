"""The printed table of contrasts: each value beside that of a champion or a baseline."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from polars_fairness.answers.verdicts import tone_of_change
from polars_fairness.cli.at_thresholds import by_comparison
from polars_fairness.cli.tables import Column, columns_made, headed
from polars_fairness.cli.words import Row, change, comparison, difference, heading, number


def contrast_table(
    answer: pl.DataFrame, width: int, made: Sequence[str], *, in_colour: bool
) -> str:
    """A block of lines for each comparison; a narrow terminal leaves the reference out.

    ``made`` are the last of the windows: models and thresholds.
    """
    windows = answer.columns[: answer.columns.index("facet") - len(made)]

    def heading_of(row: Row) -> str:
        return heading(row, windows, comparison(row))

    rows = [*by_comparison(answer.rows(named=True), heading_of)]
    references = [number(row["reference"]) for row in rows]
    colours = [tone_of_change(row["change"]).ansi for row in rows] if in_colour else ()
    columns = [
        Column("metric", [row["metric"] for row in rows], least=13),
        *columns_made(rows, made),
        Column("reference", references, is_number=True, is_optional=True),
        Column("difference", [difference(row) for row in rows], least=10),
        Column("change", [change(row) for row in rows], least=9, colours=colours),
    ]
    return headed([heading_of(row) for row in rows], columns, width)
