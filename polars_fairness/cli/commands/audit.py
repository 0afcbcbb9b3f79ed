"""The command `audit`: metrics with intervals and verdicts, a report, and the gate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from textwrap import dedent
from typing import Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.call import Call
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.gate import gate_of
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
    add_overwrite,
)
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import FORMATS, complain, in_colour, printable, say, width
from polars_fairness.cli.typed_judging import judging_of
from polars_fairness.cli.typed_question import question_of
from polars_fairness.cli.verdicts import audit_table
from polars_fairness.cli.waiting import time_shown
from polars_fairness.question.arguments import METRICS, Question
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.reporting.outcome_notes import notes_on_outcomes
from polars_fairness.reporting.report import require_charts

PASSED, FAILED = 0, 1

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness audit loans.parquet --facet sex --disfavored F \\
          --label repaid --predicted approved --metric di,rd

      polars-fairness audit loans/ --where 'year = 2025' --facet sex --facet race \\
          --favored sex=M --favored race=White --predicted score --threshold 0.5 \\
          --by month --html report.html --fail-on unfair

    """)


def add_audit(commands: Commands) -> None:
    """Add the command to a parser."""
    command = add_command_on_files(
        commands,
        "audit",
        audit,
        summary="compute metrics with intervals and verdicts",
        description="Compare groups by metrics with intervals and verdicts.",
        examples=_EXAMPLES,
    )
    add_arguments(command, "columns", "reading", "sides", "certainty", own=(METRICS, *OF_AUDIT))
    _add_answer(command)


def audit(typed: Namespace) -> int:
    """Print an audit, write its report, and check the gate."""
    arguments = vars(typed)
    if "html" in arguments:
        require_charts()
    judging = judging_of(arguments)
    policy = judging.get("policy")
    gate = gate_of(arguments, policy)
    files = files_of(typed.paths)
    with output_of(arguments, "html", files) as page:
        rows = opened(files, arguments.get("where"))
        question = question_of(arguments, rows.collect_schema())
        names = arguments.get("metrics", [])
        options = {row.name: arguments[row.name] for row in OF_AUDIT if row.name in arguments}
        options |= judging
        with time_shown():
            planned = pf.audit(rows, *names, **options, **question)
            answer = planned.collect(engine="streaming")
            notes = _notes(rows, question)
        for note in notes:
            complain(note)
        complained = gate.complaint(answer) if gate else None
        if typed.format == "table":
            say(audit_table(answer, width(), in_colour=in_colour()))
            if policy:
                say(f"policy: {printable(policy)}")
        else:
            say(FORMATS[typed.format](answer))
        if page is not None:
            with time_shown():
                pf.report(rows, *names, **options, **question).write_html(page)
    if complained is None:
        return PASSED
    complain(complained)
    return FAILED


def _notes(rows: pl.LazyFrame, question: Question) -> list[str]:
    """Notes on typed thresholds and values by which no row, or every row, is positive."""
    if not {"threshold", "label_threshold", "positive"} & question.keys():
        return []
    # Neither facets nor windows: this is one read of few columns, and no name collides.
    left_out = {"facet", "disfavored", "favored", "subgroup", "features", "by"}
    binary = {outcome.role for outcome in Call.of(rows, question).roles.binary_outcomes}
    left_out |= {"label", "predicted"} - binary
    of_outcomes = cast("Question", {k: v for k, v in question.items() if k not in left_out})
    return notes_on_outcomes(pf.rates(rows, **of_outcomes).collect(engine="streaming"), of_outcomes)


def _add_answer(command: ArgumentParser) -> None:
    add_format(command)
    command.add_argument("--html", metavar="FILE", help="also write a report")
    add_overwrite(command)
    command.add_argument(
        "--fail-on",
        choices=["unfair", "uncertain"],
        help="exit with 1 if a verdict is against a side, outside or undefined (unfair); "
        "or if any verdict is not fair (uncertain)",
    )
    command.add_argument(
        "--allow-undefined", action="store_true", help="undefined verdicts pass --fail-on"
    )
