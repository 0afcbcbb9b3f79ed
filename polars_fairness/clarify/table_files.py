"""Files of rows by Clarify's types: CSV with or without names of columns, Parquet, JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from glob import escape
from typing import Final

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.clarify.configuration import Where
from polars_fairness.errors import FairnessError, did_you_mean, listed, reason_of

# Clarify reads CSV by pandas, for which these texts stand for missing values.
_MISSING: Final = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)

_NUMBER: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z")


# All rows decide the types: a score of 0 and 1 may have its first decimal in the last row.
_scan_csv: Final = partial(
    pl.scan_csv, has_header=False, infer_schema_length=None, null_values=[*_MISSING]
)


@dataclass(frozen=True)
class TableFile:
    """Rows with the names of their columns; ``features`` are those that may be features."""

    rows: pl.LazyFrame
    columns: tuple[str, ...]
    features: tuple[str, ...]
    by_path: dict[str, str] = field(default_factory=dict)
    """The columns of JSON Lines that a path led to, by this path."""

    def find(self, key: str, where: Where) -> str:
        """The name of the column that a key of the configuration names, or has the index of."""
        if isinstance(where, int):
            if where >= len(self.columns):
                msg = (
                    f"{key}: no column {where} in the data; the last is "
                    f"{len(self.columns) - 1}, {self.columns[-1]!r}"
                )
                raise FairnessError(msg)
            return self.columns[where]
        name = self.by_path.get(where, where)
        if name not in self.columns:
            msg = f"{key}: no column {name!r} in the data; {did_you_mean(name, self.columns)}"
            raise FairnessError(msg)
        return name


def csv_file(files: Sequence[str], headers: Sequence[str] | None, key: str) -> TableFile:
    """The rows of CSV files, whose first lines may hold the names of the columns or may not.

    Clarify's documentation does not say how it tells the two apart. Here, a first line with the
    names of ``headers`` holds names; without ``headers``, so does one in which nothing is a number.
    The names may stand in another order in each file.
    """
    lines = [_first_line(file) for file in files]
    has_no_names = headers is None and any(map(_NUMBER.match, lines[0]))
    columns = placeholders(len(lines[0])) if has_no_names else [*(headers or lines[0])]
    require_distinct(columns, key)
    parts = []
    for file, line in zip(files, lines, strict=True):
        has_names = sorted(line) == sorted(columns)
        if not has_names and headers is not None:
            require_as_many(headers, len(line), key, repr(file))
            if _looks_like_names(file, line, columns):
                msg = (
                    f"{key}: line 1 of {file!r} looks like names, but "
                    f"{_difference(line, columns)}; write {key} as in this line, or remove it"
                )
                raise FairnessError(msg)
        elif not has_names and has_no_names:
            _require_alike(file, placeholders(len(line)), columns, key, files[0])
            if _looks_like_names(file, line, columns):
                msg = (
                    f"{key}: line 1 of {file!r} looks like names, and {files[0]!r} has none; name "
                    f"the columns in {key}"
                )
                raise FairnessError(msg)
        elif not has_names:
            _require_alike(file, line, columns, key, files[0])
        rows = _csv_rows(file, line if has_names else columns, has_names=has_names)
        parts.append(rows.select(columns))
    return _plain(pl.concat(parts, how="vertical_relaxed"))


def _first_line(file: str) -> list[str]:
    with readable(file, "text/csv"):
        line = pl.read_csv(*as_no_patterns([file]), has_header=False, infer_schema=False, n_rows=1)
    return [cell or "" for cell in line.row(0)]


def _csv_rows(file: str, names: Sequence[str], *, has_names: bool) -> pl.LazyFrame:
    with readable(file, "text/csv"):
        rows = _scan_csv(as_no_patterns([file]), skip_rows=int(has_names), new_columns=[*names])
        rows.collect_schema()
    return rows


def _looks_like_names(file: str, line: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether a line is no row: it has no number, though there are numbers below one of its words.

    Names that differ from those expected in the case of a letter are no row either.
    """
    if sorted(map(str.lower, line)) == sorted(map(str.lower, columns)):
        return True
    if any(map(_NUMBER.match, line)):
        return False
    with readable(file, "text/csv"):
        below = _scan_csv(as_no_patterns([file]), skip_rows=1, raise_if_empty=False)
        dtypes = below.collect_schema().dtypes()
    return any(
        dtype.is_numeric() and word not in _MISSING
        for word, dtype in zip(line, dtypes, strict=False)
    )


def _require_alike(
    file: str, names: Sequence[str], columns: Sequence[str], key: str, first: str
) -> None:
    if sorted(names) != sorted(columns):
        msg = (
            f"{key}: line 1 of {file!r} {_difference(names, columns)}, unlike that of {first!r}; "
            f"begin each file with the same names, or give {key} if one has none"
        )
        raise FairnessError(msg)


def _difference(names: Sequence[str], columns: Sequence[str]) -> str:
    lacks = [name for name in columns if name not in names]
    has = [name for name in names if name not in columns]
    parts = [f"{verb} {listed(each)}" for verb, each in (("lacks", lacks), ("has", has)) if each]
    return " and ".join(parts)


def parquet_file(files: Sequence[str], headers: Sequence[str] | None) -> TableFile:
    """The rows of Parquet files; ``headers`` are new names for the columns."""
    with readable(files[0], "application/x-parquet"):
        rows = pl.scan_parquet(as_no_patterns(files))
        columns = rows.collect_schema().names()
    if headers is not None:
        require_as_many(headers, len(columns), "headers")
        require_distinct(headers, "headers")
        rows = rows.rename(dict(zip(columns, headers, strict=True)))
    return _plain(rows)


@contextmanager
def readable(file: str, kind: str) -> Iterator[None]:
    """Say that a file, or one of several that begin with it, cannot be read as its type."""
    try:
        yield
    except (PolarsError, OSError) as error:
        msg = (
            f"dataset_type: {file!r} cannot be read as {kind}: {reason_of(error)}; check the "
            "type and the file"
        )
        raise FairnessError(msg) from error


def as_no_patterns(files: Sequence[str]) -> list[str]:
    """The names so that polars does not read one such as `loans[1].csv` as a pattern."""
    return [file if "://" in file else escape(file) for file in files]


def placeholders(width: int) -> list[str]:
    """Clarify's names for columns without names."""
    return [f"column_{place}" for place in range(width)]


def require_as_many(headers: Sequence[str], width: int, key: str, of: str = "the data") -> None:
    """Raise unless there is a name for each column."""
    if len(headers) != width:
        msg = f"{key}: has {len(headers)} names, and {of} {width} columns; name each column"
        raise FairnessError(msg)


def require_distinct(headers: Sequence[str], key: str) -> None:
    """Raise if two columns have the same name."""
    twice = sorted({name for name in headers if headers.count(name) > 1})
    if twice:
        msg = f"{key}: {listed(twice)} names several columns; give each its own name"
        raise FairnessError(msg)


def _plain(rows: pl.LazyFrame) -> TableFile:
    columns = tuple(rows.collect_schema().names())
    return TableFile(rows, columns, columns)
