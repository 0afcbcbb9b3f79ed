"""What pages say where groups of few people are hidden: of whom a value is, and of which groups."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf
from tests.reporting.reports import of_counts

FOUR = {"A": (100, 200), "B": (150, 301), "C": (260, 300), "D": (4, 9)}
"""With ``hide_below=10``, D is hidden, and so is A."""
CROSSED = pl.concat(
    pl.DataFrame({"sex": [sex] * n, "race": [race] * n, "hired": [i < hired for i in range(n)]})
    for sex, race, hired, n in (
        *(("F", "X", 150, 300), ("M", "X", 260, 300)),
        *(("F", "Y", 4, 9), ("M", "Y", 20, 40)),
    )
)
"""The groups of both are hidden: of each, the size follows from that of F and Y and of others."""
WINDOWS = pl.concat(
    of_counts({"F": (n // 2, n), "M": (260, 300)}).with_columns(branch=pl.lit(branch))
    for branch, n in (("north", 200), ("south", 8), ("west", 200))
)


def page(frame: pl.DataFrame, *metrics: str, words: Any = None, **more: Any) -> str:
    question: dict[str, Any] = {
        "facet": "sex",
        "predicted": "hired",
        "hide_below": 10,
        "confidence": None,
    }
    return pf.report(frame, *metrics, **(question | more)).to_markdown(words=words)


def test_two_groups_that_are_shown_are_not_each_others_reference() -> None:
    text = page(of_counts(FOUR), "di")
    assert "The selection rate of the group B is 0.70 times that of everyone else." in text
    assert "(reference)" not in text


def test_hidden_groups_of_two_facets_are_not_said_to_be_small() -> None:
    text = page(CROSSED, "di", "spsf", facet=["sex", "race"], confidence=0.95)
    assert "No group by sex and race of 30 rows or more is shown, so none is ranked." in text


def test_a_window_whose_groups_are_hidden_is_named_and_not_counted() -> None:
    text = page(WINDOWS, "di", by="branch", favored="M")
    assert "In the windows shown, all 1,000 rows were used." in text
    assert "hidden: F of sex (branch south), M of sex (branch south)." in text


def test_a_hidden_group_may_have_a_word() -> None:
    words = {"groups": {"sex": {"C": "Catalans", "D": "Danes"}}}
    assert "Catalans" in page(of_counts(FOUR), "di", words=words)
