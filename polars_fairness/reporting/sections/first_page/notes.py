"""The small print of the first page: its legend, the window, and the rows behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import polars as pl

from polars_fairness.answers.verdicts import TONES, UNFAIR
from polars_fairness.catalogue.wording import word
from polars_fairness.reporting.chance import by_chance_in_words
from polars_fairness.reporting.findings import Findings, parts_of
from polars_fairness.reporting.judged import judged_metrics
from polars_fairness.reporting.outcome_notes import notes_on_outcomes
from polars_fairness.reporting.sections.worst_groups import worst_group_in_words
from polars_fairness.reporting.shown_comparisons import (
    in_latest_window,
    latest_in_words,
    latest_window,
)
from polars_fairness.reporting.words import (
    band,
    column_in_words,
    confidence_in_words,
    share,
    size,
    value_in_words,
)

MOST_NOTES: Final = 2
_OF_HARM: Final = (
    "The argument harm is about the worst groups only. Verdicts take a positive outcome as good "
    "for the person, unless favorable=False says that it is bad."
)
_OF_SIDES: Final = (
    "A positive outcome is taken as good for the person. If it is bad, such as a stop or a charge, "
    "give favorable=False."
)
_MARKS: Final = (
    f"{TONES['outside'].mark} is outside the band, {TONES['uncertain'].mark} uncertain, "
    f"{TONES['within'].mark} within."
)

_OF_LOOKS: Final = (
    "Metrics of a window are about all rows up to it, sizes and rates of groups about its own rows."
)


def notes_of(findings: Findings) -> Iterator[str]:
    """The sentences in small print."""
    if (latest := latest_window(findings)) is not None:
        window = value_in_words(latest)
        yield f"All of this is about {window}, the latest window.{_in_other_windows(findings)}"
    yield from _accepted(findings)
    if "favorable" not in findings.question and (judged_metrics(findings) or findings.rankings):
        yield _OF_SIDES if findings.harm is None else _OF_HARM
    if findings.options.sequential:
        yield _OF_LOOKS
    yield from by_chance_in_words(findings)
    yield from worst_group_in_words(findings)
    yield f"{rows_in_words(findings)}{_in_all_windows(findings)}"
    notes = [*notes_on_outcomes(findings.rated, findings.question)]
    yield from notes[:MOST_NOTES]
    if len(notes) > MOST_NOTES:
        yield f"{len(notes) - MOST_NOTES:,} more notes on the outcomes are in the section of rows."


def legend_of(findings: Findings) -> Iterator[str]:
    """What the dots and marks of the matrix mean."""
    judged = judged_metrics(findings)
    if not judged:
        return
    limits = band(findings.band(judged[0]))
    shown = f"The strip behind the values of {judged[0]} is its band, {limits}"
    confidence = findings.confidence
    lines = (
        "" if confidence is None else f"; the lines are {confidence_in_words(confidence)} intervals"
    )
    counted = f"Outside counts all {len(judged)} metrics that have a band."
    yield f"{shown}{lines}. {_MARKS} {counted if len(judged) > 1 else ''}".strip()


def _accepted(findings: Findings) -> Iterator[str]:
    """Which rows are accepted or flagged, where the call says it."""
    question, accepted = findings.question, word("accepted", favorable=findings.favorable)
    column, threshold, positive = (
        question.get(key) for key in ("predicted", "threshold", "positive")
    )
    name = column_in_words(question.get("score") if column is None else column)
    values = positive.get(name) if isinstance(positive, Mapping) else positive
    if isinstance(threshold, int | float):
        yield f"A row is {accepted} if {name} is at least {threshold:g}."
    elif values is not None and column is not None and not isinstance(column, Mapping):
        listed = values if isinstance(values, list | tuple | set | frozenset) else [values]
        yield f"A row is {accepted} if {name} is {' or '.join(map(value_in_words, listed))}."


def _in_all_windows(findings: Findings) -> str:
    """The rows of all windows, where only the latest is shown; looks count all rows so far."""
    if latest_window(findings) is None or findings.options.sequential:
        return ""
    windows = parts_of(findings.audited, findings.windows_of_rows)
    return f" In all {len(windows):,} windows: {sum(part['rows_seen'][0] for part in windows):,}."


def _in_other_windows(findings: Findings) -> str:
    """How many values of other windows, earlier or unknown, are outside their bands."""
    judged = findings.audited.filter(pl.col("verdict").is_not_null())
    latest = in_latest_window(findings, judged)
    others = judged.height - latest.height
    outside = sum(
        part["verdict"].is_in(UNFAIR).sum() * sign for part, sign in ((judged, 1), (latest, -1))
    )
    return (
        f" In the others, {outside:,} of {others:,} values were outside their bands."
        if others
        else ""
    )


def rows_in_words(findings: Findings) -> str:
    """How many rows were used, are unknown, and were left out, in the windows shown."""
    is_sequential = findings.options.sequential
    shown = (
        _at_last_looks(findings) if is_sequential else in_latest_window(findings, findings.audited)
    )
    # Every facet counts the same rows, and so does every threshold and model.
    of_metrics = [
        [part.row(0, named=True) for part in parts_of(of_metric, findings.windows_of_rows)]
        for of_metric in parts_of(shown, ["metric"])
    ]
    # The metrics that need most have the fewest rows, and all others have these too.
    counted = sorted(of_metrics, key=lambda rows: sum(row["rows_used"] for row in rows))
    first = counted[0]
    seen, used, dropped = (
        sum(row[name] for row in first) for name in ("rows_seen", "rows_used", "rows_dropped")
    )
    most = sum(row["rows_used"] for row in counted[-1])
    unknown = {
        facet: sum(
            part.select(pl.col("n_unknown").min()).item()
            for part in parts_of(shown.filter(facet=facet), findings.windows_of_rows)
            if part.height  # no metric may be of one facet alone
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
    where = ", ".join(["Rows", *([] if is_sequential else latest_in_words(findings))])
    if most > used:
        # With ``nulls="drop"``, what a row lacks leaves it out of the metrics that need this.
        by_metric = f"{used:,} to {most:,} of {seen:,} used, as the metric needs"
        return f"{where}: {by_metric}, up to {left_out}, {of_unknown}."
    return f"{where}: {used:,} of {seen:,} used, {left_out}, {of_unknown}."


def _at_last_looks(findings: Findings) -> pl.DataFrame:
    """The last windows of a sequential audit, which count the rows of all windows before them."""
    columns = {name: findings.audited[name] for name in findings.windows_of_rows}
    dates = [name for name, column in columns.items() if column.dtype.is_temporal()]
    times = dates or [name for name, column in columns.items() if column.dtype.is_numeric()]
    branches = parts_of(findings.audited, [name for name in columns if name not in times])
    return pl.concat(
        branch.filter(branch[time] == branch[time].max()) for branch in branches for time in times
    )
