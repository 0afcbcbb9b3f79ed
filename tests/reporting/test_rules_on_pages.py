"""What pages say of values that are judged by significance, or by several rules."""

from __future__ import annotations

from typing import Any

import polars_fairness as pf
from tests.reporting.reports import of_counts

UNSURE = {"F": (10, 30), "M": (17, 30)}
"""A ratio of 0.59, whose p-value is 0.12."""
SURE = UNSURE | {"X": (0, 20)}


def page(counts: dict[str, tuple[int, int]], **more: Any) -> str:
    report = pf.report(
        of_counts(counts), "di", "dppl", facet="sex", favored="M", predicted="hired", **more
    )
    return report.to_markdown()


def test_a_value_outside_that_is_not_significant_is_not_said_to_lie_within() -> None:
    text = page(UNSURE, rule="significant")
    assert "\nNo value is counted as outside its accepted band.\n" in text
    assert "Both judged values are counted as within their bands." in text
    named = "impact ratio of the group F (0.59) and selection rate difference of the group F (23.3"
    assert f"Outside but not significant, and so counted as within: {named} points)." in text


def test_beside_values_outside_those_that_are_not_significant_are_named() -> None:
    text = page(SURE, rule="significant")
    assert "Of 4 judged values, 2 are outside the band and 2 are counted as within it." in text
    assert "Outside but not significant, and so counted as within: impact ratio of" in text


def test_what_the_verdicts_mean_is_said_of_each_rule() -> None:
    outside = "Outside: the value lies outside the band and the difference is significant."
    assert outside in page(UNSURE, rule="significant")
    text = page(UNSURE, rule={"di": "point", "dppl": "interval"})
    assert "For impact ratio: outside: the value lies outside the band." in text
    assert "For selection rate difference: outside: the whole 95" in text
