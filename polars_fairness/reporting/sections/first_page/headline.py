"""The sentences that answer: what was found, for each facet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.chance import (
    judged_by_interval,
    largest_sure,
    p_of_interval,
)
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.judged import judged_metrics, worst_first
from polars_fairness.reporting.sections.values import Value, values_of
from polars_fairness.reporting.shown_comparisons import apart, by_facet, comparisons_shown
from polars_fairness.reporting.sides_named import named
from polars_fairness.reporting.tables import p_value
from polars_fairness.reporting.verdicts import is_within
from polars_fairness.reporting.words import (
    band,
    band_of,
    confidence_in_words,
    facet_in_words,
    meaning_of,
    number,
    sides_in_words,
    span,
    window_in_words,
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
        # Before the names of the sides, which may contain such braces.
        reading = metric.reading.replace("{value}", number(value, digits=2))
        return named(reading, comparison)
    of_value = f"{metric.name} of {sides_in_words(comparison)} is {number(value)}"
    meaning = meaning_of(metric, value)
    # Of a value that may be the ideal, which side it speaks against is not known.
    if not meaning or comparison.disfavored is None or _tone(row) != "outside":
        return of_value
    return f"{named(meaning, comparison)} ({metric.name} {number(value)})"


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
