"""The command `rates`: the counts and rates of every group."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from textwrap import dedent
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.catalogue.dialects import columns_of_tool
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.files import files_of
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
)
from polars_fairness.cli.typed import windows_made
from polars_fairness.formula.measures import MEASURES
from polars_fairness.question.audit_arguments import HIDE_BELOW, NAMES_OF_TOOL
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.shown.layouts import Layout, rates_layout
from polars_fairness.reporting.shown.recognised import Answer

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
    add_arguments(
        command,
        "columns",
        "reading",
        "certainty",
        own=[HIDE_BELOW, NAMES_OF_TOOL],
        without=("subgroup", "features"),
    )
    add_format(command, MONITORED)


def rates(typed: Namespace) -> int:
    """Print the rates of groups."""
    arguments = vars(typed)
    # A table of the terminal is laid out by our names, and its titles are the tool's.
    names = None if typed.format in ("table", "openmetrics") else arguments.get("names")
    compute = partial(pf.rates, names=names, hide_below=arguments.get(HIDE_BELOW.name))
    answer = answer_about(files_of(typed.paths), arguments, compute)
    return say_answer(typed, answer, lambda: rates_in_terminal(answer, arguments))


def rates_in_terminal(
    rated: pl.DataFrame, arguments: Mapping[str, Any], most: int | None = None
) -> str:
    """The table of rates, and one of what scores say, which is the same at each threshold."""
    layout = _layout(rated, arguments, most)
    left_out = set() if rated["rows_dropped"].sum() else {"rows_dropped"}
    of_scores = [name for name in layout.columns if name in MEASURES]
    others = [name for name in layout.columns if name not in {*of_scores, *left_out}]
    if not of_scores:
        return in_terminal(layout.of(others))
    once = rated
    if THRESHOLD in windows_made(rated, arguments):
        names = [name for name in rated.columns[: rated.columns.index("n")] if name != THRESHOLD]
        once = rated.drop(THRESHOLD).unique(names, maintain_order=True)
    about = [name for name in others if name in ("model", "n", "rows_dropped", "base_rate")]
    tables = [layout.of(others)] if others != about else []
    return "\n\n".join(
        map(in_terminal, [*tables, _layout(once, arguments, most).of([*about, *of_scores])])
    )


def _layout(rated: pl.DataFrame, arguments: Mapping[str, Any], most: int | None) -> Layout:
    """The table of rates, with the titles of the tool whose names are typed."""
    layout = rates_layout(Answer("rates", rated), most)
    there = columns_of_tool(arguments.get("names"))
    titled = {
        name: replace(column, title=there.get(name, column.title))
        for name, column in layout.columns.items()
    }
    return replace(layout, columns=titled)
