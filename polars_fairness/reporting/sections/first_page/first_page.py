"""The first page: what was found, in one look, and always on one sheet of paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from polars_fairness.reporting.figures.trends import (
    changes_over_time,
    more_changes_in_words,
    trend_figures,
)
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Part, Sentences, Table
from polars_fairness.reporting.sections.contrasts import changes_in_words
from polars_fairness.reporting.sections.first_page.headline import headline
from polars_fairness.reporting.sections.first_page.matrix import matrix
from polars_fairness.reporting.sections.first_page.notes import legend_of, notes_of
from polars_fairness.reporting.sections.score_sections import (
    headline_over_thresholds,
    thresholds_tables,
)
from polars_fairness.reporting.shown_comparisons import comparisons_shown
from polars_fairness.reporting.verdicts import tallied

_MOST_GROUPS: Final = 20
_MOST_GROUPS_AND_TRENDS: Final = 6
_MOST_SENTENCES: Final = 3
_MOST_CHANGES: Final = 2
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
        trends = trend_figures(findings)
        most = _MOST_GROUPS_AND_TRENDS if trends else _MOST_GROUPS
        yield from matrix(findings, comparisons, most)
        yield Sentences("legend", tuple(legend_of(findings)))
        if trends:
            changes = changes_over_time(findings, _MOST_CHANGES)
            more = more_changes_in_words(findings, _MOST_CHANGES)
            yield Sentences("changes", (*changes, *more))
            yield tuple(trends)
    yield Sentences("notes", tuple(notes_of(findings)))


def _over_thresholds(findings: Findings, comparisons: Sequence[Comparison]) -> Iterator[Part]:
    if sentences := tuple(headline_over_thresholds(findings))[:_MOST_SENTENCES]:
        yield Sentences("headline", sentences)
    yield from tallied(comparisons)
    for table in thresholds_tables(findings):
        more = len(table.rows) - _MOST_GROUPS
        first = table.rows[:_MOST_GROUPS]
        yield Table(table.caption, table.heads, first, table.numbers)
        if more > 0:
            yield f"{more:,} more rows of this table are below."
