"""Notes on thresholds and positive values by which no row, or every row, is positive."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.outcome_notes import notes_on_outcomes

ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "month": [1, 2, 1, 2, 3],
        "score": [0.1, 0.6, 0.2, 0.9, 0.7],
        "word": ["yes", "yes", "yes", "yes", "no"],
        "grade": ["a", "b", "a", "b", "b"],
        "hired": [False] * 5,
        "w": [0.1, 0.2, 0.3, 0.1, 0.7],
    }
)

SAME = "so that groups have the same rate"


def notes(rows: pl.DataFrame = ROWS, **question: Any) -> list[str]:
    question = {"facet": "sex", **question}
    return notes_on_outcomes(pf.rates(rows, **question), question)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            {"predicted": "score", "threshold": 50},
            [
                f"threshold: 50 makes no row of 'score' positive, {SAME}; compare the threshold "
                "with the values"
            ],
        ),
        (
            {"label": "score", "label_threshold": 0.1},
            [
                f"label_threshold: 0.1 makes every row of 'score' positive, {SAME}; compare the "
                "threshold with the values"
            ],
        ),
        (
            {"predicted": "grade", "positive": ["a", "b"]},
            [
                f"positive: 'a' and 'b' make every row of 'grade' positive, {SAME}; compare it "
                "with the values"
            ],
        ),
        ({"predicted": "score", "threshold": 0.5}, []),
        ({"predicted": "word", "positive": "yes"}, []),
        (
            {"predicted": "hired"},
            [f"predicted: no row of 'hired' is positive, {SAME}; check the column"],
        ),
        (
            {"label": "hired", "predicted": "word", "positive": {"word": "yes"}},
            [f"label: no row of 'hired' is positive, {SAME}; check the column"],
        ),
        ({}, []),
    ],
)
def test_notes_name_the_argument_and_what_it_does(
    question: dict[str, Any], expected: list[str]
) -> None:
    assert notes(**question) == expected
    assert notes(**question, weight="w") == expected


def test_without_rows_there_is_no_note() -> None:
    assert notes(ROWS.clear(), predicted="hired") == []
    outcomes = pl.when(month=3).then(None).otherwise(pl.col("score") < 0.3)
    question: dict[str, Any] = {"facet": None, "by": "sex", "nulls": "drop", "zero_division": 0.0}
    assert notes(predicted=outcomes.alias("low"), **question) == []
