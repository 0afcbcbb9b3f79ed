"""The printed rates of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import Column, column_of_sizes, columns_made, headed
from polars_fairness.cli.words import Row, heading, number, size
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.rates import RATES
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.words import value_in_words

# The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
_FIRST: Final = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1")
_BY_IMPORTANCE: Final = (*_FIRST, *(rate for rate in RATES if rate not in _FIRST))


def rates_table(
    rated: pl.DataFrame, width: int, *, most: int | None = None, made: Sequence[str] = ()
) -> str:
    """A block of lines for each facet of each window, with all rows in the last line.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    ``made`` are the last of the windows: models and thresholds. A model stands beside each group.
    What is known about scores stands in a table of its own: it is the same at each threshold.
    """
    rates = _known(rated, _BY_IMPORTANCE)
    of_scores = _known(rated, [name for name in MEASURES if name in rated.columns])
    if not of_scores:
        return _table(rated, rates, width, most, made)
    once = rated
    if THRESHOLD in made:
        names = [name for name in rated.columns[: rated.columns.index("n")] if name != THRESHOLD]
        once = rated.drop(THRESHOLD).unique(names, maintain_order=True)
    labels = [name for name in rates if name == "base_rate"]
    scores = _table(once, [*labels, *of_scores], width, most, made)
    if rates == labels:
        return scores
    return f"{_table(rated, rates, width, most, made)}\n\n{scores}"


def _known(rated: pl.DataFrame, names: Iterable[str]) -> list[str]:
    """The columns with numbers; not the error of an AUC if it is 0, which it is unrounded."""
    is_exact = "auc_error" in rated.columns and not rated["auc_error"].sum()
    left_out = {"auc_error"} if is_exact else set()
    return [name for name in names if rated[name].count() and name not in left_out]


def _table(
    rated: pl.DataFrame,
    numbers: Sequence[str],
    width: int,
    most: int | None,
    made: Sequence[str],
) -> str:
    windows = rated.columns[: rated.columns.index("facet")]
    in_heading = [name for name in windows if name != MODEL or MODEL not in made]
    blocks = list(blocks_of_groups(rated, in_heading, most))
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns(rated, rows, numbers, made), width)


def blocks_of_groups(
    rated: pl.DataFrame, windows: Sequence[str], most: int | None
) -> Iterator[tuple[str, list[Row]]]:
    """The heading and the rows of each facet of each window; those of all rows stand last."""
    # Unlike its text, nan is unequal to itself.
    by_window = _grouped(
        rated.iter_rows(named=True), lambda row: repr([row[name] for name in windows])
    )
    for rows in by_window.values():
        by_facet = _grouped(rows, lambda row: row["facet"])
        all_rows = by_facet.pop(ALL)
        if not by_facet:
            yield heading(all_rows[0], windows, "all rows"), all_rows
        for facet, of_facet in by_facet.items():
            # A group has a row for each model.
            groups = [*_grouped(of_facet, lambda row: row["value"]).values()]
            shown = _largest(groups, most)
            is_part = len(shown) < len(groups)
            more = f", the {most} largest groups of {len(groups):,}" if is_part else ""
            of_groups = [row for group in shown for row in group]
            subject = f"by {printable(facet)}{more}"
            yield heading(all_rows[0], windows, subject), [*of_groups, *all_rows]


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _largest(groups: Sequence[list[Row]], most: int | None) -> list[list[Row]]:
    kept = sorted(range(len(groups)), key=lambda i: -groups[i][0]["n"])[:most]
    return [groups[i] for i in sorted(kept)]


def _columns(
    rated: pl.DataFrame, rows: Sequence[Row], numbers: Sequence[str], made: Sequence[str]
) -> Iterator[Column]:
    yield Column("group", [group_in_words(row) for row in rows], least=12)
    yield from columns_made(rows, [name for name in made if name == MODEL])
    yield column_of_sizes([row["n"] for row in rows])
    if rated["n_dropped"].sum():
        yield Column("dropped", [size(row["n_dropped"]) for row in rows], is_number=True)
    for i, name in enumerate(numbers):
        cells = [number(row[name]) for row in rows]
        yield Column(name, cells, is_number=True, is_optional=i > 0)


def group_in_words(row: Row) -> str:
    """The group of a row of rates."""
    if row["facet"] == ALL:
        return ALL
    return printable(value_in_words(row["value"]))
