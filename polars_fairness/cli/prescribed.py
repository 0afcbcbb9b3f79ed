"""Commands that print several tables: which ones, in which format, and the gate on their flags."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.columns import Kind
from polars_fairness.cli.answers import in_terminal
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.formats import WRITERS
from polars_fairness.cli.outputs import (
    files_of_report,
    output_as_report,
    output_of,
    texts_of_page,
    write_report,
    writer_of,
)
from polars_fairness.cli.printed import FAILED, PASSED, complain, in_own_words, say, time_shown
from polars_fairness.cli.typed import notes_on_typed_outcomes
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Argument, Question
from polars_fairness.reporting.gate import ONE_OUTCOME
from polars_fairness.reporting.outcome_notes import OF_GROUPS, READ_BY_VALUES
from polars_fairness.reporting.plain_words import heading
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer
from polars_fairness.reporting.written_report import WrittenReport

_FLAG: Final = pl.col("is_flagged")


@dataclass(frozen=True)
class FlagGate:
    """A gate that fails for flagged groups, and for groups that could not be judged.

    ``ratio`` is the column with the ratio of each group: without a ratio, a group may be unflagged
    for want of significance alone. Both may be allowed: what was not judged has not passed.
    """

    ratio: str
    allow_undefined: bool

    def complaint(self, answer: pl.DataFrame, *, has_one_outcome: bool) -> str | None:
        """A sentence on the groups that fail; None if all pass.

        If no group was judged, this is an error in any case, since a passed gate would promise a
        check. If all rows have one outcome, the gate fails as it does for what was not judged.
        """
        has_ratio = pl.col(self.ratio).is_not_null()
        if answer.filter(_FLAG.is_not_null(), has_ratio).is_empty():
            raise FairnessError(_nothing_judged(answer.height))
        reasons = {"are flagged": _FLAG}
        if not self.allow_undefined:
            reasons["could not be judged"] = _FLAG.is_null()
            reasons["have no ratio"] = ~_FLAG & ~has_ratio
        found = [
            f"{failed.height} of {answer.height} groups {reason}: {_named(failed)}"
            for reason, fails in reasons.items()
            if not (failed := answer.filter(fails)).is_empty()
        ]
        if has_one_outcome and not self.allow_undefined:
            found.append(ONE_OUTCOME)
        return f"--fail-on: {'; '.join(found)}" if found else None


def _named(failed: pl.DataFrame) -> str:
    """The groups with their windows; a facet without two groups to compare by its name alone."""
    windows = failed.columns[: failed.columns.index("facet")]
    return listed(
        heading(row, windows, facet if group is None else f"{facet}: {group}")
        for row in failed.iter_rows(named=True)
        for facet, group in [(row["facet"], row["disfavored"])]
    )


def _nothing_judged(groups: int) -> str:
    if not groups:
        return "--fail-on: there is no group to judge, because there are no rows; check --where"
    return (
        f"--fail-on: nothing was judged: {groups} of {groups} groups could not be; check by the "
        "rates of the groups that each has rows and some of them are positive"
    )


def _flag_gate_of(arguments: Mapping[str, Any], ratio: str) -> FlagGate | None:
    """The gate of the typed options, if there is one."""
    if "fail_on" in arguments:
        return FlagGate(ratio, "allow_undefined" in arguments)
    if "allow_undefined" in arguments:
        raise FairnessError(
            "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
        )
    return None


@dataclass(frozen=True)
class Table:
    """One table of a command: how it is computed, and which answer it is."""

    compute: Callable[[], pl.LazyFrame]
    kind: Kind


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
    notes: Callable[[pl.DataFrame], Iterable[str]]
    question: Question
    report: Callable[[], WrittenReport]

    def names(self, typed: Namespace) -> Sequence[str]:
        """The tables that are printed or written."""
        if "table" in typed:
            return [typed.table]
        is_text = typed.format == "table" and "output" not in typed
        return self.shown if is_text else self.shown[:1]


def answered(
    typed: Namespace,
    tables_of: Callable[[pl.LazyFrame], Tables],
    of_report: Iterable[Argument] = (),
) -> int:
    """Print or write the tables about the typed files, and check the gate.

    The arguments ``of_report`` are about the page alone.
    """
    arguments = vars(typed)
    output_as_report(arguments)
    texts = texts_of_page(arguments, of_report)
    write = writer_of(arguments, typed.command)
    files = files_of(typed.paths)
    with ExitStack() as outputs:
        file = outputs.enter_context(output_of(arguments, "output", files))
        written = files_of_report(arguments, files, outputs)
        rows = opened(files, arguments)
        tables = tables_of(rows)
        gate = _flag_gate_of(arguments, tables.ratio)
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
        write_report(written, texts, tables.report)
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
        return WRITERS[typed.format](answer, f"{typed.command}_{name}")
    layouts = [layout_of(Answer(tables.by_name[name].kind, each)) for name, each in answers.items()]
    first = next(iter(answers.values()))
    # Tables are about the same rows, so the lines on these stand below the last.
    notes = [*layouts[0].notes, *tables.notes(first)]
    layouts = [replace(each, notes=notes if each is layouts[-1] else ()) for each in layouts]
    return in_terminal(*layouts)
