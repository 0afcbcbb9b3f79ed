"""SciPy: distances between the distributions of the scores of two sides."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ks_2samp, wasserstein_distance

from .comparisons import UNWEIGHTED_AND_WEIGHTED, Comparison, close, comparisons, ours
from .frames import FRAMES

SOME: Final = ("five groups", "sparse strata", "ten rows, seed 30")

Rows = NDArray[np.bool_]


def among_all(each: Comparison) -> Rows:
    return np.full(each.frame.height, True)


def among_positives(each: Comparison) -> Rows:
    return each.label


def among_negatives(each: Comparison) -> Rows:
    return ~each.label


AMONG: Final = {
    "score_wasserstein": among_all,
    "score_wasserstein_positive": among_positives,
    "score_wasserstein_negative": among_negatives,
}


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", SOME)
@pytest.mark.parametrize("metric", AMONG)
def test_the_wasserstein_distance_agrees(metric: str, frame: str, *, weighted: bool) -> None:
    expected: dict[str, float | None] = {}
    for each in comparisons(FRAMES[frame]):
        sides = [side & AMONG[metric](each) for side in (each.in_a, each.in_d)]
        weights = [each.column("weight")[side] for side in sides] if weighted else []
        is_defined = all(side.any() for side in sides)
        scores = [each.score[side] for side in sides]
        expected[each.disfavored] = (
            float(wasserstein_distance(*scores, *weights)) if is_defined else None
        )
    assert ours(frame, metric, weighted=weighted) == close(expected)


@pytest.mark.parametrize("frame", SOME)
def test_the_statistic_of_kolmogorov_and_smirnov_agrees(frame: str) -> None:
    expected = {
        each.disfavored: float(
            ks_2samp(each.score[each.in_a], each.score[each.in_d], method="asymp").statistic
        )
        for each in comparisons(FRAMES[frame])
    }
    assert ours(frame, "score_ks") == close(expected)


@pytest.mark.parametrize("frame", SOME)
def test_differences_of_means_agree_with_numpy(frame: str) -> None:
    for each in comparisons(FRAMES[frame]):
        mean = {
            (name, label): float(each.score[side & (each.label == label)].mean())
            for name, side in (("a", each.in_a), ("d", each.in_d))
            for label in (True, False)
        }
        for metric, label in (("balance_positive", True), ("balance_negative", False)):
            expected = mean["a", label] - mean["d", label]
            assert ours(frame, metric)[each.disfavored] == close(expected)
        excess = [
            float((each.label[side] - each.score[side]).mean()) for side in (each.in_d, each.in_a)
        ]
        found = ours(frame, "calibration_difference")[each.disfavored]
        assert found == close(excess[0] - excess[1])
