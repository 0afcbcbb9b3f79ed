"""MLstatkit: intervals of areas under ROC curves, and of their difference, by DeLong's variance."""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

import numpy as np
import pytest
from MLstatkit import Delong_test
from numpy.typing import NDArray

import polars_fairness as pf

from .comparisons import Comparison, comparisons
from .frames import FRAMES, REGULAR

Z: Final = NormalDist().inv_cdf(0.975)


def auc_and_variance(each: Comparison, rows: NDArray[np.bool_]) -> tuple[float, float]:
    """The area of one side and its variance, which MLstatkit gives as an interval."""
    score = each.score[rows]
    # It compares two models; the second one ranks in reverse.
    *_, low_and_high, _, area, _, info = Delong_test(each.label[rows], score, -score)
    assert info["method"] == "delong"
    low, high = low_and_high
    assert 0 < low < high < 1, "cut off at 0 or 1"
    return area, ((high - low) / (2 * Z)) ** 2


@pytest.mark.parametrize("frame", REGULAR)
def test_the_interval_of_a_difference_of_areas_agrees(frame: str) -> None:
    for each in comparisons(FRAMES[frame]):
        (a, variance_of_a), (d, variance_of_d) = (
            auc_and_variance(each, side) for side in (each.in_a, each.in_d)
        )
        spread = Z * float(np.sqrt(variance_of_a + variance_of_d))
        audit = pf.audit(
            each.frame,
            "auc_difference",
            facet="group",
            disfavored=each.disfavored,
            label="label",
            score="score",
            method="delong",
        ).row(0, named=True)
        found = tuple(audit[name] for name in ("value", "lower", "upper"))
        assert found == pytest.approx((a - d, a - d - spread, a - d + spread), abs=1e-12)
