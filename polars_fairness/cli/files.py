"""Files that are read as rows, and written with cells; the name decides the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from glob import has_magic
from pathlib import Path
from typing import Any, Final

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.cli.column_types import texts_in
from polars_fairness.cli.delimited import is_address
from polars_fairness.cli.paths import found_files
from polars_fairness.cli.text_files import as_no_patterns, refuse_first_unreadable, rows_of_text
from polars_fairness.errors import FairnessError, listed, reason_of
from polars_fairness.question.columns import find_columns

_FORMATS: Final = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}

_SCANS: Final[dict[str, Callable[[list[str]], pl.LazyFrame]]] = {
    "parquet": partial(pl.scan_parquet, hive_partitioning=True),
    "ipc": partial(pl.scan_ipc, hive_partitioning=True),
}

_SCHEMAS: Final[dict[str, Callable[[str], dict[str, pl.DataType]]]] = {
    "parquet": pl.read_parquet_schema,
    "ipc": pl.read_ipc_schema,
}

_SINGLE: Final = ("configuration", "notes", "policy")
"""The arguments that name one file to read."""

BASELINE_WORDS: Final = ("previous", "first")
"""Baselines that are windows, also where a file has this name."""

Writer = Callable[[pl.DataFrame, Path], object]

_WRITES: Final[dict[str, Writer]] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".csv": pl.DataFrame.write_csv,
    ".tsv": partial(pl.DataFrame.write_csv, separator="\t"),
    ".ndjson": pl.DataFrame.write_ndjson,
    ".jsonl": pl.DataFrame.write_ndjson,
    ".arrow": pl.DataFrame.write_ipc,
    ".feather": pl.DataFrame.write_ipc,
    ".ipc": pl.DataFrame.write_ipc,
}


def files_beside(arguments: Mapping[str, Any]) -> list[str]:
    """The files that are read beside those of the rows, by whatever argument names them."""
    single = [arguments[name] for name in _SINGLE if name in arguments]
    return [*single, *files_of_baseline(arguments)]


def files_of_baseline(arguments: Mapping[str, Any]) -> list[str]:
    """The files of the typed baseline; empty without one, or if it is a window."""
    text: str | None = arguments.get("baseline")
    if text is None or text in BASELINE_WORDS or not _is_path(text):
        return []
    try:
        return found_files([text], [])
    except FairnessError as error:
        msg = f"baseline: {str(error).removeprefix('path: ')}"
        raise FairnessError(msg) from error


def opened(files: Sequence[str], arguments: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of files of one format that --where keeps, as the typed arguments read them."""
    formats = {_format_of(file): file for file in files}
    if len(formats) > 1:
        msg = f"path: files of different formats, {listed(formats.values())}; give one format only"
        raise FairnessError(msg)
    [found] = formats
    kept = partial(_kept, arguments.get("where"))
    if found not in _SCANS:
        return rows_of_text(found, files, arguments, kept)
    try:
        rows = _SCANS[found](as_no_patterns(files))
        schema = rows.collect_schema()
    except PolarsError as error:
        refuse_first_unreadable(found, files, _SCANS[found], error)
    texts = texts_in(arguments, schema.names())
    return kept(rows.with_columns(pl.col(texts).cast(pl.String)) if texts else rows)


def reason_in_files(error: PolarsError, paths: Sequence[str]) -> str:
    """Why rows could not be counted: the first file with other columns, or what polars says."""
    # Schemas are read only now: each takes a request where files are far away.
    known: tuple[str, dict[str, pl.DataType]] | None = None
    for file in found_files(paths, []):
        if is_address(file) or _format_of(file) not in _SCHEMAS:
            continue
        try:
            schema = _SCHEMAS[_format_of(file)](file)
        except (PolarsError, OSError) as broken:
            return f"path: cannot read {file!r}: {reason_of(broken)}; write it again"
        first, types = known = known or (file, schema)
        name = next((name for name in types | schema if types.get(name) != schema.get(name)), None)
        if name is not None:
            return (
                f"path: {file!r} differs from {first!r}: column {name!r} is "
                f"{schema.get(name, 'missing')} in the first and {types.get(name, 'missing')} in "
                "the second; give files of one kind, or count each kind into a CSV file by "
                "`polars-fairness cells`, and give these with --count n"
            )
    return reason_of(error)


def writer_for(path: str) -> Writer:
    """The function that writes a file of this name; raise if its format is unknown."""
    write = _WRITES.get(Path(path).suffix.lower())
    if write is None:
        msg = f"--output: {path!r} has no known format; end the name in one of {listed(_WRITES)}"
        raise FairnessError(msg)
    return write


def _is_path(text: str) -> bool:
    names_rows = text.lower().endswith(tuple(_FORMATS))
    return "://" in text or Path(text).exists() or has_magic(text) or names_rows


def _format_of(path: str) -> str:
    name = path.lower()
    found = next((form for ending, form in _FORMATS.items() if name.endswith(ending)), None)
    if found is None:
        msg = f"path: {path!r} has no known format; the name must end in one of {listed(_FORMATS)}"
        raise FairnessError(msg)
    return found


def _kept(where: str | None, rows: pl.LazyFrame) -> pl.LazyFrame:
    return rows if where is None else rows.filter(_condition(where, rows.collect_schema()))


def _condition(where: str, schema: pl.Schema) -> pl.Expr:
    try:
        condition = pl.sql_expr(where)
    except PolarsError as error:
        msg = (
            f"--where: {where!r} is not an SQL expression: {reason_of(error)}; "
            "write one such as 'year = 2025'"
        )
        raise FairnessError(msg) from error
    types = [column.dtype for column in find_columns(schema, "--where", condition)]
    if types != [pl.Boolean()]:
        msg = f"--where: {where!r} is {types[0]}, not true or false; compare it with something"
        raise FairnessError(msg)
    return condition
