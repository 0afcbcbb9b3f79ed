"""The words a command line takes, and the help that explains them."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from textwrap import dedent
from typing import Any, Final, NoReturn, Protocol

import polars as pl

import polars_fairness as pf
from polars_fairness.cli import commands
from polars_fairness.cli.printed import FORMATS, TRACEBACK
from polars_fairness.errors import FairnessError

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
    _add_columns(command)
    _add_reading(command)
    _add_sides(command)
    _add_terms(command)
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
    _add_columns(command)
    _add_reading(command)
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


def _add_columns(command: ArgumentParser) -> None:
    columns = command.add_argument_group("columns (* may be given several times)")
    for option, several, said in (
        ("facet", True, "sensitive attribute, each compared on its own *"),
        ("label", False, "observed outcome"),
        ("predicted", False, "predicted outcome"),
        ("subgroup", True, "strata of the conditional metrics *"),
        ("by", True, "answer once for each value *"),
        ("weight", False, "sampling weight"),
        ("count", False, "how many rows each row stands for"),
    ):
        columns.add_argument(
            f"--{option}", metavar="COLUMN", action="append" if several else "store", help=said
        )
    columns.add_argument(
        "--feature",
        dest="features",
        metavar="COLUMN",
        action="append",
        help="what tells how alike two individuals are *",
    )


def _add_reading(command: ArgumentParser) -> None:
    reading = command.add_argument_group("how to read them")
    reading.add_argument(
        "--positive",
        metavar="VALUE",
        action="append",
        help="which outcome is positive, COLUMN=VALUE of one column only; else true and 1 *",
    )
    reading.add_argument(
        "--threshold", metavar="X", type=float, help="a predicted score is positive from here on"
    )
    reading.add_argument(
        "--label-threshold", metavar="X", type=float, help="a label is positive from here on"
    )
    reading.add_argument(
        "--nulls", choices=["raise", "drop"], help="what rows with missing values do; else raise"
    )


def _add_sides(command: ArgumentParser) -> None:
    sides = command.add_argument_group(
        "sides", "A value, or FACET=VALUE, which several facets need. Several make one side."
    )
    sides.add_argument("--disfavored", metavar="VALUE", action="append", help="side d *")
    sides.add_argument("--favored", metavar="VALUE", action="append", help="side a *")


def _add_terms(command: ArgumentParser) -> None:
    terms = command.add_argument_group("metrics, and how sure to be of them")
    terms.add_argument(
        "--metric",
        dest="metrics",
        metavar="NAME",
        action="append",
        help="see polars-fairness metrics; else all that the columns allow *",
    )
    terms.add_argument(
        "--confidence",
        metavar="X",
        type=_number_or_none,
        help="of the intervals; or none; else 0.95",
    )
    terms.add_argument("--method", metavar="NAME", help="how the intervals are found")
    terms.add_argument("--replicates", metavar="N", type=int, help="draws of the bootstrap")
    terms.add_argument("--seed", metavar="N", type=int, help="of the bootstrap")
    terms.add_argument(
        "--minimum-count", metavar="N", type=int, help="mark comparisons with a side below this"
    )
    terms.add_argument("--p-values", choices=["exact", "holm"], help="test each comparison")
    terms.add_argument(
        "--zero-division", metavar="X", type=float, help="what 0/0 is; else undefined"
    )


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
