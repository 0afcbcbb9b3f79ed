"""Answers and reports as JSON, each with the name of its schema."""

from __future__ import annotations

from datetime import date, time
from importlib.metadata import version
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, about
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.tables import question_table
from polars_fairness.reporting.words import title_of

SCHEMA: Final = "schema"
"""The key of an answer under which its schema is named, with the version."""


def identity_of(answer: str) -> str:
    """The name of the schema of an answer, with its version.

    Examples
    --------
    >>> from polars_fairness.reporting.outputs.records import identity_of
    >>> identity_of("audit")
    'urn:polars-fairness:audit:1'
    """
    return f"urn:polars-fairness:{answer}:1"


def records_of(answer: pl.DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of an answer, such as "audit", each with the name of the answer's schema.

    JSON has no infinity: it is the text "inf".
    """
    if SCHEMA in answer.columns:
        raise FairnessError(
            f"in JSON, {SCHEMA!r} names the schema of the answer, and there is a column of this "
            "name already; rename the column"
        )
    schema = {SCHEMA: identity_of(name)}
    return [
        schema | {column: _plain(value) for column, value in row.items()}
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


def document_as_json(findings: Findings, texts: Texts) -> dict[str, Any]:
    """A report as one object: what it says of itself, its question, and its answers as records."""
    rows = question_table(findings).rows
    policy = findings.policy
    with about("by"):
        answers = {
            "audit": records_of(findings.answer, "audit"),
            "rates": records_of(findings.rated, "rates"),
            "decompose": {
                metric: records_of(frame, "decompose")
                for metric, frame in findings.decomposed.items()
            },
        }
    return {
        SCHEMA: identity_of("document"),
        "title": texts.get("title", title_of(findings.question)),
        "about": texts,
        "package": _package(),
        "data": {"digest": findings.digest},
        "policy": policy and {key: getattr(policy, key) for key in ("name", "version", "hash")},
        "question": {argument: given for argument, given, _ in (row.values() for row in rows)},
        **answers,
    }


def _package() -> dict[str, str]:
    return {"name": "polars-fairness", "version": version("polars-fairness")}
