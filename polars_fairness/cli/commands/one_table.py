"""The commands that answer a question about files with one table, or with the page to explore."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.answers.worst_groups import ranking_metric
from polars_fairness.api.bound import collected_here
from polars_fairness.api.verdicts import OUTSIDE
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.prefixes import prefixed
from polars_fairness.cli.answers import Work, ended, fit_to_terminal, work_of
from polars_fairness.cli.commands import COMMANDS, TOP
from polars_fairness.cli.files import baseline_given, files_given, files_of, opened, rows_given
from polars_fairness.cli.options import UTILITY
from polars_fairness.cli.printed import say, time_shown
from polars_fairness.cli.typed import judging_of, maximised_in, question_of, utility_in
from polars_fairness.counting.decisions import with_round_thresholds
from polars_fairness.elsewhere.arguments import REPORTED
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import METRICS, Argument
from polars_fairness.question.audit_arguments import MAXIMISE, NAMES_OF_TOOL, POLICY_GIVEN
from polars_fairness.question.policy import Policy, refuse_contradiction
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answer_tables import (
    Answer,
    choice_table,
    ranked_table,
    terminal_tables,
)
from polars_fairness.reporting.gate import failures
from polars_fairness.reporting.words import exact_band, findings_in_words

# About so many round thresholds of a score without any: lines of a terminal, stops of a slider.
_THRESHOLDS: Final = {"choose": 20, "explore": 100}


def run(typed: Namespace) -> int:
    """Print or write the answer about the typed files."""
    command = COMMANDS[typed.command]
    policy: Policy | None = judging_of(vars(typed)).get(POLICY_GIVEN.name)
    with work_of(typed) as work:
        arguments = work.arguments
        metrics, given = _metrics_and_options(work, command.own)
        rows = work.rows(policy.decided_question if policy else {})
        schema = rows.collect_schema()
        question = question_of(arguments, schema, policy)
        given |= baseline_given(arguments, schema)
        with time_shown():
            if about := _THRESHOLDS.get(work.name):
                question = with_round_thresholds(question, rows, about)
            made = getattr(pf, work.name)(collected_here(rows), *metrics, **given, **question)
            if typed.command == "explore":
                # Its output is an argument that it needs.
                assert work.output is not None
                work.output(made.page().encode())
                return 0
            answer = made.lazy().collect(engine="streaming")
        if work.output is None and all(each.name != "format" for each in command.answer):
            # Later commands read this answer.
            say(answer.write_csv())
        else:
            show = _SHOWN.get(typed.command, _answer_text)
            work.show(answer, lambda: show(answer, work))
    gate = arguments.get("fail_on")
    if policy is not None and (failing := [each for each in policy.failing if each in _BEYOND]):
        if gate is not None:
            refuse_contradiction(policy, "fail_on", gate, failing)
        gate = failing[-1]
        if policy.allow_undefined:
            answer = answer.filter(pl.col("verdict").ne_missing("undefined"))
    return ended(_COMPLAINTS[typed.command](answer, gate) if gate else None)


def _metrics_and_options(work: Work, own: Sequence[Argument]) -> tuple[list[Any], dict[str, Any]]:
    """The typed metrics, and what else of a function's own arguments was typed."""
    arguments = work.arguments
    given = work.typed(own) | judging_of(arguments)
    for name in (TOP.name, UTILITY.name):
        given.pop(name, None)
    one = [given.pop("metric")] if "metric" in given else []
    metrics = given.pop(METRICS.name, one)
    if MAXIMISE in own:
        given[MAXIMISE.name] = maximised_in(arguments)
    else:
        metrics = [*metrics, *utility_in(arguments)]
    if "holdout" in given:
        given["holdout"] = _holdout_of(arguments)
    if REPORTED.name in given and not metrics:
        given[REPORTED.name] = _reported_in(given[REPORTED.name])
    if work.format in ("table", "openmetrics"):
        # A table of the terminal is laid out by our names, and its titles are the tool's.
        given.pop(NAMES_OF_TOOL.name, None)
    return metrics, given


def _holdout_of(arguments: Mapping[str, Any]) -> float | pl.LazyFrame:
    """The typed rows to hold out: a share, or the rows of files."""
    if files_given("holdout", arguments):
        return rows_given("holdout", arguments)
    text: str = arguments["holdout"]
    try:
        return float(text)
    except ValueError:
        raise FairnessError(
            f"holdout: there is no file {text!r}; give a file, or a share such as 0.3"
        ) from None


def _reported_in(path: str) -> dict[str, Any]:
    """The numbers in a file by metric, and by group if it names groups, with their digits."""
    files = files_of([path]) if Path(path).exists() else []
    names = opened(files, {}).collect_schema().names() if files else []
    if not {"metric", "reported"} <= {*names}:
        there = f"has columns {listed(names)}" if files else "is not a file"
        raise FairnessError(
            f"--reported: {path!r} {there}; give --metric with its number, or a file with columns "
            "metric and reported"
        )
    columns = [name for name in ("metric", "reported", "disfavored") if name in names]
    rows = opened(files, {"text": columns}).select(pl.col(columns).cast(pl.String)).collect()
    reported: dict[str, Any] = {}
    for place, row in enumerate(rows.iter_rows(named=True), 1):
        metric, number, group = row["metric"], row["reported"], row.get("disfavored")
        if not (metric and number):
            raise FairnessError(
                f"--reported: row {place} of {path!r} lacks its metric or its number; write nan "
                "where it is undefined, or leave the row out"
            )
        of_metric = reported.setdefault(metric, {} if group else number)
        if group and isinstance(of_metric, dict) and group not in of_metric:
            of_metric[group] = number
        elif group or of_metric is not number:
            raise FairnessError(
                f"--reported: row {place} of {path!r} is about {metric!r}, like an earlier row; "
                "give each a different group in a column disfavored"
            )
    return reported


def _answer_text(answer: pl.DataFrame, work: Work) -> str:
    """The table of the answer, as `show` prints it."""
    return fit_to_terminal(*terminal_tables(Answer(work.name, answer)))


def _rates_in_terminal(rated: pl.DataFrame, work: Work) -> str:
    """The tables of rates, with the titles of the tool whose names are typed."""
    others = prefixed(f"{work.arguments.get('names')}.")
    there = {} if others is None else others.columns
    return fit_to_terminal(
        *(
            replace(
                table,
                columns=tuple(
                    replace(each, title=there.get(each.name, each.title)) for each in table.columns
                ),
            )
            for table in terminal_tables(Answer("rates", rated))
        )
    )


def _ranked_in_terminal(answer: pl.DataFrame, work: Work) -> str:
    """The first groups of each window."""
    if (top := work.arguments.get(TOP.name, TOP.default)) < 1:
        raise FairnessError(f"--top: takes a whole number from 1, got {top}")
    windows = Answer("worst_groups", answer).windows
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    more = f"{shown.height:,} of {answer.height:,} groups; --top N shows more."
    notes = [more] if shown.height < answer.height else []
    each: Any = CATALOGUE[str(ranking_metric(work.arguments["metric"]))].parsed.each
    table = ranked_table(Answer("worst_groups", shown), each.rate)
    return fit_to_terminal(replace(table, notes=[*notes, *table.notes]))


def _choices_in_terminal(answer: pl.DataFrame, work: Work) -> str:
    """The values of each candidate, and which is the best of those within the bands."""
    arguments = work.arguments
    maximised = maximised_in(arguments)
    bands = {name: CATALOGUE[name].acceptable for name in arguments.get("metrics", [])}
    bands |= dict(arguments.get("bands", ()))
    limits = ", ".join(f"{name} {exact_band(band)}" for name, band in bands.items() if band)
    candidate = (choice := Answer("choose", answer)).candidate
    name = getattr(maximised, "name", maximised)
    chosen = f"has the highest {name}{limits and f' with {limits}'}"
    none = f"no {' and '.join(candidate)} has {limits or name}"
    table = fit_to_terminal(choice_table(choice, chosen, none))
    if THRESHOLD not in candidate or "threshold" in arguments or answer.is_empty():
        return table
    tried = f"Without --threshold, {answer[THRESHOLD].n_unique()} round thresholds are tried; "
    return f"{table}\n\n{tried}--threshold every tries each score."


_SHOWN: Final[Mapping[str, Callable[[pl.DataFrame, Work], str]]] = {
    "choose": _choices_in_terminal,
    "rates": _rates_in_terminal,
    "worst-groups": _ranked_in_terminal,
}


_DIFFER: Final = {
    "different": {"are not those of the rows": ~pl.col("equal")},
    "unexplained": {"fit no convention": ~pl.col("fits")},
}


def _complaint_of_numbers(answer: pl.DataFrame, fail_on: str) -> str | None:
    """A sentence on the reported numbers that fail; None if all pass."""
    of_number = answer.columns[: answer.columns.index("ours")]
    each = answer.group_by(of_number, maintain_order=True).agg(pl.col("equal", "fits").any())
    complaints = [*failures(each, "reported numbers", _DIFFER[fail_on], _numbers)]
    return f"--fail-on: {complaints[0]}" if complaints else None


def _numbers(failed: pl.DataFrame) -> str:
    rows = failed.select("metric", "disfavored").iter_rows()
    return listed((f"{name} of {group}" if group else name for name, group in rows), write=str)


# As in an audit, what was not judged has not passed.
_BEYOND: Final = {
    "outside": {
        "are outside their limits": pl.col("verdict") == OUTSIDE,
        "could not be judged": pl.col("verdict") == "undefined",
    },
    "uncertain": {
        "are not within their limits": pl.col("verdict").is_in((OUTSIDE, "uncertain", "undefined"))
    },
}


def _complaint_of_data(answer: pl.DataFrame, fail_on: str) -> str | None:
    """A sentence on the numbers about data that fail; None if all pass."""
    judged = answer.drop_nulls("verdict")
    if (judged["verdict"] == "undefined").all():
        raise FairnessError("fail_on: nothing was judged; check that there are columns and groups")
    complaints = [*failures(judged, "numbers", _BEYOND[fail_on], findings_in_words)]
    return f"fail_on: {'; '.join(complaints)}" if complaints else None


_COMPLAINTS: Final[Mapping[str, Callable[[pl.DataFrame, str], str | None]]] = {
    "compare": _complaint_of_numbers,
    "intake": _complaint_of_data,
}
