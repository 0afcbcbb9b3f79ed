"""The text of a chart says what is found in it first: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.rates import contribution_figure, rate_figures
from polars_fairness.reporting.findings import comparisons_of
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.recognised import recognised
from polars_fairness.reporting.tables import rates_of
from polars_fairness.reporting.words import extremes_in_words, share
from tests.reporting.answers_about_scores import calibration, choice
from tests.reporting.reports import BOTH, berkeley, four_each, maps, scored

SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "s"}


def figures(answer: pl.DataFrame) -> list[Figure]:
    return figures_of(recognised(answer, FIGURES))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"F": 0.25, "M": 0.5, "X": 0.4}, "lowest for F, 25.0 %, highest for M, 50.0 %"),
        ({"F": None, "M": 0.5, "X": 0.25}, "lowest for X, 25.0 %, highest for M, 50.0 %"),
        ({"F": 0.25, "M": 0.25}, "25.0 % for each"),
        ({"F": 0.25, "M": 0.25001}, "25.0 % for each"),
        ({"F": 0.25, "M": None}, "25.0 % for F"),
        ({"F": float("inf"), "M": None}, "undefined"),
        ({}, "undefined"),
    ],
)
def test_the_extremes_of_groups(values: dict[str, float | None], words: str) -> None:
    assert extremes_in_words([*values.items()], share) == words


def test_rates_begin_with_the_lowest_and_the_highest() -> None:
    found = berkeley("dppl").findings
    (figure,) = rate_figures(*rates_of(found), found.windows)
    # 557 of 1,835 women and 1,198 of 2,691 men were admitted.
    assert figure.in_words.startswith(
        "Selection rate by sex: lowest for Female, 30.4 %, highest for Male, 44.5 %. Female 30.4 %"
    )


def test_a_heat_map_begins_with_the_farthest_pairs() -> None:
    (figure,) = maps(pf.report(four_each(), "dppl", **BOTH))
    # 8 of 16 are hired: no woman of race b, and three in four men.
    assert (
        "by sex and race: lowest for F and b, −50.0, highest for M and b, +25.0. F and b −50.0;"
        in (figure.in_words)
    )


def test_curves_begin_with_the_areas_below_them() -> None:
    roc, selection = figures(pf.rates(scored(), threshold=[0.25, 0.5, 1.0], **SCORED))
    # Scores rank men perfectly and women at random.
    assert roc.in_words.startswith(
        "ROC curves by sex, true by false positive rate: "
        "the area below the curve is lowest for F, 0.50, highest for M, 1.00. F 100.0 % by"
    )
    # All, half and none of either group.
    assert selection.in_words.startswith(
        "Selection rate over thresholds by sex, share predicted positive: "
        "groups are farthest apart at 0.25: 100.0 % for each. F 100.0 % at 0.25"
    )


def test_groups_are_farthest_apart_at_a_threshold() -> None:
    frame = scored().with_columns(s=pl.when(sex="F").then(pl.col("s") / 2).otherwise("s"))
    selection = figures(pf.rates(frame, threshold=[0.1, 0.3, 0.5], facet="sex", predicted="s"))[0]
    # At 0.3 half of each; at 0.5 no woman and half of the men.
    assert (
        "farthest apart at 0.5: lowest for F, 0.0 %, highest for M, 50.0 %." in selection.in_words
    )


def test_calibration_begins_with_the_distances_from_the_scores() -> None:
    calibrated, scores = figures(calibration())
    # F: (1 · 0.2 + 3 · (0.4 − 1/3)) / 4; M: (2 · 0.4 + 2 · 0.1) / 4.
    assert calibrated.in_words.startswith(
        "Calibration by sex, share with a positive label by mean score: the mean distance of the "
        "share from the score is lowest for F, 0.100, highest for M, 0.250. F 0.0 % at 0.200,"
    )
    # F: (1 · 0.2 + 3 · 0.4) / 4; M: (2 · 0.1 + 2 · 0.6) / 4.
    assert scores.in_words.startswith(
        "Scores by sex, share of each group by score: the mean score is 0.350 for each. F 25.0 %"
    )


def test_a_sweep_begins_with_the_thresholds_within_its_band() -> None:
    (rd,) = figures(pf.metrics(scored(), "rd", threshold=[0.25, 0.5, 1.0], **SCORED))
    assert rd.in_words == (
        "rd by threshold, sex: F against M: values within −0.1 to 0.1: F at 0.25, at 1. "
        "F 0.000 at 0.25, 0.500 at 0.5, 0.000 at 1."
    )
    (accuracy,) = figures(pf.metrics(scored(), "accuracy", threshold=[0.25, 0.5, 1.0], **SCORED))
    # Without a band: 4, 6 and 4 of 8 are right.
    assert (
        ": lowest for threshold 0.25, 0.500, highest for threshold 0.5, 0.750. 0.500"
        in accuracy.in_words
    )


def test_contributions_begin_with_the_subgroup_that_adds_most() -> None:
    found = berkeley("cddpl").findings
    (comparison,) = comparisons_of(found.decomposed["cddpl"], [])
    figure = contribution_figure("cddpl", comparison)
    assert figure is not None
    largest = max(figure.chart.marks, key=lambda mark: abs(mark["upper"]))
    assert figure.in_words.startswith(
        f"{figure.caption}: farthest from 0 for {largest['name']}, {largest['Contribution']}. "
    )


def test_a_frontier_begins_with_the_choice() -> None:
    (frontier,) = figures(choice())
    assert frontier.in_words == (
        "accuracy and di of 3 thresholds: chosen is 0.5. "
        "On the frontier 0.500 and 1.000 at 0.25, 0.750 and 0.900 at 0.5."
    )


def test_differences_begin_with_what_is_worse() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 1000 + ["M"] * 1000,
            "now": [1, 0] * 1000,
            "fewer": [0] * 1000 + [1, 0] * 500,
        }
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": {"now": "now", "fewer": "fewer"}}
    (figure,) = figures(pf.audit(frame, "dppl", "ci", champion="now", **question))
    # Half of the women were accepted, and none are.
    assert figure.in_words.startswith(
        "Differences, sex: F against M, model fewer: worse for dppl, unclear for ci. "
        "dppl 0.500, worse; ci 0.000, unclear."
    )
