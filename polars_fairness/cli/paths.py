"""The files that typed paths mean: none twice, and none left out in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path

from polars_fairness.cli.printed import complain
from polars_fairness.errors import FairnessError, listed


def files_of(paths: Sequence[str]) -> list[str]:
    """The files of all paths; raise if one is found twice, or cannot be found or listed.

    A line on stderr says which names of folders are skipped.
    """
    skipped: list[str] = []
    files = found_files(paths, skipped)
    if skipped:
        named = listed(skipped, most=3)
        complain(f"path: names that begin with _ or . are not read: {named}")
    return files


def found_files(paths: Sequence[str], skipped: list[str]) -> list[str]:
    """The files of all paths, as `files_of`; the names that are skipped are added to a list."""
    files = [file for path in paths for file in _files_of(path, skipped)]
    found: dict[object, str] = {}
    for file in files:
        identity = _identity(file)
        if identity in found:
            names = listed(dict.fromkeys((found[identity], file)))
            msg = f"path: the same file twice, {names}; its rows would count twice; give it once"
            raise FairnessError(msg)
        found[identity] = file
    return files


def _files_of(path: str, skipped: list[str]) -> list[str]:
    """The files of a path: the file itself, the files of a folder, or the matches of a pattern."""
    if "://" in path or Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        files = sorted(_data_below(path, [_identity(path)], skipped))
    elif has_magic(path):
        _refuse_unlisted_folders(path)
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        files = [file for match in matches for file in _files_of(match, skipped)]
    else:
        _refuse_no_file(path)
        msg = f"path: there is no {path!r}; give a file, a folder, or a pattern in quotes"
        raise FairnessError(msg)
    if not files:
        msg = f"path: no files in {path!r}; give a file, a folder, or a pattern in quotes"
        raise FairnessError(msg)
    return files


def _identity(file: str) -> object:
    """An object that is equal for two names of one file, links included."""
    if "://" in file:
        return file
    status = Path(file).stat()
    return status.st_dev, status.st_ino


def _data_below(folder: str, inside: Sequence[object], skipped: list[str]) -> Iterator[str]:
    """The files below a folder, without `_SUCCESS` and the like, which engines put beside data.

    ``inside`` identifies this folder and those it is in: a link to one of them has nothing new.
    """
    for path in _listed(folder):
        if Path(path).name.startswith(("_", ".")):
            skipped.append(path)
        elif Path(path).is_file():
            yield path
        elif not Path(path).is_dir():
            _refuse_no_file(path)
        elif (identity := _identity(path)) not in inside:
            yield from _data_below(path, [*inside, identity], skipped)


def _listed(folder: str) -> list[str]:
    try:
        return sorted(str(path) for path in Path(folder).iterdir())
    except OSError as error:
        msg = (
            f"path: cannot list the folder {folder!r}: {error.strerror}; get the permission, or "
            "name the files that are meant"
        )
        raise FairnessError(msg) from error


def _refuse_unlisted_folders(pattern: str) -> None:
    """Raise if a folder that a pattern looks into cannot be listed; `glob` would pass over it."""
    folders = [str(each) for each in reversed(Path(pattern).parents)]
    for folder, part in zip(folders, Path(pattern).parts[-len(folders) :], strict=True):
        if has_magic(folder) or has_magic(part):
            for match in glob(folder, recursive=True):  # noqa: PTH207 - as above
                if Path(match).is_dir():
                    _listed(match)


def _refuse_no_file(path: str) -> None:
    """Raise about what has a name in a folder and is no file, such as a link that leads nowhere."""
    if Path(path).is_symlink():
        msg = f"path: the link {path!r} leads to no file; remove it, or mend it"
        raise FairnessError(msg)
    if os.path.lexists(path):
        msg = f"path: {path!r} is no file with rows; remove it, or name the files that are meant"
        raise FairnessError(msg)
