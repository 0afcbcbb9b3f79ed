"""The arguments of tables and pages about lending, each described once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from polars_fairness.question.arguments import (
    CHOICE,
    NUMBER,
    OF_QUESTION,
    SHARES,
    Argument,
    Option,
    Question,
    named,
)
from polars_fairness.question.audit_arguments import OF_AUDIT, P_VALUES
from polars_fairness.question.document_arguments import PageTexts
from polars_fairness.question.judging import PValues

_INTERVALS: Final = named(OF_AUDIT, "confidence", "replicates", "seed")


P_VALUES_OF_RATES: Final = Argument(
    P_VALUES.name,
    CHOICE,
    "the p-values, exact or adjusted for the number of comparisons in the whole table",
    '"holm" bounds the probability of one false alarm or more, "bh" (Benjamini and Hochberg) the '
    "expected share of false alarms among the differences found. Extra ``significance``.",
    default="exact",
    choices=P_VALUES.choices,
    option=P_VALUES.option,
)

DEVIATION: Final = Argument(
    "deviation",
    CHOICE,
    "the standard deviation by which a difference of mean scores is divided",
    '"pooled" is the deviation within the two groups, "population" the deviation of all complete '
    "rows of the window, those of unknown facet included. With weights, both take the effective "
    "number of rows (Kish).",
    default="pooled",
    choices=("pooled", "population"),
    option=Option("certainty"),
)

OF_LENDING_QUESTION: Final = tuple(
    replace(
        each, meaning="the segments, such as branches, inside which groups are compared as well"
    )
    if each.name == "subgroup"
    else each
    for each in OF_QUESTION
)
"""The arguments of every question, as a page and a command on lending describe them."""

OF_LENDING_TABLE: Final = (
    Argument(
        "minimum_ratio",
        NUMBER,
        "a group is flagged only if its adverse impact ratio is below this number",
        "With ``favorable=False``, if the ratio of the reference to the group is.",
        default=0.8,
        option=Option("certainty"),
    ),
    Argument(
        "maximum_points",
        NUMBER,
        "a group is flagged only if its rate is lower by more percentage points than this",
        "With ``favorable=False``, if it is higher by more.",
        default=0.0,
        option=Option("certainty"),
    ),
    Argument(
        "significance",
        NUMBER,
        "a group is flagged only if its p-value is below this number",
        default=0.05,
        option=Option("certainty"),
    ),
    DEVIATION,
    P_VALUES_OF_RATES,
    *_INTERVALS,
)
"""The arguments of `lending.table`, besides those of every question."""

SHARES_ACCEPTED: Final = Argument(
    "shares",
    SHARES,
    "the shares of all rows that are accepted, one after the other",
    "Above 0 and below 1. The rows with the highest scores are accepted.",
    default=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    option=Option("certainty", note="several with commas; default 0.1 to 0.9"),
)

OF_QUANTILES: Final = (SHARES_ACCEPTED, P_VALUES_OF_RATES, *_INTERVALS)
"""The arguments of `lending.quantiles`, besides those of every question but the threshold."""

OF_SEGMENTS: Final = (P_VALUES_OF_RATES, *named(OF_AUDIT, "confidence"))
"""The arguments of `lending.segments`, besides those of every question."""


class _TestedQuestion(Question, total=False):
    """The arguments of intervals and p-values as well, for type checkers."""

    p_values: PValues
    confidence: float | None
    replicates: int
    seed: int


class LendingQuestion(_TestedQuestion, total=False):
    """The arguments of `OF_LENDING_TABLE` as well, for type checkers."""

    minimum_ratio: float
    maximum_points: float
    significance: float
    deviation: Literal["pooled", "population"]


class QuantilesQuestion(_TestedQuestion, total=False):
    """The arguments of `OF_QUANTILES` as well, for type checkers."""

    shares: Sequence[float]


class SegmentsQuestion(Question, total=False):
    """The arguments of `OF_SEGMENTS` as well, for type checkers."""

    p_values: PValues
    confidence: float | None


class LendingReportQuestion(LendingQuestion, PageTexts, total=False):
    """The arguments of `OF_PAGE` as well, and the shares accepted, for type checkers."""

    shares: Sequence[float]
