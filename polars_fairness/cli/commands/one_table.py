"""The commands that answer a question about files with one table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.worst_groups import ranking_metric
from polars_fairness.catalogue.dialects import columns_of_tool
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.commands import COMMANDS, TOP
from polars_fairness.cli.files import files_of, writer_for
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import say
from polars_fairness.cli.typed import judging_of, windows_made
from polars_fairness.errors import FairnessError
from polars_fairness.formula.groups import Each
from polars_fairness.formula.measures import MEASURES
from polars_fairness.question.arguments import METRICS
from polars_fairness.question.audit_arguments import NAMES_OF_TOOL
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.plain_words import heading, number
from polars_fairness.reporting.shown.layouts import Layout, layout_of, rates_layout
from polars_fairness.reporting.shown.recognised import Answer

Typed = Mapping[str, Any]


def run(typed: Namespace) -> int:
    """Print or write the answer about the typed files."""
    arguments, command = vars(typed), COMMANDS[typed.command]
    given = {row.name: arguments[row.name] for row in command.own if row.name in arguments}
    given |= judging_of(given)
    given.pop(TOP.name, None)
    metrics = given.pop(METRICS.name, [typed.metric] if command.metric else [])
    if arguments.get("format") in ("table", "openmetrics"):
        # A table of the terminal is laid out by our names, and its titles are the tool's.
        given.pop(NAMES_OF_TOOL.name, None)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)

    def compute(rows: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
        ask = getattr(pf, typed.command.replace("-", "_"))
        answer: pl.LazyFrame = ask(rows, *metrics, **given, **question).lazy()
        return answer

    with output_of(arguments, "output", files) as file:
        answer = answer_about(files, arguments, compute)
        if write is not None and file is not None:
            write(_flat(answer), file)
            return 0
    if "format" not in arguments:
        # Later commands read this answer.
        say(answer.write_csv())
        return 0
    show = _SHOWN.get(typed.command, _in_terminal)
    return say_answer(typed, _flat(answer), lambda: show(answer, arguments))


def _in_terminal(answer: pl.DataFrame, arguments: Typed) -> str:
    """The table of the answer's own layout."""
    kind = arguments["command"].replace("-", "_")
    return in_terminal(layout_of(Answer(kind, answer)))


def _flat(answer: pl.DataFrame) -> pl.DataFrame:
    """The answer without structs, which a table in text has not."""
    structs = [name for name, dtype in answer.schema.items() if isinstance(dtype, pl.Struct)]
    prefixed = [pl.col(name).name.prefix_fields(f"{name} ") for name in structs]
    return answer.with_columns(prefixed).unnest(structs)


def rates_in_terminal(rated: pl.DataFrame, arguments: Typed, most: int | None = None) -> str:
    """The table of rates, and one of what scores say, which is the same at each threshold."""
    layout = _rates_layout(rated, arguments, most)
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
    of_all = _rates_layout(once, arguments, most).of([*about, *of_scores])
    return "\n\n".join(map(in_terminal, [*tables, of_all]))


def _rates_layout(rated: pl.DataFrame, arguments: Typed, most: int | None) -> Layout:
    """The table of rates, with the titles of the tool whose names are typed."""
    layout = rates_layout(Answer("rates", rated), most)
    there = columns_of_tool(arguments.get("names"))
    titled = {
        name: replace(column, title=there.get(name, column.title))
        for name, column in layout.columns.items()
    }
    return replace(layout, columns=titled)


def _ranked_in_terminal(answer: pl.DataFrame, arguments: Typed) -> str:
    """The first groups of each window, below its name and the rate of all its rows."""
    if arguments.get(TOP.name, TOP.default) < 1:
        raise FairnessError(f"--top: takes a whole number from 1, got {arguments[TOP.name]}")
    each = cast("Each", pf.CATALOGUE[str(ranking_metric(arguments["metric"]))].parsed.each)
    windows, top = Answer("worst_groups", answer).windows, arguments.get(TOP.name, TOP.default)
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    layout = layout_of(Answer("worst_groups", shown))
    columns = layout.columns | {"rate": replace(layout.columns["rate"], title=each.rate)}
    del columns["rate_of_all"]
    of_all = f"{each.rate} of all rows"
    rows = [
        {**row, "under": heading(row, windows, f"{of_all}: {number(row['rate_of_all'])}")}
        for row in layout.rows
    ]
    more = f"{shown.height:,} of {answer.height:,} groups; --top N shows more."
    notes = [more] if shown.height < answer.height else []
    return in_terminal(replace(layout, columns=columns, rows=rows, notes=notes))


_SHOWN: Final[Mapping[str, Callable[[pl.DataFrame, Typed], str]]] = {
    "rates": rates_in_terminal,
    "worst-groups": _ranked_in_terminal,
}
