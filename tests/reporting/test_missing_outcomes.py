"""The table of a report that shows in which groups outcomes are missing."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

# Of F one of four outcomes is missing, of M none, of unknown sex both.
FRAME = pl.DataFrame(
    {
        "sex": ["F"] * 4 + ["M"] * 4 + [None] * 2,
        "month": [1, 1, 2, 2] * 2 + [2, 2],
        "hired": [1, 0, 1, None, 1, 1, 0, 0, None, None],
    }
)
QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "nulls": "drop"}

CAPTION = "**Missing outcomes by group**"


def table(frame: pl.DataFrame, **more: Any) -> list[list[str]]:
    """The rows of the table in the report as Markdown, without its rule."""
    report = pf.report(frame, "dppl", confidence=None, **{**QUESTION, **more})
    lines = report.to_markdown().splitlines()
    if CAPTION not in lines:
        return []
    shown = lines[lines.index(CAPTION) + 2 :]
    rows = [line.strip("| ").split(" | ") for line in shown[: shown.index("")]]
    return [rows[0], *rows[2:]]


def test_a_report_shows_the_share_of_each_group_that_was_left_out() -> None:
    assert table(FRAME) == [
        ["Group", "Facet", "Rows", "Left out", "Share left out"],
        ["F", "sex", "4", "1", "25.0 %"],
        ["M", "sex", "4", "0", "0.0 %"],
        ["unknown", "sex", "2", "2", "100.0 %"],
        ["All rows", "–", "10", "3", "30.0 %"],
    ]


def test_rows_are_counted_where_rates_have_weights() -> None:
    """One woman more is left out, of weight 0; the weights of the others are no numbers of rows."""
    weighted = FRAME.with_columns(w=pl.Series([0.0] + [2.5] * 9))
    assert [row[2:] for row in table(weighted, weight="w")] == [
        ["Rows", "Left out", "Share left out"],
        ["4", "2", "50.0 %"],
        ["4", "0", "0.0 %"],
        ["2", "2", "100.0 %"],
        ["10", "4", "40.0 %"],
    ]


def test_only_windows_in_which_rows_were_left_out_are_shown() -> None:
    assert table(FRAME, by="month") == [
        ["Group", "Facet", "month", "Rows", "Left out", "Share left out"],
        ["F", "sex", "2", "2", "1", "50.0 %"],
        ["M", "sex", "2", "2", "0", "0.0 %"],
        ["unknown", "sex", "2", "2", "2", "100.0 %"],
        ["All rows", "–", "2", "6", "3", "50.0 %"],
    ]


def test_a_group_that_stands_for_no_rows_has_no_share() -> None:
    none = FRAME.with_columns(k=pl.when(pl.col("sex") == "M").then(0).otherwise(10))
    assert table(none, count="k")[2] == ["M", "sex", "0", "0", "undefined"]


@pytest.mark.parametrize("nulls", ["drop", "raise"])
def test_nothing_missing_is_no_table(nulls: str) -> None:
    """A row of weight 0 is left out, but its outcome is not missing."""
    known = FRAME.drop_nulls("hired").with_columns(w=pl.Series([0.0] + [1.0] * 6))
    assert table(known, nulls=nulls) == []
    assert table(known, nulls="raise", weight="w") == []


@pytest.mark.extras
def test_the_page_has_the_table_too(tmp_path: Any) -> None:
    pf.report(FRAME, "dppl", **QUESTION).write_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Missing outcomes by group" in page
    assert "Share left out" in page
