"""The first page: what was found, in one look, and always on one sheet of paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from polars_fairness.answers.verdicts import UNFAIR
from polars_fairness.reporting.contrasts import changes_in_words
from polars_fairness.reporting.findings import Comparison, Findings, parts_of
from polars_fairness.reporting.first_page.headline import headline
from polars_fairness.reporting.first_page.matrix import matrix
from polars_fairness.reporting.outcome_notes import notes_on_outcomes
from polars_fairness.reporting.parts import Part, Sentences, Table
from polars_fairness.reporting.score_sections import thresholds_tables
from polars_fairness.reporting.shown_comparisons import (
    comparisons_shown,
    count_of_mirrored,
    in_latest_window,
    latest_window,
)
from polars_fairness.reporting.verdicts import tallied
from polars_fairness.reporting.words import share, size, value_in_words
from polars_fairness.reporting.worst_groups import worst_group_in_words

_MOST_GROUPS: Final = 16
_MOST_NOTES: Final = 2
_NOTHING: Final = "There is nothing to compare: no rows, or no group with a known facet."


def first_page(findings: Findings) -> Iterator[Part]:
    """The sentences that answer, the matrix of groups and metrics, and the rows behind them."""
    comparisons = comparisons_shown(findings)
    if not comparisons:
        yield Sentences("headline", (_NOTHING,))
        return
    if findings.is_swept:
        yield from _over_thresholds(findings, comparisons)
    else:
        sentences = [*changes_in_words(findings), *headline(findings)]
        yield Sentences("headline", tuple(sentences))
        yield from tallied(comparisons)
        yield from matrix(findings, comparisons, _MOST_GROUPS)
    yield Sentences("notes", tuple(_notes(findings)))


def _over_thresholds(findings: Findings, comparisons: Sequence[Comparison]) -> Iterator[Part]:
    yield from tallied(comparisons)
    for table in thresholds_tables(findings):
        more = len(table.rows) - _MOST_GROUPS
        first = table.rows[:_MOST_GROUPS]
        yield Table(table.caption, table.heads, first, table.numbers)
        if more > 0:
            yield f"{more:,} more rows of this table are below."


def _notes(findings: Findings) -> Iterator[str]:
    if (latest := latest_window(findings)) is not None:
        window = value_in_words(latest)
        yield f"All of this is about {window}, the latest window.{_earlier(findings)}"
    if mirrored := count_of_mirrored(findings):
        pairs = "one pair of groups is" if mirrored == 1 else f"{mirrored:,} pairs of groups are"
        yield f"Compared in both directions, {pairs} shown in one: the other mirrors it."
    yield from worst_group_in_words(findings)
    yield _rows(findings)
    notes = [*notes_on_outcomes(findings.rated, findings.question)]
    yield from notes[:_MOST_NOTES]
    if len(notes) > _MOST_NOTES:
        yield f"{len(notes) - _MOST_NOTES:,} more notes on the outcomes are in the section of rows."


def _earlier(findings: Findings) -> str:
    """How many values of earlier windows are outside their bands."""
    judged = findings.audited.filter(pl.col("verdict").is_not_null())
    latest = in_latest_window(findings, judged)
    before = judged.height - latest.height
    outside = sum(
        part["verdict"].is_in(UNFAIR).sum() * sign for part, sign in ((judged, 1), (latest, -1))
    )
    return (
        f" Before it, {outside:,} of {before:,} values were outside their bands." if before else ""
    )


def _rows(findings: Findings) -> str:
    """How many rows were used, are unknown, and were left out, in the windows shown."""
    shown = in_latest_window(findings, findings.audited)
    # Every facet counts the same rows, and so does every threshold and model.
    first = [part.row(0, named=True) for part in parts_of(shown, findings.windows_of_rows)]
    seen, used, dropped = (
        sum(row[name] for row in first) for name in ("rows_seen", "rows_used", "rows_dropped")
    )
    unknown = {
        facet: sum(
            part["n_unknown"][0]
            for part in parts_of(shown.filter(facet=facet), findings.windows_of_rows)
        )
        for facet in findings.facets
    }
    everything = used
    if findings.is_weighted:
        windows = (tuple((name, row[name]) for name in findings.windows) for row in first)
        everything = sum(map(findings.rows_in, windows))
    of_facets = [
        f"{facet} {size(n)} ({share(n / everything)})" for facet, n in unknown.items() if n
    ]
    of_unknown = f"facet unknown: {', '.join(of_facets)}" if of_facets else "no facet unknown"
    left_out = f"{dropped:,} left out" if dropped else "none left out"
    return f"Rows: {used:,} of {seen:,} used, {left_out}, {of_unknown}."
