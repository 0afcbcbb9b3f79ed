"""Numbers, bands and dates as a report writes them."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.words import band, number, points, share, value_in_words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1444, "0.144"),
        (-0.0194, "−0.019"),
        (-0.0001, "0.000"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
        (1234.5, "1,234"),
        (None, "undefined"),
    ],
)
def test_numbers_are_written_for_people(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.extras
def test_all_rows_as_a_side_are_in_words() -> None:
    frame = pl.DataFrame({"race": ["a", "b", "c"], "hired": [0, 1, 1], "n": [50, 20, 20]})
    question: dict[str, Any] = {"facet": "race", "predicted": "hired", "count": "n"}
    question["favored"] = pf.OVERALL
    report = pf.report(frame, "dppl", detail="full", **question)
    text = report.to_markdown()
    assert "### race: b against all rows" in text
    assert "outside, against all rows" in text
    assert "d is b, 20 rows; a is all rows, 90 rows." in text
    assert "values to the left against all rows" in report._repr_html_()
    table = pf.table(pf.audit(frame, "dppl", **question)).as_raw_html()
    assert "race: b (20) against all rows (90)" in table
    assert "(all)" not in text + table


def test_shares_bands_and_values_are_written_for_people() -> None:
    assert share(0.304) == "30.4 %"
    assert [points(part) for part in (0.125, -0.125, 0.0004, -0.0004)] == [
        *("+12.5", "−12.5", "0.0", "0.0")
    ]
    assert band((-0.05, float("inf"))) == "−0.05 to ∞"
    assert band(None) == "none"
    assert value_in_words(None) == "unknown"
    assert value_in_words(date(2025, 1, 1)) == "2025-01-01"


def test_a_struct_is_written_as_its_fields() -> None:
    frame = pl.DataFrame({"sex": ["F", "M"], "race": ["B", "W"], "p": [1, 0]})
    both = pl.struct("sex", "race")
    report = pf.report(frame, "dppl", facet=both, predicted="p", confidence=None)
    assert repr(report) == "Report('p by sex & race')"
    assert "sex &amp; race, computed as" in report.to_markdown()
