"""The arguments of tables and pages about lending, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal, TypedDict

from polars_fairness.question.arguments import (
    CHOICE,
    NUMBER,
    OF_QUESTION,
    SHARES,
    Argument,
    Option,
    Question,
    arguments_of,
    named,
)
from polars_fairness.question.audit_arguments import OF_INTERVALS, P_VALUES, Intervals
from polars_fairness.question.judging import PValues

OF_LENDING_QUESTION: Final = tuple(
    replace(
        each, meaning="the segments, such as branches, within which groups are compared as well"
    )
    if each.name == "subgroup"
    else each
    for each in OF_QUESTION
)
"""The arguments of every question, as a page and a command on lending describe them."""


class _Tested(TypedDict, total=False):
    """The p-values of a table."""

    p_values: Annotated[PValues, Argument(
        CHOICE, "the p-values, exact or adjusted for the number of comparisons in the whole table",
        '"holm" bounds the probability of any false positive, "bh" (Benjamini and Hochberg) '
        "the expected share of false positives among the differences found. Extra "
        "``significance``.", default="exact", option=P_VALUES.option,
    )]  # fmt: skip


class _Flagged(TypedDict, total=False):
    """The arguments of `lending.table` about its flags."""

    minimum_ratio: Annotated[float, Argument(
        NUMBER, "a group is flagged only if its adverse impact ratio is below this number",
        "With ``favorable=False``, the ratio of the reference to the group is used.", default=0.8,
        option=Option("certainty"),
    )]  # fmt: skip
    maximum_points: Annotated[float, Argument(
        NUMBER, "a group is flagged only if its rate is lower by more percentage points than this",
        "With ``favorable=False``, its rate must be higher by more.", default=0.0,
        option=Option("certainty"),
    )]  # fmt: skip
    significance: Annotated[float, Argument(
        NUMBER, "a group is flagged only if its p-value is below this number", default=0.05,
        option=Option("certainty"),
    )]  # fmt: skip
    deviation: Annotated[Literal["pooled", "population"], Argument(
        CHOICE, "the standard deviation by which a difference of mean scores is divided",
        '"pooled" is that within the two groups, "population" that of all complete rows of the '
        "window, including those of unknown facet. With weights, both use the effective number of "
        "rows (Kish).", default="pooled", option=Option("certainty"),
    )]  # fmt: skip


class LendingQuestion(Question, _Flagged, _Tested, Intervals, total=False):
    """The arguments of `lending.table`."""


class _Accepted(TypedDict, total=False):
    """How many rows are accepted."""

    shares: Annotated[Sequence[float], Argument(
        SHARES, "the shares of all rows to accept, each in turn",
        "Above 0 and below 1. The rows with the highest scores are accepted.",
        default=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        option=Option("certainty", note="several with commas; default 0.1 to 0.9"),
    )]  # fmt: skip


class QuantilesQuestion(Question, _Accepted, _Tested, Intervals, total=False):
    """The arguments of `lending.quantiles`."""


class SegmentsQuestion(Question, _Tested, total=False):
    """The arguments of `lending.segments`."""

    confidence: float | None


class LendingReportQuestion(LendingQuestion, _Accepted, total=False):
    """The arguments of `lending.report`."""


(P_VALUES_OF_RATES,) = arguments_of(_Tested)
(SHARES_ACCEPTED,) = arguments_of(_Accepted)
_OF_FLAGS: Final = arguments_of(_Flagged)
(DEVIATION,) = named(_OF_FLAGS, "deviation")
OF_LENDING_TABLE: Final = (*_OF_FLAGS, P_VALUES_OF_RATES, *OF_INTERVALS)
OF_QUANTILES: Final = (SHARES_ACCEPTED, P_VALUES_OF_RATES, *OF_INTERVALS)
OF_SEGMENTS: Final = (P_VALUES_OF_RATES, *named(OF_INTERVALS, "confidence"))
