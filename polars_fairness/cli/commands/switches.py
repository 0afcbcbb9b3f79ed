"""The command `switches`: the rows that a model decides otherwise than the champion."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from textwrap import dedent
from typing import Final

import polars_fairness as pf
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.files import files_of
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
)
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Option
from polars_fairness.question.audit_arguments import CHAMPION
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer

_CHAMPION: Final = replace(CHAMPION, option=Option("columns"))

_EXAMPLES: Final = dedent("""\
    example:
      polars-fairness switches loans.parquet --facet sex --predicted champion=approved \\
          --predicted challenger=score --threshold challenger=0.5 --champion champion
    """)


def add_switches(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "switches",
        switches,
        summary="count the rows that a model decides otherwise than the champion",
        description="Count the rows of every group that a model newly accepts or newly rejects, "
        "beside the champion.",
        examples=_EXAMPLES,
    )
    add_arguments(command, "columns", "reading", own=[_CHAMPION], without=("subgroup", "features"))
    add_format(command, MONITORED)


def switches(typed: Namespace) -> int:
    """Print the rows that switch."""
    arguments = vars(typed)
    if "champion" not in arguments:
        raise FairnessError("champion: not given; name the model that the others are compared with")
    compute = partial(pf.switches, champion=arguments["champion"])
    answer = answer_about(files_of(typed.paths), arguments, compute)
    return say_answer(typed, answer, lambda: in_terminal(layout_of(Answer("switches", answer))))
