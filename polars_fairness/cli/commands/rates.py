"""The command `rates`: the counts and rates of every group."""

from __future__ import annotations

from argparse import Namespace
from textwrap import dedent
from typing import Final

import polars_fairness as pf
from polars_fairness.cli.answer_tables import rates_table
from polars_fairness.cli.answers import answer_about, say_answer
from polars_fairness.cli.files import files_of
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
)
from polars_fairness.cli.printed import width
from polars_fairness.cli.typed import windows_made

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness rates loans.parquet --facet sex --label repaid --predicted approved
      polars-fairness rates loans.parquet --facet sex --label repaid --score score
      polars-fairness rates loans/ --facet race --predicted score --threshold 0.5 --by month \\
          --format csv
    """)


def add_rates(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "rates",
        rates,
        summary="compute the counts and rates of every group",
        description="Compute the counts and rates of every group, and of all rows. A table shows "
        "the rates that fit the terminal; the other formats have all, and the counts.",
        examples=_EXAMPLES,
    )
    add_arguments(command, "columns", "reading", "certainty", without=("subgroup", "features"))
    add_format(command, MONITORED)


def rates(typed: Namespace) -> int:
    """Print the rates of groups."""
    arguments = vars(typed)
    answer = answer_about(files_of(typed.paths), arguments, pf.rates)
    made = windows_made(answer, arguments)
    return say_answer(typed, answer, lambda: rates_table(answer, width(), made=made))
