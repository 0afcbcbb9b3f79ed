"""What pages say of windows of time: of which one, and what was so in others."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl

import polars_fairness as pf
from tests.reporting.reports import of_counts


def page(*women: int, **more: Any) -> str:
    """So many of 50 women are hired in each month, and 25 of 50 men."""
    months = [
        of_counts({"F": (n, 50), "M": (25, 50)}).with_columns(month=pl.lit(date(2025, i, 1)))
        for i, n in enumerate(women, 1)
    ]
    question = {"facet": "sex", "favored": "M", "predicted": "hired", "by": "month"}
    return pf.report(pl.concat(months), "di", **(question | more)).to_markdown()


def test_a_page_without_a_value_outside_now_says_what_was_outside() -> None:
    text = page(5, 4, 25, confidence=None)
    assert "\nNo value is outside its accepted band in the latest window, 2025-03-01." in text
    assert "In earlier windows, 2 values were outside their bands." in text
    assert "Unless another window is named, this is about 2025-03-01, the latest window." in text


def test_a_change_in_an_earlier_window_is_not_said_to_be_now() -> None:
    text = page(45, 5, 5, baseline="previous")
    assert (
        "of 2 values of all windows, 1 is worse (impact ratio of the group F in month 2025-02-01)"
        in text
    )
    assert "In month 2025-02-01, the impact ratio of the group F is 0.20, and in the window" in text
    assert "Now" not in text
