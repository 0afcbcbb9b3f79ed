"""Rows that are piped in: the path - stands for a copy of standard input."""

from __future__ import annotations

import gzip
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from tempfile import gettempdir
from typing import IO, Any, Final, cast

from polars_fairness.cli.files import (
    GZIP,
    MOST_BYTES,
    blocks_within,
    refuse_packed_otherwise,
    unpacking,
)
from polars_fairness.errors import FairnessError
from polars_fairness.reporting.outputs.files import temporary_file

PATH: Final = "-"

_BINARY: Final = {b"PAR1": ".parquet", b"ARROW1": ".arrow"}
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
            f"path: {PATH} stands for standard input, but nothing is piped in; write "
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
        typed.paths = [str(file) if path == PATH else path for path in typed.paths]
        try:
            yield
        except FairnessError as error:
            raise FairnessError(str(error).replace(str(file), PATH)) from error


def _unpacked(piped: IO[bytes]) -> BufferedReader:
    """What is piped in, decompressed if it is gzip."""
    rows = BufferedReader(cast("Any", piped), _SEEN)
    start = rows.peek(8)
    refuse_packed_otherwise(PATH, start)
    if start.startswith(GZIP):
        rows = BufferedReader(cast("Any", gzip.GzipFile(fileobj=rows)), _SEEN)
    return rows


def _ending(seen: bytes) -> str:
    """The ending of a file that begins so; text is CSV, unless it is JSON or has tabs."""
    for start, ending in _BINARY.items():
        if seen.startswith(start):
            return ending
    if seen.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        return ".ndjson"
    header = seen.partition(b"\n")[0]
    return ".tsv" if header.count(b"\t") > header.count(b",") else ".csv"
