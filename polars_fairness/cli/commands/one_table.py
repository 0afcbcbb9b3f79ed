"""Commands that answer a question about files with one table: a row each."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import dedent
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.api.worst_groups import ranking_metric
from polars_fairness.catalogue.dialects import columns_of_tool
from polars_fairness.cli.answers import answer_about, in_terminal, say_answer
from polars_fairness.cli.files import files_of, writer_for
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import (
    Commands,
    add_arguments,
    add_command_on_files,
    add_format,
    add_table_file,
)
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import FORMATS, say
from polars_fairness.cli.typed import judging_of, windows_made
from polars_fairness.errors import FairnessError
from polars_fairness.formula.groups import Each
from polars_fairness.formula.measures import MEASURES
from polars_fairness.question.arguments import HOW_MANY, METRICS, Argument, Heading, Option
from polars_fairness.question.audit_arguments import (
    CHAMPION,
    HIDE_BELOW,
    NAMES_OF_TOOL,
    OF_BOUNDS,
    OF_WORST_GROUPS,
    REPORTED,
)
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.plain_words import heading, number
from polars_fairness.reporting.shown.layouts import Layout, layout_of, rates_layout
from polars_fairness.reporting.shown.recognised import Answer

Typed = Mapping[str, Any]


@dataclass(frozen=True)
class Command:
    """What the help says, and the options; the function of the same name answers.

    ``metric`` says what the function's one metric is, if it takes one. ``own`` are the arguments
    of the function beyond a question's, and ``without`` those of a question that it does not take.
    Without ``show``, the table of the terminal has the answer's layout; an answer that later
    commands read has CSV in place of all formats.
    """

    summary: str
    description: str
    examples: str
    metric: str = ""
    own: Sequence[Argument] = ()
    headings: Sequence[Heading] = ("columns", "reading", "sides", "certainty")
    without: Container[str] = ("subgroup", "features")
    formats: Sequence[str] = (*FORMATS,)
    show: Callable[[pl.DataFrame, Typed], str] | None = None
    is_read_again: bool = False

    def add(self, commands: Commands, name: str) -> None:
        """Add the command to a parser."""
        command = add_command_on_files(
            commands,
            name,
            partial(self.run, name.replace("-", "_")),
            summary=self.summary,
            description=self.description,
            examples=dedent(self.examples),
        )
        if self.metric:
            command.add_argument("--metric", metavar="NAME", required=True, help=self.metric)
        add_arguments(command, *self.headings, own=self.own, without=self.without)
        if self.is_read_again:
            add_table_file(command, "; default CSV on stdout")
        else:
            add_format(command, self.formats)
            add_table_file(command, ", in place of stdout")

    def run(self, name: str, typed: Namespace) -> int:
        """Print or write the answer about the typed files."""
        arguments = vars(typed)
        given = {row.name: arguments[row.name] for row in self.own if row.name in arguments}
        given |= judging_of(given)
        given.pop(_TOP.name, None)
        metrics = given.pop(METRICS.name, [typed.metric] if self.metric else [])
        if arguments.get("format") in ("table", "openmetrics"):
            # A table of the terminal is laid out by our names, and its titles are the tool's.
            given.pop(NAMES_OF_TOOL.name, None)
        write = writer_for(typed.output) if "output" in arguments else None
        files = files_of(typed.paths)

        def compute(rows: pl.LazyFrame, **question: Any) -> pl.LazyFrame:
            answer: pl.LazyFrame = getattr(pf, name)(rows, *metrics, **given, **question).lazy()
            return answer

        with output_of(arguments, "output", files) as file:
            answer = answer_about(files, arguments, compute)
            if write is not None and file is not None:
                write(_flat(answer), file)
                return 0
        if self.is_read_again:
            say(answer.write_csv())
            return 0
        show = self.show or _in_terminal
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
    if arguments.get(_TOP.name, _TOP.default) < 1:
        raise FairnessError(f"--top: takes a whole number from 1, got {arguments[_TOP.name]}")
    each = cast("Each", pf.CATALOGUE[str(ranking_metric(arguments["metric"]))].parsed.each)
    windows, top = Answer("worst_groups", answer).windows, arguments.get(_TOP.name, _TOP.default)
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


_TOP: Final = Argument(
    HOW_MANY,
    "the number of groups of each window in a table",
    default=20,
    option=Option("certainty"),
    name="top",
)

COMMANDS: Final[Mapping[str, Command]] = {
    "bounds": Command(
        "compute how far rows of unknown group could move a metric",
        "Compute the smallest and the largest value that metrics can have, whatever "
        "the group of the rows of unknown group is.",
        """\
        example:
          polars-fairness bounds loans.parquet --metric di --facet race \\
              --disfavored Black --favored White --predicted approved
        """,
        own=(METRICS, *OF_BOUNDS),
        without=("subgroup", "features", "cluster"),
    ),
    "rates": Command(
        "compute the counts and rates of every group",
        "Compute the counts and rates of every group, and of all rows. A table shows "
        "the rates that fit the terminal; the other formats have all, and the counts.",
        """\
        examples:
          polars-fairness rates loans.parquet --facet sex --label repaid --predicted approved
          polars-fairness rates loans.parquet --facet sex --label repaid --score score
          polars-fairness rates loans/ --facet race --predicted score --threshold 0.5 --by month \\
              --format csv
        """,
        own=(HIDE_BELOW, NAMES_OF_TOOL),
        headings=("columns", "reading", "certainty"),
        formats=(*MONITORED,),
        show=rates_in_terminal,
    ),
    "worst-groups": Command(
        "rank the groups of several facets, the worst first",
        "Rank every group that the facets define, alone and combined, the worst first.",
        """\
        examples:
          polars-fairness worst-groups loans.parquet --metric spsf --facet sex --facet race \\
              --predicted approved
          polars-fairness worst-groups stops.csv --metric selection_rate_gap --facet sex \\
              --facet race --predicted searched --unfavorable --depth 2 --minimum-count 100
        """,
        metric="the metric that ranks groups: fpsf, fnsf, spsf, miscalibration, a gap or a ratio",
        own=(*OF_WORST_GROUPS, _TOP),
        headings=("columns", "reading", "certainty"),
        show=_ranked_in_terminal,
    ),
    "decompose": Command(
        "compute what each stratum contributes to a conditional metric",
        "Compute the contribution of every stratum to a conditional metric. The "
        "strata are the values of --subgroup.",
        """\
        example:
          polars-fairness decompose applicants.parquet --metric cddpl --facet sex \\
              --disfavored Female --predicted admitted --subgroup department
        """,
        metric="the conditional metric: cddpl, cddl, or another average over strata",
        without=("features",),
    ),
    "switches": Command(
        "count the rows that a model decides otherwise than the champion",
        "Count the rows of every group that a model newly accepts or newly rejects, "
        "beside the champion.",
        """\
        example:
          polars-fairness switches loans.parquet --facet sex --predicted champion=approved \\
              --predicted challenger=score --threshold challenger=0.5 --champion champion
        """,
        own=(replace(CHAMPION, is_required=True, option=Option("columns")),),
        headings=("columns", "reading"),
        formats=(*MONITORED,),
    ),
    "confusions": Command(
        "print a confusion matrix of each group, of any number of classes",
        "Count, in each group, the rows of each class that are predicted as each.",
        """\
        examples:
          polars-fairness confusions visits.parquet --facet sex --label needed --predicted given
          polars-fairness confusions visits.parquet --facet sex --label needed --predicted given \\
              --by hospital --output matrices.parquet
        """,
        headings=("columns", "reading"),
        without=(),
        is_read_again=True,
    ),
    "compare": Command(
        "say whether rows give a reported number, and by which conventions if not",
        "Compute a metric, also another tool's, and say whether it is the number that "
        "was reported. If it is not, the conventions by which tools differ are tried.",
        """\
        example:
          polars-fairness compare loans.parquet --metric aif360.average_odds_difference \\
              --reported 0.2029 --facet sex --disfavored F --label repaid --predicted approved
        """,
        metric="the metric that was reported, such as aif360.average_odds_difference",
        own=(REPORTED,),
        without=("features", "by", "every", "period", "classes", "cluster", "estimator"),
    ),
    "cells": Command(
        "count rows into cells, for a later audit with --count n",
        "Count the rows of every combination of values of the columns.",
        """\
        examples:
          polars-fairness cells loans/ --facet sex --facet race --label repaid \\
              --predicted approved --by month --output cells.parquet
          polars-fairness audit cells.parquet --facet sex --label repaid \\
              --predicted approved --count n

          polars-fairness cells loans/ --facet sex --label repaid --score score \\
              --resolution 0.001 --output scores.parquet
          polars-fairness choose scores.parquet --facet sex --label repaid --score score \\
              --resolution 0.001 --count n --metric di
        """,
        own=(HIDE_BELOW,),
        headings=("columns", "reading", "certainty"),
        without=(),
        is_read_again=True,
    ),
}
