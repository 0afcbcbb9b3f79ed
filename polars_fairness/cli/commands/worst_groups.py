"""The command `worst-groups`: groups of several facets, the worst first."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from dataclasses import replace
from functools import partial
from textwrap import dedent
from typing import Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.worst_groups import ranking_metric
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.files import files_of
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
    add_metric,
)
from polars_fairness.formula.groups import Each
from polars_fairness.question.audit_arguments import OF_WORST_GROUPS
from polars_fairness.reporting.plain_words import heading, number
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness worst-groups loans.parquet --metric spsf --facet sex --facet race \\
          --predicted approved
      polars-fairness worst-groups stops.csv --metric selection_rate_gap --facet sex --facet race \\
          --facet age --predicted searched --unfavorable --depth 2 --minimum-count 100
    """)


def add_worst_groups(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "worst-groups",
        worst_groups,
        summary="rank the groups of several facets, the worst first",
        description="Rank every group that the facets define, alone and combined, the worst first.",
        examples=_EXAMPLES,
    )
    add_metric(
        command,
        "the metric that ranks groups: fpsf, fnsf, spsf, miscalibration, a gap or a ratio",
    )
    add_arguments(
        command,
        *("columns", "reading", "certainty"),
        own=OF_WORST_GROUPS,
        without=("subgroup", "features"),
    )
    add_format(command)
    command.add_argument(
        "--top",
        metavar="N",
        type=_how_many,
        default=20,
        help="the number of groups of each window in a table; default 20",
    )


def worst_groups(typed: Namespace) -> int:
    """Print the groups in the order of their ranks."""
    arguments = vars(typed)
    options = {row.name: arguments[row.name] for row in OF_WORST_GROUPS if row.name in arguments}
    compute = partial(pf.worst_groups, metric=typed.metric, **options)
    answer = answer_about(files_of(typed.paths), arguments, compute)
    metric = pf.CATALOGUE[str(ranking_metric(typed.metric))]
    each = cast("Each", metric.parsed.each)  # else the call was an error
    return say_answer(typed, _flat(answer), lambda: _table(answer, each.rate, typed.top))


def _table(answer: pl.DataFrame, rate: str, top: int) -> str:
    """The first groups of each window, below its name and the rate of all its rows."""
    windows = Answer("worst_groups", answer).windows
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    layout = layout_of(Answer("worst_groups", shown))
    columns = layout.columns | {"rate": replace(layout.columns["rate"], title=rate)}
    del columns["rate_of_all"]
    of_all = f"{rate} of all rows"
    rows = [
        {**row, "under": heading(row, windows, f"{of_all}: {number(row['rate_of_all'])}")}
        for row in layout.rows
    ]
    more = f"{shown.height:,} of {answer.height:,} groups; --top N shows more."
    notes = [more] if shown.height < answer.height else []
    return in_terminal(replace(layout, columns=columns, rows=rows, notes=notes))


def _flat(answer: pl.DataFrame) -> pl.DataFrame:
    """The answer without structs, which a table in text has not."""
    return answer.with_columns(pl.col("fixed").name.prefix_fields("fixed ")).unnest("fixed")


def _how_many(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"takes a whole number from 1, got {text!r}")
    return int(text)
