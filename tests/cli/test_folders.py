"""Folders: every file below them is read, or an error names what is not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.loans import GAP, LOANS, SEX
from tests.conftest import Run


@pytest.fixture(autouse=True)
def parts(place: Path) -> Path:
    for name in ("data/0", "data/a/1", "elsewhere/2", "elsewhere/b/3"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        LOANS.write_parquet(f"{name}.parquet")
    return place


def seen(run: Run, *paths: str) -> tuple[int, str]:
    """The rows that an audit saw, and what it said on stderr."""
    code, out, err = run("audit", *paths, *SEX, *GAP)
    assert code == 0, err
    [line] = [line for line in out.splitlines() if "rows seen" in line]
    return int(line.split()[1]), err


def test_links_to_folders_are_followed_and_loops_are_not(run: Run) -> None:
    Path("data/link").symlink_to("../elsewhere")
    assert seen(run, "data") == (4 * LOANS.height, "")
    Path("data/a/loop").symlink_to("..")
    Path("elsewhere/b/self").symlink_to(".")
    assert seen(run, "data") == (4 * LOANS.height, "")


def test_a_link_to_a_folder_that_is_read_already_is_refused(run: Run) -> None:
    Path("data/again").symlink_to("a")
    code, _, err = run("audit", "data", *SEX, *GAP)
    assert code == 2
    assert "the same file twice, 'data/a/1.parquet' and 'data/again/1.parquet'" in err


@pytest.mark.parametrize("path", ["data", "data/*", "data/*/*.parquet"])
def test_a_link_that_leads_nowhere_is_refused(path: str, run: Run) -> None:
    Path("data/a/gone.parquet").symlink_to("nowhere.parquet")
    code, out, err = run("audit", path, *SEX, *GAP)
    assert (code, out) == (2, "")
    assert err.startswith("polars-fairness: path: the link 'data/a/gone.parquet' leads to no file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="systems differ")
def test_what_is_no_file_is_refused(run: Run) -> None:
    os.mkfifo("data/a/pipe")
    code, _, err = run("audit", "data", *SEX, *GAP)
    assert (code, "'data/a/pipe' is a pipe; give -" in err) == (2, True)


@pytest.mark.parametrize(
    "path", ["data", "{}/data", "data/*", "data/**/*.parquet", "data/*/1.parquet"]
)
def test_a_folder_that_may_not_be_listed_is_refused(
    path: str, run: Run, parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For root, all permissions are given; so they are taken from the functions that list.
    def but_not(folder: str, listing: Callable[..., Any]) -> Callable[..., Any]:
        def listed(path: Any = ".") -> Any:
            if str(path).rstrip("/").endswith(folder):
                raise PermissionError(13, "Permission denied", path)
            return listing(path)

        return listed

    for name in ("listdir", "scandir"):
        monkeypatch.setattr(os, name, but_not("data/a", getattr(os, name)))
    code, out, err = run("audit", path.format(parts), *SEX, *GAP)
    assert (code, out) == (2, "")
    assert "cannot list the folder '" in err
    assert "data/a': Permission denied; " in err


def test_what_is_skipped_is_said_once(run: Run) -> None:
    for name in ("data/_SUCCESS", "data/a/.1.crc", "data/_old/9.parquet"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    rows, err = seen(run, "data", "elsewhere")
    assert rows == 4 * LOANS.height
    assert err == (
        "polars-fairness: path: names that begin with _ or . are not read: 'data/_SUCCESS', "
        "'data/_old' and 'data/a/.1.crc'\n"
    )
