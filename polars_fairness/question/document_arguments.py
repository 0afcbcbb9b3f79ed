"""The arguments of a report about its document, each declared once, as in `arguments`."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypedDict

from polars_fairness.question.arguments import CHOICE, Argument, Kind, Option, arguments_of, named
from polars_fairness.question.audit_arguments import AuditQuestion, Harmed

TEXT: Final = Kind("a text", "TEXT")
DAY: Final = Kind("a text or a date", "DATE")
MARKDOWN: Final = Kind("Markdown", "FILE")


class PageTexts(TypedDict, total=False):
    """What a page says of itself."""

    title: Annotated[
        str | None,
        Argument(
            TEXT,
            "the title of the report",
            "Without it, the outcome and the facets.",
            option=Option("document", note="default the outcome and the facets"),
        ),
    ]
    subject: Annotated[
        str | None,
        Argument(
            TEXT,
            "what the report is about, such as the decision and the population",
            option=Option("document"),
        ),
    ]
    author: Annotated[
        str | None, Argument(TEXT, "who answers for the report", option=Option("document"))
    ]
    model: Annotated[
        str | None,
        Argument(TEXT, "the name of the model that decides or scores", option=Option("document")),
    ]
    version: Annotated[
        str | None,
        Argument(TEXT, "the version of the model", option=Option("document", name="model-version")),
    ]
    date: Annotated[
        str | datetime.date | None,
        Argument(
            DAY,
            "the date of the report",
            "Without it, the report has no date: the same arguments give the same report, byte "
            "for byte.",
            option=Option("document", note="default none"),
        ),
    ]
    notes: Annotated[
        str | None,
        Argument(
            MARKDOWN,
            "notes on the report, in Markdown",
            "As CommonMark defines it. HTML is shown as text, an image as a link. Extra "
            "``report``.",
            option=Option("document", note="a file"),
        ),
    ]


class _Detail(TypedDict, total=False):
    """How much a report shows."""

    detail: Annotated[
        Literal["findings", "full"],
        Argument(
            CHOICE,
            "how much of the audit the report shows",
            '"findings" shows what the audit found, and the rest in short; "full" shows all '
            "values, tables and charts.",
            default="findings",
            option=Option("document"),
        ),
    ]
    unit: Annotated[
        str | None,
        Argument(TEXT, "the unit of numbers, such as € or days", option=Option("document")),
    ]


class ReportQuestion(AuditQuestion, Harmed, _Detail, total=False):
    """The arguments of `report`."""


Texts = Mapping[str, str]
"""The given arguments of `OF_PAGE`, checked."""

OF_PAGE: Final = arguments_of(PageTexts)
DATE, NOTES = named(OF_PAGE, "date", "notes")
DETAIL, UNIT = arguments_of(_Detail)
