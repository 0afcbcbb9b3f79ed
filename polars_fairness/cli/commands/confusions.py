"""The command `confusions`: a confusion matrix of each group."""

from __future__ import annotations

from argparse import Namespace
from textwrap import dedent
from typing import Final

import polars_fairness as pf
from polars_fairness.cli.answers import answer_about
from polars_fairness.cli.files import files_of, writer_for
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_table_file,
)
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import say

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness confusions visits.parquet --facet sex --label needed --predicted given
      polars-fairness confusions visits.parquet --facet sex --label needed --predicted given \\
          --by hospital --output matrices.parquet
    """)


def add_confusions(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "confusions",
        confusions,
        summary="print a confusion matrix of each group, of any number of classes",
        description="Count, in each group, the rows of each class that are predicted as each.",
        examples=_EXAMPLES,
    )
    add_arguments(command, "columns", "reading")
    add_table_file(command, "; default CSV on stdout")


def confusions(typed: Namespace) -> int:
    """Count the classes of each group, and write or print the matrices."""
    arguments = vars(typed)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)
    with output_of(arguments, "output", files) as file:
        counted = answer_about(files, arguments, pf.confusions)
        if write is not None and file is not None:
            write(counted, file)
    if write is None:
        say(counted.write_csv())
    return 0
