"""The printed rates of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import polars as pl

from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, column_of_sizes, headed
from polars_fairness.cli.words import Row, heading, number, size
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.words import value_in_words

# The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
_FIRST: Final = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1")
_BY_IMPORTANCE: Final = (*_FIRST, *(rate for rate in RATES if rate not in _FIRST))


def rates_table(rated: pl.DataFrame, width: int, *, most: int | None = None) -> str:
    """A block of lines for each facet of each window, with all rows in the last line.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    """
    windows = rated.columns[: rated.columns.index("facet")]
    blocks = list(_blocks(rated, windows, most))
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns(rated, rows), width)


def _blocks(
    rated: pl.DataFrame, windows: Sequence[str], most: int | None
) -> Iterator[tuple[str, list[Row]]]:
    """The heading and the rows of each facet of each window."""

    def window_of(row: Row) -> str:
        return repr([row[name] for name in windows])  # unlike its repr, nan is unequal to itself

    for _, window in groupby(rated.iter_rows(named=True), window_of):
        *groups, all_rows = window
        if not groups:
            yield heading(all_rows, windows, "all rows"), [all_rows]
        for facet, rows in groupby(groups, lambda row: row["facet"]):
            of_facet = list(rows)
            shown = _largest(of_facet, most)
            left_out = len(of_facet) - len(shown)
            more = f", the {most} largest groups of {len(of_facet):,}" if left_out else ""
            yield heading(all_rows, windows, f"by {printable(facet)}{more}"), [*shown, all_rows]


def _largest(groups: Sequence[Row], most: int | None) -> list[Row]:
    kept = sorted(range(len(groups)), key=lambda i: -groups[i]["n"])[:most]
    return [groups[i] for i in sorted(kept)]


def _columns(rated: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("group", [_group(row) for row in rows], least=12)
    yield column_of_sizes([row["n"] for row in rows])
    if rated["n_dropped"].sum():
        yield Column("dropped", [size(row["n_dropped"]) for row in rows], is_number=True)
    known = [rate for rate in _BY_IMPORTANCE if rated[rate].count()]
    for i, rate in enumerate(known):
        cells = [number(row[rate]) for row in rows]
        yield Column(rate, cells, is_number=True, is_optional=i > 0)


def _group(row: Row) -> str:
    if row["facet"] == ALL:
        return ALL
    return printable(value_in_words(row["value"]))
