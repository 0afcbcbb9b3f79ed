"""The rule of SageMaker Model Monitor for drift from a baseline."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import predictions, shared

QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "predicted": "p",
    "count": "n",
    "baseline_count": "n",
    "drift": "clarify",
}


def drifted(
    here: tuple[int, int], there: tuple[int, int], metric: str = "dppl", **more: Any
) -> str | None:
    """The change, where so many of 10,000 F and 10,000 M are accepted; bounds are 0.014 away."""
    now, then = (predictions(F=(f, 10_000 - f), M=(m, 10_000 - m)) for f, m in (here, there))
    [change] = shared(pf.audit, now, metric, baseline=then, **(QUESTION | more))["change"]
    return None if change is None else str(change)


def test_a_value_drifts_outside_the_band_and_farther_than_the_baseline() -> None:
    # dppl 0.2, with an interval from 0.19 to 0.21, and the band from -0.1 to 0.1
    assert drifted((3_000, 5_000), (4_500, 5_000)) == "worse"
    assert drifted((3_000, 5_000), (3_500, 5_000)) == "worse"
    # Outside too, but no farther than the baseline: 0.2 after 0.2, after 0.3, and after -0.3
    assert drifted((3_000, 5_000), (3_000, 5_000)) == "same"
    assert drifted((3_000, 5_000), (2_000, 5_000)) == "same"
    assert drifted((3_000, 5_000), (8_000, 5_000)) == "same"
    # 0.4 - 0.1 exceeds 0.5 - 0.2 by a rounding error
    assert drifted((1_000, 4_000), (2_000, 5_000)) == "same"
    # The two examples of its documentation: 0.1 and -0.3 after 0.2
    assert drifted((4_000, 5_000), (3_000, 5_000)) == "same"
    assert drifted((8_000, 5_000), (3_000, 5_000)) == "worse"
    # -0.2 is farther than 0.1, on the other side of the ideal
    assert drifted((7_000, 5_000), (4_000, 5_000)) == "worse"
    # 0.105 is farther than 0, but its interval crosses the edge of the band
    assert drifted((3_950, 5_000), (5_000, 5_000)) == "same"
    # 0.05 lies in the band
    assert drifted((4_500, 5_000), (5_000, 5_000)) == "same"


def test_a_ratio_is_as_far_from_1_as_its_inverse() -> None:
    # di 3/5 and 5/3: as far; by the difference from 1, 5/3 would be farther
    assert drifted((5_000, 3_000), (3_000, 5_000), "di") == "same"
    assert drifted((5_000, 2_900), (3_000, 5_000), "di") == "worse"


@pytest.mark.parametrize("side", [1, -1])
def test_an_interval_that_touches_the_band_is_not_disjoint_from_it(side: int) -> None:
    now, then = (
        predictions(F=(500 - side * 200, 500 + side * 200), M=(500, 500)),
        predictions(F=(500, 500), M=(500, 500)),
    )
    question = QUESTION | {"baseline": then}
    audit = pf.audit(now, "dppl", **question).row(0, named=True)
    edge = audit["lower"] if side == 1 else -audit["upper"]
    assert edge > 0.1
    # 1e-14 is a rounding error.
    for width, expected in ((edge, "same"), (edge - 1e-14, "same"), (edge - 1e-9, "worse")):
        [change] = pf.audit(now, "dppl", bands={"dppl": (-width, width)}, **question)["change"]
        assert change == expected


def test_what_cannot_be_judged_is_null() -> None:
    assert drifted((3_000, 5_000), (4_500, 5_000), bands={"dppl": None}) is None
    # A statistic of a test has no interval, a rate of all rows no band.
    assert drifted((3_000, 5_000), (4_500, 5_000), "two_sd") is None
    assert drifted((3_000, 5_000), (4_500, 5_000), "selection_rate") is None
    # 0/0 here, and in the baseline
    assert drifted((0, 0), (4_500, 5_000), "di") is None
    assert drifted((4_500, 5_000), (0, 0), "di") is None
    now = predictions(F=(3, 7), M=(5, 5)).with_columns(month=1)
    question = QUESTION | {"baseline_count": None}
    answer = pf.audit(now, "dppl", by="month", baseline="previous", **question)
    assert answer["change"].to_list() == [None]


def test_windows_of_the_same_frame_drift_too() -> None:
    months = [predictions(F=(f, 10_000 - f), M=(5_000, 5_000)) for f in (5_000, 3_000, 3_500)]
    frame = pl.concat(each.with_columns(month=i) for i, each in enumerate(months))
    question = QUESTION | {"baseline_count": None}
    answer = pf.audit(frame, "dppl", by="month", baseline="previous", **question)
    assert answer["change"].to_list() == [None, "worse", "same"]
