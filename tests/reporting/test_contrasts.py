"""Contrasts in reports, tables and charts: expected numbers are worked out by hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf


def decisions() -> pl.DataFrame:
    """10,000 women and 10,000 men; each model accepts half of each, but `fewer` a quarter of women.

    The model `same` has the column of `now`.
    """
    return pl.DataFrame(
        {
            "sex": ["F"] * 3 + ["M"] * 2,
            "now": [1, 1, 0, 1, 0],
            "fewer": [1, 0, 0, 1, 0],
            "y": [1, 1, 0, 1, 0],
            "n": [2_500, 2_500, 5_000, 5_000, 5_000],
        }
    )


QUESTION: dict[str, Any] = {
    "facet": "sex",
    "predicted": {"fewer": "fewer", "now": "now", "same": pl.col("now").alias("same")},
    "count": "n",
    "replicates": 200,
}


def paired(*metrics: str, **more: Any) -> pf.Report:
    return pf.report(decisions(), *metrics, **(QUESTION | {"champion": "now"} | more))


def monthly() -> pl.DataFrame:
    """Half of the men each month; of 10,000 women half in January, a quarter from February on."""
    months = [date(2025, month, 1) for month in (1, 2, 3)]
    return pl.DataFrame(
        [
            {"month": month, "sex": sex, "hired": hired, "n": n}
            for month, accepted in zip(months, (5_000, 2_500, 2_500), strict=True)
            for sex, positive in (("F", accepted), ("M", 5_000))
            for hired, n in ((1, positive), (0, 10_000 - positive))
        ]
    )


OF_MONTHS: dict[str, Any] = {
    "facet": "sex",
    "predicted": "hired",
    "count": "n",
    "by": "month",
    "replicates": 200,
}


@pytest.mark.extras
def test_a_window_without_a_reference_has_no_numbers_in_the_table() -> None:
    answer = pf.audit(monthly(), "dppl", baseline="previous", **OF_MONTHS)
    html = pf.table(answer.head(1)).as_raw_html()
    assert "undefined" not in html
    assert html.count(">–<") == 3
    assert "no reference" in html


def by_region(*regions: str, without: str = "") -> pl.DataFrame:
    """Of each of three groups in each region, a hundred people, half of them hired."""
    rows = [
        (region, race, hired, 50)
        for region in regions
        for race in "ABC"
        for hired in (0, 1)
        if race not in without
    ]
    return pl.DataFrame(rows, ["region", "race", "hired", "n"], orient="row")


@pytest.mark.parametrize("metrics", [["di"], ["selection_rate_gap"], ["di", "selection_rate_gap"]])
def test_a_report_names_once_what_vanished_and_what_is_new(
    metrics: list[str], tmp_path: Path
) -> None:
    question: dict[str, Any] = {"facet": "race", "predicted": "hired", "by": "region", "count": "n"}
    question |= {"baseline": by_region("n", "s", without="A"), "baseline_count": "n"}
    now = by_region("n", "w", without="C")
    report = pf.report(now, *metrics, replicates=20, **question)
    page = report.to_markdown()
    sides = " against everyone else" if "di" in metrics else ""
    gone = f"Without rows, where the baseline has some: region s; race: C{sides} (region n)."
    # All comparisons of a window that is new have no counterpart.
    new = "New, where the baseline has no rows: "
    assert page.count(gone) == page.count(new) == 1
    assert f"race: A{sides} (" in page.partition(new)[2].partition("\n")[0]
    assert "region s" not in page.replace(gone, "")
    report.write_html(tmp_path / "page.html")
    report.write_json(tmp_path / "page.json")
    assert "region s; race: C" in (tmp_path / "page.html").read_text("utf-8")
    records = json.loads((tmp_path / "page.json").read_text("utf-8"))["audit"]
    assert {row["region"] for row in records} == {"n", "s", "w"}
    answer = pf.audit(now, *metrics, replicates=20, **question)
    for show in (pf.chart, pf.table):
        assert show(answer) is not None
