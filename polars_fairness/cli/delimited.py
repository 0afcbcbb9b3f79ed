"""CSV and TSV files, line by line: what polars would shift, rename or refuse without a name."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, Final, NoReturn

import numpy as np

from polars_fairness.errors import FairnessError, listed

_GZIP: Final = b"\x1f\x8b"
_QUOTE: Final = ord('"')
_BLOCK: Final = 1 << 18


def is_address(file: str) -> bool:
    """Whether this is the address of a file elsewhere, which polars alone can read."""
    return "://" in file


def refuse_other_headers(files: Sequence[str], separator: str) -> None:
    """Raise unless all files have the same header."""
    headers = {file: _header(file, separator) for file in files if not is_address(file)}
    for file, header in headers.items():
        first = headers[next(iter(headers))]
        if header != first:
            msg = (
                f"path: the columns of {file!r} are {listed(header)}, and those of "
                f"{next(iter(headers))!r} are {listed(first)}; give files with the same columns in "
                "the same order"
            )
            raise FairnessError(msg)


def refuse_repeated_columns(file: str, separator: str, named: Sequence[str]) -> None:
    """Raise if a column that is read stands twice in the header: polars would rename the second."""
    header = [] if is_address(file) else _header(file, separator)
    for name in named:
        if header.count(name) > 1:
            msg = (
                f"path: {header.count(name)} columns of {file!r} are called {name!r}; give each a "
                "name of its own in the header"
            )
            raise FairnessError(msg)


def refuse_ragged_rows(files: Sequence[str], separator: str, rows: int, width: int) -> None:
    """Raise if a row has fewer fields than the header; polars would fill them with nulls.

    ``rows`` were read with all columns, so that none has more fields. Then the separators of all
    files say whether one has fewer. To count them took 0.1 s of processor time for a million rows
    of 9 columns, whose reading took 0.5 s; to split each line by Python takes seconds, and is left
    to files whose number is wrong.
    """
    files = [file for file in files if not is_address(file)]
    found = sum(_separators(file, ord(separator)) for file in files)
    if files and width > 1 and found != (rows + len(files)) * (width - 1):
        refuse_bad_lines(files, separator)


def refuse_bad_lines(files: Sequence[str], separator: str) -> None:
    """Raise about the first line that has other fields than the header, or that is no UTF-8."""
    for file in files:
        if is_address(file):
            continue
        header = _header(file, separator)
        # A field longer than Python reads, such as of a quote that never ends, is left to polars.
        with suppress(csv.Error), _lines(file, separator) as lines:
            for row in lines:
                if len(row) != len(header) and (row or len(header) > 1):
                    _refuse_line(file, lines.line_num, row, header)


def _refuse_line(file: str, line: int, row: Sequence[str], header: Sequence[str]) -> NoReturn:
    found = f"has {len(row)} fields" if row else "is empty"
    advice = "correct the line; a field with a separator stands in quotes"
    msg = (
        f"path: line {line} of {file!r} {found}, and the header has {len(header)}; "
        f"{advice if row else 'remove the line'}"
    )
    raise FairnessError(msg)


def _header(file: str, separator: str) -> list[str]:
    with _lines(file, separator) as lines:
        header: list[str] = next(lines, [])
    if not header:
        msg = f"path: {file!r} does not begin with the names of columns; give a file with a header"
        raise FairnessError(msg)
    return header


@contextmanager
def _lines(file: str, separator: str) -> Iterator[Any]:
    """A reader of the lines of a file; raise if they are not UTF-8."""
    opened: Any = gzip.open if _is_compressed(file) else open
    try:
        with opened(file, "rt", encoding="utf-8-sig", newline="") as text:
            yield csv.reader(text, delimiter=separator)
    except UnicodeDecodeError as error:
        msg = (
            f"path: {file!r} is not UTF-8: {error.object[error.start : error.start + 1]!r}; "
            "convert it, such as with iconv -f LATIN1 -t UTF-8"
        )
        raise FairnessError(msg) from error


def _is_compressed(file: str) -> bool:
    with open(file, "rb") as start:  # noqa: PTH123 - a name of a file is no pattern here
        return start.read(2) == _GZIP


def _separators(file: str, separator: int) -> int:
    """How many separators of fields a file has; those in quotes separate nothing."""
    opened: Any = gzip.open if _is_compressed(file) else open
    found, is_quoted = 0, False
    with opened(file, "rb") as content:
        for block in _blocks(content):
            separates = block == separator
            quotes = np.flatnonzero(block == _QUOTE)
            parts = np.add.reduceat(separates, np.append(0, quotes), dtype=np.int64)
            # From the start of the block, and from each quote, to the next quote.
            found += int(parts[int(is_quoted) :: 2].sum())
            is_quoted ^= len(quotes) % 2 == 1
    return found


def _blocks(content: IO[bytes]) -> Iterator[np.ndarray[Any, np.dtype[np.uint8]]]:
    while block := content.read(_BLOCK):
        yield np.frombuffer(block, np.uint8)
