"""Answers and reports as JSON, by the schemas that the package ships."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, time
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, about
from polars_fairness.question.document_arguments import Texts
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.sections.question_table import question_table
from polars_fairness.reporting.words import title_of

SCHEMA: Final = "schema"
"""The key of an answer under which its schema is named, with the version."""

_FOLDER: Final = files("polars_fairness").joinpath("schemas")

ANSWERS: Final = tuple(sorted(file.name.removesuffix(".json") for file in _FOLDER.iterdir()))
"""The answers that have a schema: those of commands, "report", "document" and the like."""


def text_of_schema(answer: str) -> str:
    """The text of the schema of an answer, such as "audit"."""
    return _FOLDER.joinpath(f"{answer}.json").read_text("utf-8")


@cache
def schema_of(answer: str) -> dict[str, Any]:
    """The schema of an answer.

    Examples
    --------
    >>> from polars_fairness.reporting.outputs.records import schema_of
    >>> schema_of("audit")["$id"]
    'urn:polars-fairness:audit:1'
    """
    schema: dict[str, Any] = json.loads(text_of_schema(answer))
    return schema


def records_of(answer: pl.DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of an answer, such as "audit", each with the name of the answer's schema.

    JSON has no infinity: it is the text "inf".
    """
    if SCHEMA in answer.columns:
        raise FairnessError(
            f"in JSON, {SCHEMA!r} names the schema of the answer, and there is a column of this "
            "name already; rename the column"
        )
    schema = {SCHEMA: schema_of(name)["$id"]}
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
        SCHEMA: schema_of("document")["$id"],
        "title": texts.get("title", title_of(findings.question)),
        "about": texts,
        "package": _package(),
        "data": {"digest": findings.digest},
        "policy": policy and {key: getattr(policy, key) for key in ("name", "version", "hash")},
        "question": {argument.text: given.text for argument, given, _ in rows},
        **answers,
    }


def tables_as_json(
    name: str,
    title: str,
    about_page: Mapping[str, str],
    tables: Mapping[str, tuple[str, pl.DataFrame | None]],
) -> dict[str, Any]:
    """A page of prescribed tables as one object, by the schema of this name.

    Each table has the name of its own schema. A table that is not on the page is null.
    """
    with about("by"):
        answers = {
            key: None if answer is None else records_of(answer, schema)
            for key, (schema, answer) in tables.items()
        }
    return {
        SCHEMA: schema_of(name)["$id"],
        "title": title,
        "about": about_page,
        "package": _package(),
        **answers,
    }


def _package() -> dict[str, str]:
    return {"name": "polars-fairness", "version": version("polars-fairness")}
