"""CSV, TSV and NDJSON, whose columns have no types: rows as text, then as what all rows allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from glob import escape
from pathlib import Path
from typing import Any, Final, NoReturn

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.cli.column_types import (
    Candidates,
    Reading,
    as_number,
    is_filled,
    readings_of,
)
from polars_fairness.cli.delimited import (
    is_address,
    refuse_bad_lines,
    refuse_other_headers,
    refuse_ragged_rows,
    refuse_repeated_columns,
)
from polars_fairness.errors import FairnessError, listed, reason_of

SEPARATORS: Final = {"csv": ",", "tsv": "\t"}

_ROWS: Final = "rows\x1f"
_TEXT: Final = "text\x1f"  # before the names of columns that a condition reads as numbers
_FILE: Final = "file\x1f"
_GUESSED: Final = 10_000

Filter = Callable[[pl.LazyFrame], pl.LazyFrame]
Scan = Callable[..., pl.LazyFrame]


def as_no_patterns(files: Sequence[str]) -> list[str]:
    """The names so that polars does not read one such as `loans[1].csv` as a pattern."""
    return [file if is_address(file) else escape(file) for file in files]


def rows_of_text(
    kind: str, files: Sequence[str], arguments: Mapping[str, Any], kept: Filter
) -> pl.LazyFrame:
    """The rows of CSV, TSV or NDJSON that a filter keeps, with the types that all rows allow.

    Of a million rows of CSV, this and a count of them take about as long as the count alone took
    when polars guessed the types of all columns from the first 10,000 rows.
    """
    separator = SEPARATORS.get(kind, "")
    scan: Scan = partial(_scan_csv, separator=separator) if separator else _scan_ndjson
    try:
        return _typed(scan, separator, files, arguments, kept)
    except PolarsError as error:
        if separator:
            refuse_bad_lines(files, separator)
        refuse_first_unreadable(kind, files, scan, error)


def _typed(
    scan: Scan, separator: str, files: Sequence[str], arguments: Mapping[str, Any], kept: Filter
) -> pl.LazyFrame:
    _refuse_empty(files)
    if separator:
        refuse_other_headers(files, separator)
    schema = scan(files).collect_schema()
    candidates = Candidates.of(arguments, schema.names())
    plain = {name for name, dtype in schema.items() if not dtype.is_nested()}
    named = [name for name in candidates.names if name in plain]
    if separator:
        refuse_repeated_columns(files[0], separator, named)
    # JSON says which values are text, and a condition compares them as such.
    texts_in_conditions = {} if separator else {n: () for n in named if schema[n] == pl.String}
    in_question = {n: candidates.in_question[n] for n in named if n in candidates.in_question}
    in_conditions = {n: candidates.in_conditions[n] for n in named if n in candidates.in_conditions}
    texts = scan(files, texts=named)
    # Every column, so that polars finds the rows with more fields than the header.
    others = [pl.len().alias(_ROWS), *([pl.all().null_count()] if separator else [])]
    (reads, conditions), counted = readings_of(
        texts, [in_question, in_conditions | texts_in_conditions], *others
    )
    rows = counted[_ROWS].item()
    if separator:
        refuse_ragged_rows(files, separator, rows, len(schema))
    if rows == 0:
        msg = f"path: {listed(files)} has no rows; give files with rows"
        raise FairnessError(msg)
    for name, argument in candidates.argument.items():
        if name in in_question and name not in reads:
            _refuse_text_beside_numbers(partial(scan, files, texts=named), name, argument)
    columns = _read(reads)
    if arguments.get("where") is None:
        return texts.with_columns(**columns)
    # The question has its own reading of a column that the condition compares.
    own = {f"{_TEXT}{name}": pl.col(name) for name in in_conditions}
    back = {name: pl.col(f"{_TEXT}{name}") for name in in_conditions}
    filtered = kept(texts.with_columns(**own, **_read(conditions)))
    return filtered.with_columns(**back).drop(own).with_columns(**columns)


def _read(reads: Mapping[str, Reading]) -> dict[str, pl.Expr]:
    return {name: read(pl.col(name)) for name, read in reads.items()}


def _scan_csv(
    files: Sequence[str], *, separator: str, texts: Sequence[str] = (), **settings: Any
) -> pl.LazyFrame:
    names = as_no_patterns(files)
    return pl.scan_csv(names, separator=separator, infer_schema=False, **settings)


def _scan_ndjson(
    files: Sequence[str], *, texts: Sequence[str] = (), **settings: Any
) -> pl.LazyFrame:
    return pl.scan_ndjson(
        as_no_patterns(files),
        infer_schema_length=_GUESSED,
        schema_overrides=dict.fromkeys(texts, pl.String()),
        **settings,
    )


def _refuse_text_beside_numbers(scan: Scan, name: str, argument: str) -> None:
    """Raise if some values of a column are numbers and others are not."""
    text = pl.col(name)
    is_number = as_number(text).is_not_null()
    found = (
        scan(include_file_paths=_FILE)
        .select(
            numbers=is_number.sum(),
            others=(is_filled(name) & ~is_number).sum(),
            first=text.filter(is_filled(name) & ~is_number).first(),
            file=pl.col(_FILE).filter(is_filled(name) & ~is_number).first(),
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    if found["numbers"]:
        msg = (
            f"{argument}: {found['others']:,} values of {name!r} are no numbers, the first of them "
            f"{found['first']!r} in {found['file']!r}; correct them, or leave the fields empty "
            "and add nulls='drop'"
        )
        raise FairnessError(msg)


def _refuse_empty(files: Sequence[str]) -> None:
    for file in files:
        if not is_address(file) and Path(file).stat().st_size == 0:
            msg = f"path: {file!r} is empty; remove it, or write it again"
            raise FairnessError(msg)


def refuse_first_unreadable(
    kind: str, files: Sequence[str], scan: Scan, error: PolarsError
) -> NoReturn:
    """Raise about the first file that cannot be read alone, or about the first of all."""
    broken, reason = files[0], error
    for file in files:
        try:
            scan([file]).select(pl.all().null_count()).collect(engine="streaming")
        except PolarsError as own:
            broken, reason = file, own
            break
    msg = f"path: cannot read {broken!r} as {kind}: {reason_of(reason)}; check the file"
    raise FairnessError(msg) from error
