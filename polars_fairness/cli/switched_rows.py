"""The printed table of rows that a model decides otherwise than the champion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from polars_fairness.answers.switches import KINDS
from polars_fairness.cli.group_rates import blocks_of_groups, group_in_words
from polars_fairness.cli.tables import Column, column_of_sizes, columns_made, headed
from polars_fairness.cli.words import Row, number, size
from polars_fairness.question.windows import MODEL


def switches_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each facet of each window, with all rows in the last lines.

    A narrow terminal leaves out the rows that both decide in the same way.
    """
    windows = [name for name in answer.columns[: answer.columns.index("facet")] if name != MODEL]
    blocks = [*blocks_of_groups(answer, windows, None)]
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns(rows), width)


def _columns(rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("group", [group_in_words(row) for row in rows], least=7)
    yield from columns_made(rows, [MODEL])
    yield column_of_sizes([row["n"] for row in rows])
    for kind in KINDS:
        cells = [size(row[kind]) for row in rows]
        is_kept = kind.startswith("kept_")
        yield Column(kind, cells, is_number=True, least=8, is_optional=is_kept)
    changes = [number(row["change_in_rate"]) for row in rows]
    yield Column("change_in_rate", changes, is_number=True, least=7)
    yield Column("p", [number(row["mcnemar_p_value"]) for row in rows], is_number=True)
