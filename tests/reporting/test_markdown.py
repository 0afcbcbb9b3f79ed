"""A report as Markdown: expected numbers are worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import entries_of_audit, monthly


def test_a_sequential_report_says_what_a_window_is() -> None:
    """F accepted 1 of 2 and then 1 of 4, M half of 2 and half of 4."""
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    question["detail"] = "full"
    made = pf.report(monthly(), "dppl", by="month", sequential="each", **question)
    text = made.to_markdown()
    assert "of a window are about all rows up to its time" in text
    assert "| sequential | each |" in text
    assert "| method |" not in text
    assert "| seed |" not in text
    assert "| sex | 2025-02-01 | 8 | 8 | 0 | 0 |" in text
    assert made.to_dict()["dppl/sex/F/month=2025-02-01"] == pytest.approx(0.25)
    assert "| F | sex | 2025-02-01 | 2 | 0.0 %" in text
    each = pf.report(monthly(), "dppl", by="month", **question).to_markdown()
    assert "sequential" not in each
    assert "up to its time" not in each


@pytest.mark.extras
def test_an_empty_report_says_that_nothing_is_compared(tmp_path: Path) -> None:
    report = pf.report(monthly().clear(), "dppl", facet="sex", predicted="hired")
    assert "There is nothing to compare" in report.to_markdown()
    report.write_html(tmp_path / "page.html")
    assert entries_of_audit(report) == {}
    rows = monthly().clear().with_columns(score=pl.lit(0.5), label=pl.lit(1))
    question: dict[str, Any] = {"facet": "sex", "score": "score", "label": "label"}
    of_scores = pf.report(rows, "di", threshold=0.5, **question)
    assert "There is nothing to compare" in of_scores.to_markdown()


def test_a_window_without_a_comparison_has_its_rows_counted() -> None:
    frame = pl.DataFrame(
        {"month": [1, 1, 2, 2], "sex": ["F", "M", "F", "M"], "p": [None, None, 1, 0]}
    )
    report = pf.report(frame, "di", facet="sex", predicted="p", by="month", nulls="drop")
    text = report.to_markdown()
    assert "There were no groups to compare." in text
    assert "| sex | 1 | 2 | 0 | 2 | 0 |" in text
