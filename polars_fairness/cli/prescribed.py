"""Commands that print several tables: which ones, in which format, and the gate on their flags."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import cast

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.files import files_of, opened, writer_for
from polars_fairness.cli.flagged import FLAGGED, flag_gate_of
from polars_fairness.cli.gate import FAILED, PASSED
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import add_format, add_table_file
from polars_fairness.cli.outputs import add_report_files, files_of_report, output_of, write_report
from polars_fairness.cli.printed import complain, say, width
from polars_fairness.cli.typed import OF_GROUPS, READ_BY_VALUES, notes_on_typed_outcomes
from polars_fairness.cli.waiting import time_shown
from polars_fairness.cli.words import in_own_words
from polars_fairness.question.arguments import Question
from polars_fairness.reporting.written_report import WrittenReport


@dataclass(frozen=True)
class Table:
    """One table of a command: how it is computed, and how a terminal of some width shows it."""

    compute: Callable[[], pl.LazyFrame]
    printed: Callable[[pl.DataFrame, int], str]


@dataclass(frozen=True)
class Tables:
    """The tables of a command about some rows, by name.

    A terminal shows those of ``shown`` and the lines of ``notes`` below them; the other formats
    have the first of ``shown``. The gate is about the flags of ``judged``, and the column ``ratio``
    beside them. ``question`` has the outcome of the rows. ``report`` makes the page.
    """

    by_name: Mapping[str, Table]
    shown: Sequence[str]
    judged: str
    ratio: str
    notes: Callable[[pl.DataFrame, int], Iterable[str]]
    question: Question
    report: Callable[[], WrittenReport]

    def names(self, typed: Namespace) -> Sequence[str]:
        """The tables that are printed or written."""
        if "table" in typed:
            return [typed.table]
        is_text = typed.format == "table" and "output" not in typed
        return self.shown if is_text else self.shown[:1]


def add_tables(command: ArgumentParser, names: Sequence[str], flags: str) -> None:
    """Add the options about the tables of a command, and about its gate."""
    command.add_argument(
        "--table",
        choices=names,
        help="print this table only; a format other than table has one",
    )
    add_format(command, MONITORED)
    add_report_files(command)
    add_table_file(command, ", in place of stdout")
    command.add_argument(
        "--fail-on",
        choices=[FLAGGED],
        help=f"exit with 1 if a group is flagged, or could not be judged: {flags}",
    )
    command.add_argument(
        "--allow-undefined",
        action="store_true",
        help="groups that could not be judged pass --fail-on, and so does one outcome for all rows",
    )


def answered(typed: Namespace, tables_of: Callable[[pl.LazyFrame], Tables]) -> int:
    """Print or write the tables about the typed files, and check the gate."""
    arguments = vars(typed)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)
    with ExitStack() as outputs:
        file = outputs.enter_context(output_of(arguments, "output", files))
        written = files_of_report(arguments, files, outputs)
        rows = opened(files, arguments)
        tables = tables_of(rows)
        gate = flag_gate_of(arguments, tables.ratio)
        names = tables.names(typed)
        judged = [] if gate is None else [tables.judged]
        answers, notes = _collected(rows, tables, list(dict.fromkeys([*names, *judged])))
        complaint = None
        if gate is not None:
            complaint = gate.complaint(answers[tables.judged], has_one_outcome=bool(notes))
        for note in notes:
            complain(in_own_words(note))
        if write is not None and file is not None:
            write(answers[names[0]], file)
        else:
            say(_printed(typed, tables, {name: answers[name] for name in names}))
        write_report(written, tables.report)
    if complaint is None:
        return PASSED
    complain(complaint)
    return FAILED


def _collected(
    rows: pl.LazyFrame, tables: Tables, names: Sequence[str]
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The answers by name, and notes on typed thresholds and values."""
    question = tables.question
    rates = []
    if READ_BY_VALUES & question.keys():
        of_outcomes = {name: given for name, given in question.items() if name not in OF_GROUPS}
        rates = [pf.rates(rows, **cast("Question", of_outcomes))]
    with time_shown():
        collected = pl.collect_all(
            [*(tables.by_name[name].compute() for name in names), *rates], engine="streaming"
        )
    answers = dict(zip(names, collected, strict=False))
    return answers, notes_on_typed_outcomes(collected[len(names) :], question)


def _printed(typed: Namespace, tables: Tables, answers: Mapping[str, pl.DataFrame]) -> str:
    if typed.format != "table":
        [(name, answer)] = answers.items()
        return MONITORED[typed.format](answer, f"{typed.command}_{name}")
    shown = [tables.by_name[name].printed(answer, width()) for name, answer in answers.items()]
    first = next(iter(answers.values()))
    return "\n\n".join(filter(None, [*shown, "\n".join(tables.notes(first, width()))]))
