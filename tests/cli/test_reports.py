"""Reports of the command line: what they say of themselves, and the files they are written to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polars_fairness as pf
from tests.cli.loans import LOANS, SEX
from tests.conftest import Run

AUDIT = ["audit", "loans.parquet", *SEX, "--metric", "di", "--confidence", "none"]
ABOUT = [
    *("--title", "Loans & <more>", "--subject", "2025", "--author", "A", "--date", "2025-07-31"),
    *("--model", "credit", "--model-version", "3", "--detail", "full"),
]


@pytest.mark.extras
def test_a_report_says_what_was_typed(run: Run) -> None:
    Path("notes.md").write_text("# Scope\n\nAll <loans>.", "utf-8")
    words = [*ABOUT, "--notes", "notes.md", "--html", "a.html", "--json", "a.json"]
    code, out, err = run(*AUDIT, *words)
    assert (code, err) == (0, "")
    assert "di" in out
    assert "<h1>Loans &amp; &lt;more&gt;</h1>" in Path("a.html").read_text("utf-8")
    assert "All &lt;loans&gt;." in Path("a.html").read_text("utf-8")
    question = {"facet": ["sex"], "disfavored": {"sex": ["F"]}, "predicted": "approved"}
    about = {"title": "Loans & <more>", "subject": "2025", "author": "A", "date": "2025-07-31"}
    report = pf.report(
        LOANS,
        "di",
        **question,  # type: ignore[arg-type]
        detail="full",
        confidence=None,
    )
    about |= {"model": "credit", "version": "3", "notes": "# Scope\n\nAll <loans>."}
    report.write_json("b.json", **about)
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert json.loads(Path("a.json").read_text("utf-8"))["about"]["version"] == "3"
