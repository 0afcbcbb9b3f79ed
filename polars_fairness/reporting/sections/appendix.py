"""The appendix: what is fair, how values are judged, the question, and what the metrics mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.formula.rates import RATES
from polars_fairness.question.judging import PValues
from polars_fairness.reporting.chance import OF_ALL_PAIRS, is_chosen
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.lead_metrics import judged_metrics
from polars_fairness.reporting.parts import Cell, Head, Part, Section, Table, numbers
from polars_fairness.reporting.sections.facets import FAIR
from polars_fairness.reporting.sections.question_table import question_table
from polars_fairness.reporting.sections.values import (
    Value,
    fair_in_words,
    values_of,
)
from polars_fairness.reporting.shown_comparisons import apart, comparisons_shown
from polars_fairness.reporting.tables import IN_FULL, definitions_table
from polars_fairness.reporting.verdicts import rules_in_words
from polars_fairness.reporting.words import (
    confidence_in_words,
    favored_in_words,
    over_clusters,
    window_in_words,
)

_MOST_NAMED: Final = 12
_SYMBOLS: Final = ", ".join(
    f"{rate.symbol} is {rate.meaning}" for rate in RATES.values() if rate.symbol != rate.name
)
_LEGEND: Final = (
    "In the definitions, d is the disfavored side of a comparison, a is the favored side, n is a "
    f"number of rows, {_SYMBOLS}. A band holds the values that are usually acceptable; it is a "
    "convention, not a result."
)
_OF_SIDES: Final = {
    True: "Verdicts take a positive outcome as good for the person, as the call says.",
    False: "Verdicts take a positive outcome as bad for the person, as the call says.",
}
_OF_LOOKS: Final = (
    "The metrics and the row counts of a window are about all rows up to its time. Their intervals "
    "hold at all looks together, and metrics without such an interval have no verdict by it. Rates "
    "and all other tables are about the rows of a window alone."
)
_P_VALUES: Final[Mapping[PValues, str]] = {
    "exact": "P-values are not adjusted for the number of tests.",
    "holm": (
        "P-values are adjusted for the number of tests by the method of Holm: among all "
        "differences with a p-value of at most 0.05, the probability of one false alarm or more "
        "is at most 0.05."
    ),
    "bh": (
        "P-values are adjusted for the number of tests by the method of Benjamini and Hochberg: "
        "among all differences with a p-value of at most 0.05, the expected share of false alarms, "
        "the false discovery rate, is at most 0.05, if the tests are independent or depend on each "
        "other positively."
    ),
}
_NO_INTERVALS: Final = "No intervals were requested."


def appendix(findings: Findings) -> Iterator[Section]:
    """What a reader looks up: the sections after all findings."""
    if not findings.is_swept:
        yield Section(FAIR, tuple(_fair(findings)))
    judging = (" ".join(_judging(findings)),) if findings.metrics() else ()
    yield Section("How values are judged", judging)
    yield Section("The question", (question_table(findings),))
    yield Section("What the metrics mean", _meanings(findings))


def _fair(findings: Findings) -> Iterator[Part]:
    fair = [
        value
        for value in values_of(comparisons_shown(findings), judged_metrics(findings))
        if value.row["value"] is not None and tone_of(value.row["verdict"]).name == "within"
    ]
    if fair:
        by_metric: dict[str, list[Value]] = {}
        for value in fair:
            by_metric.setdefault(value.row["metric"], []).append(value)
        yield Table(
            f"Values {fair_in_words(fair)}",
            [
                Head("Metric", lambda each: Cell(each[0], findings.metric(each[0]).title)),
                numbers("Number", lambda each: f"{len(each[1]):,}"),
                Head("Groups", lambda each: _named(findings, each[1])),
            ],
            [*by_metric.items()],
        )
    elif judged_metrics(findings) and findings.comparisons():
        yield "No value lies within its band."
    hidden = [] if findings.is_in_full else _without_band(findings)
    if hidden:
        have = "metric has" if len(hidden) == 1 else "metrics have"
        yield (
            f"{len(hidden):,} {have} no band, and so no verdict; {IN_FULL} shows them, and so "
            "does to_dict()."
        )


def _named(findings: Findings, values: Sequence[Value]) -> str:
    """The comparisons of the values, those with the same side a together."""
    sides: dict[str, list[str]] = {}
    for value in values[:_MOST_NAMED]:
        comparison = value.comparison
        window = window_in_words(apart(findings, comparison.window))
        about = ", ".join(filter(None, [comparison.facet, window]))
        against = f" against {favored_in_words(comparison)}" if comparison.disfavored else ""
        name = comparison.disfavored or "all groups"
        sides.setdefault(f"{about}{against}", []).append(name)
    more = f"; {len(values) - _MOST_NAMED:,} more" if len(values) > _MOST_NAMED else ""
    return "; ".join(f"{about}: {', '.join(names)}" for about, names in sides.items()) + more


def _without_band(findings: Findings) -> list[str]:
    """The metrics without a band, which are shown where the call names them."""
    if findings.requested:
        return []
    return [name for name in findings.metrics() if findings.band(name) is None]


_OF_ESTIMATORS: Final = (
    "Groups known in probability are counted by two estimators: weighted adds up the "
    "probabilities, which is right where the outcome depends on the group only through them; "
    "linear is the regression of the outcome on them, which is right where it depends on them only "
    "through the group. Both need probabilities that are calibrated. Their intervals are over 200 "
    "groups of rows, each left out once."
)


def _judging(findings: Findings) -> Iterator[str]:
    if findings.confidence is None:
        yield _NO_INTERVALS
    else:
        confidence = confidence_in_words(findings.confidence)
        over = over_clusters(findings)
        yield f"Each value is followed by its {confidence} interval{over}, if it has one."
        of = " of the effective number of rows" if findings.is_weighted else ""
        if over:
            of = " of so many rows as would vary as much as the clusters do"
        if findings.confidence_of_rates is not None:
            yield f"Intervals of rates are {confidence} Wilson intervals{of}."
        else:
            yield (
                "Rates have no intervals: theirs would take groups known in probability as known."
            )
    if findings.is_uncertain:
        yield _OF_ESTIMATORS
    yield rules_in_words(findings)
    if findings.options.p_values is not None:
        yield _P_VALUES[findings.options.p_values]
    if any(is_chosen(findings.question, facet) for facet in findings.facets):
        yield OF_ALL_PAIRS
    if findings.options.sequential:
        yield _OF_LOOKS
    if "favorable" in findings.question:
        yield _OF_SIDES[findings.favorable]


def _meanings(findings: Findings) -> tuple[Part, ...]:
    hidden = [] if findings.is_in_full else _without_band(findings)
    metrics = {name: metric for name, metric in findings.metrics().items() if name not in hidden}
    return (_LEGEND, definitions_table(metrics)) if metrics else ()
