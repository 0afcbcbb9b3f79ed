"""The arguments of tables that a rule or a practice prescribes, each described once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypedDict

from polars_fairness.question.arguments import (
    CHOICE,
    COLUMN,
    COLUMNS,
    NUMBER,
    OF_QUESTION,
    Argument,
    Kind,
    Nulls,
    Option,
    Question,
    named,
)
from polars_fairness.question.audit_arguments import OF_AUDIT, P_VALUES
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.question.document_arguments import TEXT
from polars_fairness.question.judging import PValues

SHARE: Final = Kind("a share", "float", "X")
SHARES: Final = Kind("shares", "Sequence[float]", "X", is_several=True)

_INTERVALS: Final = named(OF_AUDIT, "confidence", "replicates", "seed")

SELECTED: Final = Argument(
    "selected",
    COLUMN,
    "the column that says whether a person was selected",
    "Selected to move on in the process, or given a class by the tool.",
    option=Option("columns"),
)

EXCLUDE_BELOW: Final = Argument(
    "exclude_below",
    SHARE,
    "categories with a smaller share of the people are left out of the impact ratios",
    "At most 0.02, as the rule has it, and with a ``justification``. Their numbers and rates are "
    "still returned.",
    option=Option("certainty", note="at most 0.02; default none"),
)

JUSTIFICATION: Final = Argument(
    "justification",
    TEXT,
    "why these categories are left out",
    "The rule requires it.",
    part_of="exclude_below",
    option=Option("certainty"),
)

UNKNOWN: Final = Argument(
    "unknown",
    Kind("values", "Any", "VALUE", is_several=True),
    "the values that mean that a category is unknown",
    'A value or a list of values, such as ``["Unknown", "Declined to answer"]``. A null always '
    "does.",
    option=Option("reading", note="such as 'Declined to answer'"),
)

_POSITIVE, _BY, _COUNT, _NULLS = named(OF_QUESTION, "positive", "by", "count", "nulls")

OF_PEOPLE: Final = (
    replace(
        _POSITIVE,
        meaning="the values that mean that a person was selected",
        details="A value or a list of values of ``selected``; without them, True and 1.",
    ),
    replace(
        _BY,
        details="One or more columns, such as the job that people applied for. The table of each "
        "combination has a highest rate and a median of its own.",
    ),
    replace(_COUNT, meaning="the number of people that each row stands for", details=""),
    replace(_NULLS, meaning="how rows with a missing selection, score or count are treated"),
)
"""The arguments of a question that tables of people take: without weights."""

OF_IMPACT_RATIOS: Final = (
    Argument(
        "sex",
        COLUMN,
        "the sex of each person",
        "Null where it is unknown.",
        is_required=True,
        option=Option("columns"),
    ),
    Argument(
        "race",
        COLUMN,
        "the race and ethnicity of each person, as one category",
        "Null where it is unknown.",
        is_required=True,
        option=Option("columns"),
    ),
    SELECTED,
    Argument(
        "score",
        COLUMN,
        "the score of each person, in place of a selection",
        "The rate of a category is then the share of its people above the median of all people.",
        option=Option("columns"),
    ),
    UNKNOWN,
    EXCLUDE_BELOW,
    JUSTIFICATION,
    *_INTERVALS,
)
"""The arguments of `hiring.impact_ratios`, besides `OF_PEOPLE`."""

OF_ADVERSE_IMPACT: Final = (
    Argument(
        "facet",
        COLUMNS,
        "the columns whose groups are compared, each on its own",
        "One or more columns.",
        is_required=True,
        option=Option("columns"),
    ),
    Argument(
        SELECTED.name,
        COLUMN,
        SELECTED.meaning,
        is_required=True,
        option=SELECTED.option,
    ),
    UNKNOWN,
    Argument(
        "minimum_share",
        SHARE,
        "the smallest share of the people that the group with the highest rate may have",
        "Smaller groups are compared, and none of them is what others are compared with.",
        default=0.0,
    ),
    *_INTERVALS,
)
"""The arguments of `hiring.adverse_impact`, besides `OF_PEOPLE`."""

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


class PeopleQuestion(TypedDict, total=False):
    """The arguments of `OF_PEOPLE`, `UNKNOWN` and of intervals, for type checkers."""

    unknown: Any
    confidence: float | None
    replicates: int
    seed: int
    positive: Any
    by: Columns | None
    count: ColumnLike | None
    nulls: Nulls


class ImpactRatiosQuestion(PeopleQuestion, total=False):
    """The arguments of `OF_IMPACT_RATIOS` as well, for type checkers."""

    sex: ColumnLike
    race: ColumnLike
    selected: ColumnLike | None
    score: ColumnLike | None
    exclude_below: float | None
    justification: str | None


class AdverseImpactQuestion(PeopleQuestion, total=False):
    """The arguments of `OF_ADVERSE_IMPACT` as well, for type checkers."""

    facet: Columns
    selected: ColumnLike
    minimum_share: float


class TestedQuestion(Question, total=False):
    """The arguments of intervals and p-values as well, for type checkers."""

    p_values: PValues
    confidence: float | None
    replicates: int
    seed: int


class LendingQuestion(TestedQuestion, total=False):
    """The arguments of `OF_LENDING_TABLE` as well, for type checkers."""

    minimum_ratio: float
    maximum_points: float
    significance: float
    deviation: Literal["pooled", "population"]


class QuantilesQuestion(TestedQuestion, total=False):
    """The arguments of `OF_QUANTILES` as well, for type checkers."""

    shares: Sequence[float]


class SegmentsQuestion(Question, total=False):
    """The arguments of `OF_SEGMENTS` as well, for type checkers."""

    p_values: PValues
    confidence: float | None
