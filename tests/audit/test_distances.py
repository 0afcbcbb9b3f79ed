"""Intervals of distances hold the ideal where nothing but chance moves them away from it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.terms import a, a_i, across, d, d_i, g, stratified
from polars_fairness.values.folds import find_fold

OF_LABELS: Final = ["kl", "js", "lp", "tvd", "ks"]
OF_SCORES: Final = [
    "abroca",
    "score_ks",
    "score_wasserstein",
    "score_wasserstein_positive",
    "score_wasserstein_negative",
    "auc_gap",
    "brier_gap",
    "ece_gap",
    "miscalibration",
]
OF_SIDES: Final = [
    "four_fifths",
    "average_abs_odds_difference",
    "confusion_distance",
    "ge_between",
]
SQUARES: Final = {"kl", "js", "ge_between"}


def entries() -> dict[str, pf.Metric]:
    return {name: each for name, each in pf.CATALOGUE.items() if name == each.name}


def test_distances_and_maxima_fold_and_nothing_else() -> None:
    folds = {name: fold for name, each in entries().items() if (fold := find_fold(each))}
    # Smoothed, groups of unequal size with one rate are not alike; numbers have no made-up counts.
    maxima = {
        name
        for name, each in entries().items()
        if each.parsed.largest and not each.is_about_numbers and name != "differential_fairness"
    }
    assert {*folds} == {*OF_LABELS, *OF_SCORES, *OF_SIDES, *maxima}
    assert {name for name, fold in folds.items() if fold.power == 2} == SQUARES
    below = {name for name, fold in folds.items() if not fold.rises}
    assert below == {name for name in folds if pf.CATALOGUE[name].ideal == 1}


@pytest.mark.parametrize(
    ("formula", "power"),
    [
        ((a.tpr - d.tpr).abs(), 1),
        ((a.ppv - d.ppv) ** 2, 2),
        (across(g.ppv.std()), 1),
        (stratified((a_i.selection_rate - d_i.selection_rate).abs()), 1),
        (a.tpr - d.tpr, None),
        (across(g.tpr.min()), None),
    ],
)
def test_a_metric_of_ones_own_folds_by_its_formula(formula: Any, power: int | None) -> None:
    fold = find_fold(pf.Metric("own", "Own", formula))
    assert (fold and fold.power) == power


def sets(random: np.random.Generator, number: int, rows: int, minority: float) -> pl.DataFrame:
    size = number * rows
    score = random.random(size)
    return pl.DataFrame(
        {
            "set": np.repeat(np.arange(number), rows),
            "sex": np.where(random.random(size) < minority, "F", "M"),
            "kind": random.integers(0, 20, size),
            "p": random.random(size) < 0.3,
            "score": score,
            "y": random.random(size) < score,
        }
    )


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("metrics", "columns", "number", "rows"),
    [
        (OF_LABELS, {"label": "kind", "positive": 1}, 100, 400),
        (OF_SIDES, {"label": "y", "predicted": "p"}, 100, 500),
        (OF_SCORES, {"label": "y", "score": "score"}, 12, 150),
    ],
)
def test_without_a_difference_the_interval_holds_the_ideal(
    metrics: list[str], columns: dict[str, Any], number: int, rows: int
) -> None:
    frame = sets(np.random.default_rng(5), number, rows, 0.3)
    answer = pf.audit(
        frame, metrics, facet="sex", disfavored="F", by="set", replicates=200, **columns
    )
    holds = (pl.col("lower") <= pl.col("ideal")) & (pl.col("ideal") <= pl.col("upper"))
    shares = dict(answer.group_by("metric").agg(holds.mean()).iter_rows())
    assert {*shares} == {*metrics}
    assert all(share >= 0.9 for share in shares.values()), shares


def test_a_large_distance_does_not_reach_the_ideal() -> None:
    """Of 500 F and 500 M, 100 and 400 are positive; the deviation of the difference is 0.025.

    Of two sides with one rate of 0.5 it is 0.032, and 2.24 of it hold 97.5 % of the distances.
    """
    rows = [("F", 1, 100), ("F", 0, 400), ("M", 1, 400), ("M", 0, 100)]
    frame = pl.DataFrame(rows, ["sex", "y", "n"], orient="row")
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "count": "n"}
    lower, upper = pf.audit(frame, "tvd", **question).select("lower", "upper").row(0)
    assert lower == pytest.approx(0.6 - 2.24 * 0.0316, abs=0.015)
    assert upper == pytest.approx(0.6 + 1.96 * 0.0253, abs=0.01)
