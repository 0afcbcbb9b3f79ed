"""Sentences of a page that say one value: what is computed, which numbers, of whom."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import of_counts

WORDS: Final = {"groups": {"sex": {"F": "women", "M": "men"}}, "decided": "hired"}


def page(counts: dict[str, tuple[int, int]], *metrics: str, **more: Any) -> str:
    question = {"facet": "sex", "predicted": "hired", "favored": "M"}
    return pf.report(of_counts(counts), *metrics, **(question | more)).to_markdown(words=WORDS)


def test_where_nothing_can_be_compared_metrics_are_not_said_to_lack_a_band() -> None:
    report = pf.report(of_counts({"F": (4, 9)}), "di", facet="sex", predicted="hired")
    text = report.to_markdown()
    assert "No value of a metric with a band can be computed, so none is judged." in text
    assert "No metric has a band" not in text


def test_a_value_without_a_verdict_is_computed_and_not_judged() -> None:
    frame = of_counts({"F": (4, 9), "M": (8, 9)}).with_columns(store=pl.int_range(pl.len()) % 3)
    report = pf.report(frame, "di", facet="sex", predicted="hired", favored="M", cluster="store")
    text = report.to_markdown()
    assert "No value of a metric with a band can be judged." in text
    assert "| 0.50 | 0.80 to 1.25 | Not judged |" in text


def test_an_interval_stands_beside_its_own_value() -> None:
    text = page({"F": (40, 100), "M": (50, 100)}, "di", bands={"di": None})
    assert "Women are hired 0.80 times as often as men: 40.0 % against 50.0 %. The" in text.replace(
        "\N{NARROW NO-BREAK SPACE}", " "
    )
    assert "The impact ratio is 0.80; its 95" in text


@pytest.mark.parametrize(("women", "men", "ratio"), [(0, 9, "0.00"), (9, 0, "∞")])
def test_no_one_is_selected_0_or_infinitely_many_times_as_often(
    women: int, men: int, ratio: str
) -> None:
    text = page({"F": (women, 9), "M": (men, 9)}, "di", "success_ratio")
    assert "times" not in text
    rates = f"{100 * women / 9:.1f} % of women and {100 * men / 9:.1f} % of men are hired"
    assert f"{rates}: the impact ratio is {ratio}." in text.replace(
        "\N{NARROW NO-BREAK SPACE}", " "
    )


def test_the_error_of_people_is_one() -> None:
    frame = pl.DataFrame({"sex": [*"FFMM"], "paid": [1, 2, 3, 5], "due": [2, 2, 2, 2]})
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "observed": "paid"}
    report = pf.report(frame, "mae_ratio", **question, estimated="due", confidence=None)
    text = report.to_markdown(words=WORDS)
    assert "The mean absolute error of women is 0.25 times that of men." in text


def test_one_value_of_several_is_within_its_band() -> None:
    frame = of_counts({"F": (40, 100), "M": (50, 100), "X": (5_000, 10_000)})
    report = pf.report(
        frame, "di", facet="sex", predicted="hired", favored="M", bands={"di": (0.5, 2)}
    )
    text = report.to_markdown().replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "Both judged values are within their bands with their whole 95 % intervals." in text
    report = pf.report(
        frame, "di", facet="sex", predicted="hired", favored="M", bands={"di": (0.7, 2)}
    )
    text = report.to_markdown().replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "1 of 2 judged values is within its band with its whole 95 % interval." in text
    assert "The other is uncertain." in text
    assert "would settle the impact ratio of the group F." in text
    assert "neither contains" not in text


def test_sizes_beside_rates_are_those_that_the_selection_rate_counts() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4 + ["X"],
            "hired": [1, 0, 0, 0, 1, 1, 0, 0, 1],
            "good": [1, None, None, None, 1, 0, None, None, None],
        }
    )
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "hired"}
    report = pf.report(frame, "di", "rd", **question, label="good", nulls="drop")
    rates = report.to_markdown().partition("Rates by sex")[2].partition("**Table")[0]
    assert "| F | 4 | 25.0" in rates
    assert "| X | 1 | 100.0" in rates
    assert "| All rows | 9 | 44.4" in rates
