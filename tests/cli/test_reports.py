"""Pages of the command line: what they say of themselves, and the files they are written to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.cli.loans import LOANS, SEX
from tests.conftest import Run

AUDIT = ["audit", "loans.parquet", *SEX, "--metric", "di", "--confidence", "none"]

ABOUT = [
    *("--title", "Loans & <more>", "--subject", "2025", "--author", "A", "--date", "2025-07-31"),
    *("--model", "credit", "--model-version", "3"),
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
    about: dict[str, Any] = {"title": "Loans & <more>", "subject": "2025", "author": "A"}
    about["date"] = "2025-07-31"
    report = pf.report(
        LOANS,
        "di",
        **question,  # type: ignore[arg-type]
        confidence=None,
    )
    about |= {"model": "credit", "version": "3", "notes": "# Scope\n\nAll <loans>."}
    report.write_json("b.json", **about)
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert json.loads(Path("a.json").read_text("utf-8"))["about"]["version"] == "3"


EXPLORE = ["explore", "loans.parquet", "--facet", "sex", "--score", "score"]

PAGE = ["--output", "page.html"]


@pytest.mark.extras
def test_the_page_is_that_of_the_function(run: Run) -> None:
    assert run(*EXPLORE, "--threshold", "0.25,0.5", *PAGE) == (0, "", "")
    rows = pl.scan_parquet("loans.parquet")
    page = pf.explore(rows, facet="sex", score="score", threshold=[0.25, 0.5])
    page.write_html("expected.html")
    assert Path("page.html").read_text("utf-8") == Path("expected.html").read_text("utf-8")
    code, _, err = run(*EXPLORE, *PAGE)
    assert (code, "add --overwrite" in err) == (2, True)


def test_a_page_needs_a_name_and_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "required: --output; see polars-fairness explore --help" in run(*EXPLORE)[2]
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    code, _, err = run(*EXPLORE, *PAGE)
    assert code == 2
    assert 'pip install "polars-fairness[report]"' in err
