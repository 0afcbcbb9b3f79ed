"""The command `lending`: groups beside their reference, by share accepted and by segment."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from textwrap import dedent
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.options import Commands, add_arguments, add_command_on_files
from polars_fairness.cli.prescribed import (
    Table,
    Tables,
    add_tables,
    answered,
    left_out,
)
from polars_fairness.cli.typed import PROBABILITIES, REFERENCE, question_of
from polars_fairness.errors import FairnessError
from polars_fairness.lending.arguments import (
    OF_LENDING_QUESTION,
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
    SHARES_ACCEPTED,
)
from polars_fairness.question.arguments import Argument, Question, defaults, named
from polars_fairness.question.document_arguments import OF_PAGE
from polars_fairness.reporting.outputs.text_tables import GAP, wrapped
from polars_fairness.reporting.shown.prescribed import (
    lending_layout,
    quantiles_layout,
    segments_layout,
)

_TABLE, _QUANTILES, _SEGMENTS = "table", "quantiles", "segments"
_ARGUMENTS: Final[Mapping[str, Sequence[Argument]]] = {
    _TABLE: OF_LENDING_TABLE,
    _QUANTILES: OF_QUANTILES,
    _SEGMENTS: OF_SEGMENTS,
}

_LIMITS: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance")
)

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness lending loans.parquet --facet race --favored White --predicted approved \\
          --score score
      polars-fairness lending loans.parquet --facet race --reference highest --score score \\
          --threshold 0.5 --shares 0.1,0.2,0.5 --subgroup branch --fail-on flagged

    """)


def add_lending(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "lending",
        lending,
        summary="compare groups with a reference by the numbers that fair lending looks at",
        description="Compare groups with a reference by the adverse impact ratio, percentage "
        "points, the odds ratio and the standardised mean difference of scores; with --shares also "
        "where the best shares by score are accepted, with --subgroup also over the segments.",
        examples=_EXAMPLES,
    )
    own = dict.fromkeys(row for rows in (*_ARGUMENTS.values(), OF_PAGE) for row in rows)
    add_arguments(
        command,
        *("columns", "reading", "sides", "certainty", "document"),
        own=own,
        shared=(*OF_LENDING_QUESTION, PROBABILITIES, REFERENCE),
        without=("label", "label_threshold", "features"),
    )
    add_tables(
        command, [*_ARGUMENTS], "beyond --minimum-ratio, --maximum-points and --significance"
    )


def lending(typed: Namespace) -> int:
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
                lending_layout,
            ),
            _QUANTILES: Table(
                lambda: pf.lending.quantiles(rows, **_given(_QUANTILES, arguments, question)),
                quantiles_layout,
            ),
            _SEGMENTS: Table(
                lambda: pf.lending.segments(rows, **_given(_SEGMENTS, arguments, question)),
                segments_layout,
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


def _notes(arguments: Mapping[str, Any], answer: pl.DataFrame, width: int) -> Iterator[str]:
    """The rows that are unknown or left out, and what is flagged."""
    yield from left_out(answer, arguments.get("by", []), width)
    if "is_flagged" in answer.columns:
        ratio, points, significance = (arguments.get(*limit) for limit in _LIMITS.items())
        text = f"flagged: air below {ratio:g}, points above {points:g} and p below {significance:g}"
        yield from wrapped(text, width, GAP)
