"""A folder with a file of loans, in which every test of the command line runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.loans import LOANS


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    LOANS.write_parquet("loans.parquet")
    return tmp_path
