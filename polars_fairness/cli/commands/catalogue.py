"""The command `metrics`: the catalogue as a table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from textwrap import dedent
from typing import Final

import polars as pl
import polars.selectors as cs

import polars_fairness as pf
from polars_fairness.catalogue import Catalogue
from polars_fairness.cli.answers import say_answer
from polars_fairness.cli.options import EXIT_CODES, Commands, add_format
from polars_fairness.cli.printed import width
from polars_fairness.cli.tables import Column, table
from polars_fairness.cli.words import span
from polars_fairness.formula.metric import ideal_as_text

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness metrics
      polars-fairness metrics di cddpl --format json
    """)


def add_metrics(commands: Commands) -> None:
    """Add the command to a parser."""
    command = commands.add_parser(
        "metrics",
        help="list the metrics of the catalogue",
        description="List all metrics of the catalogue, or the given ones.",
        epilog=_EXAMPLES + EXIT_CODES,
    )
    command.add_argument(
        "names", metavar="NAME", nargs="*", help="a metric or its alias; default all metrics"
    )
    add_format(command)
    command.set_defaults(run=metrics)


def metrics(typed: Namespace) -> int:
    """Print the metrics of the catalogue."""
    names = vars(typed).get("names") or pf.CATALOGUE
    entries = list(dict.fromkeys(pf.CATALOGUE[name] for name in names))
    # A table in text has no lists.
    flat = cs.by_dtype(pl.List(pl.String)).list.join(" ")
    answer = Catalogue(entries).frame().with_columns(flat)
    return say_answer(typed, answer, lambda: _table_of(entries))


def _table_of(entries: Sequence[pf.Metric]) -> str:
    columns = [
        Column("name", [entry.name for entry in entries], least=13),
        Column("definition", [entry.definition for entry in entries], least=20),
        Column("range", [span(entry.range) for entry in entries], least=6),
        Column("ideal", [ideal_as_text(entry.ideal) for entry in entries], is_number=True),
        Column("band", [span(entry.acceptable) for entry in entries], least=6),
    ]
    titles, lines = table(columns, width())
    return "\n".join([titles, *lines])
