"""Rows that are piped in: the path - stands for a copy of standard input."""

from __future__ import annotations

import gzip
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir
from typing import IO, Any, Final, cast

import polars as pl

from polars_fairness.cli.arrow import (
    field_of,
    followed,
    number_at,
    refuse_alike_columns_of_stream,
)
from polars_fairness.cli.files import (
    GZIP,
    MOST_BYTES,
    blocks_within,
    refuse_packed_otherwise,
    unpacking,
)
from polars_fairness.cli.interrupts import temporary_file
from polars_fairness.errors import FairnessError, reason_of

PATH: Final = "-"

_ARROW_STREAM: Final = b"\xff\xff\xff\xff"
_BINARY: Final = {b"PAR1": ".parquet", b"ARROW1": ".arrow", _ARROW_STREAM: ".arrow"}
_SEEN: Final = 1 << 16


@contextmanager
def rows_piped_in(typed: Namespace) -> Iterator[None]:
    """Let a command read a copy of standard input, if one of its paths stands for it.

    A copy, since text is read twice: once for the types that all rows allow. Messages about it say
    ``-``.
    """
    if PATH not in vars(typed).get("paths", []):
        yield
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise FairnessError(
            f"path: {PATH} stands for standard input, and nothing is piped in; write "
            "polars-fairness ... - < FILE, or give a file"
        )
    rows = _unpacked(sys.stdin.buffer)
    with unpacking(PATH):
        seen = rows.peek(_SEEN)
    if not seen.strip():
        raise FairnessError(f"path: {PATH} is empty; pipe a file with rows in")
    with temporary_file(Path(gettempdir()), ending=_ending(seen)) as file:
        file.touch(mode=0o600)  # people's data, in a folder that others read
        with unpacking(PATH), file.open("wb") as copy:
            copy.writelines(blocks_within(vars(typed).get("most_bytes", MOST_BYTES), rows, PATH))
        if seen.startswith(_ARROW_STREAM):
            _streams_in(file).write_ipc(file)
        typed.paths = [str(file) if path == PATH else path for path in typed.paths]
        try:
            yield
        except FairnessError as error:
            raise FairnessError(str(error).replace(str(file), PATH)) from error


def _unpacked(piped: IO[bytes]) -> BufferedReader:
    """What is piped in, without its compression by gzip."""
    rows = BufferedReader(cast("Any", piped), _SEEN)
    start = rows.peek(8)
    refuse_packed_otherwise(PATH, start)
    if start.startswith(GZIP):
        rows = BufferedReader(cast("Any", gzip.GzipFile(fileobj=rows)), _SEEN)
    return rows


def _streams_in(file: Path) -> pl.DataFrame:
    """The rows of all streams of Arrow in a file, one after the other.

    polars reads one stream, and takes one that was cut between two batches for a whole one.
    """
    content = file.read_bytes()
    try:
        parts = [
            pl.read_ipc_stream(BytesIO(content[start:end]))
            for start, end in pairwise(_bounds_of_streams(content))
        ]
        return pl.concat(parts)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise FairnessError(
            f"path: cannot read {PATH} as streams of Arrow: {reason_of(error)}; write it again"
        ) from error


def _bounds_of_streams(content: bytes) -> Iterator[int]:
    """Where each stream of Arrow begins, and the end of the last one.

    A message is a mark, the length of its description, the description and its body; a stream ends
    with a message without a description.
    """
    place, is_open = 0, False
    while place < len(content) or is_open:
        mark, length = content[place : place + 4], number_at(content, place + 4)
        end = place + 8 + length
        if not is_open:
            yield place
            if mark == _ARROW_STREAM and end <= len(content):
                refuse_alike_columns_of_stream(content[place + 8 : end], PATH)
        if mark == _ARROW_STREAM and length and end <= len(content):
            end += _length_of_body(content, place + 8)
        if mark != _ARROW_STREAM or end > len(content):
            raise FairnessError(
                f"path: {PATH} is no whole stream of Arrow: after {place:,} bytes there is no "
                "further message and no end mark; write it again"
            )
        place, is_open = end, length > 0
    yield place


def _length_of_body(content: bytes, start: int) -> int:
    """What the description of a message says of its body."""
    field = field_of(content, followed(content, start), 3)
    return number_at(content, field, 8) if field else 0


def _ending(seen: bytes) -> str:
    """The ending of a file that begins so; text is CSV, unless it is JSON or has tabs."""
    for start, ending in _BINARY.items():
        if seen.startswith(start):
            return ending
    if seen.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        return ".ndjson"
    header = seen.partition(b"\n")[0]
    return ".tsv" if header.count(b"\t") > header.count(b",") else ".csv"
