"""The printed rates of groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import polars as pl

from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, column_of_sizes, headed
from polars_fairness.cli.words import Row, heading, number, size
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.rates import RATES
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.words import value_in_words

# The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
_FIRST: Final = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1")
_BY_IMPORTANCE: Final = (*_FIRST, *(rate for rate in RATES if rate not in _FIRST))


def rates_table(
    rated: pl.DataFrame, width: int, *, most: int | None = None, has_thresholds: bool = False
) -> str:
    """A block of lines for each facet of each window, with all rows in the last line.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    ``has_thresholds`` says that the last of the windows are thresholds. What is known about scores
    stands in a table of its own: it is the same at each threshold.
    """
    rates = _known(rated, _BY_IMPORTANCE)
    of_scores = _known(rated, [name for name in MEASURES if name in rated.columns])
    if not of_scores:
        return _table(rated, rates, width, most)
    once = rated
    if has_thresholds:
        names = [name for name in rated.columns[: rated.columns.index("n")] if name != THRESHOLD]
        once = rated.drop(THRESHOLD).unique(names, maintain_order=True)
    labels = [name for name in rates if name == "base_rate"]
    scores = _table(once, [*labels, *of_scores], width, most)
    has_decisions = rates != labels
    return "\n\n".join([_table(rated, rates, width, most), scores] if has_decisions else [scores])


def _known(rated: pl.DataFrame, names: Iterable[str]) -> list[str]:
    """The columns with numbers; not the error of an AUC if it is 0, which it is unrounded."""
    is_exact = "auc_error" in rated.columns and not rated["auc_error"].sum()
    left_out = {"auc_error"} if is_exact else set()
    return [name for name in names if rated[name].count() and name not in left_out]


def _table(rated: pl.DataFrame, numbers: Sequence[str], width: int, most: int | None) -> str:
    windows = rated.columns[: rated.columns.index("facet")]
    blocks = list(_blocks(rated, windows, most))
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns(rated, rows, numbers), width)


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


def _columns(rated: pl.DataFrame, rows: Sequence[Row], numbers: Sequence[str]) -> Iterator[Column]:
    yield Column("group", [_group(row) for row in rows], least=12)
    yield column_of_sizes([row["n"] for row in rows])
    if rated["n_dropped"].sum():
        yield Column("dropped", [size(row["n_dropped"]) for row in rows], is_number=True)
    for i, name in enumerate(numbers):
        cells = [number(row[name]) for row in rows]
        yield Column(name, cells, is_number=True, is_optional=i > 0)


def _group(row: Row) -> str:
    if row["facet"] == ALL:
        return ALL
    return printable(value_in_words(row["value"]))
