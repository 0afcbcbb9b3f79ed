"""The arguments of pages of prescribed tables about what they say beside the tables."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from polars_fairness.question.arguments import Argument, Option
from polars_fairness.question.document_arguments import DAY, NOTES, TEXT, PageTexts
from polars_fairness.question.prescribed_arguments import ImpactRatiosQuestion, LendingQuestion

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

TEST_DATA: Final = Argument(
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
    TEST_DATA,
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


class LendingReportQuestion(LendingQuestion, PageTexts, total=False):
    """The arguments of `OF_PAGE` as well, and the shares accepted, for type checkers."""

    shares: Sequence[float]
