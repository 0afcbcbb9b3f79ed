"""The command `bounds`: how far rows of unknown group could move a metric."""

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
)
from polars_fairness.cli.typed import judging_of
from polars_fairness.question.arguments import METRICS
from polars_fairness.question.audit_arguments import OF_BOUNDS, OF_INTERVALS, PROXY
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness bounds loans.parquet --metric di --facet race \\
          --disfavored Black --favored White --predicted approved
    """)


def add_bounds(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "bounds",
        bounds,
        summary="compute how far rows of unknown group could move a metric",
        description="Compute the smallest and the largest value that metrics can have, whatever "
        "the group of the rows of unknown group is.",
        examples=_EXAMPLES,
    )
    own = (METRICS, *OF_BOUNDS)
    add_arguments(
        command,
        *("columns", "reading", "sides", "certainty"),
        own=own,
        without=("subgroup", "features", "cluster"),
    )
    add_format(command)


def bounds(typed: Namespace) -> int:
    """Print the range of each metric."""
    arguments = vars(typed)
    options = {row.name: arguments[row.name] for row in OF_INTERVALS if row.name in arguments}
    options |= judging_of(arguments)
    options |= {PROXY.name: arguments[PROXY.name]} if PROXY.name in arguments else {}
    metrics = arguments.get("metrics", [])

    def compute(rows: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
        found: pl.LazyFrame = pf.bounds(rows, *metrics, **options, **question)
        return found

    answer = answer_about(files_of(typed.paths), arguments, compute)
    return say_answer(typed, answer, lambda: in_terminal(layout_of(Answer("bounds", answer))))
