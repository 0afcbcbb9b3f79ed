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
# Their Python calls other libraries, so that only `tests/peers` and, each in an environment of its
# own, `tests/indicators` and `tests/places` run them.
OF_INDICATORS: Final = ROOT / "docs" / "coming-from" / "fairness-indicators.md"
OF_PLACES: Final = tuple(
    ROOT / "docs" / "how-to" / f"{name}.md"
    for name in ("airflow", "dagster", "dataframely-and-pandera", "dbt", "trackers")
)
OF_PEERS: Final = tuple(
    path
    for path in DOCUMENTS
    if path != OF_INDICATORS
    and (path.parent.name == "coming-from" or path.name == "train-a-model.md")
)
OF_OTHER_PACKAGES: Final = (*OF_PEERS, OF_INDICATORS, *OF_PLACES)


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


def examples(path: Path) -> list[tuple[str, str]]:
    """Each block of Python in a document, and what the next block shows it to print, if any."""
    block = r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?"
    text = path.read_text("utf-8")
    found = re.findall(block, text, re.DOTALL)
    assert len(found) == text.count("```python")
    return found


def run_document(path: Path, capsys: pytest.CaptureFixture[str]) -> Mapping[str, Any]:
    """Paste the Python of a document, and compare what it prints with what the document shows.

    Returns what the document has defined at its end.
    """
    interpreter = Interpreter()
    for block, shown in examples(path):
        interpreter.paste(block)
        printed = capsys.readouterr().out
        assert not shown or printed == shown
    return interpreter.locals
