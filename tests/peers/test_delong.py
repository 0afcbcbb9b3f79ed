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


def has_few_out_of_order(each: Comparison, rows: NDArray[np.bool_]) -> bool:
    """Whether fewer than 20 positive or 20 negative rows of a side are not ahead of all others."""
    score, label = each.score[rows], each.label[rows].astype(bool)
    behind = score[label] <= score[~label].max()
    ahead = score[~label] >= score[label].min()
    return bool(min(behind.sum(), ahead.sum()) < 20)


# Their intervals are too short with so few rows.
OF_MANY: Final = [name for name in REGULAR if name not in ("minority of 5 %", "sparse strata")]


@pytest.mark.parametrize("frame", OF_MANY)
def test_the_interval_of_a_difference_of_areas_agrees(frame: str) -> None:
    for each in comparisons(FRAMES[frame]):
        assert not any(has_few_out_of_order(each, rows) for rows in (each.in_a, each.in_d))
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
