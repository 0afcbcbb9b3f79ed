"""What the command `lending` prints: its tables, the notes below them, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import polars as pl

from polars_fairness.counting.rows import AnyFrame
from polars_fairness.lending.arguments import OF_LENDING_TABLE, OF_QUANTILES, SHARES_ACCEPTED
from polars_fairness.lending.page import LendingReport, report
from polars_fairness.lending.tables import table_of
from polars_fairness.question.arguments import OF_QUESTION, Question, defaults, named

__all__ = ["JUDGED", "TAKEN", "check", "notes", "outcomes", "page", "shown", "table_of"]

TAKEN: Final = (*OF_QUESTION, *dict.fromkeys((*OF_LENDING_TABLE, *OF_QUANTILES)))
JUDGED: Final = ("table", "air")
"""The table whose flags the gate judges, and its column of ratios."""
_LIMITS: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance")
)


def check(_typed: Mapping[str, Any], *, has_report: bool) -> None:
    """Nothing is refused before any file is read."""


def shown(given: Mapping[str, Any]) -> list[str]:
    """The tables that a question is about: with shares alone, there are no decisions."""
    has_shares = SHARES_ACCEPTED.name in given
    has_decisions = not has_shares or bool({"predicted", "threshold"} & given.keys())
    is_shown = {
        "table": has_decisions,
        "quantiles": has_shares,
        "segments": has_decisions and "subgroup" in given,
    }
    return [name for name, shows in is_shown.items() if shows]


def outcomes(given: Mapping[str, Any]) -> Question:
    """The question about the outcomes, as the rates of all rows are computed."""
    names = (each.name for each in OF_QUESTION)
    return cast("Question", {name: given[name] for name in names if name in given})


def notes(given: Mapping[str, Any], answer: pl.DataFrame) -> list[str]:
    """What is flagged."""
    if "is_flagged" not in answer.columns:
        return []
    ratio, points, significance = (given.get(*limit) for limit in _LIMITS.items())
    return [f"flagged: air below {ratio:g}, points above {points:g} and p below {significance:g}"]


def page(rows: AnyFrame, _typed: Mapping[str, Any], given: Mapping[str, Any]) -> LendingReport:
    """The page."""
    return report(rows, **cast("Any", given))
