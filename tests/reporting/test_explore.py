"""The page that moves a threshold: its numbers are those of `rates` and `metrics`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal

import polars_fairness as pf
from polars_fairness.explorer import Exploration, cutoffs_in_words, panels_of
from tests.frames import shared
from tests.pages import unpacked
from tests.reporting.reports import HOSTILE

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "repaid", "score": "score"}
METRICS = ("di", "dppl", "rd", "average_odds_difference")


def loans() -> pl.DataFrame:
    return pf.datasets.loans().head(2_000)


def panels(exploration: pf.Exploration) -> dict[str, Any]:
    return {panel.caption: panel for panel in panels_of(exploration)}


def shown(panel: Any, at: int, window: int = 0) -> dict[str, str]:
    """The texts of a panel at the place of a threshold."""
    marks = panel.chart.marks
    return {m["name"]: m["text"] for m in marks if (m["at"], m["window"]) == (at, window)}


@pytest.mark.parametrize("weight", [None, "w"])
def test_its_numbers_are_those_of_the_same_thresholds(weight: str | None) -> None:
    frame = loans().with_columns(w=pl.col("age") / 7)
    swept = pf.explore(frame, weight=weight, **QUESTION)
    question = {"threshold": swept.thresholds, "weight": weight, **QUESTION}
    # Sums of weights differ in their last digits.
    exact: Any = {"abs_tol": 0 if weight is None else 1e-12}
    values = pf.metrics(frame, *METRICS, "accuracy", **question)
    for name in (*METRICS, "accuracy"):
        found = swept.audited.filter(metric=name)["value"]
        assert_series_equal(found, values[name], check_names=False, **exact)
    columns = ("threshold", "facet", "value", "selection_rate", "tpr", "fpr")
    rates = shared(pf.rates, frame, **question)
    assert_frame_equal(swept.rated.select(columns), rates.select(columns), **exact)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1, [percent / 100 for percent in range(5, 97)]),
        (100, [float(percent) for percent in range(5, 97)]),
        (1 / 1000, [i / 100_000 for i in range(5, 97)]),
    ],
)
def test_thresholds_by_default_fit_the_scale_of_the_scores(
    factor: float, expected: list[float]
) -> None:
    frame = loans().with_columns(pl.col("score") * factor)
    assert pf.explore(frame, **QUESTION).thresholds == expected
    by_hand = pf.explore(frame, **QUESTION, threshold=expected)
    found = pf.explore(frame, **QUESTION).rated.select(by_hand.rated.columns)
    assert_frame_equal(found, by_hand.rated)


def test_scores_of_32_bits_and_whole_scores_have_thresholds_of_their_own() -> None:
    short = loans().with_columns(pl.col("score").cast(pl.Float32))
    question = {**QUESTION, "disfavored": None}
    swept = pf.explore(short, **question)
    assert 0.29 in swept.thresholds
    one = pf.rates(short, **{**question, "threshold": [0.29]})["selection_rate"]
    found = swept.rated.filter(pl.col("threshold") == 0.29)["selection_rate"]
    assert_series_equal(found, one)
    points = loans().with_columns(score=300 + (pl.col("score") * 500).cast(pl.Int32))
    thresholds = pf.explore(points, **question).thresholds
    assert {b - a for a, b in pairwise(thresholds)} == {5}


def swept(verdicts: dict[str, list[str | None]], **more: Any) -> Exploration:
    """The verdicts of metrics at the thresholds 0, 1, 2 and so on."""
    rows = [
        {"threshold": float(at), "facet": "g", "disfavored": "a", "metric": name, "verdict": each}
        for name, found in verdicts.items()
        for at, each in enumerate(found)
    ]
    frame = pl.DataFrame(rows, schema_overrides={"verdict": pl.String})
    metrics = {name: pf.CATALOGUE[name] for name in verdicts}
    return Exploration({}, frame.select("threshold", "facet"), frame.with_columns(**more), metrics)


def test_metrics_are_within_their_bands_together_where_each_of_them_is() -> None:
    two = swept({"di": ["within", "outside", "within"], "rd": ["within", "within", "outside"]})
    both = "he impact ratio and the true positive rate difference"
    assert cutoffs_in_words(two).startswith(f"T{both} are within their bands at ")
    assert cutoffs_in_words(two).endswith(": 1 of 3 thresholds.")
    apart = swept({"di": ["within", "outside"], "rd": ["outside", "within"]})
    assert cutoffs_in_words(apart).startswith(f"No threshold puts t{both} within their bands.")


def test_many_groups_are_cut_and_the_title_says_so() -> None:
    frame = pl.DataFrame({"g": range(40), "s": [0.2, 0.8] * 20})
    explored = pf.explore(
        frame, "selection_rate_gap", facet="g", predicted="s", threshold=[0.1, 0.5]
    )
    panel = panels(explored)["Selection rate by g (the first 30 of 40)"]
    assert len(shown(panel, 0)) == 31


@pytest.mark.extras
def test_no_name_ends_the_script(tmp_path: Path) -> None:
    name = f"\x1b{HOSTILE}"
    frame = loans().with_columns(pl.col("sex").replace("F", name)).rename({"sex": name})
    cuts: dict[str, Any] = {"score": "score", "threshold": [0.25, 0.5]}
    explored = pf.explore(frame, facet=name, by=pl.lit(name).alias("w"), **cuts)
    explored.write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "\x1b" not in page
    assert "<script>alert" not in page
    assert page.count("<script>") == page.count("</script>") == 1
    script = unpacked(page)
    assert json.dumps(f"\N{REPLACEMENT CHARACTER}{HOSTILE}") in script
    assert "\x1b" not in script
    title = "Column score, by \N{REPLACEMENT CHARACTER}&lt;script&gt;"
    assert f"<title>{title}" in page
    shown = explored._repr_html_()
    assert "<iframe srcdoc=" in shown
    assert f'title="Fairness by threshold: {title}' in shown


def test_scores_at_the_ends_of_floats_are_drawn_or_refused() -> None:
    def rows(*scores: float) -> pl.DataFrame:
        return pl.DataFrame({"sex": ["F", "M"] * 2, "s": scores, "y": [1, 0, 0, 1]})

    question: dict[str, Any] = {"facet": "sex", "label": "y", "score": "s"}
    assert pf.explore(rows(5e-324, 0.5, 0.2, 1e308), **question)._repr_html_()
