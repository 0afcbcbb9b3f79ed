"""The values of many comparisons: a row for each group, a column for each metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.sections.first_page.matrix import worst_comparisons
from polars_fairness.reporting.sections.shortened import MOST_ROWS
from polars_fairness.reporting.shown_comparisons import apart
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    band,
    facet_in_words,
    favored_in_words,
    number,
    sides_in_words,
    span,
    window_in_words,
)

FEWEST: Final = 3
"""With fewer comparisons, a table of values one below the other has room for words."""
_MOST_METRICS: Final = 6

Row = Mapping[str, Any]


def value_tables(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]
) -> Iterator[Table]:
    """The values of the metrics that are not within their bands for each of the comparisons.

    Of many comparisons there are the worst, and a table has as many metrics as a page has room for.
    """
    names = [name for name in judged if any(not _is_fair(each, name) for each in comparisons)]
    worst = worst_comparisons(comparisons, judged, MOST_ROWS)
    for first in range(0, len(names), _MOST_METRICS):
        yield _table(findings, worst, names[first : first + _MOST_METRICS])


def _is_fair(comparison: Comparison, name: str) -> bool:
    verdicts = comparison.table.filter(metric=name)["verdict"]
    return all(tone_of(verdict).name == "within" for verdict in verdicts)


def _table(findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]) -> Table:
    facet = facet_in_words(comparisons[0].facet)
    favored = {favored_in_words(each) for each in comparisons}
    against = f", each group against {next(iter(favored))}" if len(favored) == 1 else ""
    limits = (Cell("Band"), *(Cell(band(findings.band(name))) for name in names))
    return Table(
        caption=f"{', '.join(names)} by {facet}{against}",
        heads=("Group", *names),
        rows=(
            limits,
            *(
                (_name(findings, each, is_against_one=bool(against)), *_cells(each, names))
                for each in comparisons
            ),
        ),
        numbers=frozenset(names),
        look="dense",
    )


def _name(findings: Findings, comparison: Comparison, *, is_against_one: bool) -> Cell:
    window = window_in_words(apart(findings, comparison.window))
    alone = comparison.disfavored if is_against_one else None
    return Cell(alone or sides_in_words(comparison), window)


def _cells(comparison: Comparison, names: Sequence[str]) -> Iterator[Cell]:
    rows = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
    for name in names:
        yield _cell(comparison, rows[name]) if name in rows else Cell("–")


def _cell(comparison: Comparison, row: Row) -> Cell:
    p = row.get("p_value")
    details = [span(row["lower"], row["upper"]), "" if p is None else f"p {p_value(p)}"]
    text = "–" if row["value"] is None else number(row["value"])
    words, tone = verdict_in_words(row, comparison), tone_of(row["verdict"]).name
    return Cell(text, ", ".join(filter(None, details)), tone, said=words)
