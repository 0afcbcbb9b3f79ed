"""The appendix: how values are judged, the arguments, and the definitions of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from polars_fairness.api.unused_arguments import unused_arguments, unused_in_words
from polars_fairness.errors import listed
from polars_fairness.formula.sides import RATES
from polars_fairness.question.judging import PValues
from polars_fairness.reporting.parts import Section, said
from polars_fairness.reporting.tables import definitions_table, question_table
from polars_fairness.reporting.verdicts import OF_ALL_PAIRS, is_chosen, rules_in_words
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import (
    clusters_in_words,
    rows_counted,
    value_in_words,
)

_SYMBOLS: Final = ", ".join(
    f"{rate.symbol} is {rate.meaning}" for rate in RATES.values() if rate.symbol != rate.name
)
_LEGEND: Final = (
    "In the definitions, d is the disfavored side of a comparison, a is the favored side, n is a "
    f"number of rows, {_SYMBOLS}. A band holds the values that are usually acceptable; it is a "
    "convention, not a result."
)
_OF_SIDES: Final = {
    True: "Verdicts take a positive outcome as good for the person, as requested.",
    False: "Verdicts take a positive outcome as bad for the person, as requested.",
}
_OF_LOOKS: Final = (
    "The metrics and the row counts of a window use all rows up to its time. Their intervals hold "
    "at all looks together, {together}; metrics without such an interval have no verdict by it. "
    "Rates and all other tables use only the rows of a window."
)
_TOGETHER: Final[Mapping[str, str]] = {
    "each": "separately for each comparison: of forty without a difference, two leave their band "
    "by chance at some look",
    "all": "and for all comparisons together",
}
_P_VALUES: Final[Mapping[PValues, str]] = {
    "exact": "P-values are not adjusted for the number of tests.",
    "holm": (
        "P-values are adjusted for the number of tests by the method of Holm: among all "
        "differences with a p-value of at most 0.05, the probability of any false positive is at "
        "most 0.05."
    ),
    "bh": (
        "P-values are adjusted for the number of tests by the method of Benjamini and Hochberg: "
        "among all differences with a p-value of at most 0.05, the expected share of false "
        "positives, the false discovery rate, is at most 0.05, if the tests are independent or "
        "positively dependent."
    ),
}
_NO_INTERVALS: Final = "No intervals were requested."


def appendix(voice: Voice) -> Iterator[Section]:
    """What a reader looks up: the sections after all answers."""
    answers = voice.answers
    metrics = answers.metrics()
    # A metric without a band is shown where the call names it.
    hidden = [] if answers.requested else [name for name in metrics if answers.band(name) is None]
    yield Section("How values are judged", said(" ".join(_judging(voice)) if metrics else ""))
    yield Section("The question", tables=(question_table(answers),))
    defined = {name: metric for name, metric in metrics.items() if name not in hidden}
    if defined:
        yield Section("What the metrics mean", said(_LEGEND), (definitions_table(defined),))


_OF_ESTIMATORS: Final = (
    "Groups known only as probabilities are counted by two estimators: weighted adds up the "
    "probabilities, which is right if the outcome depends on the group only through them; linear "
    "is the regression of the outcome on them, which is right if it depends on them only through "
    "the group. Both need calibrated probabilities. Their intervals follow from the variation of "
    "outcomes and probabilities between rows."
)


def _judging(voice: Voice) -> Iterator[str]:
    answers, confidence = voice.answers, voice.confidence
    if answers.confidence is None:
        yield _NO_INTERVALS
    else:
        over = clusters_in_words(answers)
        yield f"Each value is followed by its {confidence} interval{over}, if it has one."
        if answers.confidence_of_rates is not None:
            yield f"Intervals of rates are {confidence} Wilson intervals{rows_counted(answers)}."
        else:
            yield "Rates have no intervals, since the groups are known only as probabilities."
    if answers.is_uncertain:
        yield _OF_ESTIMATORS
    yield rules_in_words(answers)
    requested = answers.metrics() if answers.requested else {}
    for name in unused_arguments("report", [*requested.values()], answers.question):
        yield f"{unused_in_words(name)}."
    if without := [name for name in requested if answers.band(name) is None]:
        verb = "has" if len(without) == 1 else "have"
        names = listed(without, write=value_in_words)
        yield f"{names} {verb} no acceptable band, and so no verdict."
    if answers.options.p_values is not None:
        yield _P_VALUES[answers.options.p_values]
    if any(is_chosen(answers.question, facet) for facet in answers.facets):
        yield OF_ALL_PAIRS
    if (held := answers.options.sequential) is not None:
        yield _OF_LOOKS.format(together=_TOGETHER[held])
    if "favorable" in answers.question:
        yield _OF_SIDES[answers.favorable]
