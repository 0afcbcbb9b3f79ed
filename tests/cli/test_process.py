"""The command line as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

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


HELP = """
import sys
from polars_fairness.cli.commands import parser
assert {*parser().commands} >= {"audit", "worst-groups", "worst_groups", "lending"}
upper = {f"polars_fairness.{name}" for name in ("answers", "counting", "explorer", "values")}
loaded = {
    name
    for name in sys.modules
    if name in ("numpy", "polars_fairness.reporting.answers") or name.rpartition(".")[0] in upper
}
# The names of dialects are choices of an option.
print(loaded - {"polars_fairness.counting.dialects"})
"""


def test_help_loads_nothing_that_counts_rows() -> None:
    """It is there after half the time of an answer, which is polars and little more."""
    ended = subprocess.run(
        [sys.executable, "-c", HELP], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert ended.stdout == "set()\n"


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


# Signals

COUNTING = """
import os
import polars_fairness as pf
from threading import Event
def counted(*_, **__):
    # In the middle of the work, whose output is a temporary file.
    print(len([name for name in os.listdir() if name.startswith(".polars-fairness-")]), flush=True)
    send()
    Event().wait()
pf.cells = counted
"""

IMPORTING = """
import sys
class Sending:
    @staticmethod
    def find_spec(name, *_):
        if name == "polars_fairness.cli.commands":
            sys.meta_path.remove(Sending)
            print(1, flush=True)
            send()
sys.meta_path.insert(0, Sending)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize(
    ("name", "code", "stage"), [("SIGINT", 130, COUNTING), ("SIGTERM", 143, IMPORTING)]
)
def test_a_signal_has_its_exit_code_and_leaves_no_file(
    name: str, code: int, stage: str, place: Path
) -> None:
    ended = signalled(name, stage)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "1\n", "")
    assert [path.name for path in place.iterdir()] == ["loans.parquet"]


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_a_signal_that_the_parent_ignores_is_ignored(place: Path) -> None:
    """So do the children of a shell that runs them in the background."""
    ended = signalled("SIGINT", IMPORTING, is_ignored=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "1\n", "")
    assert Path("out.csv").exists()


def signalled(
    name: str, stage: str, *, is_ignored: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run `cells` as a program that sends itself a signal at a stage of its work."""
    program = f"""
import os, signal, sys
usual = signal.default_int_handler if "{name}" == "SIGINT" else signal.SIG_DFL
signal.signal(signal.{name}, signal.SIG_IGN if {is_ignored} else usual)
def send():
    os.kill(os.getpid(), signal.{name})
{stage}
sys.argv[1:] = ["cells", "loans.parquet", "--facet", "race", "--output", "out.csv"]
from polars_fairness.cli import program
program()
"""
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)},
    )
