"""The parser of the command line: commands, options and their help."""

from __future__ import annotations

from argparse import (
    SUPPRESS,
    ArgumentParser,
    ArgumentTypeError,
    RawDescriptionHelpFormatter,
    _ArgumentGroup,
)
from collections.abc import Callable, Mapping
from textwrap import dedent
from typing import Any, Final, NoReturn, Protocol

import polars as pl

import polars_fairness as pf
from polars_fairness.cli import commands
from polars_fairness.cli.printed import FORMATS, TRACEBACK
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import (
    CONFIDENCE,
    HOW_MANY,
    METRICS,
    NUMBER,
    OF_AUDIT,
    OF_QUESTION,
    SEED,
    Argument,
    Heading,
    Kind,
    Option,
)

_OF_FILES: Final = "%(prog)s PATH [PATH ...] [OPTIONS]"

_PROGRAM: Final = dedent("""\
    examples:
      polars-fairness audit loans.parquet --facet sex --disfavored F --predicted approved
      polars-fairness metrics di dppl
      polars-fairness COMMAND --help
    """)

_AUDIT: Final = dedent("""\
    examples:
      polars-fairness audit loans.parquet --facet sex --disfavored F \\
          --label repaid --predicted approved --metric di --metric rd

      polars-fairness audit loans/ --where 'year = 2025' --facet sex --facet race \\
          --favored sex=M --favored race=White --predicted score --threshold 0.5 \\
          --by month --html report.html --fail-on unfair

    """)

_EXIT_CODES: Final = dedent(f"""\

    exit code:
      0    success, and --fail-on did not fail
      1    --fail-on failed
      2    a wrong call, or data that cannot be read; one line on stderr says what to do
      3    a defect of this program; {TRACEBACK}=1 in the environment shows where
      130  interrupted
    """)

_CELLS: Final = dedent("""\
    example:
      polars-fairness cells loans/ --facet sex --facet race --label repaid \\
          --predicted approved --by month --output cells.parquet
      polars-fairness audit cells.parquet --facet sex --label repaid --predicted approved --count n
    """)

_METRICS: Final = dedent("""\
    examples:
      polars-fairness metrics
      polars-fairness metrics di cddpl --format json
    """)


_HEADINGS: Final[Mapping[Heading, tuple[str, ...]]] = {
    "columns": ("columns (* may be given several times)",),
    "reading": ("how the columns are read",),
    "sides": (
        "sides",
        "VALUE; with several facets FACET=VALUE. Several values of a facet form one side.",
    ),
    "certainty": ("metrics, intervals and p-values",),
}


class _Parser(ArgumentParser):
    """A parser that raises mistakes as one line, and returns only the options that were typed."""

    def __init__(self, **settings: object) -> None:
        super().__init__(
            **settings,  # type: ignore[arg-type]
            argument_default=SUPPRESS,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        msg = f"{message}; see {self.prog} --help"
        raise FairnessError(msg)


class Commands(Protocol):
    """The part of a parser to which commands are added."""

    def add_parser(self, name: str, **settings: Any) -> ArgumentParser: ...


def parser() -> ArgumentParser:
    """The parser of all commands."""
    program = _Parser(
        prog="polars-fairness",
        description="Compute fairness metrics from files of rows, or of cells counted from rows.",
        epilog=_PROGRAM + _EXIT_CODES,
    )
    version = f"polars-fairness {pf.__version__} (polars {pl.__version__})"
    program.add_argument("--version", action="version", version=version, help="show both versions")
    kinds = program.add_subparsers(metavar="COMMAND", dest="command", required=True)

    for add in (_add_audit, _add_cells, _add_metrics, _add_demo):
        add(kinds)
    return program


def _add_audit(kinds: Commands) -> None:
    command = kinds.add_parser(
        "audit",
        help="compute metrics with intervals and verdicts",
        description="Compare groups by metrics with intervals and verdicts.",
        epilog=_AUDIT + _EXIT_CODES,
        usage=_OF_FILES,
    )
    _add_rows(command)
    _add_arguments(command, "columns", "reading", "sides", "certainty")
    _add_answer(command)
    command.set_defaults(run=commands.audit)


def _add_cells(kinds: Commands) -> None:
    command = kinds.add_parser(
        "cells",
        help="count rows into cells, for a later audit with --count n",
        description="Count the rows of every combination of values of the columns.",
        epilog=_CELLS + _EXIT_CODES,
        usage=_OF_FILES,
    )
    _add_rows(command)
    _add_arguments(command, "columns", "reading")
    command.add_argument(
        "--output",
        metavar="FILE",
        help="a .parquet, .csv, .tsv, .ndjson or .arrow file; default CSV on stdout",
    )
    _add_overwrite(command)
    command.set_defaults(run=commands.cells)


def _add_metrics(kinds: Commands) -> None:
    command = kinds.add_parser(
        "metrics",
        help="list the metrics of the catalogue",
        description="List all metrics of the catalogue, or the given ones.",
        epilog=_METRICS + _EXIT_CODES,
    )
    command.add_argument(
        "names", metavar="NAME", nargs="*", help="a metric or its alias; default all metrics"
    )
    _add_format(command)
    command.set_defaults(run=commands.metrics)


def _add_demo(kinds: Commands) -> None:
    story = "Print the example of the Berkeley applicants"
    command = kinds.add_parser("demo", help=story[0].lower() + story[1:], description=f"{story}.")
    command.set_defaults(run=commands.demo)


def _add_rows(command: ArgumentParser) -> None:
    rows = command.add_argument_group("rows")
    rows.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="files, folders or patterns, of one format: Parquet, CSV, TSV, NDJSON or Arrow IPC",
    )
    rows.add_argument(
        "--where", metavar="SQL", help="keep the rows for which this expression is true"
    )


def _add_arguments(command: ArgumentParser, *headings: Heading) -> None:
    """Add the options of all arguments under these headings."""
    for heading in headings:
        group = command.add_argument_group(*_HEADINGS[heading])
        for argument in (METRICS, *OF_AUDIT, *OF_QUESTION):
            if argument.option and argument.option.heading == heading:
                _add_argument(group, argument, argument.option)


def _add_argument(group: _ArgumentGroup, argument: Argument, option: Option) -> None:
    kind = argument.kind
    group.add_argument(
        f"--{(option.name or argument.name).replace('_', '-')}",
        dest=argument.name,
        metavar=kind.word or None,
        action="append" if kind.is_several else "store",
        type=_READERS.get(kind, str),
        choices=argument.choices or None,
        help=_help(argument, option),
    )


def _help(argument: Argument, option: Option) -> str:
    default = "" if argument.default is None else f"default {argument.default}"
    text = "; ".join(filter(None, [argument.meaning, option.note, default]))
    return f"{text} *" if argument.kind.is_several else text


def _add_answer(command: ArgumentParser) -> None:
    _add_format(command)
    command.add_argument("--html", metavar="FILE", help="also write a report")
    _add_overwrite(command)
    command.add_argument(
        "--fail-on",
        choices=["unfair", "uncertain"],
        help="exit with 1 if a verdict is against a side or outside (unfair); "
        "or if any verdict is not fair (uncertain)",
    )


def _add_overwrite(command: ArgumentParser) -> None:
    command.add_argument(
        "--overwrite", action="store_true", help="replace the output file if it exists"
    )


def _add_format(command: ArgumentParser) -> None:
    command.add_argument(
        "--format",
        choices=["table", *FORMATS],
        default="table",
        help="format of the answer; default table",
    )


def _number_or_none(text: str) -> float | None:
    try:
        return None if text.lower() == "none" else float(text)
    except ValueError as error:
        msg = f"takes a number or none, got {text!r}"
        raise ArgumentTypeError(msg) from error


_READERS: Final[Mapping[Kind, Callable[[str], object]]] = {
    NUMBER: float,
    HOW_MANY: int,
    SEED: int,
    CONFIDENCE: _number_or_none,
}
