"""Answers and reports as JSON."""

from __future__ import annotations

from datetime import date, time
from importlib.metadata import version
from math import isfinite
from typing import Any

import polars as pl

from polars_fairness.question.audit_arguments import Texts
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.reporting.answers import Answers
from polars_fairness.reporting.tables import question_given
from polars_fairness.reporting.words import title_of


def records_of(answer: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows of an answer, as JSON has them: infinity is the text "inf"."""
    return [
        {column: _plain(value) for column, value in row.items()}
        for row in answer.iter_rows(named=True)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, date | time):
        return value.isoformat()
    if (
        value is None
        or isinstance(value, bool | int)
        or (isinstance(value, float) and isfinite(value))
    ):
        return value
    return str(value)


def document_as_json(
    answers: Answers, texts: Texts, words: AuthorWords | None = None
) -> dict[str, Any]:
    """A report as one object: what it says of itself, its question, and its answers as records."""
    policy = answers.policy
    return {
        "title": texts.get("title", title_of(answers.question)),
        "about": texts,
        "words": (words or AuthorWords()).in_json,
        "package": {"name": "polars-fairness", "version": version("polars-fairness")},
        "data": {"digest": answers.digest},
        "policy": policy and {key: getattr(policy, key) for key in ("name", "version", "hash")},
        "question": question_given(answers),
        "audit": records_of(answers.answer),
        "rates": records_of(answers.rated),
        "decompose": {metric: records_of(frame) for metric, frame in answers.decomposed.items()},
    }
