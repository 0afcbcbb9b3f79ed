"""The arguments of tables and pages about hiring, each declared once."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Annotated, Any, Final, TypedDict

from polars_fairness.question.arguments import (
    COLUMN,
    COLUMNS,
    OF_QUESTION,
    SHARE,
    Argument,
    Nulls,
    Option,
    arguments_of,
    named,
)
from polars_fairness.question.audit_arguments import DAY, OF_INTERVALS, TEXT, Intervals
from polars_fairness.question.columns import ColumnLike, Columns

_UNKNOWN, _POSITIVE, _BY, _COUNT, _NULLS = named(
    OF_QUESTION, "unknown", "positive", "by", "count", "nulls"
)


class _PeopleQuestion(TypedDict, total=False):
    """The arguments of a question that tables of people take: without weights."""

    unknown: Annotated[
        Any, replace(_UNKNOWN, meaning="the values that mean that a category is unknown")
    ]
    positive: Annotated[Any, replace(
        _POSITIVE, meaning="the values that mean that a person was selected",
        details="A value or a list of values of ``selected``; by default, True and 1.",
    )]  # fmt: skip
    by: Annotated[Columns | None, replace(
        _BY, details="One or more columns, such as the job that people applied for. Each "
        "combination has its own table, with its own highest rate and median.",
    )]  # fmt: skip
    count: Annotated[
        ColumnLike | None,
        replace(_COUNT, meaning="the number of people that each row stands for", details=""),
    ]
    nulls: Annotated[
        Nulls,
        replace(_NULLS, meaning="how rows with a missing selection, score or count are treated"),
    ]


class _ImpactRatios(TypedDict, total=False):
    """The arguments of `hiring.impact_ratios`, besides those of people."""

    sex: Annotated[ColumnLike, Argument(
        COLUMN, "the sex of each person", "Null where it is unknown.", is_required=True,
        option=Option("columns"),
    )]  # fmt: skip
    race: Annotated[ColumnLike, Argument(
        COLUMN, "the race and ethnicity of each person, as one category",
        "Null where it is unknown.", is_required=True, option=Option("columns"),
    )]  # fmt: skip
    selected: Annotated[ColumnLike | None, Argument(
        COLUMN, "the column that says whether a person was selected",
        "Selected to move on in the process, or given a class by the tool.",
        option=Option("columns"),
    )]  # fmt: skip
    score: Annotated[ColumnLike | None, Argument(
        COLUMN, "the score of each person, in place of a selection",
        "The rate of a category is then the share of its people above the median of all people.",
        option=Option("columns"),
    )]  # fmt: skip
    exclude_below: Annotated[float | None, Argument(
        SHARE, "categories with a smaller share of the people are left out of the impact ratios",
        "At most 0.02, by the rule, and with a ``justification``. Their numbers and rates are "
        "still returned.", option=Option("certainty", note="at most 0.02; default none"),
    )]  # fmt: skip
    justification: Annotated[str | None, Argument(
        TEXT, "why these categories are left out", "The rule requires it.", part_of="exclude_below",
        option=Option("certainty"),
    )]  # fmt: skip


class ImpactRatiosQuestion(_PeopleQuestion, _ImpactRatios, Intervals, total=False):
    """The arguments of `hiring.impact_ratios`."""


class _AdverseImpact(TypedDict, total=False):
    """The arguments of `hiring.adverse_impact`, besides those of people."""

    facet: Annotated[Columns, Argument(
        COLUMNS, "the columns whose groups are compared, each on its own", "One or more columns.",
        is_required=True, option=Option("columns"),
    )]  # fmt: skip
    selected: Annotated[ColumnLike, Argument(
        COLUMN, "the column that says whether a person was selected", is_required=True,
        option=Option("columns"),
    )]  # fmt: skip
    minimum_share: Annotated[float, Argument(
        SHARE, "the smallest share of the people that the group with the highest rate may have",
        "Smaller groups are compared, but never serve as the reference.",
        default=0.0,
    )]  # fmt: skip


class AdverseImpactQuestion(_PeopleQuestion, _AdverseImpact, Intervals, total=False):
    """The arguments of `hiring.adverse_impact`."""


class PublishedTexts(TypedDict, total=False):
    """What must be published together with the tables of a hiring tool."""

    audit_date: Annotated[str | datetime.date | None, Argument(
        DAY, "the date of the most recent bias audit",
        "Required: 6 RCNY 5-303(a)(1). A date, or text such as ``2026-11-22``.",
        option=Option("document", note="required, such as 2026-11-22"),
    )]  # fmt: skip
    data: Annotated[str | None, Argument(
        TEXT, "the source and explanation of the data",
        "Required: 6 RCNY 5-303(a)(1). A blank line begins a paragraph.",
        option=Option("document", note="required"),
    )]  # fmt: skip
    distribution_date: Annotated[str | datetime.date | None, Argument(
        DAY, "the date on which the employer began to use the tool",
        "Required: 6 RCNY 5-303(a)(2). Given like ``audit_date``.",
        option=Option("document", note="required, such as 2026-01-31"),
    )]  # fmt: skip
    test_data: Annotated[str | None, Argument(
        TEXT, "for test data, why historical data were not used, and how the test data were "
        "generated and obtained", "6 RCNY 5-302(b). Left out in an audit of historical data.",
        option=Option("document", note="only for test data"),
    )]  # fmt: skip


class HiringReportQuestion(ImpactRatiosQuestion, PublishedTexts, total=False):
    """The arguments of `hiring.report`."""


OF_PEOPLE: Final = arguments_of(_PeopleQuestion)
OF_IMPACT_RATIOS: Final = (*arguments_of(_ImpactRatios), *OF_INTERVALS)
OF_ADVERSE_IMPACT: Final = (*arguments_of(_AdverseImpact), *OF_INTERVALS)
OF_PUBLICATION: Final = arguments_of(PublishedTexts)
REQUIRED_BY: Final = {
    "audit_date": "6 RCNY 5-303(a)(1)",
    "data": "6 RCNY 5-303(a)(1)",
    "distribution_date": "6 RCNY 5-303(a)(2)",
}
"""The texts that must be published, each with the section that requires it."""
