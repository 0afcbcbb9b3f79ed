"""What neighbours vote, the rows whose outcome the vote flips, and what changes neither."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.neighbours.places import QUESTION, at, both, crowd
from tests.strategies import WITH_FEATURES, examples, frames

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


def test_flips_are_the_rows_that_the_counts_say() -> None:
    frame = (
        crowd(400, 2).with_columns(name=pl.int_range(400).cast(pl.String)).with_row_index("by.0")
    )
    question = {**QUESTION, "features": ["x0", "x1"]}
    answer = pf.fliptest(frame, **question)
    cases = pf.fliptest(frame, flips=True, **question)
    shown = ["facet", "disfavored", "favored", "flip", "vote"]
    assert cases.columns == [*shown, *frame.columns]
    kinds = cases["flip"].value_counts().sort("flip")["count"].to_list()
    assert kinds == [answer["favorable_flips"].item(), answer["unfavorable_flips"].item()]
    assert (cases["p"] == (cases["flip"] == "favorable")).all()
    assert ((cases["vote"] > 0.5) != cases["p"]).all()
    assert cases["by.0"].is_sorted()
    assert_frame_equal(cases.drop(shown), frame.join(cases, on="name", how="semi"))
    # Columns without a role are neither checked nor lost.
    idle = frame.with_columns(grade=pl.Series([[5]] * 400, dtype=pl.Object), y=7)
    with_idle = pf.fliptest(idle, flips=True, label="y", **question)
    assert with_idle.columns == [*shown, *idle.columns]
    assert with_idle["name"].to_list() == cases["name"].to_list()


def test_flips_name_their_window_and_facet() -> None:
    frame = at(F={0: 0, 10: 0}, M={0: 1, 10: 1}).with_columns(
        old=pl.Series([True, False, False, True]), month=pl.Series([1, 2, 1, 2])
    )
    question = {**QUESTION, "facet": ["sex", "old"], "disfavored": None, "favored": {"sex": "M"}}
    half = (pl.col("month") * 6).alias("half")
    cases = pf.fliptest(frame, flips=True, by=half, **question)
    assert cases.columns[:2] == ["half", "facet"]
    assert cases.select("half", "facet", "disfavored", "flip").rows() == [
        (6, "old", "false", "favorable"),
        (6, "sex", "F", "unfavorable"),
        (12, "old", "false", "unfavorable"),
        (12, "sex", "F", "unfavorable"),
    ]


def test_minus_zero_is_the_place_of_zero() -> None:
    frame = at(F=[(0.0, 0), (-0.0, 0)], M=[(0.0, 1), (-0.0, 1)])
    assert pf.fliptest(frame, flips=True, **QUESTION).height == 2
    assert pf.cells(frame, **QUESTION)["n"].to_list() == [2, 2]


def test_flips_are_of_rows_with_a_weight() -> None:
    """Both F are rejected beside an accepted M; the second weighs nothing and is no row."""
    frame = at(F=[(0, 0), (0, 0)], M={0: 1}).with_columns(w=pl.Series([0.5, 0.0, 1.0]))
    assert pf.fliptest(frame, flips=True, weight="w", **QUESTION)["w"].to_list() == [0.5]


several = examples(30)


@given(frames(least=3), st.randoms())
@several
def test_row_order_changes_no_vote(frame: pl.DataFrame, random: Any) -> None:
    order = list(range(frame.height))
    random.shuffle(order)
    for standardize in (False, True):
        metrics = (
            pf.entry("fliptest", standardize=standardize),
            pf.entry("consistency", standardize=standardize),
        )
        shuffled, as_it_was = (
            pf.metrics(rows, *metrics, **WITH_FEATURES) for rows in (frame[order], frame)
        )
        assert_frame_equal(shuffled, as_it_was)


@given(frames(least=3))
@several
def test_a_count_votes_as_its_copies_do(frame: pl.DataFrame) -> None:
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    assert_frame_equal(both(frame, count="k"), both(repeated))
    metrics = (pf.entry("fliptest", standardize=True), pf.entry("consistency", standardize=True))
    by_count = pf.metrics(frame, *metrics, count="k", **WITH_FEATURES)
    assert_frame_equal(by_count, pf.metrics(repeated, *metrics, **WITH_FEATURES))


@given(frames(least=3))
@several
def test_types_of_features_change_no_vote(frame: pl.DataFrame) -> None:
    expected = both(frame)
    for dtype in (pl.Float32(), pl.Decimal(10, 2)):
        assert_frame_equal(both(frame.cast({"u": dtype, "v": dtype})), expected)
    yes = frame.with_columns(u=pl.col("u") > 0)
    assert_frame_equal(both(yes), both(yes.cast({"u": pl.UInt8})))


def test_k_may_be_a_whole_number_of_numpy() -> None:
    three: Any = np.int64(3)  # a type checker takes it for no int
    assert pf.entry("fliptest", k=three) == pf.entry("fliptest", k=3)
    assert pf.entry("fliptest", standardize=True) != pf.entry("fliptest")
