"""The command `lending`: groups beside their reference, by share accepted and by segment."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.prescribed import (
    Table,
    Tables,
    answered,
)
from polars_fairness.cli.typed import question_of
from polars_fairness.errors import FairnessError
from polars_fairness.lending.arguments import (
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
    SHARES_ACCEPTED,
)
from polars_fairness.question.arguments import Argument, Question, defaults, named

_TABLE, _QUANTILES, _SEGMENTS = "table", "quantiles", "segments"
_ARGUMENTS: Final[Mapping[str, Sequence[Argument]]] = {
    _TABLE: OF_LENDING_TABLE,
    _QUANTILES: OF_QUANTILES,
    _SEGMENTS: OF_SEGMENTS,
}

_LIMITS: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance")
)


def run(typed: Namespace) -> int:
    """Print the tables, write the page, and check the gate."""
    arguments = vars(typed)
    return answered(typed, partial(_tables, arguments))


def _tables(arguments: Mapping[str, Any], rows: pl.LazyFrame) -> Tables:
    schema = rows.collect_schema()
    question = question_of(arguments, schema)
    if "shares" in arguments and not _has_scores(question, schema):
        raise FairnessError(
            "--shares: the best rows by score are accepted, and --score was not given; give it"
        )
    return Tables(
        by_name={
            _TABLE: Table(
                lambda: pf.lending.table(rows, **_given(_TABLE, arguments, question)),
                "lending_table",
            ),
            _QUANTILES: Table(
                lambda: pf.lending.quantiles(rows, **_given(_QUANTILES, arguments, question)),
                "lending_quantiles",
            ),
            _SEGMENTS: Table(
                lambda: pf.lending.segments(rows, **_given(_SEGMENTS, arguments, question)),
                "lending_segments",
            ),
        },
        shown=[*_shown(arguments)],
        judged=_TABLE,
        ratio="air",
        notes=partial(_notes, arguments),
        question=question,
        report=lambda: pf.lending.report(
            rows, **_typed(arguments, (*OF_LENDING_TABLE, SHARES_ACCEPTED)), **question
        ),
    )


def _has_scores(question: Question, schema: pl.Schema) -> bool:
    """Whether there is a score, as predictions of models or of a column of numbers may be."""
    predicted = question.get("predicted")
    if isinstance(predicted, str):
        is_number = predicted not in schema or schema[predicted].is_numeric()
        return is_number or question.get("score") is not None
    return predicted is not None or question.get("score") is not None


def _shown(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The tables that the typed arguments are about: with shares alone, there are no decisions."""
    has_shares = "shares" in arguments
    has_decisions = not has_shares or {"predicted", "threshold"} & arguments.keys()
    if has_decisions:
        yield _TABLE
    if has_shares:
        yield _QUANTILES
    if has_decisions and "subgroup" in arguments:
        yield _SEGMENTS


def _given(name: str, arguments: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """The arguments of one of the tables; shares decide by the score in place of decisions."""
    left_out = set() if name == _SEGMENTS else {"subgroup"}
    if name == _QUANTILES:
        left_out |= {"threshold"}
        if "score" in question:
            left_out |= {"predicted", "positive"}
    of_question = {role: value for role, value in question.items() if role not in left_out}
    return {**_typed(arguments, _ARGUMENTS[name]), **of_question}


def _typed(arguments: Mapping[str, Any], rows: Iterable[Argument]) -> dict[str, Any]:
    return {row.name: arguments[row.name] for row in rows if row.name in arguments}


def _notes(arguments: Mapping[str, Any], answer: pl.DataFrame) -> Iterator[str]:
    """What is flagged."""
    if "is_flagged" in answer.columns:
        ratio, points, significance = (arguments.get(*limit) for limit in _LIMITS.items())
        yield f"flagged: air below {ratio:g}, points above {points:g} and p below {significance:g}"
