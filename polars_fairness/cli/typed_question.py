"""The question in the options that were typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import polars as pl

from polars_fairness.cli.typed_models import columns_of, predicted_in, threshold_in
from polars_fairness.cli.typed_references import with_references
from polars_fairness.cli.typed_values import positives, sides
from polars_fairness.question.arguments import OF_QUESTION, SIDE, Question


def question_of(arguments: Mapping[str, Any], schema: pl.Schema) -> Question:
    """The question in the typed arguments, with values of the types of their columns."""
    question = {row.name: arguments[row.name] for row in OF_QUESTION if row.name in arguments}
    for argument in (row.name for row in OF_QUESTION if row.kind is SIDE):
        if argument in question:
            facets = question.get("facet", [])
            question[argument] = sides(argument, question[argument], facets, schema)
    if "reference" in arguments:
        given, facets = question.get("favored", {}), question.get("facet", [])
        question["favored"] = with_references(arguments["reference"], given, facets)
    if "predicted" in question:
        question["predicted"] = predicted_in(question["predicted"], schema)
    if "threshold" in question:
        question["threshold"] = threshold_in(arguments)
    if "positive" in question:
        compared = {"label": "label_threshold", "predicted": "threshold"}
        outcomes = [
            column
            for role, threshold in compared.items()
            if role in question and threshold not in question
            for column in columns_of(question[role])
        ]
        question["positive"] = positives(question["positive"], outcomes, schema)
    return cast("Question", question)
