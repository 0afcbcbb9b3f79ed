"""Answers and reports as JSON, by the schemas that the package ships."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from importlib.metadata import version
from math import isfinite
from typing import Any

import polars as pl

from polars_fairness.errors import FairnessError, about
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.outputs.schemas import SCHEMA, schema_of
from polars_fairness.reporting.sections.question_table import question_table
from polars_fairness.reporting.words import title_of


def records_of(answer: pl.DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of an answer, such as "audit", each with the name of the answer's schema.

    JSON has no infinity: it is the text "inf".
    """
    if SCHEMA in answer.columns:
        msg = (
            f"in JSON, {SCHEMA!r} names the schema of the answer, and there is a column of this "
            "name already; rename the column"
        )
        raise FairnessError(msg)
    schema = {SCHEMA: schema_of(name)["$id"]}
    return [schema | row for row in plain_rows(answer)]


def plain_rows(answer: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of an answer with values that JSON has."""
    for row in answer.iter_rows(named=True):
        yield {column: _plain(value) for column, value in row.items()}


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


def document_as_json(findings: Findings) -> dict[str, Any]:
    """A report as one object: what it says of itself, its question, and its answers as records."""
    rows = question_table(findings).rows
    policy = findings.policy
    with about("by"):
        answers = {
            "audit": records_of(findings.audited, "audit"),
            "rates": records_of(findings.rated, "rates"),
            "decompose": {
                metric: records_of(frame, "decompose")
                for metric, frame in findings.decomposed.items()
            },
        }
    return {
        SCHEMA: schema_of("document")["$id"],
        "title": title_of(findings.question, findings.about),
        "about": findings.about.texts,
        "package": {"name": "polars-fairness", "version": version("polars-fairness")},
        "data": {"digest": findings.digest},
        "policy": policy and {key: getattr(policy, key) for key in ("name", "version", "hash")},
        "question": {argument.text: given.text for argument, given, _ in rows},
        **answers,
    }
