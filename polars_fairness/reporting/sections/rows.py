"""The section of the rows: how many were used, and in which groups rows were left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.outcome_notes import notes_on_outcomes
from polars_fairness.reporting.parts import Part, Section, Sentences
from polars_fairness.reporting.sections.first_page import MOST_NOTES, rows_in_words
from polars_fairness.reporting.tables import cut, missing_outcomes_table, reconciliation_table

_OF_ROWS: Final = (
    "A row is left out if its weight or count is 0 and, if nulls is drop, if its weight or count "
    "is missing, or an outcome, score or feature that the metric or rate needs; groups are "
    "listed with the rows that have all outcomes. A row whose facet is "
    "unknown is on neither side, but counts among all rows."
)


def of_rows(findings: Findings) -> Section:
    """One line if all rows were used and all facets are known, else the tables that say where."""
    if findings.audited.is_empty():
        return Section("The rows", ())
    at_one = findings.at_lowest_threshold() if findings.is_swept else findings
    # The first page has the others.
    notes = notes_on_outcomes(findings.rated, findings.question)[MOST_NOTES:]
    of_outcomes = (Sentences("notes", tuple(notes)),) if notes else ()
    parts = (*of_outcomes, *_parts(at_one))
    finding = rows_in_words(findings).removeprefix("Rows: ")
    return Section("The rows", parts, finding=finding)


def _parts(findings: Findings) -> Iterator[Part]:
    if findings.is_in_full:
        yield _OF_ROWS
        yield reconciliation_table(findings, findings.audited)
        if not findings.left_out.is_empty():
            yield missing_outcomes_table(findings)
        return
    # Without a facet, no row has a known one.
    has_unknown = (pl.col("n_unknown") > 0) & pl.col("facet").is_not_null()
    counted = findings.audited.filter((pl.col("rows_dropped") > 0) | has_unknown)
    if not counted.is_empty():
        yield _OF_ROWS
        yield from cut(reconciliation_table(findings, counted), "facets or windows")
    if not findings.left_out.is_empty():
        yield from cut(missing_outcomes_table(findings), "groups")
