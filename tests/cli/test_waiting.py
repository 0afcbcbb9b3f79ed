"""The time and the progress that a terminal shows during a long count."""

from __future__ import annotations

import io
import sys
import time

import pytest

from polars_fairness.cli import printed
from polars_fairness.inference.progress import report_progress


def test_time_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "PATIENCE", 0.01)
    monkeypatch.setattr(printed, "BEAT", 0.01)
    for is_terminal in (False, True):
        stderr = io.StringIO()
        monkeypatch.setattr(stderr, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr(sys, "stderr", stderr)
        with printed.time_shown():
            time.sleep(0.2)
        if not is_terminal:
            assert stderr.getvalue() == ""
        else:
            assert stderr.getvalue().startswith("\rcounting, 0 s")
            assert stderr.getvalue().endswith("\r             \r")


def test_draws_are_shown_as_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "PATIENCE", 0.01)
    monkeypatch.setattr(printed, "BEAT", 0.01)
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stderr)
    with printed.time_shown():
        for done in (9, 20):
            report_progress(done, 20)
            time.sleep(0.2)
    lines = stderr.getvalue().split("\r")
    assert "drawing [#########...........] 45 %, 0 s" in lines
    # All draws done, the clock goes on; nothing of the longer line is left over.
    assert lines[-3].rstrip() == "counting, 0 s"
    assert set(map(len, lines[-3:-1])) == {len("drawing [#########...........] 45 %, 0 s")}


def test_a_quick_call_shows_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stderr)
    with printed.time_shown():
        pass
    assert stderr.getvalue() == ""
