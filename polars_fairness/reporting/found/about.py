"""What a report says of itself: its title, its author and the like, and how much it shows."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, fields
from typing import Any, Literal, cast

from polars_fairness.errors import FairnessError, require_extra, shown
from polars_fairness.question.audit_arguments import AuditQuestion
from polars_fairness.question.document_arguments import (
    DATE,
    DETAIL,
    NOTES,
    OF_DOCUMENT,
    ReportQuestion,
)
from polars_fairness.reporting.writable import writable


@dataclass(frozen=True)
class About:
    """The arguments of `OF_DOCUMENT`, each checked by itself; a date is text, as in 2025-01-31."""

    title: str | None = None
    subject: str | None = None
    author: str | None = None
    model: str | None = None
    version: str | None = None
    date: str | None = None
    notes: str | None = None
    detail: Literal["findings", "full"] = "findings"

    def __post_init__(self) -> None:
        DETAIL.refuse_other_choices(self.detail)
        for name, value in self.texts.items():
            if not isinstance(value, str) or not value.strip():
                takes = "text or a date" if name == DATE.name else "text"
                msg = f"{name}: takes {takes}, got {shown(value)}; leave it out if there is none"
                raise FairnessError(msg)
            object.__setattr__(self, name, writable(value))
        if self.notes is not None:
            require_extra(NOTES.name, "report", "markdown_it")

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are given, by argument, without ``detail``."""
        names = (field.name for field in fields(self) if field.name != DETAIL.name)
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}


def about_and_audit(given: ReportQuestion) -> tuple[About, AuditQuestion]:
    """Split the arguments of a report into those about its document and those of its audit."""
    names = {argument.name for argument in OF_DOCUMENT}
    of_audit = {name: value for name, value in given.items() if name not in names}
    about: dict[str, Any] = {name: value for name, value in given.items() if name in names}
    if isinstance(about.get(DATE.name), datetime.date):
        about[DATE.name] = str(about[DATE.name])
    return About(**about), cast("AuditQuestion", of_audit)
