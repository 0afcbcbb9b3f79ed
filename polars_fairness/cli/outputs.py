"""Output files: checked before anything is counted, and replaced only by complete files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from polars_fairness.cli.files import files_beside
from polars_fairness.errors import FairnessError

_unfinished: dict[Path, Path] = {}
"""The temporary file of each output that is not complete, with the file that it will be."""


def output_of(
    arguments: Mapping[str, Any], option: str, files: Sequence[str]
) -> AbstractContextManager[Path | None]:
    """A temporary file for the output, checked to be writable; None without an output.

    It is no file that is read: none of ``files``, which have the rows, nor one beside them.
    """
    if option not in arguments:
        return nullcontext()
    inputs = [*files, *files_beside(arguments)]
    return _written(option, arguments[option], inputs, overwrite=arguments.get("overwrite", False))


@contextmanager
def _written(argument: str, path: str, inputs: Sequence[str], *, overwrite: bool) -> Iterator[Path]:
    """A temporary file in the output's folder, which replaces the output when it is complete.

    The temporary file is made at once, so an error shows before the counting if the folder is not
    writable. After a failure the output is unchanged.
    """
    target = Path(os.path.realpath(path))  # the target of a link
    _check(argument, path, target, inputs, overwrite=overwrite)
    temporary = target.with_name(f".polars-fairness-{token_hex(8)}")
    _unfinished[temporary] = target  # before it is made, or a signal in between would leave it
    try:
        try:
            temporary.touch(exist_ok=False)
        except OSError as error:
            msg = f"--{argument}: cannot write {path!r}: {error.strerror}; choose another folder"
            raise FairnessError(msg) from error
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
        del _unfinished[temporary]


def remove_unfinished() -> None:
    """Remove the temporary files of interrupted work."""
    for temporary in list(_unfinished):
        with suppress(OSError):  # Windows cannot remove an open file
            temporary.unlink()


def _check(
    argument: str, path: str, target: Path, inputs: Sequence[str], *, overwrite: bool
) -> None:
    """Raise if the output cannot be written, or would replace a file that must stay."""
    if target in _unfinished.values():
        msg = f"--{argument}: {path!r} is another output too; give another name"
        raise FairnessError(msg)
    if target.is_dir():
        msg = f"--{argument}: {path!r} is a folder; give the name of a file"
        raise FairnessError(msg)
    if not target.parent.is_dir():
        msg = f"--{argument}: there is no folder {str(Path(path).parent)!r} for {path!r}; make it"
        raise FairnessError(msg)
    if not target.exists():
        return
    if not target.is_file():
        msg = f"--{argument}: {path!r} is not a regular file; give the name of one"
        raise FairnessError(msg)
    for file in inputs:
        if "://" not in file and target.samefile(file):
            msg = (
                f"--{argument}: {path!r} is the input {file!r}, which would be lost; give another "
                "name"
            )
            raise FairnessError(msg)
    if not overwrite:
        msg = f"--{argument}: {path!r} exists already; add --overwrite to replace it"
        raise FairnessError(msg)
