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
from tests.frames import shared
from tests.neighbours.places import QUESTION, at, both, crowd, expected
from tests.strategies import decisions, examples, frames

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
    with_idle = shared(pf.fliptest, idle, flips=True, label="y", **question)
    assert with_idle.columns == [*shown, *idle.columns]
    assert with_idle["name"].to_list() == cases["name"].to_list()


def test_flips_name_their_facet() -> None:
    frame = at(F={0: 0, 10: 0}, M={0: 1, 10: 1}).with_columns(
        old=pl.Series([True, False, False, True])
    )
    question = {**QUESTION, "facet": ["sex", "old"], "disfavored": None, "favored": {"sex": "M"}}
    cases = pf.fliptest(frame, flips=True, **question)
    assert cases.select("facet", "disfavored", "flip").rows() == [
        ("sex", "F", "unfavorable"),
        ("sex", "F", "unfavorable"),
        ("old", "false", "unfavorable"),
        ("old", "false", "favorable"),
    ]


def test_minus_zero_is_the_place_of_zero() -> None:
    frame = at(F=[(0.0, 0), (-0.0, 0)], M=[(0.0, 1), (-0.0, 1)])
    assert pf.fliptest(frame, flips=True, **QUESTION).height == 2


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
        shuffled, as_it_was = (
            both(rows, standardize=standardize) for rows in (frame[order], frame)
        )
        assert_frame_equal(shuffled, as_it_was)


@given(frames(least=3))
@several
def test_a_count_votes_as_its_copies_do(frame: pl.DataFrame) -> None:
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    for standardize in (False, True):
        by_count = both(frame, count="k", standardize=standardize)
        assert_frame_equal(by_count, both(repeated, standardize=standardize))


@given(frames(least=3))
@several
def test_types_of_features_change_no_vote(frame: pl.DataFrame) -> None:
    in_floats = both(frame)
    for dtype in (pl.Float32(), pl.Decimal(10, 2)):
        assert_frame_equal(both(frame.cast({"u": dtype, "v": dtype})), in_floats)
    yes = frame.with_columns(u=pl.col("u") > 0)
    assert_frame_equal(both(yes), both(yes.cast({"u": pl.UInt8})))


def test_k_may_be_a_whole_number_of_numpy() -> None:
    three: Any = np.int64(3)  # a type checker takes it for no int
    frame = crowd(50, 1).rename({"x0": "x"})
    assert_frame_equal(both(frame, **QUESTION, k=three), both(frame, **QUESTION, k=3))


@given(frames(least=3), st.sampled_from([None, "w"]), st.sampled_from([None, 0.25]))
@several
def test_both_are_those_of_the_brute_force(
    frame: pl.DataFrame, weight: str | None, zero: float | None
) -> None:
    rows = decisions(frame, weight)
    for a in (None, "M"):
        answer = both(frame, disfavored="F", favored=a, weight=weight, zero_division=zero)
        found = answer.select("fliptest", "consistency").row(0)
        assert found == pytest.approx(expected(rows, {"F"}, {a} if a else None, zero), abs=1e-12)


def test_a_group_found_is_that_of_all_rows_with_a_decision() -> None:
    """Of B two of three are accepted, of M one of two; the features of an accepted B are unknown,
    so that both sides have the same rate among the rows that vote."""
    frame = pl.DataFrame(
        {
            "sex": [*"BBBMMF"],
            "x": [0.0, 1.0, None, 0.0, 1.0, 0.0],
            "p": [True, False, True, True, False, False],
        }
    )
    question = {**QUESTION, "disfavored": None, "favored": pf.HIGHEST, "nulls": "drop"}
    answer = pf.fliptest(frame, **question)
    assert answer["favored"].to_list() == ["B", "B"]
    assert pf.fliptest(frame, flips=True, **question)["favored"].unique().to_list() == ["B"]
    assert pf.metrics(
        frame, "di", **{name: each for name, each in question.items() if name != "features"}
    )["favored"].to_list() == ["B", "B"]


@pytest.mark.parametrize("name", ["fliptest", "consistency", "ft"])
def test_they_are_no_metrics_and_the_error_names_the_function(name: str) -> None:
    frame = at(F={0: 0}, M={0: 1})
    question = {**QUESTION}
    question.pop("features")
    function = "fliptest" if name == "ft" else name
    for ask in (pf.metrics, pf.audit, pf.plan, pf.report):
        with pytest.raises(pf.FairnessError, match=rf"call pf\.{function}\(frame, features="):
            ask(frame, name, **question)
    with pytest.raises(pf.FairnessError, match=r"^features: .*'fliptest' and 'consistency'"):
        pf.audit(frame, "di", **QUESTION)
