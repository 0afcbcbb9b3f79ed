"""The arguments of a call in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import polars as pl

from polars_fairness.formula.metric import Metric
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.parts import Cell, Table
from polars_fairness.reporting.words import band, column_in_words, confidence_in_words


def question_table(findings: Findings) -> Table:
    """List every argument given, and what it means."""
    given = [
        (argument, meaning, _value(findings.question, argument))
        for argument, meaning in _OF_QUESTION.items()
        if findings.question.get(argument) is not None
    ]
    rows = [*given, *_of_audit(findings.terms)]
    return Table(
        caption="The question, argument by argument",
        heads=("Argument", "Given", "Meaning"),
        rows=tuple(
            (Cell(argument), Cell(value), Cell(meaning)) for argument, meaning, value in rows
        ),
    )


_OF_QUESTION: Final = {
    "facet": "The sensitive attributes; each is compared on its own.",
    "disfavored": "Side d, whom the question is about.",
    "favored": "Side a, with whom d is compared.",
    "label": "The outcome as it was observed.",
    "predicted": "The outcome as it was predicted or decided.",
    "positive": "The outcomes that count as positive.",
    "threshold": "A predicted score is positive from here on.",
    "label_threshold": "An observed number is positive from here on.",
    "subgroup": "Conditional metrics compare like with like within these.",
    "features": "What tells how alike two individuals are.",
    "by": "Everything is computed once for each combination of these.",
    "weight": "How much each row counts.",
    "count": "How many rows each row stands for.",
    "nulls": "What a missing outcome, feature, weight or count does.",
    "zero_division": "What 0/0 is taken for; None leaves it undefined.",
}

_COLUMNS: Final = ("facet", "label", "predicted", "subgroup", "features", "by", "weight", "count")


def _value(question: Mapping[str, Any], argument: str) -> str:
    value = question[argument]
    return _columns(value) if argument in _COLUMNS else _values(value)


def _columns(given: object) -> str:
    if isinstance(given, list | tuple):
        return ", ".join(map(_columns, given))
    name = column_in_words(given)
    is_computed = isinstance(given, pl.Expr) and not given.meta.is_column()
    return f"{name}, computed as {given}" if is_computed else name


def _values(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{key}: {_values(value)}" for key, value in given.items())
    if isinstance(given, list | tuple | set | frozenset):
        return ", ".join(map(_values, given))
    return str(given)


def _of_audit(terms: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What was asked of `audit`; what has no part in the answer is left out."""
    asked = [("metrics", "What is measured.", _metrics(terms["metrics"]))]
    if terms["confidence"] is None:
        return [*asked, ("confidence", "No intervals beside the metrics.", "None"), *_more(terms)]
    return [
        *asked,
        ("confidence", "How sure the intervals are.", confidence_in_words(terms["confidence"])),
        ("method", "How the intervals of metrics are found.", str(terms["method"])),
        ("replicates", "How many samples a bootstrap draws.", f"{terms['replicates']:,}"),
        ("seed", "Where its random numbers start.", str(terms["seed"])),
        *_more(terms),
    ]


def _metrics(metrics: tuple[str | Metric, ...]) -> str:
    names = [metric if isinstance(metric, str) else metric.name for metric in metrics]
    return ", ".join(names) or "all that the columns given allow"


def _more(terms: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    meant: dict[str, tuple[str, Callable[[Any], str]]] = {
        "bands": ("Bands in place of the catalogue's.", _bands),
        "minimum_count": ("A side with fewer rows is called small.", str),
        "p_values": ("How p-values are found.", str),
    }
    return [
        (argument, meaning, write(terms[argument]))
        for argument, (meaning, write) in meant.items()
        if terms[argument] is not None
    ]


def _bands(bands: Mapping[str, tuple[float, float] | None]) -> str:
    return "; ".join(f"{name}: {band(limits)}" for name, limits in bands.items())
