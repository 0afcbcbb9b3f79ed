"""The command line as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import polars as pl
import pytest

import polars_fairness as pf
from tests.paths import ROOT


def in_a_shell(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "polars_fairness", *words],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), **environment},
    )


def test_the_program_prints_its_version() -> None:
    ended = in_a_shell("--version")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"polars-fairness {pf.__version__} (polars {pl.__version__})\n"


def test_a_program_never_shows_a_traceback() -> None:
    ended = in_a_shell("metrics", "dpll")
    assert ended.returncode == 2
    assert re.fullmatch(r"polars-fairness: metrics: no metric 'dpll'; [^\n]*\n", ended.stderr)
    ended = in_a_shell("metrics", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert ended.returncode == 2
    assert re.fullmatch(
        r"polars-fairness: stdout: ascii cannot [^\n]* PYTHONUTF8=1\n", ended.stderr
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_reader_that_leaves_is_no_error() -> None:
    writer = subprocess.Popen(
        [sys.executable, "-m", "polars_fairness", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)},
    )
    assert writer.stdout is not None
    writer.stdout.close()
    assert writer.stderr is not None
    printed = writer.stderr.read()
    writer.stderr.close()
    assert (writer.wait(), printed) == (0, b"")
