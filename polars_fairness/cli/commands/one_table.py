"""The commands that answer a question about files with one table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.answers.worst_groups import ranking_metric
from polars_fairness.catalogue.dialects import columns_of_tool
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.commands import COMMANDS, TOP
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.outputs import flat, output_of, writer_of
from polars_fairness.cli.printed import FAILED, PASSED, complain, say
from polars_fairness.cli.typed import judging_of
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.groups import Each
from polars_fairness.question.arguments import METRICS
from polars_fairness.question.audit_arguments import NAMES_OF_TOOL, REPORTED
from polars_fairness.reporting.shown.layouts import in_blocks, ranked_layout
from polars_fairness.reporting.shown.recognised import Answer

Typed = Mapping[str, Any]


def run(typed: Namespace) -> int:
    """Print or write the answer about the typed files."""
    arguments, command = vars(typed), COMMANDS[typed.command]
    given = {row.name: arguments[row.name] for row in command.own if row.name in arguments}
    given |= judging_of(given)
    given.pop(TOP.name, None)
    metrics = given.pop(METRICS.name, [arguments["metric"]] if "metric" in arguments else [])
    if REPORTED.name in given and not metrics:
        given[REPORTED.name] = _reported_in(given[REPORTED.name])
    if arguments.get("format") in ("table", "openmetrics"):
        # A table of the terminal is laid out by our names, and its titles are the tool's.
        given.pop(NAMES_OF_TOOL.name, None)
    write = writer_of(arguments, typed.command.replace("-", "_"))
    files = files_of(typed.paths)

    def compute(rows: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
        ask = getattr(pf, typed.command.replace("-", "_"))
        answer: pl.LazyFrame = ask(rows, *metrics, **given, **question).lazy()
        return answer

    with output_of(arguments, "output", files) as file:
        answer = answer_about(files, arguments, compute)
        if write is not None and file is not None:
            write(answer, file)
    if write is None and "format" not in arguments:
        # Later commands read this answer.
        say(answer.write_csv())
    elif write is None:
        show = _SHOWN.get(typed.command, _in_terminal)
        say_answer(typed, flat(answer), lambda: show(answer, arguments))
    complaint = _complaint(answer, arguments["fail_on"]) if "fail_on" in arguments else None
    if complaint is None:
        return PASSED
    complain(complaint)
    return FAILED


def _reported_in(path: str) -> dict[str, Any]:
    """The numbers in a file by metric, and by group if it names groups, with their digits."""
    files = files_of([path]) if Path(path).exists() else []
    names = opened(files, {}).collect_schema().names() if files else []
    if not {"metric", "reported"} <= {*names}:
        there = f"has columns {listed(names)}" if files else "is no file"
        raise FairnessError(
            f"--reported: {path!r} {there}; give --metric with its number, or a file with columns "
            "metric and reported"
        )
    columns = [name for name in ("metric", "reported", "disfavored") if name in names]
    rows = opened(files, {"text": columns}).select(pl.col(columns).cast(pl.String)).collect()
    found: dict[str, Any] = {}
    for place, row in enumerate(rows.iter_rows(named=True), 1):
        metric, number, group = row["metric"], row["reported"], row.get("disfavored")
        if not (metric and number):
            raise FairnessError(
                f"--reported: row {place} of {path!r} lacks its metric or its number; write nan "
                "where it is undefined, or leave the row out"
            )
        of_metric = found.setdefault(metric, {} if group else number)
        if group and isinstance(of_metric, dict) and group not in of_metric:
            of_metric[group] = number
        elif group or of_metric is not number:
            raise FairnessError(
                f"--reported: row {place} of {path!r} is about {metric!r}, as an earlier row; give "
                "each a group of its own in a column disfavored"
            )
    return found


def _complaint(answer: pl.DataFrame, fail_on: str) -> str | None:
    """The reported numbers that fail the gate."""
    of_number = answer.columns[: answer.columns.index("ours")]
    each = answer.group_by(of_number, maintain_order=True).agg(pl.col("equal", "fits").any())
    failed = each.filter(~pl.col("equal" if fail_on == "different" else "fits"))
    if failed.is_empty():
        return None
    names = [
        f"{metric} of {group}" if group else metric
        for metric, group in failed.select("metric", "disfavored").iter_rows()
    ]
    what = "are not those of the rows" if fail_on == "different" else "fit by no convention"
    count = f"{failed.height} of {each.height} reported numbers"
    return f"--fail-on: {count} {what}: {listed(names, write=str)}"


def _in_terminal(answer: pl.DataFrame, arguments: Typed) -> str:
    """The table of the answer, as `show` prints it."""
    return in_terminal(*in_blocks(Answer(arguments["command"].replace("-", "_"), answer)))


def _rates_in_terminal(rated: pl.DataFrame, arguments: Typed) -> str:
    """The tables of rates, with the titles of the tool whose names are typed."""
    there = columns_of_tool(arguments.get("names"))
    return in_terminal(
        *(
            replace(
                layout,
                columns={
                    name: replace(column, title=there.get(name, column.title))
                    for name, column in layout.columns.items()
                },
            )
            for layout in in_blocks(Answer("rates", rated))
        )
    )


def _ranked_in_terminal(answer: pl.DataFrame, arguments: Typed) -> str:
    """The first groups of each window."""
    if (top := arguments.get(TOP.name, TOP.default)) < 1:
        raise FairnessError(f"--top: takes a whole number from 1, got {top}")
    windows = Answer("worst_groups", answer).windows
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    more = f"{shown.height:,} of {answer.height:,} groups; --top N shows more."
    notes = [more] if shown.height < answer.height else []
    each = cast("Each", pf.CATALOGUE[str(ranking_metric(arguments["metric"]))].parsed.each)
    layout = ranked_layout(Answer("worst_groups", shown), each.rate)
    return in_terminal(replace(layout, notes=notes))


_SHOWN: Final[Mapping[str, Callable[[pl.DataFrame, Typed], str]]] = {
    "rates": _rates_in_terminal,
    "worst-groups": _ranked_in_terminal,
}
