"""The neighbours that vote, and the flip test and consistency of their votes, by hand."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from tests.frames import fairness
from tests.neighbours.places import QUESTION, at, crowd

pytestmark = pytest.mark.extras


def test_a_row_of_d_rejected_among_accepted_neighbours_is_an_unfavorable_flip() -> None:
    frame = at(F={0: 0, 10: 1, 20: 0, 30: 1}, M={1: 1, 11: 0, 21: 0, 31: 1})
    answer = pf.fliptest(frame, **QUESTION)
    assert answer.row(0) == ("sex", "F", None, 4, 4, 1, 1, 0.0)
    assert pf.fliptest(frame.filter(x=0).vstack(frame.filter(x=1)), **QUESTION)["fliptest"][0] == 1
    accepted = frame.filter(pl.col("x").is_between(10, 11))
    assert pf.fliptest(accepted, **QUESTION)["fliptest"][0] == -1


def test_one_neighbour_of_fewer_than_ten_and_five_of_ten() -> None:
    near, far = {0.0: 1}, {float(x): 0 for x in range(1, 9)}
    nine = at(F={0: 0}, M={**near, **far})
    assert pf.fliptest(nine, **QUESTION)["unfavorable_flips"][0] == 1
    ten = nine.vstack(at(M={9: 0}))
    assert pf.fliptest(ten, **QUESTION)["unfavorable_flips"][0] == 0
    assert pf.fliptest(nine, k=3, **QUESTION)["unfavorable_flips"][0] == 0


def test_a_tied_vote_is_negative() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, 1: 0})
    answer = pf.fliptest(frame, k=2, **QUESTION)
    assert answer.select("unfavorable_flips", "favorable_flips").row(0) == (0, 1)


def test_equally_near_voters_share_the_last_votes() -> None:
    # One voter at distance 0, then three at distance 1 share two votes: 1 + 2 · 2/3 of 3.
    frame = at(F={0: 0}, M=[(0, 1), (1, 1), (-1, 1), (1, 0), (5, 0)])
    cases = pf.fliptest(frame, k=3, flips=True, **QUESTION)
    assert cases["vote"].to_list() == [pytest.approx((1 + 2 * 2 / 3) / 3)]


def test_consistency_counts_the_row_among_its_neighbours() -> None:
    # Two nearest, the row included: 0 and 1 disagree by a half, as do 1 and 0; 9 and 10 agree.
    frame = at(F={0: 0, 1: 1}, M={9: 1, 10: 1})
    question: dict[str, Any] = {"predicted": "p", "features": "x"}
    assert fairness(frame).consistency(k=2, **question)["consistency"].to_list() == [0.75]
    # With k = 1 only the row itself votes.
    assert fairness(frame).consistency(k=1, **question)["consistency"].to_list() == [1.0]


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


def test_a_row_of_d_counts_its_weight_and_a_neighbour_one_vote() -> None:
    frame = at(F=[(0, 0), (9, 1)], M=[(0, 1), (0, 0), (0, 1), (9, 1)]).with_columns(
        w=pl.Series([2.5, 0.5, 1.0, 90.0, 1.0, 1.0])
    )
    answer = pf.fliptest(frame, k=3, weight="w", **QUESTION)
    assert answer.row(0)[3:] == (3.0, 93.0, 2.5, 0.0, pytest.approx(2.5 / 3))
    assert answer.schema["unfavorable_flips"] == pl.Float64


def test_rows_of_weight_0_do_not_vote() -> None:
    frame = at(F=[(0, 0)], M=[(0, 1), (0, 0), (0, 0)]).with_columns(w=pl.Series([1.0, 1, 0, 1]))
    answer = pf.fliptest(frame, k=1, weight="w", **QUESTION)
    cells = pf.cells(frame, weight="w", **QUESTION)
    assert cells["n"].to_list() == [1, 1, 1]
    assert_frame_equal(pf.fliptest(cells, k=1, weight="w", count="n", **QUESTION), answer)
    without = frame.filter(pl.col("w") > 0)
    for rows in (frame, without):
        assert pf.fliptest(rows, flips=True, k=1, weight="w", **QUESTION).is_empty()
        vote = fairness(rows).consistency(k=2, weight="w", predicted="p", features="x")
        assert vote["consistency"].to_list() == [pytest.approx(5 / 9)]


def test_each_side_votes_where_none_is_named() -> None:
    frame = at(F={0: 0, 10: 1}, M={1: 1, 11: 1}, X={10: 0})
    question = {**QUESTION, "disfavored": None}
    answer = pf.fliptest(frame, **question)
    assert answer["disfavored"].to_list() == ["F", "M", "X"]
    # F at 10 has X at distance 0; M at 11 is equally near to X and F; X has F.
    assert answer["fliptest"].to_list() == [0.0, -1.0, 1.0]
    against_m = pf.fliptest(frame, favored="M", **question)
    assert against_m["disfavored"].to_list() == ["F", "X"]
    assert against_m["fliptest"].to_list() == [0.5, 1.0]


def test_a_window_without_a_side_is_undefined() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, 2: 1}).with_columns(month=pl.Series([1, 2, 2, 3]))
    question = {**QUESTION, "by": "month", "favored": "M"}
    answer = pf.fliptest(frame, **question)
    assert answer["n_disfavored"].to_list() == [1, 1, 0]
    assert answer["fliptest"].to_list() == [None, 0.0, None]
    assert answer["unfavorable_flips"].to_list() == [None, 0, None]
    # 0/0 where d has no rows; where no rows vote there is still no number.
    clarifys = pf.fliptest(frame, zero_division=0.0, **question)
    assert clarifys["fliptest"].to_list() == [None, 0.0, 0.0]


def test_an_empty_frame_has_no_comparisons() -> None:
    empty = at(F={0: 0}).clear()
    assert pf.fliptest(empty, **QUESTION).is_empty()
    assert pf.fliptest(empty, flips=True, **QUESTION).columns[-3:] == ["sex", "x", "p"]
    assert fairness(empty).consistency(predicted="p", features="x").is_empty()


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
