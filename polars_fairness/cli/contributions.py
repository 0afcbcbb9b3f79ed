"""The printed contributions of strata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, column_of_sizes, headed
from polars_fairness.cli.words import Row, comparison, heading, number
from polars_fairness.reporting.words import value_in_words


def contributions_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each comparison, with a line for each stratum."""
    if answer.is_empty():
        return "Nothing to compare: there are no rows."
    rows = answer.rows(named=True)
    windows = answer.columns[: answer.columns.index("facet")]
    headings = [heading(row, windows, comparison(row)) for row in rows]
    return headed(headings, _columns(answer, rows), width)


def _columns(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    names = answer.columns
    first, size_at = names.index("favored") + 1, names.index("n")
    for name in names[first:size_at]:
        cells = [printable(value_in_words(row[name])) for row in rows]
        yield Column(printable(name), cells, least=8)
    yield column_of_sizes([row["n"] for row in rows])
    # A narrow terminal leaves out the two shares of d.
    for name in ("contribution", "value", *names[size_at + 1 : -2]):
        cells = [number(row[name]) for row in rows]
        is_optional = name.startswith("share_of_")
        yield Column(name, cells, is_number=True, is_optional=is_optional)
