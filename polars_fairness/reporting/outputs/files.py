"""Files that are written beside those that they replace, and removed if a signal ends the work."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Final

from polars_fairness.errors import FairnessError

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

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


@contextmanager
def replacing(path: str | Path, argument: str = "path") -> Iterator[Callable[[bytes], object]]:
    """What writes the content of a file, which replaces an old one when the block ends.

    It is written beside the old file, which a failure leaves as it was. That there is place for it
    shows at once: an error about the argument names the path. Pipes and devices are written as
    they are.
    """
    target = Path(os.path.realpath(path))  # the target of a link
    if Path(path).exists() and not Path(path).is_file():
        yield partial(_write, argument, path, Path(path))
        return
    with temporary_file(target.parent, target) as temporary:
        _write(argument, path, temporary, b"")
        yield partial(_write, argument, path, temporary)
        with _about(argument, path):
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file whole, or leave the old one as it was and raise an error with the reason."""
    with replacing(path) as write:
        write(content)


def _write(argument: str, path: str | Path, file: Path, content: bytes) -> None:
    with _about(argument, path):
        file.write_bytes(content)


@contextmanager
def _about(argument: str, path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        advice = (
            "free space, or choose another folder"
            if error.errno in _FULL
            else "give the name of a file in a folder where files can be written"
        )
        raise FairnessError(
            f"{argument}: cannot write {str(path)!r}: {error.strerror}; {advice}"
        ) from error
