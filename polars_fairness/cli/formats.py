"""The formats in which a command prints answers, and their schemas."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, count
from math import isinf, isnan
from typing import Any, Final, NamedTuple

import polars as pl
import polars.selectors as cs

from polars_fairness.api.columns import ANSWERS as COLUMNS
from polars_fairness.api.columns import ESTIMATOR, MODEL, THRESHOLD, Column, Columns
from polars_fairness.api.verdicts import CHANGES, VERDICTS
from polars_fairness.cli.options import MONITORED
from polars_fairness.errors import about
from polars_fairness.question.audit_arguments import OF_PAGE
from polars_fairness.reporting.outputs.markdown import as_text
from polars_fairness.reporting.outputs.records import SCHEMA, identity_of, records_of
from polars_fairness.reporting.parts import printable
from polars_fairness.reporting.words import value_in_words

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

# JSON has no infinity.
_DEFINITIONS: Final[Mapping[str, Any]] = {
    "number": {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]},
    "whole": {"type": ["integer", "null"]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "value": {"type": ["string", "number", "boolean", "null"]},
}


_TEXT: Final = {"type": "string"}

_ENTRIES: Final = (
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


class _Records(NamedTuple):
    """An answer that is a list of records, with the columns that a question may add."""

    title: str
    windows: Columns = (ESTIMATOR, MODEL, THRESHOLD)
    others: str = "the columns of --by"


_MODEL: Final = replace(MODEL, meaning="the model, other than the champion", optional=False)
_THRESHOLD: Final = replace(THRESHOLD, meaning="the threshold", optional=False)
_BESIDE: Final = "Groups beside their reference"

_RECORDS: Final = {
    "audit": _Records("Metrics with intervals and verdicts"),
    "bounds": _Records("The range of metrics over the groups of unknown rows"),
    "plan": _Records("What rows can show, and how many would settle a verdict"),
    "compare": _Records("A reported number beside that of the rows", (), ""),
    "rates": _Records("Counts and rates of groups"),
    "worst_groups": _Records(
        "Groups of several facets, the worst first",
        others="the columns of --by and --facet, and for each facet whether the group fixes it",
    ),
    "decompose": _Records("Contributions of strata", others="the columns of --by and --subgroup"),
    "drivers": _Records("What controls account for"),
    "switches": _Records(
        "The rows that a model decides otherwise than the champion", (_MODEL, THRESHOLD)
    ),
    "pairs": _Records("Cases that are decided otherwise for another group"),
    "choose": _Records(
        "What each threshold achieves",
        (ESTIMATOR, MODEL, _THRESHOLD),
        "the columns of --by, what is maximised, and each metric at its worst",
    ),
    "hiring_impact_ratios": _Records("Rates and impact ratios of categories of people", ()),
    "hiring_adverse_impact": _Records("Groups beside the group with the highest rate", ()),
    "lending_table": _Records(_BESIDE),
    "lending_quantiles": _Records(
        f"{_BESIDE}, where the best shares by score are accepted", (MODEL,)
    ),
    "lending_segments": _Records(f"{_BESIDE} over the segments"),
    "pay_table": _Records("The numbers about pay that a rule has employers report", ()),
    "metrics": _Records("The catalogue of metrics", (), ""),
}


_REPORT: Final = {
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


def _texts(*names: str, optional: Iterable[str] = ()) -> dict[str, Any]:
    """An object that holds texts under these names."""
    return _object(dict.fromkeys((*names, *optional), _TEXT), names)


def _object(properties: Mapping[str, Any], required: Iterable[str] | None = None) -> dict[str, Any]:
    """An object with these properties, all required unless some are named."""
    needed = {"required": [*(properties if required is None else required)]}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def _documents() -> dict[str, tuple[str, dict[str, Any], dict[str, Any]]]:
    """The title of each report in JSON, what it says about itself, and its answers."""
    of_page = [row.name for row in OF_PAGE]
    of_audit = {
        "data": _texts("digest"),
        "policy": _or_null(_texts("name", "version", "hash")),
        "question": {"type": "object", "additionalProperties": _TEXT},
        "audit": _nested_schema("audit"),
        "rates": _nested_schema("rates"),
        "decompose": {"type": "object", "additionalProperties": _nested_schema("decompose")},
    }
    return {"document": ("A report as JSON", _texts(optional=of_page), of_audit)}


_DOCUMENTS: Final = ("document",)

ANSWERS: Final = tuple(sorted([*_RECORDS, *_DOCUMENTS, "report"]))
"""The answers that have a schema: those of commands, "report", "document" and the like."""


@cache
def schema_of(answer: str) -> dict[str, Any]:
    """The schema of an answer.

    Examples
    --------
    >>> from polars_fairness.cli.formats import schema_of
    >>> schema_of("audit")["$id"]
    'urn:polars-fairness:audit:1'
    """
    known = {SCHEMA: {"const": identity_of(answer)}}
    if answer in _RECORDS:
        title, rest = _RECORDS[answer].title, _records(answer)
    elif answer == "report":
        title = "An audit as a flat dictionary"
        rest = {"type": "object", "properties": known, "required": [SCHEMA], **_REPORT}
    else:
        title, about, answers = _documents()[answer]
        package = _texts("name", "version")
        document = {**known, "title": _TEXT, "about": about, "package": package, **answers}
        rest = {**_object(document), "$defs": _DEFINITIONS}
    return {"$schema": _DRAFT, "$id": identity_of(answer), "title": title, **rest}


def _nested_schema(name: str) -> dict[str, Any]:
    """The schema of an answer inside a document, which has the definitions."""
    return {key: value for key, value in _records(name).items() if key != "$defs"}


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _records(name: str) -> dict[str, Any]:
    others = _RECORDS[name].others
    columns = _ENTRIES if name == "metrics" else (*_RECORDS[name].windows, *COLUMNS[name])
    known = [each for each in columns if each.type != "struct"]
    further = {"description": others, "$ref": "#/$defs/value"}
    record = {
        "type": "object",
        "properties": {
            SCHEMA: {"const": identity_of(name)},
            **{each.name: _property(each) for each in known},
        },
        "required": [SCHEMA, *(each.name for each in known if not each.optional)],
        "additionalProperties": further if others else False,
    }
    return {"type": "array", "items": record, "$defs": _DEFINITIONS}


def _property(column: Column) -> dict[str, Any]:
    kind = "number" if column.type == "size" else column.type
    holds = {"enum": [*column.words, None]} if column.words else {"$ref": f"#/$defs/{kind}"}
    return {"description": column.meaning, **holds}


Labels = Mapping[str, str]
Samples = Iterable[tuple[Labels, float | None]]

_ESCAPED: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
# Texts about values: a series has the same labels on every day.
_OF_VALUES: Final = ("note", "against")
# The label of a second sample whose other labels are the same.
_NUMBER: Final = "number"


def as_openmetrics(answer: pl.DataFrame, name: str) -> str:
    """Each number of an answer as a gauge; the columns that say what it is about are its labels.

    An undefined number has no sample. A verdict is a gauge for each of its words, 1 for the one
    that holds and 0 for the others: the type "stateset" of OpenMetrics is an error to the textfile
    collector of node_exporter.
    """
    known, answer = schema_of(name)["items"]["properties"], answer.drop(_OF_VALUES, strict=False)
    windows = answer.columns[: answer.columns.index("facet")]
    words = {
        column: [word for word in known[column]["enum"] if word is not None]
        for column in answer.columns
        if column not in windows and "enum" in known[column]
    }
    texts = [column for column, dtype in answer.schema.items() if dtype == pl.String]
    about = [*windows, *(each for each in texts if each not in (*windows, *words))]
    labels = _labels(answer, _names(about, [*words, _NUMBER]))
    lines: list[str] = []
    for column in (each for each in answer.columns if each not in about):
        samples: Any = [*zip(labels, answer[column], strict=True)]
        if column in words:
            samples = [
                ({**own, column: word}, word == held)
                for own, held in samples
                if held is not None
                for word in words[column]
            ]
        family = f"polars_fairness_{name}_{column}"
        lines += _family(family, known[column]["description"], samples)
    if "value" in answer.columns and "value" not in about:
        undefined: Any = zip(labels, answer["value"].is_null(), strict=True)
        lines += _family(f"polars_fairness_{name}_undefined", "1 if there is no value", undefined)
    return "\n".join([*lines, "# EOF", ""])


def _names(columns: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """A label for each column, of the characters that labels may have, and each another one."""
    labels: dict[str, str] = {}
    used = {*taken}
    for column in columns:
        plain = re.sub(r"\W", "_", column, flags=re.ASCII)
        label = plain if re.match("[A-Za-z]", plain) else f"by_{plain.strip('_')}"
        numbered = (f"{label}_{number}" for number in count(2))
        labels[column] = next(each for each in chain([label], numbered) if each not in used)
        used.add(labels[column])
    return labels


def _labels(answer: pl.DataFrame, names: Mapping[str, str]) -> list[Labels]:
    """The labels of each row; of rows with the same, the second has a number.

    To Prometheus a label without text is no label, and the groups ("A & B", "C") and
    ("A", "B & C") have the same text.
    """
    times: Counter[tuple[str, ...]] = Counter()
    labels: list[Labels] = []
    for row in answer.iter_rows(named=True):
        texts = {
            label: "" if row[column] is None else value_in_words(row[column])
            for column, label in names.items()
        }
        times[tuple(texts.values())] += 1
        number = times[tuple(texts.values())]
        given = {label: text for label, text in texts.items() if text}
        labels.append(given if number == 1 else {**given, _NUMBER: str(number)})
    return labels


def _family(name: str, meaning: str, samples: Samples) -> Iterator[str]:
    """The lines of one metric; none without a sample."""
    lines = [
        f"{name}{_written(labels)} {_number(float(number))}"
        for labels, number in samples
        if number is not None and not isnan(number)
    ]
    if lines:
        yield f"# HELP {name} {meaning[0].upper()}{meaning[1:]}."
        yield f"# TYPE {name} gauge"
        yield from lines


def _written(labels: Labels) -> str:
    pairs = [f'{label}="{text.translate(_ESCAPED)}"' for label, text in labels.items()]
    return f"{{{','.join(pairs)}}}" if pairs else ""


def _number(number: float) -> str:
    if isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    return f"{number:.0f}" if number.is_integer() and abs(number) < 1e15 else repr(number)


def as_json(frame: pl.DataFrame, answer: str) -> str:
    """A list of records, one per line; programs that read a list could not read an object."""
    with about("--format"):
        records = [json.dumps(each, ensure_ascii=False) for each in records_of(frame, answer)]
    return "[\n" + ",\n".join(f"  {record}" for record in records) + "\n]" if records else "[]"


def as_csv(frame: pl.DataFrame, _answer: str) -> str:
    """Comma-separated values that no spreadsheet takes for formulas.

    Text that begins like a formula gets an apostrophe before it, as OWASP advises. Numbers are
    unchanged.
    """
    names = pl.DataFrame([frame.columns], orient="row")
    texts = (cs.string() | cs.categorical() | cs.enum()).cast(pl.String)
    unlike_formulas = texts.str.replace(r"\A[=+\-@\t\r\n]", "'${0}")
    return "".join(
        part.with_columns(unlike_formulas).write_csv(include_header=False)
        for part in (names, frame)
    )


def as_markdown(frame: pl.DataFrame, _answer: str) -> str:
    """A table in Markdown."""
    rows = [frame.columns, ["---"] * frame.width, *frame.iter_rows()]
    written = (
        ("" if value is None else printable(as_text(str(value))) for value in row) for row in rows
    )
    return "\n".join(f"| {' | '.join(row)} |" for row in written)


Writer = Callable[[pl.DataFrame, str], str]

WRITERS: Final[Mapping[str, Writer]] = dict(
    zip(MONITORED, (as_json, as_csv, as_markdown, as_openmetrics), strict=True)
)
"""Functions of an answer and of its name, such as "audit", by their format."""
