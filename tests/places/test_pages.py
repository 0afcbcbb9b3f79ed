"""Schedulers, schemas and trackers: the code of the page runs, with what it is about."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.documents import OF_PLACES, PLACES, run_document, text_of

# Their Python is files of a project, which commands of a shell run; and a file that these write.
PROJECTS: Final = {"Airflow": "outside.parquet", "dbt": "loans.duckdb"}


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("DO_NOT_TRACK", "1")


@pytest.mark.parametrize("part", [each for each in PLACES if each not in PROJECTS])
def test_a_part_prints_what_it_shows(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_document(OF_PLACES, capsys, part)


def blocks(part: str) -> Iterator[tuple[str, str]]:
    """Each block of a part of the page: its language and its text."""
    yield from re.findall(r"^```(\w+)\n(.*?)^```", text_of(OF_PLACES, part), re.M | re.S)


@pytest.mark.parametrize("part", PROJECTS)
def test_commands_run_the_files_of_a_part(part: str) -> None:
    """A block whose first line names a file is this file; the text block has lines of the log."""
    found = [*blocks(part)]
    for _, text in found:
        if name := re.match(r"(?:#|--) (\S+\.\w+)\n", text):
            file = Path(name[1])
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
    [script] = (text for language, text in found if language == "sh")
    [lines] = (text.splitlines() for language, text in found if language == "text")
    folder = Path(sys.executable).parent
    ran = subprocess.run(
        ["sh", "-e", "-c", script],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    log = ran.stdout + ran.stderr
    assert ran.returncode == 1, log
    assert [line for line in lines if line not in log] == [], log
    assert Path(PROJECTS[part]).exists()
