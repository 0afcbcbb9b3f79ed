"""What the rule on hiring tools has an employer publish beside the tables."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, fields
from typing import Final

from polars_fairness.errors import FairnessError, require_extra, shown
from polars_fairness.question.document_arguments import NOTES
from polars_fairness.question.page_arguments import (
    AUDITED_ON,
    DATA,
    DISTRIBUTED_ON,
    REQUIRED_BY,
)
from polars_fairness.reporting.writable import writable

_DAYS: Final = (AUDITED_ON.name, DISTRIBUTED_ON.name)


@dataclass(frozen=True)
class Publication:
    """The arguments of `OF_PUBLICATION`, each checked by itself; a date is text, as 2025-01-31."""

    date: str = ""
    data: str = ""
    distribution_date: str = ""
    test_data: str | None = None
    tool: str | None = None
    auditor: str | None = None
    title: str | None = None
    notes: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if field.name in REQUIRED_BY and given in ("", None):
                raise FairnessError(_missing(field.name))
            if given is not None:
                read = _day if field.name in _DAYS else _text
                object.__setattr__(self, field.name, read(field.name, given))
        if self.notes is not None:
            require_extra(NOTES.name, "report", "markdown_it")

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are given, by argument."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in given.items() if value is not None}


def _missing(name: str) -> str:
    [argument] = (each for each in (AUDITED_ON, DATA, DISTRIBUTED_ON) if each.name == name)
    takes = 'a date, or text such as "2026-11-22"' if name in _DAYS else "a text"
    return (
        f"{name}: missing, and {REQUIRED_BY[name]} has {argument.meaning} published with the "
        f"tables; give {name}=, {takes}"
    )


def _day(name: str, given: object) -> str:
    """A date as text, as in 2025-01-31."""
    if isinstance(given, datetime.datetime):
        return given.date().isoformat()
    if isinstance(given, datetime.date):
        return given.isoformat()
    try:
        return datetime.date.fromisoformat(str(given)).isoformat()
    except ValueError:
        msg = f'{name}: takes a date, or text such as "2026-11-22", got {shown(given)}'
        raise FairnessError(msg) from None


def _text(name: str, given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        msg = f"{name}: takes text, got {shown(given)}"
        if name not in REQUIRED_BY:
            msg += "; leave it out if there is none"
        raise FairnessError(msg)
    return writable(given)
