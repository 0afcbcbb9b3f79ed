"""Rows that are piped in: the path - stands for a copy of standard input."""

from __future__ import annotations

import gzip
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from tempfile import gettempdir
from typing import IO, Any, Final, cast

import polars as pl
from polars.exceptions import PanicException, PolarsError

from polars_fairness.cli.files import (
    GZIP,
    MOST_BYTES,
    blocks_within,
    refuse_packed_otherwise,
    unpacking,
)
from polars_fairness.errors import FairnessError, reason_of
from polars_fairness.reporting.outputs.files import temporary_file

PATH: Final = "-"

_ARROW_STREAM: Final = b"\xff\xff\xff\xff"
_END_OF_STREAM: Final = b"\xff\xff\xff\xff\0\0\0\0"
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

    polars reads one stream, to the byte, and takes one that was cut between two batches for a whole
    one.
    """
    parts, place = [], 0
    with file.open("rb", buffering=0) as content:
        try:
            while place < file.stat().st_size:
                parts.append(pl.read_ipc_stream(content))
                content.seek(-len(_END_OF_STREAM), os.SEEK_CUR)
                if content.read(len(_END_OF_STREAM)) != _END_OF_STREAM:
                    raise FairnessError("there is no end mark")
                place = content.tell()
            return pl.concat(parts)
        except (FairnessError, PolarsError, PanicException, OSError) as error:
            raise FairnessError(
                f"path: {PATH} is no whole stream of Arrow: after {place:,} bytes, "
                f"{reason_of(error)}; write it again, each column with a name of its own"
            ) from error


def _ending(seen: bytes) -> str:
    """The ending of a file that begins so; text is CSV, unless it is JSON or has tabs."""
    for start, ending in _BINARY.items():
        if seen.startswith(start):
            return ending
    if seen.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        return ".ndjson"
    header = seen.partition(b"\n")[0]
    return ".tsv" if header.count(b"\t") > header.count(b",") else ".csv"
