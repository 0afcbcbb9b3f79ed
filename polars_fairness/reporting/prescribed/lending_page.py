"""The page of lending tables: the finding, the groups by facet, quantiles, segments, appendix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.question.prescribed_arguments import (
    OF_LENDING_QUESTION,
    OF_LENDING_TABLE,
    SHARES_ACCEPTED,
)
from polars_fairness.reporting.chance import OF_ALL_PAIRS, is_chosen
from polars_fairness.reporting.document import details_of, made_by, notes_of, read_by_programs
from polars_fairness.reporting.figures.figures import drawn
from polars_fairness.reporting.parts import Document, Part, Section, Sentences, Table
from polars_fairness.reporting.prescribed.lending_columns import columns_table
from polars_fairness.reporting.prescribed.lending_figures import air_figures, quantile_figures
from polars_fairness.reporting.prescribed.lending_findings import (
    LendingFindings,
    headline,
    in_no_comparison,
)
from polars_fairness.reporting.prescribed.lending_tables import (
    comparison_tables,
    left_out_table,
    lowest_table,
    quantile_tables,
    segment_tables,
)
from polars_fairness.reporting.prescribed.windows import by_window, compared
from polars_fairness.reporting.prescribed.wording import NO_ADVICE
from polars_fairness.reporting.sections.question_table import arguments_table
from polars_fairness.reporting.words import NOTHING, column_in_words, confidence_in_words, title_of

KIND: Final = "Lending tables"
SHARE: Final = "share"
"""The column of quantiles that stands after those of windows."""

_LEGEND: Final = (
    "▲ is flagged, ◆ is beyond the limit of the ratio but not flagged, ● neither; the band begins "
    "at this limit. A line is an interval."
)
_ACCEPTED: Final = (
    "The rows with the highest scores are {accepted}: of all rows, those of unknown group "
    "included, the share at the head of a column. Rows of equal scores are {accepted} together."
)
_WITHIN: Final = (
    "Groups are compared with their reference inside each segment, whose rates may differ. The "
    "test of Breslow and Day says whether the segments agree on the odds ratio."
)
_METHOD_OF_SCORES: Final = (
    " That of the difference of mean scores is Welch's, unless the sides share rows."
)
_METHOD_OVER_SEGMENTS: Final = (
    " That of the odds ratio within segments is by the method of Robins, Breslow and Greenland."
)
_MOST_ROWS: Final = 24
"""So many rows of tables fit the first sheet of paper, below the headline."""
_MOST_LOWEST: Final = 20
_MOST_TABLES: Final = 24


def lending_page(findings: LendingFindings) -> Document:
    """Everything that the page says."""
    question, about = findings.question, findings.about
    tables = _by_window(findings.table, comparison_tables)
    is_short = not findings.windows and sum(len(table.rows) for table in tables) <= _MOST_ROWS
    fit = is_short or not tables
    sections = (
        *(() if fit else [_section("The groups", tables)]),
        *_quantiles(findings),
        *_segments(findings),
        *_appendix(findings),
    )
    return Document(
        title=title_of(question, about),
        details=tuple(details_of(question, about)),
        first=(
            Sentences("headline", tuple(headline(findings)) or (NOTHING,)),
            *(tables if fit else [lowest_table(findings, _MOST_LOWEST)]),
            *(_charts(findings) if fit else ()),
            Sentences("facts", (*in_no_comparison(findings), findings.limits, NO_ADVICE)),
        ),
        sections=(*notes_of(about), *sections),
        last=(made_by(),),
        about=read_by_programs(about),
        kind=KIND,
    )


Tables = Callable[[pl.DataFrame, str], Iterable[Table]]


def _by_window(answer: pl.DataFrame, tables: Tables, before: str = "facet") -> list[Table]:
    """The tables of all windows."""
    windows = by_window(compared(answer), before)
    return [table for window, part in windows for table in tables(part, window)]


def _section(title: str, tables: Sequence[Table], *before: Part, finding: str = "") -> Section:
    shown = tables[:_MOST_TABLES]
    more = len(tables) - _MOST_TABLES
    note = (f"{more:,} more tables are in the file of write_json().",) if more > 0 else ()
    return Section(title, (*before, *shown, *note), finding=finding)


def _charts(findings: LendingFindings) -> Iterator[Part]:
    """The AIR of each group of the only window."""
    if figures := air_figures(
        findings.table, findings.options["minimum_ratio"], favorable=findings.favorable
    ):
        yield Sentences("legend", (_LEGEND,))
        yield tuple(figures)


def _quantiles(findings: LendingFindings) -> Iterator[Section]:
    if findings.quantiles is None:
        return
    ratio = findings.options["minimum_ratio"]
    figures = [
        figure
        for window, part in by_window(findings.quantiles, SHARE)
        for figure in quantile_figures(part, window, ratio, findings.accepted)
    ]
    of_shares = partial(quantile_tables, accepted=findings.accepted)
    tables = _by_window(findings.quantiles, of_shares, SHARE)
    finding = _ACCEPTED.format(accepted=findings.accepted)
    yield _section(f"By share {findings.accepted}", tables, *drawn(figures), finding=finding)


def _segments(findings: LendingFindings) -> Iterator[Section]:
    if findings.segments is None:
        return
    columns = column_in_words(findings.question.get("subgroup"))
    tables = _by_window(findings.segments, segment_tables)
    yield _section(f"Within segments of {columns}", tables, finding=_WITHIN)
    if findings.in_segments is not None:
        tables = _by_window(findings.in_segments, comparison_tables)
        yield _section(f"In each segment of {columns}", tables)


def _appendix(findings: LendingFindings) -> Iterator[Section]:
    intervals = "No intervals were requested."
    if findings.confidence is not None:
        confidence = confidence_in_words(findings.confidence)
        intervals = f"Below a value stands its {confidence} interval, by the Bayesian bootstrap."
        intervals += _METHOD_OF_SCORES if findings.has_scores else ""
        intervals += "" if findings.segments is None else _METHOD_OVER_SEGMENTS
    if any(is_chosen(findings.question, facet) for facet in findings.table["facet"].unique()):
        intervals += f" {OF_ALL_PAIRS}"
    yield Section("What the columns mean", (intervals, columns_table(findings)))
    yield Section("Rows left out", (left_out_table(findings.table, findings.windows),))
    given = {**findings.question, **findings.options}
    arguments = (*OF_LENDING_QUESTION, *OF_LENDING_TABLE, SHARES_ACCEPTED)
    yield Section("The question", (arguments_table(given, arguments),))
