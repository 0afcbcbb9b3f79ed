"""The arguments of a report about its document, each described once, as `arguments` does."""

from __future__ import annotations

import datetime
from typing import Final, Literal, TypedDict

from polars_fairness.question.arguments import CHOICE, Argument, Kind, Option
from polars_fairness.question.audit_arguments import AuditQuestion

TEXT: Final = Kind("a text", "str", "TEXT")
DAY: Final = Kind("a text or a date", "str | datetime.date", "DATE")
MARKDOWN: Final = Kind("Markdown", "str", "FILE")

TITLE: Final = Argument(
    "title",
    TEXT,
    "the title of the report",
    "Without it, the outcome and the facets.",
    option=Option("document", note="default the outcome and the facets"),
)

DATE: Final = Argument(
    "date",
    DAY,
    "the date of the report",
    "Without it, the report has no date: the same arguments give the same report, byte for byte.",
    option=Option("document", note="default none"),
)

NOTES: Final = Argument(
    "notes",
    MARKDOWN,
    "notes on the report, in Markdown",
    "As CommonMark defines it. HTML is shown as text, an image as a link. Extra ``report``.",
    option=Option("document", note="a file"),
)

DETAIL: Final = Argument(
    "detail",
    CHOICE,
    "how much of the audit the report shows",
    '"findings" shows what the audit found, and the rest in short; "full" shows all values, tables '
    "and charts.",
    default="findings",
    choices=("findings", "full"),
    option=Option("document"),
)

OF_PAGE: Final = (
    TITLE,
    Argument(
        "subject",
        TEXT,
        "what the report is about, such as the decision and the population",
        option=Option("document"),
    ),
    Argument("author", TEXT, "who answers for the report", option=Option("document")),
    Argument(
        "model",
        TEXT,
        "the name of the model that decides or scores",
        option=Option("document"),
    ),
    Argument(
        "version",
        TEXT,
        "the version of the model",
        option=Option("document", name="model-version"),
    ),
    DATE,
    NOTES,
)
"""What a page says of itself."""

OF_DOCUMENT: Final = (*OF_PAGE, DETAIL)
"""The further arguments of `report`: what it says of itself, and how much it shows."""


class PageTexts(TypedDict, total=False):
    """The arguments of `OF_PAGE`, for type checkers."""

    title: str | None
    subject: str | None
    author: str | None
    model: str | None
    version: str | None
    date: str | datetime.date | None
    notes: str | None


class ReportQuestion(AuditQuestion, PageTexts, total=False):
    """The arguments of `OF_DOCUMENT` as well, for type checkers."""

    detail: Literal["findings", "full"]
