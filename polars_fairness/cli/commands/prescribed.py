"""The commands that print several tables: those of a slice, as its module `page` has them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.bound import collected_here
from polars_fairness.cli.answers import ended, fit_to_terminal, work_of
from polars_fairness.cli.own_words import name_options
from polars_fairness.cli.printed import complain, time_shown
from polars_fairness.cli.typed import notes_on_typed_outcomes, question_of
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import OF_QUESTION, Question
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.document import PrescribedCommand
from polars_fairness.reporting.gate import ONE_OUTCOME, failures
from polars_fairness.reporting.outcome_notes import OF_GROUPS, READ_BY_VALUES
from polars_fairness.reporting.words import heading


def run(typed: Namespace) -> int:
    """Print or write the tables about the typed files, write the page, and check the gate."""
    command: PrescribedCommand = import_module(f"polars_fairness.{typed.command}.page").COMMAND
    judged, ratio = command.judged
    with work_of(typed) as work:
        arguments = work.arguments
        is_judged = "fail_on" in arguments
        if "allow_undefined" in arguments and not is_judged:
            raise FairnessError(
                "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
            )
        if is_judged and judged not in command.shown(arguments):
            raise FairnessError(
                "--fail-on: groups are flagged by rates of decisions, and none were given; give "
                f"{command.decisions}"
            )
        texts = work.typed(command.texts)
        if work.reports:
            command.published(texts)
        rows = work.rows()
        schema = rows.collect_schema()
        given: Mapping[str, Any] = {**question_of(arguments, schema, rows=command.taken)}
        # Formats other than a table, and files, have one table.
        shown = [arguments["table"]] if "table" in arguments else command.shown(given)
        shown = shown if work.format == "table" and work.output is None else shown[:1]
        names = [*dict.fromkeys([*shown, *([judged] if is_judged else [])])]
        outcomes = {each.name: given[each.name] for each in OF_QUESTION if each.name in given}
        if "selected" in given:
            outcomes["predicted"] = given["selected"]
        tables: list[Any] = [command.table_of(name, rows, given) for name in names]
        if READ_BY_VALUES & outcomes.keys():
            of_all = {name: each for name, each in outcomes.items() if name not in OF_GROUPS}
            tables.append(pf.rates(collected_here(rows), **cast("Question", of_all)))
        with time_shown():
            collected = pl.collect_all(tables, engine="streaming")
        answers = dict(zip(names, collected, strict=False))
        notes = notes_on_typed_outcomes(collected[len(names) :], cast("Question", outcomes))
        complaint = None
        if "fail_on" in arguments:
            complaint = _complaint_of_flags(
                answers[judged],
                ratio,
                allow_undefined="allow_undefined" in arguments,
                has_one_outcome=bool(notes),
            )
        for note in notes:
            complain(name_options(note))
        first = answers[shown[0]]
        below = command.notes(given, first)
        kinds = {f"{typed.command}_{name}": answers[name] for name in shown}
        work.show(first, lambda: _printed(kinds, below), next(iter(kinds)))
        work.report(lambda: command.report(rows, **given, **texts))
    return ended(complaint)


def _printed(answers: Mapping[str, pl.DataFrame], below: Sequence[str]) -> str:
    tables = [lay_out(Answer(kind, answer)) for kind, answer in answers.items()]
    # Tables are about the same rows, so the lines on these stand below the last.
    notes = [*tables[0].notes, *below]
    return fit_to_terminal(
        *(replace(each, notes=notes if each is tables[-1] else ()) for each in tables)
    )


_FLAG: Final = pl.col("is_flagged")


def _complaint_of_flags(
    answer: pl.DataFrame, ratio: str, *, allow_undefined: bool, has_one_outcome: bool
) -> str | None:
    """A sentence on the groups that are flagged or could not be judged; None if all pass.

    ``ratio`` is the column with the ratio of each group: without a ratio, a group may be unflagged
    only because it is not significant. Groups that were not judged, and a single outcome in all
    rows, can be allowed. If no group was judged, this is always an error, since a passed gate would
    promise a check.
    """
    has_ratio = pl.col(ratio).is_not_null()
    if answer.is_empty():
        raise FairnessError(
            "--fail-on: there is no group to judge, because there are no rows; check --where"
        )
    if answer.filter(_FLAG.is_not_null(), has_ratio).is_empty():
        raise FairnessError(
            f"--fail-on: none of the {answer.height} groups could be judged; check the rates of "
            "the groups: each needs rows, some of them positive"
        )
    reasons = {"are flagged": _FLAG}
    if not allow_undefined:
        reasons["could not be judged"] = _FLAG.is_null()
        reasons["have no ratio"] = ~_FLAG & ~has_ratio
    complaints = [*failures(answer, "groups", reasons, _groups)]
    if has_one_outcome and not allow_undefined:
        complaints.append(ONE_OUTCOME)
    return f"--fail-on: {'; '.join(complaints)}" if complaints else None


def _groups(failed: pl.DataFrame) -> str:
    """The groups with their windows; a facet with fewer than two groups by its name alone."""
    windows = failed.columns[: failed.columns.index("facet")]
    return listed(
        heading(row, windows, facet if group is None else f"{facet}: {group}")
        for row in failed.iter_rows(named=True)
        for facet, group in [(row["facet"], row["disfavored"])]
    )
