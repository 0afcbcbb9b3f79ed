"""The first page: what was found, in one look, and always on one sheet of paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import TONES, UNFAIR, tone_of
from polars_fairness.catalogue.wording import word
from polars_fairness.reporting.chance import (
    by_chance_in_words,
    judged_by_interval,
    largest_sure,
    p_of_interval,
)
from polars_fairness.reporting.charts.trends import (
    changes_over_time,
    more_changes_in_words,
    trend_figures,
)
from polars_fairness.reporting.findings import Comparison, Findings, parts_of
from polars_fairness.reporting.lead_metrics import judged_metrics, worst_first
from polars_fairness.reporting.outcome_notes import notes_of_audit, notes_on_outcomes
from polars_fairness.reporting.parts import Part, Sentences, Table
from polars_fairness.reporting.sections.contrasts import changes_in_words
from polars_fairness.reporting.sections.matrix import matrix
from polars_fairness.reporting.sections.score_sections import (
    headline_over_thresholds,
    thresholds_tables,
)
from polars_fairness.reporting.sections.values import Value, values_of
from polars_fairness.reporting.sections.worst_groups import worst_group_in_words
from polars_fairness.reporting.shown_comparisons import (
    apart,
    by_facet,
    comparisons_shown,
    in_latest_window,
    latest_in_words,
    latest_window,
)
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.verdicts import is_within, tallied
from polars_fairness.reporting.words import (
    TAKEN_AS_GOOD,
    about_sides,
    band,
    band_of,
    column_in_words,
    confidence_in_words,
    facet_in_words,
    meaning_of,
    number,
    share,
    sides_in_words,
    size,
    span,
    value_in_words,
    window_in_words,
)

MOST_NOTES: Final = 2
_OF_HARM: Final = (
    "The argument harm is about the worst groups only. Verdicts take a positive outcome as good "
    "for the person, unless favorable=False says that it is bad."
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
        yield TAKEN_AS_GOOD if findings.harm is None else _OF_HARM
    if findings.options.sequential:
        yield _OF_LOOKS
    yield from by_chance_in_words(findings)
    yield from worst_group_in_words(findings)
    yield f"{rows_in_words(findings)}{_in_all_windows(findings)}"
    notes = notes_on_outcomes(findings.rated, findings.question)
    # Where all rows have one outcome, so has each comparison.
    notes = notes or [f"{note}." for note in notes_of_audit(findings.audited)]
    yield from notes[:MOST_NOTES]
    if len(notes) > MOST_NOTES:
        yield f"{len(notes) - MOST_NOTES:,} more notes on the outcomes are in the section of rows."


def _legend_of(findings: Findings) -> Iterator[str]:
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


_MOST_FACETS: Final = 3
_NO_BANDS: Final = "No metric has a band, so there are no verdicts."

Row = Mapping[str, Any]


def headline(findings: Findings) -> Iterator[str]:
    """A sentence for each facet about its worst value, or two where the lead metric is within."""
    judged = judged_metrics(findings)
    if not judged:
        yield _NO_BANDS
        return
    of_facets = by_facet(comparisons_shown(findings))
    found = {
        facet: _lead_first(values_of(each, judged), judged) for facet, each in of_facets.items()
    }
    # The worst facet first; facets as bad as each other in the order of the question.
    facets = sorted(
        (facet for facet in found if found[facet]), key=lambda facet: _badness(found[facet])
    )
    for facet in facets[:_MOST_FACETS]:
        sentence = _finding(findings, found[facet])
        yield sentence if facet is None else f"By {facet}, {sentence}"
    if more := facets[_MOST_FACETS:]:
        yield f"More facets: {', '.join(map(facet_in_words, more))}."


def finding_of(findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]) -> str:
    """What was found for a facet: its worst value by the lead metric, and any that is worse."""
    found = _lead_first(values_of(comparisons, judged), judged)
    return _finding(findings, found) if found else ""


def _lead_first(values: Iterable[Value], judged: Sequence[str]) -> list[Value]:
    return sorted(values, key=lambda value: judged.index(value.row["metric"]))


def _finding(findings: Findings, found: Sequence[Value]) -> str:
    lead = found[0].row["metric"]
    of_lead = [value for value in found if value.row["metric"] == lead]
    first, worst = (
        min(each, key=lambda value: worst_first(value.row)) for each in (of_lead, found)
    )
    sentence = _in_a_sentence(findings, first)
    if _tone(worst.row) != _tone(first.row):
        sentence += f" But {_in_a_sentence(findings, worst)}"
    return sentence


def _badness(found: Sequence[Value]) -> int:
    return min(_worst_first(value)[0] for value in found)


def _worst_first(value: Value) -> tuple[int, float]:
    return worst_first(value.row)


def _tone(row: Row) -> str:
    return tone_of(row["verdict"]).name


def _in_a_sentence(findings: Findings, value: Value) -> str:
    """A value read aloud, with its band and how sure the verdict is."""
    row, comparison = value.row, value.comparison
    # The latest window is named once, above the matrix.
    window = apart(findings, comparison.window)
    where = f" ({window_in_words(window)})" if window else ""
    return f"{_read_aloud(findings, row, comparison)}{where}: {_judged(findings, row)}."


def _read_aloud(findings: Findings, row: Row, comparison: Comparison) -> str:
    metric, value = findings.metric(row["metric"]), row["value"]
    if metric.reading and value is not None:
        return about_sides(metric.reading, comparison, number(value, digits=2))
    of_value = f"{metric.name} of {sides_in_words(comparison)} is {number(value)}"
    meaning = meaning_of(metric, value)
    # Of a value that may be the ideal, which side it speaks against is not known.
    if not meaning or comparison.disfavored is None or _tone(row) != "outside":
        return of_value
    return f"{about_sides(meaning, comparison)} ({metric.name} {number(value)})"


def _judged(findings: Findings, row: Row) -> str:
    limits, tone = band(band_of(row)), _tone(row)
    if row["value"] is None or tone == "open":
        return "there is no verdict"
    has_interval = findings.rule(row["metric"]) == "interval" and row["lower"] is not None
    if findings.rule(row["metric"]) == "significant":
        certainty = f"; its p-value is {p_value(row.get('p_value'))}"
    elif has_interval and findings.confidence is not None:
        confidence = confidence_in_words(findings.confidence)
        certainty = f" ({confidence} interval {span(row['lower'], row['upper'])})"
    else:
        certainty = ", judged by the value alone"
    if tone == "outside":
        sure = _sure(findings, row) if has_interval else ""
        return f"outside the band of {limits}{sure}{certainty}"
    if tone == "uncertain":
        return f"perhaps outside the band of {limits}{certainty}"
    fair = "within" if is_within(row["value"], band_of(row)) else "not significantly outside"
    return f"{fair} the band of {limits}{certainty}"


def _sure(findings: Findings, row: Row) -> str:
    """Whether a value outside its band is so beyond chance, among all that the page judges."""
    if p_of_interval(findings, row) <= largest_sure(findings):
        return ", and not by chance"
    return f", which may be by chance among {judged_by_interval(findings).height:,} values"


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
        yield Sentences("legend", tuple(_legend_of(findings)))
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
