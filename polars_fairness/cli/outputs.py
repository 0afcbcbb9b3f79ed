"""Files that are written: checked before anything is counted, and whole or not there at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from polars_fairness.errors import FairnessError

_unfinished: set[Path] = set()


@contextmanager
def written(argument: str, path: str, inputs: Sequence[str], *, overwrite: bool) -> Iterator[Path]:
    """Give a temporary file beside the output, which takes the output's place in the end.

    The temporary file is made at once: that shows whether the folder can be written to before the
    counting, and where anything fails the output is what it was.
    """
    target = Path(os.path.realpath(path))  # of a link, the file that it stands for
    _check(argument, path, target, inputs, overwrite=overwrite)
    temporary = target.with_name(f".polars-fairness-{token_hex(8)}")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        msg = f"{argument}: cannot write {path!r}: {error.strerror}; choose another folder"
        raise FairnessError(msg) from error
    _unfinished.add(temporary)
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
        _unfinished.discard(temporary)


def remove_unfinished() -> None:
    """Remove the temporary files of what was interrupted."""
    for temporary in list(_unfinished):
        with suppress(OSError):  # Windows removes no file that is still written
            temporary.unlink()


def _check(
    argument: str, path: str, target: Path, inputs: Sequence[str], *, overwrite: bool
) -> None:
    """Refuse what must not be written over, and what cannot be written."""
    if target.is_dir():
        msg = f"{argument}: {path!r} is a folder; give the name of a file"
        raise FairnessError(msg)
    if not target.parent.is_dir():
        msg = f"{argument}: there is no folder {str(Path(path).parent)!r} for {path!r}; make it"
        raise FairnessError(msg)
    if not target.exists():
        return
    if not target.is_file():
        msg = f"{argument}: {path!r} is no regular file; give the name of one"
        raise FairnessError(msg)
    for file in inputs:
        if "://" not in file and target.samefile(file):
            msg = (
                f"{argument}: {path!r} is {file!r}, which is read; its rows would be lost: give "
                "another name"
            )
            raise FairnessError(msg)
    if not overwrite:
        msg = f"{argument}: {path!r} is there already; add --overwrite to replace it"
        raise FairnessError(msg)
