"""The arguments of tables and pages about hiring, each described once."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any, Final, TypedDict

from polars_fairness.question.arguments import (
    COLUMN,
    COLUMNS,
    OF_QUESTION,
    SHARE,
    Argument,
    Nulls,
    Option,
    named,
)
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.question.document_arguments import DAY, NOTES, TEXT

_INTERVALS: Final = named(OF_AUDIT, "confidence", "replicates", "seed")

SELECTED: Final = Argument(
    "selected",
    COLUMN,
    "the column that says whether a person was selected",
    "Selected to move on in the process, or given a class by the tool.",
    option=Option("columns"),
)

_EXCLUDE_BELOW: Final = Argument(
    "exclude_below",
    SHARE,
    "categories with a smaller share of the people are left out of the impact ratios",
    "At most 0.02, as the rule has it, and with a ``justification``. Their numbers and rates are "
    "still returned.",
    option=Option("certainty", note="at most 0.02; default none"),
)

_JUSTIFICATION: Final = Argument(
    "justification",
    TEXT,
    "why these categories are left out",
    "The rule requires it.",
    part_of="exclude_below",
    option=Option("certainty"),
)

_UNKNOWN, _POSITIVE, _BY, _COUNT, _NULLS = named(
    OF_QUESTION, "unknown", "positive", "by", "count", "nulls"
)

OF_PEOPLE: Final = (
    replace(_UNKNOWN, meaning="the values that mean that a category is unknown"),
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
    _EXCLUDE_BELOW,
    _JUSTIFICATION,
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


class _PeopleQuestion(TypedDict, total=False):
    """The arguments of `OF_PEOPLE` and of intervals, for type checkers."""

    unknown: Any
    confidence: float | None
    replicates: int
    seed: int
    positive: Any
    by: Columns | None
    count: ColumnLike | None
    nulls: Nulls


class ImpactRatiosQuestion(_PeopleQuestion, total=False):
    """The arguments of `OF_IMPACT_RATIOS` as well, for type checkers."""

    sex: ColumnLike
    race: ColumnLike
    selected: ColumnLike | None
    score: ColumnLike | None
    exclude_below: float | None
    justification: str | None


class AdverseImpactQuestion(_PeopleQuestion, total=False):
    """The arguments of `OF_ADVERSE_IMPACT` as well, for type checkers."""

    facet: Columns
    selected: ColumnLike
    minimum_share: float


AUDITED_ON: Final = Argument(
    "date",
    DAY,
    "the date of the most recent bias audit",
    "Required: 6 RCNY 5-303(a)(1). A date, or text such as ``2026-11-22``.",
    option=Option("document", note="required, such as 2026-11-22"),
)

DATA: Final = Argument(
    "data",
    TEXT,
    "the source and explanation of the data",
    "Required: 6 RCNY 5-303(a)(1). A blank line begins a paragraph.",
    option=Option("document", note="required"),
)

DISTRIBUTED_ON: Final = Argument(
    "distribution_date",
    DAY,
    "the date on which the employer began to use the tool",
    "Required: 6 RCNY 5-303(a)(2). Given like ``date``.",
    option=Option("document", note="required, such as 2026-01-31"),
)

_TEST_DATA: Final = Argument(
    "test_data",
    TEXT,
    "of test data, why historical data were not used, and how the data were made and obtained",
    "6 RCNY 5-302(b). Left out of an audit of historical data.",
    option=Option("document", note="only of test data"),
)

REQUIRED_BY: Final = {
    AUDITED_ON.name: "6 RCNY 5-303(a)(1)",
    DATA.name: "6 RCNY 5-303(a)(1)",
    DISTRIBUTED_ON.name: "6 RCNY 5-303(a)(2)",
}
"""The texts that the rule has published, each with its section."""

OF_PUBLICATION: Final = (
    AUDITED_ON,
    DATA,
    DISTRIBUTED_ON,
    _TEST_DATA,
    Argument("tool", TEXT, "the name of the tool", option=Option("document")),
    Argument("auditor", TEXT, "who made the bias audit", option=Option("document")),
    Argument(
        "title",
        TEXT,
        "the title of the page",
        "Without it, the name of the tool, or the outcome.",
        option=Option("document", note="default the tool"),
    ),
    NOTES,
)
"""What a page on a hiring tool says beside its tables."""


class HiringReportQuestion(ImpactRatiosQuestion, total=False):
    """The arguments of `OF_PUBLICATION` as well, for type checkers."""

    date: str | datetime.date | None
    data: str | None
    distribution_date: str | datetime.date | None
    test_data: str | None
    tool: str | None
    auditor: str | None
    title: str | None
    notes: str | None
