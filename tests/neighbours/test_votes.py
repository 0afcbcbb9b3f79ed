"""The neighbours that vote, and the flip test and consistency of their votes, by hand."""

from __future__ import annotations

import math

import polars as pl
import polars.selectors as cs
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from tests.neighbours.places import QUESTION, at, crowd

pytestmark = pytest.mark.extras


def test_one_neighbour_of_fewer_than_ten_and_five_of_ten() -> None:
    near, far = {0.0: 1}, {float(x): 0 for x in range(1, 9)}
    nine = at(F={0: 0}, M={**near, **far})
    assert pf.fliptest(nine, **QUESTION)["unfavorable_flips"][0] == 1
    ten = nine.vstack(at(M={9: 0}))
    assert pf.fliptest(ten, **QUESTION)["unfavorable_flips"][0] == 0
    assert pf.fliptest(nine, k=3, **QUESTION)["unfavorable_flips"][0] == 0


def test_standardized_features_weigh_the_same() -> None:
    # Many rows on one point off the middle: the means of points and of rows differ.
    frame = crowd(300, 3)
    frame = pl.concat([frame, *[frame.head(1).with_columns(x1=3.0)] * 150])
    stretched = frame.with_columns(pl.col("x1") * 1e6 + 5)
    question = {**QUESTION, "features": cs.starts_with("x")}
    by_hand = frame.with_columns(cs.starts_with("x") / cs.starts_with("x").std(ddof=0))
    expected = pf.fliptest(by_hand, **question)
    assert_frame_equal(pf.fliptest(frame, standardize=True, **question), expected)
    assert_frame_equal(pf.fliptest(stretched, standardize=True, **question), expected)
    assert not pf.fliptest(stretched, **question).equals(pf.fliptest(frame, **question))


def test_a_feature_that_all_share_changes_no_vote() -> None:
    frame = crowd(60, 2).with_columns(x2=7)
    question = {**QUESTION, "features": ["x0", "x1"]}
    without = pf.fliptest(frame, standardize=True, **question)
    question["features"] = ["x0", "x1", "x2"]
    assert_frame_equal(pf.fliptest(frame, standardize=True, **question), without)


def test_missing_features_follow_the_policy() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, math.nan: 0}).with_columns(z=pl.Series([1, None, 3, 4]))
    question = {**QUESTION, "features": ["x", "z"]}
    with pytest.raises(
        FairnessError, match=r"^features: missing values: 'x' has 1 .*, null or NaN; 'z' has 1 "
    ):
        pf.fliptest(frame, **question)
    assert pf.fliptest(frame, nulls="drop", **question).row(0)[3:] == (1, 1, 1, 0, 1.0)
    assert pf.fliptest(frame, nulls="drop", flips=True, **question)["x"].to_list() == [0.0]


def test_a_metric_of_neighbours_goes_beside_others() -> None:
    frame = crowd(100, 1).rename({"x0": "x"})
    both_k = pf.metrics(
        frame,
        pf.entry("fliptest", k=3),
        pf.entry("fliptest", k=9).named("of_nine"),
        "di",
        **QUESTION,
    )
    assert both_k.columns[-3:] == ["fliptest", "of_nine", "di"]
    for name, k in (("fliptest", 3), ("of_nine", 9)):
        alone = pf.fliptest(frame, k=k, **QUESTION)
        assert both_k[name].to_list() == alone["fliptest"].to_list()
    assert {"fliptest", "consistency"} <= set(pf.metrics(frame, **QUESTION).columns)
