"""The commands that read no rows: `metrics`, `sql` and `demo`."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import polars as pl
import polars.selectors as cs

import polars_fairness as pf
from polars_fairness import demo
from polars_fairness.api.columns import Column
from polars_fairness.catalogue import Catalogue
from polars_fairness.cli.answers import fit_to_terminal
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.formats import WRITERS
from polars_fairness.cli.printed import say
from polars_fairness.cli.typed import question_of
from polars_fairness.errors import FairnessError, listed
from polars_fairness.reporting.parts import Table


def run(typed: Namespace) -> int:
    """Print what the command is about."""
    if typed.command == "demo":
        with redirect_stdout(StringIO()) as printed:
            demo.main()
        say(printed.getvalue())
    else:
        say(_sql(vars(typed)) if typed.command == "sql" else _metrics(typed))
    return 0


def _sql(arguments: Mapping[str, Any]) -> str:
    """The query of the cells of the typed question."""
    schema = _schema_in(arguments["schema"])
    question = question_of(arguments, schema)
    return pf.sql(schema, table=arguments["table"], dialect=arguments["dialect"], **question)


def _schema_in(path: str) -> pl.Schema:
    """The types in a JSON file, or those of a file of rows."""
    files = files_of([path])
    if Path(path).suffix.lower() != ".json":
        return opened(files, {}).collect_schema()
    types = json.loads(Path(path).read_text("utf-8"))
    known = {name: getattr(pl, name)() for name in _TYPES}
    if not isinstance(types, dict) or not {*map(str, types.values())} <= {*known}:
        raise FairnessError(
            f"schema: {path!r} is not an object of columns with the types {listed(_TYPES)}; give "
            'one, such as {"sex": "String", "approved": "Boolean"}, or a file with these columns'
        )
    return pl.Schema({name: known[dtype] for name, dtype in types.items()})


_TYPES: Final = (
    *("String", "Boolean", "Date", "Datetime", "Decimal", "Float32", "Float64"),
    *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"),
)


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
