"""Files that are read as rows, and written with cells; the name decides the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from glob import escape, glob, has_magic
from pathlib import Path
from typing import Final

import polars as pl
from polars.exceptions import PolarsError

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

# The command line has no option for a column's type: guess it from more rows than the usual 100.
_scan_csv = partial(pl.scan_csv, try_parse_dates=True, infer_schema_length=10_000)

_SCANS: Final[dict[str, Callable[[list[str]], pl.LazyFrame]]] = {
    "parquet": partial(pl.scan_parquet, hive_partitioning=True),
    "ipc": partial(pl.scan_ipc, hive_partitioning=True),
    "csv": _scan_csv,
    "tsv": partial(_scan_csv, separator="\t"),
    "ndjson": pl.scan_ndjson,
}

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


def files_of(paths: Sequence[str]) -> list[str]:
    """The files of all paths; raise if one file is found twice."""
    files = [file for path in paths for file in _files_of(path)]
    found: dict[object, str] = {}
    for file in files:
        identity = _identity(file)
        if identity in found:
            names = listed(dict.fromkeys((found[identity], file)))
            msg = f"path: the same file twice, {names}; its rows would count twice; give it once"
            raise FairnessError(msg)
        found[identity] = file
    return files


def opened(files: Sequence[str], where: str | None) -> pl.LazyFrame:
    """The rows of files of one format, filtered by a condition in SQL."""
    formats = {_format_of(file): file for file in files}
    if len(formats) > 1:
        msg = f"path: files of different formats, {listed(formats.values())}; give one format only"
        raise FairnessError(msg)
    [(found, example)] = formats.items()
    try:
        # Unescaped, polars would read a name such as `loans[1].csv` as a pattern.
        rows = _SCANS[found]([file if "://" in file else escape(file) for file in files])
        schema = rows.collect_schema()
    except PolarsError as error:
        msg = f"path: cannot read {example!r} as {found}: {reason_of(error)}; check the file"
        raise FairnessError(msg) from error
    return rows if where is None else rows.filter(_condition(where, schema))


def writer_for(path: str) -> Writer:
    """The function that writes a file of this name; raise if its format is unknown."""
    write = _WRITES.get(Path(path).suffix.lower())
    if write is None:
        msg = f"--output: {path!r} has no known format; end the name in one of {listed(_WRITES)}"
        raise FairnessError(msg)
    return write


def _files_of(path: str) -> list[str]:
    """The files of a path: the file itself, the files of a folder, or the matches of a pattern."""
    if "://" in path or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        files = sorted(_data_below(Path(path)))
    elif has_magic(path):
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        files = [file for match in matches for file in _files_of(match)]
    else:
        msg = f"path: there is no {path!r}; give a file, a folder, or a pattern in quotes"
        raise FairnessError(msg)
    if not files:
        msg = f"path: no files in {path!r}; give a file, a folder, or a pattern in quotes"
        raise FairnessError(msg)
    return files


def _identity(file: str) -> object:
    """An object that is equal for two names of one file, links included."""
    if "://" in file:
        return file
    status = Path(file).stat()
    return status.st_dev, status.st_ino


def _data_below(folder: Path) -> Iterator[str]:
    """The files below a folder, without `_SUCCESS` and the like, which engines put beside data."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(("_", ".")) for part in inside):
            yield str(path)


def has_known_format(path: str) -> bool:
    """Whether a name ends as those of files with rows do."""
    return path.lower().endswith(tuple(_FORMATS))


def _format_of(path: str) -> str:
    name = path.lower()
    found = next((form for ending, form in _FORMATS.items() if name.endswith(ending)), None)
    if found is None:
        msg = f"path: {path!r} has no known format; the name must end in one of {listed(_FORMATS)}"
        raise FairnessError(msg)
    return found


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
