"""Words that the pages of hiring and of lending have in common."""

from __future__ import annotations

from typing import Final

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.parts import Cell
from polars_fairness.reporting.words import confidence_in_words

NO_ADVICE: Final = (
    "These are tables of counts and rates, and no legal advice. They state a computation and not "
    "the law. Rules change: whether and where one is in force has to be checked on the day."
)
ALONE: Final = (
    "There is nothing to compare: fewer than two groups are known, or none is large enough to "
    "compare with."
)


def interval_heads(confidence: float | None) -> tuple[str, ...]:
    """The head of the column of intervals, if there is one."""
    return () if confidence is None else (f"{confidence_in_words(confidence)} interval",)


def flag_cell(*, is_flagged: bool | None) -> Cell:
    """The cell of a flag; a group that could not be judged has a null."""
    if is_flagged is None:
        return Cell("not judged", tone=tone_of("undefined").name)
    return Cell("flagged", tone=tone_of("outside").name) if is_flagged else Cell("no")
