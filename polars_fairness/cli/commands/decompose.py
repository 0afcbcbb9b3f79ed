"""The command `decompose`: the contributions of the strata to a conditional metric."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from textwrap import dedent
from typing import Final

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
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness decompose applicants.parquet --metric cddpl --facet sex \\
          --disfavored Female --predicted admitted --subgroup department
    """)


def add_decompose(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "decompose",
        decompose,
        summary="compute what each stratum contributes to a conditional metric",
        description="Compute the contribution of every stratum to a conditional metric. The "
        "strata are the values of --subgroup.",
        examples=_EXAMPLES,
    )
    add_metric(command, "the conditional metric: cddpl, cddl, or another average over strata")
    add_arguments(command, "columns", "reading", "sides", "certainty", without=("features",))
    add_format(command)


def decompose(typed: Namespace) -> int:
    """Print the contributions, the largest first."""
    compute = partial(pf.decompose, metric=typed.metric)
    answer = answer_about(files_of(typed.paths), vars(typed), compute)
    return say_answer(typed, answer, lambda: in_terminal(layout_of(Answer("decompose", answer))))
