"""The pages for those who come from another tool, whose Python calls that tool too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import OF_PEERS, run_document

from .quiet import import_aif360_for_pages


@pytest.mark.parametrize("path", OF_PEERS, ids=lambda path: path.name)
def test_code_of_pages_runs_and_prints_what_they_show(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Paste the Python of a page into a fresh interpreter, in an empty folder."""
    import_aif360_for_pages()
    monkeypatch.chdir(tmp_path)
    run_document(path, capsys)
