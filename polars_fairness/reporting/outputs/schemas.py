"""The JSON schemas of answers, which the package ships as files."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

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
    >>> from polars_fairness.reporting.outputs.schemas import schema_of
    >>> schema_of("audit")["$id"]
    'urn:polars-fairness:audit:1'
    """
    schema: dict[str, Any] = json.loads(text_of_schema(answer))
    return schema
