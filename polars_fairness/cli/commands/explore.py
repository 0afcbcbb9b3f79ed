"""The command `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from textwrap import dedent
from typing import Any, Final

import polars_fairness as pf
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_overwrite,
)
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.typed import UTILITY, judging_of, question_of, utility_in
from polars_fairness.cli.waiting import time_shown
from polars_fairness.counting.round_thresholds import with_round_thresholds
from polars_fairness.question.arguments import METRICS, Option
from polars_fairness.question.audit_arguments import ACCEPTABLE
from polars_fairness.reporting.outputs.extras import require_charts

_THRESHOLDS: Final = 100

_METRICS: Final = replace(
    METRICS,
    option=Option(
        "certainty",
        name="metric",
        note="several with commas; default di, dppl, rd and average_odds_difference",
    ),
)
_UTILITY: Final = replace(UTILITY, meaning=f"show {UTILITY.meaning}")

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness explore loans.parquet --score score --label repaid --facet sex \\
          --output explore.html
      polars-fairness explore loans.parquet --score score --label repaid --facet sex \\
          --disfavored F --metric di,rd --utility tp=1,fp=-5 --output explore.html

    """)


def add_explore(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "explore",
        explore,
        summary="write a page on which a person moves the threshold of a score",
        description="Write a page on which a person moves the threshold of a score, and sees the "
        "rates of groups, metrics with their bands and the accuracy. Without --threshold, it has "
        f"some {_THRESHOLDS} round ones.",
        examples=_EXAMPLES,
    )
    own = (_METRICS, ACCEPTABLE, _UTILITY)
    add_arguments(
        command, "columns", "reading", "sides", "certainty", own=own, without=("features",)
    )
    command.add_argument("--output", metavar="FILE", required=True, help="the page, in HTML")
    add_overwrite(command)


def explore(typed: Namespace) -> int:
    """Write the page."""
    arguments = vars(typed)
    require_charts()
    metrics: list[Any] = [*arguments.get("metrics", []), *utility_in(arguments)]
    bands = judging_of(arguments).get("bands")
    files = files_of(typed.paths)
    with output_of(arguments, "output", files) as file:
        rows = opened(files, arguments)
        question = question_of(arguments, rows.collect_schema())
        with time_shown():
            question = with_round_thresholds(question, rows, _THRESHOLDS)
            page = pf.explore(rows, *metrics, bands=bands, **question)
            if file is not None:
                page.write_html(file)
    return 0
