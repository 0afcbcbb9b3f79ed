"""Reports of the command line: what they say of themselves, and the files they are written to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polars_fairness as pf
from polars_fairness.cli.commands import audit as command
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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--title", "T"], "--title: is about a report, which was not requested; add --html, "),
        (["--json", "a.json", "--title", " "], "--title: takes text, got ' '; leave it out"),
        (["--json", "a.json", "--model-version", ""], "--model-version: takes text, got ''"),
        (["--json", "a.json", "--notes", "no.md"], "--notes: cannot read 'no.md': No such file"),
        (["--json", "a.json", "--notes", "latin.md"], "--notes: 'latin.md' is not text in UTF-8;"),
        (["--json", "a.json", "--detail", "all"], "--detail: invalid choice: 'all'"),
        (
            ["--json", "loans.parquet"],
            "--json: 'loans.parquet' is the input 'loans.parquet', which would be lost;",
        ),
    ],
)
def test_mistakes_are_found_before_anything_is_counted(
    words: list[str], message: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("latin.md").write_bytes("für alle".encode("latin-1"))
    monkeypatch.delattr(command, "audit_with_certainty")
    code, out, err = run(*AUDIT, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert not Path("a.json").exists()
