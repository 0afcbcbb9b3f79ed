"""A folder with the loans that the command line is asked about."""

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
