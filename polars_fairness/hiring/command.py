"""What the command `hiring` prints: its tables, the notes below them, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import polars as pl

from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PEOPLE, OF_PUBLICATION
from polars_fairness.hiring.page import HiringReport, published, report_of
from polars_fairness.hiring.tables import TABLES, table_of
from polars_fairness.question.arguments import Question

__all__ = ["JUDGED", "TAKEN", "check", "notes", "outcomes", "page", "shown", "table_of"]

TAKEN: Final = (*OF_IMPACT_RATIOS, *OF_PEOPLE)
JUDGED: Final = ("adverse_impact", "impact_ratio")
"""The table whose flags the gate judges, and its column of ratios."""


def check(typed: Mapping[str, Any], *, has_report: bool) -> None:
    """Raise about what can be seen before any file is read."""
    if "fail_on" in typed and "selected" not in typed:
        raise FairnessError(
            "--fail-on: groups are flagged by the rates at which they are selected, and --selected "
            "was not given; give it"
        )
    if has_report:
        published(typed)


def shown(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The tables of a question: that of four fifths is about selections."""
    return TABLES if "selected" in given else TABLES[:1]


def outcomes(given: Mapping[str, Any]) -> Question:
    """The question about the selections, as the rates of all rows are computed; of scores none."""
    if "selected" not in given:
        return Question()
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    return cast("Question", {"predicted": given["selected"], **shared})


def notes(given: Mapping[str, Any], answer: pl.DataFrame) -> list[str]:
    """Why categories are left out of the ratios."""
    if "is_excluded" not in answer.columns or not answer["is_excluded"].any():
        return []
    share = f"{100 * given['exclude_below']:g} %"
    return [f"excluded: less than {share} of the people; {given['justification']}"]


def page(rows: AnyFrame, typed: Mapping[str, Any], given: Mapping[str, Any]) -> HiringReport:
    """The page, with the texts that were typed."""
    texts = {row.name: typed[row.name] for row in OF_PUBLICATION if row.name in typed}
    return report_of(rows, given, texts)
