"""The Python of a document, run as a reader would who pastes it into a fresh interpreter."""

from __future__ import annotations

import re
from code import InteractiveConsole
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from .paths import ROOT

DOCUMENTS: Final = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
# Their Python calls other libraries, so that only `tests/peers` and, in an environment of its own,
# `tests/indicators` run them; `tests/places` runs these parts of one page.
OF_INDICATORS: Final = ROOT / "docs" / "coming-from" / "fairness-indicators.md"
OF_PLACES: Final = ROOT / "docs" / "how-to" / "stop-a-pipeline.md"
PLACES: Final = ("Airflow", "Dagster", "dbt", "dataframely, pandera", "Trackers")
OF_PEERS: Final = tuple(
    path
    for path in DOCUMENTS
    if path != OF_INDICATORS
    and (path.parent.name == "coming-from" or path.name == "train-a-model.md")
)
OF_OTHER_PACKAGES: Final = (*OF_PEERS, OF_INDICATORS)


class Interpreter(InteractiveConsole):
    """A Python prompt, where a blank line ends an indented block, and an error ends the test."""

    def showtraceback(self) -> None:
        raise  # noqa: PLE0704  # called while an error is handled

    def showsyntaxerror(self, filename: str | None = None, **_: object) -> None:
        raise  # noqa: PLE0704  # called while an error is handled

    def paste(self, block: str) -> None:
        """Enter each line of a block, and a last blank one."""
        for line in block.splitlines():
            self.push(line)
        assert not self.push(""), f"unfinished: {block}"


def text_of(path: Path, part: str | None = None) -> str:
    """The part of a document under this heading, or all but the parts of other packages."""
    text = path.read_text("utf-8")
    if part:
        return text.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    for other in PLACES if path == OF_PLACES else ():
        text = text.replace(text_of(path, other), "")
    return text


def examples(path: Path, part: str | None = None) -> list[tuple[str, str]]:
    """Each block of Python in a document, and what the next block shows it to print, if any."""
    block = r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?"
    text = text_of(path, part)
    found = re.findall(block, text, re.DOTALL)
    assert len(found) == text.count("```python")
    return found


def run_document(
    path: Path, capsys: pytest.CaptureFixture[str], part: str | None = None
) -> Mapping[str, Any]:
    """Paste the Python of a document, and compare what it prints with what the document shows.

    Returns what the document has defined at its end.
    """
    interpreter = Interpreter()
    for block, shown in examples(path, part):
        interpreter.paste(block)
        printed = capsys.readouterr().out
        assert not shown or printed == shown
    return interpreter.locals
