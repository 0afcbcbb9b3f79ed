"""The commands that read no rows: `metrics` and `demo`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Final

import polars as pl
import polars.selectors as cs

import polars_fairness as pf
from polars_fairness import demo
from polars_fairness.api.columns import Column
from polars_fairness.catalogue import Catalogue
from polars_fairness.cli.answers import fit_to_terminal
from polars_fairness.cli.formats import WRITERS
from polars_fairness.cli.printed import say
from polars_fairness.reporting.parts import Table


def run(typed: Namespace) -> int:
    """Print what the command is about."""
    if typed.command == "demo":
        with redirect_stdout(StringIO()) as printed:
            demo.main()
        say(printed.getvalue())
    else:
        say(_metrics(typed))
    return 0


def _metrics(typed: Namespace) -> str:
    """The metrics of the catalogue in the format that is typed."""
    names = vars(typed).get("names") or pf.CATALOGUE
    entries = list(dict.fromkeys(pf.CATALOGUE[name] for name in names))
    # A table in text has no lists.
    flat = cs.by_dtype(pl.List(pl.String)).list.join(" ")
    answer = Catalogue(entries).frame().with_columns(flat)
    form = vars(typed).get("format", "table")
    return _table_of(entries) if form == "table" else WRITERS[form](answer, "metrics")


_COLUMNS: Final = (
    Column("name", type="text", least=13),
    Column("definition", type="text", least=20),
    Column("range", format="band", least=6),
    Column("ideal", format="ideal"),
    Column("band", format="band", least=6),
)


def _table_of(entries: Sequence[pf.Metric]) -> str:
    of_entry = ("name", "definition", "range", "ideal")
    rows = [
        {"under": "", "band": entry.acceptable, **{name: getattr(entry, name) for name in of_entry}}
        for entry in entries
    ]
    return fit_to_terminal(Table(_COLUMNS, rows))
