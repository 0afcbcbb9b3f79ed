"""The command `compare`: a reported number beside that of the rows."""

from __future__ import annotations

from argparse import Namespace
from textwrap import dedent
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.files import files_of
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
    add_metric,
)
from polars_fairness.question.audit_arguments import REPORTED
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness compare loans.parquet --metric aif360.average_odds_difference \\
          --reported 0.2029 --facet sex --disfavored F --label repaid --predicted approved
    """)


def add_compare(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "compare",
        compare,
        summary="say whether rows give a reported number, and by which conventions if not",
        description="Compute a metric, also another tool's, and say whether it is the number that "
        "was reported. If it is not, the conventions by which tools differ are tried.",
        examples=_EXAMPLES,
    )
    add_metric(command, "the metric that was reported, such as aif360.average_odds_difference")
    own = (REPORTED,)
    without = ("features", "by", "every", "period", "classes", "cluster", "estimator")
    add_arguments(command, "columns", "reading", "sides", "certainty", own=own, without=without)
    add_format(command)


def compare(typed: Namespace) -> int:
    """Print whether the number is that of the rows, and why not."""
    arguments = vars(typed)

    def compute(rows: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
        return pf.compare(rows, typed.metric, reported=typed.reported, **question).lazy()

    answer = answer_about(files_of(typed.paths), arguments, compute)
    return say_answer(typed, answer, lambda: in_terminal(layout_of(Answer("compare", answer))))
