"""Temporary files, which are removed at the end, also if a signal stops the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

unfinished: dict[Path, Path] = {}
"""Each temporary file, with the file that it will be."""


@contextmanager
def temporary_file(folder: Path, target: Path | None = None, ending: str = "") -> Iterator[Path]:
    """The name of a file that is removed at the end, also if a signal stops the process.

    It may become ``target`` when it is complete.
    """
    file = folder / f".polars-fairness-{token_hex(8)}{ending}"
    unfinished[file] = target or file  # before it is made, or a signal in between would leave it
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)
        del unfinished[file]


def remove_unfinished() -> None:
    """Remove the temporary files of interrupted work."""
    for temporary in list(unfinished):
        with suppress(OSError):  # Windows cannot remove an open file
            temporary.unlink()
