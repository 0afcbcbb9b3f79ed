"""What the command `pay` prints: its table, the notes below it, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from polars_fairness.counting.rows import AnyFrame
from polars_fairness.pay.arguments import OF_PAY, OF_WORKERS
from polars_fairness.pay.page import PayReport, report
from polars_fairness.pay.tables import table_of
from polars_fairness.question.arguments import Question

__all__ = ["JUDGED", "TAKEN", "check", "notes", "outcomes", "page", "shown", "table_of"]

TAKEN: Final = (*OF_WORKERS, *OF_PAY)
JUDGED: Final = ("table", "value")
"""The table and its column of values; the command has no gate."""


def check(_typed: Mapping[str, Any], *, has_report: bool) -> None:
    """Nothing is refused before any file is read."""


def shown(_given: Mapping[str, Any]) -> list[str]:
    """The only table."""
    return ["table"]


def outcomes(_given: Mapping[str, Any]) -> Question:
    """No outcome is read by its values."""
    return Question()


def notes(_given: Mapping[str, Any], _answer: pl.DataFrame) -> list[str]:
    """The table says all by itself."""
    return []


def page(rows: AnyFrame, _typed: Mapping[str, Any], given: Mapping[str, Any]) -> PayReport:
    """The page."""
    return report(rows, **given)
