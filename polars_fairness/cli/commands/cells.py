"""The command `cells`: rows counted into cells, for later audits."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
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
from polars_fairness.question.audit_arguments import HIDE_BELOW

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness cells loans/ --facet sex --facet race --label repaid \\
          --predicted approved --by month --output cells.parquet
      polars-fairness audit cells.parquet --facet sex --label repaid --predicted approved --count n

      polars-fairness cells loans/ --facet sex --label repaid --score score --resolution 0.001 \\
          --output scores.parquet
      polars-fairness choose scores.parquet --facet sex --label repaid --score score \\
          --resolution 0.001 --count n --metric di
    """)


def add_cells(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "cells",
        cells,
        summary="count rows into cells, for a later audit with --count n",
        description="Count the rows of every combination of values of the columns.",
        examples=_EXAMPLES,
    )
    add_arguments(command, "columns", "reading", "certainty", own=[HIDE_BELOW])
    add_table_file(command, "; default CSV on stdout")


def cells(typed: Namespace) -> int:
    """Count rows into cells, and write or print the cells."""
    arguments = vars(typed)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)
    with output_of(arguments, "output", files) as file:
        given = {each: arguments[each] for each in [HIDE_BELOW.name] if each in arguments}
        compute = partial(pf.cells, **given)
        counted = answer_about(files, arguments, compute)
        if write is not None and file is not None:
            write(counted, file)
    if write is None:
        say(counted.write_csv())
    return 0
