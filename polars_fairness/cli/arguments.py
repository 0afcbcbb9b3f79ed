"""The words a command line takes, and the help that explains them."""

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
      0    answered, and no gate failed
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
    "reading": ("how to read them",),
    "sides": (
        "sides",
        "A value, or FACET=VALUE, which several facets need. Several make one side.",
    ),
    "certainty": ("metrics, and how sure to be of them",),
}


class _Parser(ArgumentParser):
    """A parser whose every mistake is one line, and which hands on only what was typed."""

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
    """Where commands are added."""

    def add_parser(self, name: str, **settings: Any) -> ArgumentParser: ...


def parser() -> ArgumentParser:
    """Make the parser of all commands."""
    program = _Parser(
        prog="polars-fairness",
        description="Fairness metrics of files of rows, or of cells counted from them.",
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
        help="metrics with intervals and verdicts",
        description="Compare groups: metrics with their intervals and verdicts.",
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
        help="count rows into cells, to be audited later with --count n",
        description="Count every combination of the columns named, to be audited later.",
        epilog=_CELLS + _EXIT_CODES,
        usage=_OF_FILES,
    )
    _add_rows(command)
    _add_arguments(command, "columns", "reading")
    command.add_argument(
        "--output",
        metavar="FILE",
        help=".parquet, .csv, .tsv, .ndjson or .arrow; else CSV is shown",
    )
    _add_overwrite(command)
    command.set_defaults(run=commands.cells)


def _add_metrics(kinds: Commands) -> None:
    command = kinds.add_parser(
        "metrics",
        help="list the catalogue",
        description="List the catalogue, or some of it.",
        epilog=_METRICS + _EXIT_CODES,
    )
    command.add_argument("names", metavar="NAME", nargs="*", help="a metric, or an alias of one")
    _add_format(command)
    command.set_defaults(run=commands.metrics)


def _add_demo(kinds: Commands) -> None:
    command = kinds.add_parser("demo", help="the Berkeley story", description="The Berkeley story.")
    command.set_defaults(run=commands.demo)


def _add_rows(command: ArgumentParser) -> None:
    rows = command.add_argument_group("rows")
    rows.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="parquet, CSV, TSV, NDJSON or Arrow IPC: files, folders or patterns, of one format",
    )
    rows.add_argument("--where", metavar="SQL", help="keep the rows for which this is true")


def _add_arguments(command: ArgumentParser, *headings: Heading) -> None:
    """Add the options of arguments, heading by heading."""
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
    default = "" if argument.default is None else f"else {argument.default}"
    said = "; ".join(filter(None, [argument.meaning, option.note, default]))
    return f"{said} *" if argument.kind.is_several else said


def _add_answer(command: ArgumentParser) -> None:
    _add_format(command)
    command.add_argument("--html", metavar="FILE", help="write a report too")
    _add_overwrite(command)
    command.add_argument(
        "--fail-on",
        choices=["unfair", "uncertain"],
        help="exit with 1 for a verdict against a side or outside the band; or for any not fair",
    )


def _add_overwrite(command: ArgumentParser) -> None:
    command.add_argument(
        "--overwrite", action="store_true", help="replace the file that is written, if it is there"
    )


def _add_format(command: ArgumentParser) -> None:
    command.add_argument(
        "--format", choices=["table", *FORMATS], default="table", help="of the answer; else table"
    )


def _number_or_none(word: str) -> float | None:
    try:
        return None if word.lower() == "none" else float(word)
    except ValueError as error:
        msg = f"takes a number or none, got {word!r}"
        raise ArgumentTypeError(msg) from error


_READERS: Final[Mapping[Kind, Callable[[str], object]]] = {
    NUMBER: float,
    HOW_MANY: int,
    SEED: int,
    CONFIDENCE: _number_or_none,
}
