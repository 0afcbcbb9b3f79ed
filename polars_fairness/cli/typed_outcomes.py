"""Typed thresholds and values that decide which rows are positive, and notes on mistaken ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.question.arguments import Question
from polars_fairness.reporting.outcome_notes import notes_on_outcomes

READ_BY_VALUES: Final = {"threshold", "label_threshold", "positive"}
"""The arguments that decide it."""

OF_GROUPS: Final = {"facet", "disfavored", "favored", "subgroup", "by", "features"}
"""The arguments that the rates of all rows do not depend on."""


def notes_on_typed_outcomes(rated: Sequence[pl.DataFrame], question: Question) -> list[str]:
    """Notes on typed thresholds and values by which no row, or every row, is positive."""
    if not READ_BY_VALUES & question.keys():
        return []
    return [note for rates in rated for note in notes_on_outcomes(rates, question)]
