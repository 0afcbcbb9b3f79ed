"""The formats in which a command prints answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from math import isinf, isnan
from typing import Any, Final

import polars as pl
import polars.selectors as cs

from polars_fairness.api.columns import ANSWERS as COLUMNS
from polars_fairness.cli.options import MONITORED
from polars_fairness.reporting.outputs.markdown import as_text
from polars_fairness.reporting.outputs.records import records_of
from polars_fairness.reporting.parts import printable
from polars_fairness.reporting.words import raw_text

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
    that holds and 0 for the others: the textfile collector of node_exporter rejects the type
    "stateset" of OpenMetrics.
    """
    answer = answer.drop(_OF_VALUES, strict=False)
    windows = answer.columns[: answer.columns.index("facet")]
    known = {each.name: each for each in COLUMNS[name] if each.name not in windows}
    words = {name: each.words for name, each in known.items() if each.words}
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
        lines += _family(family, known[column].meaning, samples)
    if "value" in answer.columns and "value" not in about:
        undefined: Any = zip(labels, answer["value"].is_null(), strict=True)
        lines += _family(f"polars_fairness_{name}_undefined", "1 if there is no value", undefined)
    return "\n".join([*lines, "# EOF", ""])


def _names(columns: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """A unique label for each column, with the characters that labels may have."""
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
    """The labels of each row; a row with the labels of an earlier one gets a number.

    For Prometheus, an empty label is no label, and the groups ("A & B", "C") and ("A", "B & C")
    have the same text.
    """
    times: Counter[tuple[str, ...]] = Counter()
    labels: list[Labels] = []
    for row in answer.iter_rows(named=True):
        texts = {
            label: "" if row[column] is None else raw_text(row[column])
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


def as_json(frame: pl.DataFrame, _answer: str) -> str:
    """A list of records, one per line; programs that read a list could not read an object."""
    records = [json.dumps(each, ensure_ascii=False) for each in records_of(frame)]
    return "[\n" + ",\n".join(f"  {record}" for record in records) + "\n]" if records else "[]"


def as_csv(frame: pl.DataFrame, _answer: str) -> str:
    """Comma-separated values that no spreadsheet takes for formulas.

    Text that looks like a formula gets an apostrophe before it, as OWASP advises.
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
