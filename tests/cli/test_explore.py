"""The command `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

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
