"""What the command line must not do to files, and how it ends when it is stopped or broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli import main
from polars_fairness.progress import progress_heard

ROOT = Path(__file__).parent.parent
LOANS = pl.DataFrame({"sex": ["F", "F", "M", "M"], "approved": [True, False, True, True]})
COLUMNS = ["--facet", "sex", "--predicted", "approved"]
AUDIT = ["audit", "loans.parquet", *COLUMNS, "--metric", "di", "--confidence", "none"]
CELLS = ["cells", "loans.parquet", *COLUMNS]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    LOANS.write_parquet("loans.parquet")
    return tmp_path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where anything is counted."""

    def count(*_: Any, **__: Any) -> None:
        pytest.fail("counted before the output was checked")

    for name in ("audit", "cells", "report"):
        monkeypatch.setattr(pf, name, count)


# Draws


def test_draws_have_a_bound(run: Run) -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "approved", "replicates": 1_000_001}
    with pytest.raises(pf.FairnessError, match=r"^replicates: takes at most 1,000,000, got 1,000"):
        pf.audit(LOANS, "di", **question)
    code, _, err = run(*AUDIT[:6], "--replicates", "99999999999")
    assert code == 2
    assert err.startswith("polars-fairness: replicates: takes at most 1,000,000, got 99,999,999,9")


def test_draws_say_how_far_they_are() -> None:
    heard: list[tuple[int, int]] = []
    with progress_heard(lambda done, total: heard.append((done, total))):
        pf.audit(LOANS, "di", facet="sex", predicted="approved", replicates=30)
    assert heard
    assert heard == sorted(heard)
    assert heard[-1][0] == heard[-1][1]
    assert all(0 <= done <= total for done, total in heard)
