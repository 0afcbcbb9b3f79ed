"""The arguments of the table and the page about pay, each declared once."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final, Literal, TypedDict

from polars_fairness.question.arguments import (
    CHOICE,
    COLUMN,
    HOW_MANY,
    OF_QUESTION,
    Argument,
    Nulls,
    Option,
    arguments_of,
    named,
)
from polars_fairness.question.audit_arguments import OF_INTERVALS
from polars_fairness.question.columns import ColumnLike, Columns

_FACET, _FAVORED, _UNKNOWN, _CONTROLS, _BY, _NULLS = named(
    OF_QUESTION, "facet", "favored", "unknown", "controls", "by", "nulls"
)


DIRECTIVE: Final = "https://eur-lex.europa.eu/eli/dir/2023/970/oj"


class _WorkersQuestion(TypedDict, total=False):
    """The arguments of a question that the table of pay takes: one row is one worker."""

    facet: Annotated[Columns, replace(
        _FACET, details="One or more columns, such as the sex.", is_required=True,
    )]  # fmt: skip
    favored: Annotated[Any, replace(
        _FAVORED, meaning="the group that each other group is compared with",
        details="A value, a list of values or ``{facet: value(s)}``. A facet with more than two "
        "groups requires it; with two, the default is the last in order.",
    )]  # fmt: skip
    unknown: Annotated[Any, _UNKNOWN]
    controls: Annotated[Columns | None, replace(
        _CONTROLS, meaning="what may justify a difference, held constant by a regression",
        details="One or more columns, or ``{column: width}`` to round numbers to multiples. Gaps "
        "of total pay are then also given at equal controls, as 1 minus `adjusted_estimate_ratio`.",
    )]  # fmt: skip
    by: Annotated[Columns | None, replace(
        _BY, details="One or more columns, the last of which may be the year: ``change`` is the "
        "difference from the window before.",
    )]  # fmt: skip
    nulls: Annotated[Nulls, replace(
        _NULLS, meaning="how workers whose pay or hours are missing are treated",
        details='"raise" raises an error, "drop" leaves a worker out of the numbers that need what '
        "is missing.",
    )]  # fmt: skip


class _Pay(TypedDict, total=False):
    """The arguments of `pay.table`, besides those of workers."""

    pay: Annotated[ColumnLike, Argument(
        COLUMN, "the total gross pay of each worker in the year",
        'With `rule="uk"` and no ``hours``, the pay per hour.',
        is_required=True, option=Option("columns"),
    )]  # fmt: skip
    basic: Annotated[ColumnLike | None, Argument(
        COLUMN, "the basic pay in it, for the gaps by category", option=Option("columns"),
    )]  # fmt: skip
    variable: Annotated[ColumnLike | None, Argument(
        COLUMN, "the complementary or variable pay in it, such as a bonus", "0 means none.",
        option=Option("columns"),
    )]  # fmt: skip
    category: Annotated[ColumnLike | None, Argument(
        COLUMN, "the category of workers who do equal work or work of equal value",
        "Such as a grade. Null is one more category.", option=Option("columns"),
    )]  # fmt: skip
    hours: Annotated[ColumnLike | None, Argument(
        COLUMN, "the hours for which each worker was paid in the year",
        "Hourly pay is pay divided by these. Without them, only annual pay is reported.",
        option=Option("columns"),
    )]  # fmt: skip
    minimum_count: Annotated[int, Argument(
        HOW_MANY, "the fewest workers on each side for which a gap is shown",
        "Among fewer, a person could be recognised.", default=10, option=Option("certainty"),
    )]  # fmt: skip
    rule: Annotated[Literal["eu", "uk"], Argument(
        CHOICE, "the rule whose numbers are computed",
        '"eu" is article 9(1) of Directive (EU) 2023/970. "uk" is regulation 2(1) of the United '
        "Kingdom, with shares to three decimals, and variable pay of those who receive any.",
        default="eu", option=Option("certainty"),
    )]  # fmt: skip


class PayQuestion(_WorkersQuestion, _Pay, total=False):
    """The arguments of `pay.table` and `pay.report`."""

    confidence: float | None


OF_WORKERS: Final = arguments_of(_WorkersQuestion)
OF_PAY: Final = (*arguments_of(_Pay), *named(OF_INTERVALS, "confidence"))
MINIMUM_COUNT, RULE = named(OF_PAY, "minimum_count", "rule")
