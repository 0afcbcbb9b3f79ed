"""The rows whose outcome their neighbours' vote flips."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from tests.neighbours.places import QUESTION, at, crowd

pytestmark = pytest.mark.extras


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


def test_flips_of_a_null_window_are_listed() -> None:
    frame = at(F={0: 0}, M={0: 1}).with_columns(month=pl.lit(None, pl.Int64))
    assert pf.fliptest(frame, flips=True, by="month", **QUESTION)["x"].to_list() == [0.0]


def test_minus_zero_is_the_place_of_zero() -> None:
    frame = at(F=[(0.0, 0), (-0.0, 0)], M=[(0.0, 1), (-0.0, 1)])
    assert pf.fliptest(frame, flips=True, **QUESTION).height == 2
    assert pf.cells(frame, **QUESTION)["n"].to_list() == [2, 2]


def test_flips_refuse_a_column_they_would_hide() -> None:
    frame = at(F={0: 0}, M={0: 1}).with_columns(vote=1)
    with pytest.raises(
        FairnessError, match=r"^flips: the result adds a column 'vote', and there is"
    ):
        pf.fliptest(frame, flips=True, **QUESTION)
    frame = at(F={0: 0}, M={0: 1}).with_columns(month=1)
    for by in (pl.col("month") * 7, pl.col("month").alias("flip")):
        with pytest.raises(FairnessError, match=r"^flips: .* another name with \.alias"):
            pf.fliptest(frame, flips=True, by=by, **QUESTION)
    months = pf.fliptest(
        frame, flips=True, by=[(pl.col("month") * 7).alias("own"), "month"], **QUESTION
    )
    assert months.columns[0] == "own"
    assert months["month"].to_list() == [1]


def test_flips_are_of_rows_with_a_weight() -> None:
    """Both F are rejected beside an accepted M; the second weighs nothing and is no row."""
    frame = at(F=[(0, 0), (0, 0)], M={0: 1}).with_columns(w=pl.Series([0.5, 0.0, 1.0]))
    assert pf.fliptest(frame, flips=True, weight="w", **QUESTION)["w"].to_list() == [0.5]
