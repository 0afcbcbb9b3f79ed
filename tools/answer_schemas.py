"""The JSON schemas of answers, made from one line for each column.

The schemas are shipped in ``polars_fairness/schemas/``. A version is a whole number: it goes up
when a key is removed, or means something else; a further key changes no version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from polars_fairness.answers.columns import (
    ADVERSE_IMPACT,
    AUDIT,
    BOUNDED,
    CONTRIBUTIONS,
    ESTIMATOR,
    IMPACT_RATIOS,
    LENDING_TABLE,
    MODEL,
    QUANTILES,
    RANKED,
    RATED,
    REPORTED,
    SEGMENTS,
    SWEPT,
    SWITCHED,
    THRESHOLD,
    Column,
    Columns,
)
from polars_fairness.answers.verdicts import CHANGES, VERDICTS
from polars_fairness.hiring.arguments import OF_PUBLICATION, REQUIRED_BY
from polars_fairness.question.document_arguments import OF_PAGE
from polars_fairness.reporting.outputs.records import SCHEMA

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

# JSON has no infinity.
DEFINITIONS: Final[Mapping[str, Any]] = {
    "number": {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]},
    "whole": {"type": ["integer", "null"]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "value": {"type": ["string", "number", "boolean", "null"]},
}


TEXT: Final = {"type": "string"}


WINDOWS: Final = (ESTIMATOR, MODEL, THRESHOLD)

ENTRIES: Final = (
    Column("name", "the name of the metric", "text"),
    Column("title", "its title", "text"),
    Column("definition", "its formula in words", "text"),
    Column("lowest", "the lowest value that it can have"),
    Column("highest", "the highest value that it can have"),
    Column("ideal", "the value that means fair"),
    Column("acceptable_from", "the lower edge of its band"),
    Column("acceptable_to", "the upper edge of its band"),
    Column("above", "what a value above the ideal means", "text"),
    Column("below", "what a value below the ideal means", "text"),
    Column("needs", "the arguments that it needs, with spaces between them", "text"),
    Column("source", "who defined it", "text"),
    Column("aliases", "its further names, with spaces between them", "text"),
)


@dataclass(frozen=True)
class Records:
    """An answer that is a list of records, with the columns that a question may add."""

    title: str
    columns: Columns
    others: str = ""
    version: int = 1


ANSWERS: Final = {
    "audit": Records(
        "Metrics with intervals and verdicts", (*WINDOWS, *AUDIT), "the columns of --by"
    ),
    "bounds": Records(
        "The range of metrics over the groups of unknown rows",
        (*WINDOWS, *BOUNDED),
        "the columns of --by",
    ),
    "compare": Records("A reported number beside that of the rows", REPORTED),
    "rates": Records("Counts and rates of groups", (*WINDOWS, *RATED), "the columns of --by"),
    "worst_groups": Records(
        "Groups of several facets, the worst first",
        (*WINDOWS, *RANKED),
        "the columns of --by and --facet, and for each facet whether the group fixes it",
    ),
    "decompose": Records(
        "Contributions of strata", (*WINDOWS, *CONTRIBUTIONS), "the columns of --by and --subgroup"
    ),
    "switches": Records(
        "The rows that a model decides otherwise than the champion",
        (
            replace(MODEL, meaning="the model, other than the champion", optional=False),
            THRESHOLD,
            *SWITCHED,
        ),
        "the columns of --by",
    ),
    "choose": Records(
        "What each threshold achieves",
        (ESTIMATOR, MODEL, replace(THRESHOLD, meaning="the threshold", optional=False), *SWEPT),
        "the columns of --by, what is maximised, and each metric at its worst",
    ),
    "hiring_impact_ratios": Records(
        "Rates and impact ratios of categories of people", IMPACT_RATIOS, "the columns of --by"
    ),
    "hiring_adverse_impact": Records(
        "Groups beside the group with the highest rate", ADVERSE_IMPACT, "the columns of --by"
    ),
    "lending_table": Records(
        "Groups beside their reference", (*WINDOWS, *LENDING_TABLE), "the columns of --by"
    ),
    "lending_quantiles": Records(
        "Groups beside their reference, where the best shares by score are accepted",
        (MODEL, *QUANTILES),
        "the columns of --by",
    ),
    "lending_segments": Records(
        "Groups beside their reference over the segments",
        (*WINDOWS, *SEGMENTS),
        "the columns of --by",
    ),
    "metrics": Records("The catalogue of metrics", ENTRIES),
}

REPORT: Final = {
    "patternProperties": {
        "^verdict/": {"enum": list(VERDICTS)},
        "^change/": {"enum": list(CHANGES)},
        r"^policy/(name|version|hash)$": {"type": "string"},
        rf"^about/({'|'.join(row.name for row in OF_PAGE)})$": {"type": "string"},
        r"^package/version$": {"type": "string"},
        r"^data/digest$": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    "additionalProperties": {"type": "number"},
}


def schemas() -> Iterator[tuple[str, str]]:
    """The name of each answer, and the text of its schema."""
    for name, answer in ANSWERS.items():
        yield name, _written(name, answer.version, answer.title, _records(name, answer))
    report = {
        "type": "object",
        "properties": {SCHEMA: {"const": _identity("report", 1)}},
        "required": [SCHEMA],
        **REPORT,
    }
    yield "report", _written("report", 1, "An audit as a flat dictionary", report)
    about = _texts(optional=[row.name for row in OF_PAGE])
    by_metric = {"type": "object", "additionalProperties": _in_document("decompose")}
    of_audit = {
        "data": _texts("digest"),
        "policy": _or_null(_texts("name", "version", "hash")),
        "question": {"type": "object", "additionalProperties": TEXT},
        "audit": _in_document("audit"),
        "rates": _in_document("rates"),
        "decompose": by_metric,
    }
    yield "document", _document("document", "A report as JSON", about, of_audit)
    published = [row.name for row in OF_PUBLICATION if row.name not in REQUIRED_BY]
    of_hiring = {
        "impact_ratios": _in_document("hiring_impact_ratios"),
        "adverse_impact": _or_null(_in_document("hiring_adverse_impact")),
    }
    texts = _texts(*REQUIRED_BY, optional=[*published, *(row.name for row in OF_PAGE)])
    yield "hiring_document", _document("hiring_document", "A bias audit as JSON", texts, of_hiring)
    of_lending = {
        "table": _in_document("lending_table"),
        "quantiles": _or_null(_in_document("lending_quantiles")),
        "segments": _or_null(_in_document("lending_segments")),
        "in_segments": _or_null(_in_document("lending_table")),
    }
    title = "Tables of lending as JSON"
    yield "lending_document", _document("lending_document", title, about, of_lending)


def _document(name: str, title: str, about: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
    """The text of the schema of a report in JSON, whose answers are records of the commands."""
    properties = {
        SCHEMA: {"const": _identity(name, 1)},
        "title": TEXT,
        "about": about,
        "package": _texts("name", "version"),
        **answers,
    }
    required = {"required": [*properties], "additionalProperties": False}
    document = {"type": "object", "properties": properties, **required, "$defs": DEFINITIONS}
    return _written(name, 1, title, document)


def _in_document(name: str) -> dict[str, Any]:
    """The schema of an answer inside a document, which has the definitions."""
    records = _records(name, ANSWERS[name])
    del records["$defs"]
    return records


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _texts(*names: str, optional: Iterable[str] = ()) -> dict[str, Any]:
    """An object that holds texts under these names."""
    properties = dict.fromkeys((*names, *optional), TEXT)
    required = {"required": [*names], "additionalProperties": False}
    return {"type": "object", "properties": properties, **required}


def _records(name: str, answer: Records) -> dict[str, Any]:
    others: Any = False
    if answer.others:
        others = {"description": answer.others, "$ref": "#/$defs/value"}
    record = {
        "type": "object",
        "properties": {
            SCHEMA: {"const": _identity(name, answer.version)},
            **{each.name: _property(each) for each in answer.columns if each.type != "struct"},
        },
        "required": [
            SCHEMA,
            *(each.name for each in answer.columns if not each.optional and each.type != "struct"),
        ],
        "additionalProperties": others,
    }
    return {"type": "array", "items": record, "$defs": DEFINITIONS}


def _property(column: Column) -> dict[str, Any]:
    kind = "number" if column.type == "size" else column.type
    holds = {"enum": [*column.words, None]} if column.words else {"$ref": f"#/$defs/{kind}"}
    return {"description": column.meaning, **holds}


def _identity(name: str, version: int) -> str:
    return f"urn:polars-fairness:{name}:{version}"


def _written(name: str, version: int, title: str, rest: Mapping[str, Any]) -> str:
    schema = {"$schema": DRAFT, "$id": _identity(name, version), "title": title, **rest}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
