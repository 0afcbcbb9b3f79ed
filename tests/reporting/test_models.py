"""Reports of several models: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf
from polars_fairness.reporting.outcome_notes import notes_on_outcomes


def eight() -> pl.DataFrame:
    """Of 4 women p accepts 1 and q accepts none, of 4 men p accepts 2 and q accepts 3."""
    return pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "race": ["b", "w"] * 4,
            "p": [1, 0, 0, 0, 1, 1, 0, 0],
            "q": [0, 0, 0, 0, 1, 1, 1, 0],
            "s": [0.9, 0.2, 0.1, 0.3, 0.8, 0.7, 0.2, 0.1],
            "y": [1, 0, 1, 0] * 2,
        }
    )


def test_notes_on_outcomes_name_the_model() -> None:
    scores = {"now": "s", "new": (1 - pl.col("s")).alias("t")}
    question: dict[str, Any] = {"facet": "sex", "predicted": scores}
    question |= {"threshold": {"now": 0.5, "new": 9}}
    same = "so that groups have the same rate; compare the threshold with the values"
    notes = notes_on_outcomes(pf.rates(eight(), **question), question)  # type: ignore[arg-type]
    assert notes == [f"threshold: 9 makes no row of 't' positive, {same} (model new)"]
    question["threshold"] = {"now": 5, "new": 0.5}
    notes = notes_on_outcomes(pf.rates(eight(), **question), question)  # type: ignore[arg-type]
    assert notes == [f"threshold: 5 makes no row of 's' positive, {same} (model now)"]
