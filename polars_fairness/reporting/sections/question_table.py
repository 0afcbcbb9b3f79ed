"""The table of the question: every argument of the call, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.counting.rows import is_frame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import (
    BANDS,
    BASELINE,
    COLUMN,
    COLUMNS,
    CONFIDENCE,
    FLAG,
    HOW_MANY,
    METRICS,
    MODELS,
    NAMES,
    NUMBERS,
    OF_QUESTION,
    Argument,
    Kind,
)
from polars_fairness.question.audit_arguments import HARM, OF_AUDIT, SEQUENTIAL
from polars_fairness.question.columns import Probabilities
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.parts import Head, Table
from polars_fairness.reporting.words import band, column_in_words, confidence_in_words

_MOST_NUMBERS: Final = 10


def question_table(findings: Findings) -> Table:
    """The arguments that have a part in the answer, with what was given and what it means."""
    given = {
        **findings.question,
        **vars(findings.options),
        METRICS.name: findings.requested,
        HARM.name: findings.harm,
    }
    return arguments_table(given, (*OF_QUESTION, METRICS, *OF_AUDIT, HARM))


def arguments_table(given: Mapping[str, Any], arguments: Iterable[Argument]) -> Table:
    """The table of some arguments, with what was given for each."""
    return Table(
        "The question, argument by argument",
        [
            Head("Argument", lambda row: row.name),
            Head("Given", lambda row: _written(row, given[row.name])),
            Head("Meaning", lambda row: row.sentence),
        ],
        [*_with_a_part(given, arguments)],
    )


def _with_a_part(given: Mapping[str, Any], arguments: Iterable[Argument]) -> Iterator[Argument]:
    """The arguments that are given, without the options of what is switched off."""
    for row in arguments:
        nothing = False if row.kind is FLAG else None
        is_left_out = row.default is nothing and given.get(row.name) is nothing
        # Sequential audits have intervals of their own, in place of the parts of the others.
        is_off = row.part_of and (given[row.part_of] is None or given.get(SEQUENTIAL.name))
        if row.name in given and not is_left_out and not is_off:
            yield row


def _written(argument: Argument, value: object) -> str:
    return _WRITERS.get(argument.kind, _values)(value)


def _columns(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{model}: {_columns(column)}" for model, column in given.items())
    if isinstance(given, list | tuple):
        return ", ".join(map(_columns, given))
    name = column_in_words(given)
    if isinstance(given, Probabilities):
        return f"{name}, in probability: {_values(given.columns)}"
    is_computed = isinstance(given, pl.Expr) and not given.meta.is_column()
    return f"{name}, computed as {given}" if is_computed else name


def _values(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{key}: {_values(value)}" for key, value in given.items())
    if isinstance(given, list | tuple | set | frozenset):
        return ", ".join(map(_values, given))
    return str(given)


def _numbers(given: ThresholdLike) -> str:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) <= _MOST_NUMBERS:
        return _values(given)
    return f"{len(given):,} from {min(given):g} to {max(given):g}"


def _metrics(metrics: tuple[str | Metric, ...]) -> str:
    names = [metric if isinstance(metric, str) else metric.name for metric in metrics]
    return ", ".join(names) or "all that the columns given allow"


def _confidence(confidence: float | None) -> str:
    return "no intervals" if confidence is None else confidence_in_words(confidence)


def _bands(bands: Mapping[str, tuple[float, float] | None]) -> str:
    return "; ".join(f"{name}: {band(limits)}" for name, limits in bands.items())


def _baseline(given: object) -> str:
    return f"a {type(given).__name__}" if is_frame(given) else _values(given)


_WRITERS: Final[Mapping[Kind, Callable[[Any], str]]] = {
    COLUMN: _columns,
    COLUMNS: _columns,
    MODELS: _columns,
    NAMES: _metrics,
    NUMBERS: _numbers,
    CONFIDENCE: _confidence,
    HOW_MANY: "{:,}".format,
    BANDS: _bands,
    BASELINE: _baseline,
}
