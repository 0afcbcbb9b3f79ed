"""Files of rows by Clarify's types: CSV with or without names of columns, Parquet, JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from glob import escape
from typing import Final

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.clarify.configuration import Where
from polars_fairness.errors import FairnessError, did_you_mean, listed, reason_of

GUESSED: Final = 10_000
"""The rows from which the type of a column is guessed, as in the other commands."""

# Clarify reads CSV by pandas, for which these texts stand for missing values.
_MISSING: Final = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)

_NUMBER: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z")


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
    """The rows of CSV files, whose first line may hold the names of the columns or may not.

    Clarify's documentation does not say how it tells the two apart. Here, a first line that is
    equal to ``headers`` holds names; without ``headers``, so does one in which nothing is a number.
    """
    with readable(files, "text/csv"):
        first = pl.read_csv(
            as_no_patterns(files)[0],
            has_header=False,
            infer_schema=False,
            n_rows=1,
        ).row(0)
    if headers is None:
        has_names = not any(_NUMBER.match(cell or "") for cell in first)
        names = [cell or "" for cell in first] if has_names else placeholders(len(first))
    else:
        names, has_names = [*headers], tuple(headers) == first
        require_as_many(names, len(first), key)
    require_distinct(names, key)
    with readable(files, "text/csv"):
        rows = pl.scan_csv(
            as_no_patterns(files),
            has_header=False,
            skip_rows=int(has_names),
            new_columns=names,
            infer_schema_length=GUESSED,
            null_values=list(_MISSING),
        )
        return _plain(rows)


def parquet_file(files: Sequence[str], headers: Sequence[str] | None) -> TableFile:
    """The rows of Parquet files; ``headers`` are new names for the columns."""
    with readable(files, "application/x-parquet"):
        rows = pl.scan_parquet(as_no_patterns(files))
        columns = rows.collect_schema().names()
    if headers is not None:
        require_as_many(headers, len(columns), "headers")
        require_distinct(headers, "headers")
        rows = rows.rename(dict(zip(columns, headers, strict=True)))
    return _plain(rows)


@contextmanager
def readable(files: Sequence[str], kind: str) -> Iterator[None]:
    """Say that a file cannot be read as what the configuration says it is."""
    try:
        yield
    except (PolarsError, OSError) as error:
        msg = (
            f"dataset_type: {files[0]!r} cannot be read as {kind}: {reason_of(error)}; check the "
            "type and the file"
        )
        raise FairnessError(msg) from error


def as_no_patterns(files: Sequence[str]) -> list[str]:
    """The names so that polars does not read one such as `loans[1].csv` as a pattern."""
    return [file if "://" in file else escape(file) for file in files]


def placeholders(width: int) -> list[str]:
    """Clarify's names for columns without names."""
    return [f"column_{place}" for place in range(width)]


def require_as_many(headers: Sequence[str], width: int, key: str) -> None:
    """Raise unless there is a name for each column."""
    if len(headers) != width:
        msg = f"{key}: has {len(headers)} names, and the data {width} columns; name each column"
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
