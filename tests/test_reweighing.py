"""Reweighing: factors and weights that make labels independent of groups."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness
from tests.strategies import FULL, examples, frames

LOANS: Final = pl.DataFrame(
    {
        "sex": ["M", "F", "F", "M", "F", None, "M", "M"],
        "y": [1, 0, 1, 1, 0, 1, 0, 1],
        "w": [1.0, 2.0, 1.0, 0.5, 1.0, 2.0, 0.5, 2.0],
    }
)
OF_SEX: Final[dict[str, Any]] = {"facet": "sex", "label": "y"}


def test_a_factor_is_how_often_group_and_label_would_meet_over_how_often_they_do() -> None:
    # Of 8 rows 4 are M, 3 F and 1 unknown; 5 labels are positive.
    assert pf.reweigh(LOANS, **OF_SEX).rows() == [
        ("F", 0, 2, pytest.approx(3 * 3 / (8 * 2))),
        ("F", 1, 1, pytest.approx(3 * 5 / (8 * 1))),
        ("M", 0, 1, pytest.approx(4 * 3 / (8 * 1))),
        ("M", 1, 3, pytest.approx(4 * 5 / (8 * 3))),
        (None, 1, 1, pytest.approx(1 * 5 / (8 * 1))),
    ]


def test_a_row_has_its_weight_times_its_factor_and_keeps_its_place() -> None:
    fair = pf.reweighed(LOANS, name="fair", weight="w", **OF_SEX)
    assert_frame_equal(fair.drop("fair"), LOANS)
    male, female = (4 * 6.5 / (10 * 3.5), 4 * 3.5 / (10 * 0.5)), (4 * 6.5 / 10, 4 * 3.5 / 30)
    factors = [male[0], female[1], female[0], male[0], female[1], 0.65, male[1], male[0]]
    assert fair["fair"].to_list() == pytest.approx((LOANS["w"] * pl.Series(factors)).to_list())
    assert fair.columns == ["sex", "y", "w", "fair"]


def test_a_row_stays_one_row_where_a_question_has_clusters() -> None:
    """Joined with the cells of each cluster, 480 rows became 25,823."""
    loans = LOANS.with_columns(branch=pl.int_range(pl.len()) % 3)
    q = pf.of(loans, cluster="branch", **OF_SEX)
    assert_frame_equal(q.reweighed(), pf.reweighed(loans, **OF_SEX))


QUESTIONS: Final[list[dict[str, Any]]] = [
    {"facet": "sex"},
    {"facet": ["sex", "branch"]},
    {"facet": pl.struct("sex", "branch").alias("who")},
    {"facet": "sex", "by": "branch"},
]


def with_every_label(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a second row for each row, with the other label and another weight."""
    other = frame.with_columns(~pl.col("y"), w=pl.lit(0.375), k=pl.lit(2, pl.Int64))
    return pl.concat([frame, other])


@example(FULL, QUESTIONS[3], "w", "k")
@given(
    frames(), st.sampled_from(QUESTIONS), st.sampled_from([None, "w"]), st.sampled_from([None, "k"])
)
@examples(60)
def test_labels_are_independent_of_groups_and_totals_stay(
    frame: pl.DataFrame, question: dict[str, Any], weight: str | None, count: str | None
) -> None:
    frame = with_every_label(frame)
    question = {**question, "label": "y", "count": count}
    fair = pf.reweighed(frame, name="fair", weight=weight, **question)
    mass = pl.col(weight or count or "one").cast(pl.Float64)
    fair = fair.with_columns(one=pl.lit(1.0)).with_columns(before=mass)
    windows = ["branch"] if "by" in question else []
    groups = ["sex"] if windows or isinstance(question["facet"], str) else ["sex", "branch"]
    for keys in (groups, ["y"]):
        totals = fair.group_by(*windows, *keys).agg(pl.col("fair", "before").sum())
        assert totals["fair"].to_list() == pytest.approx(totals["before"].to_list())
    shares = fair.group_by(*windows, *groups).agg(
        share=pl.col("fair").filter("y").sum() / pl.col("fair").sum()
    )
    spread = shares.group_by(windows or pl.lit(0)).agg(
        pl.col("share").max() - pl.col("share").min()
    )
    assert spread["share"].to_list() == pytest.approx([0.0] * spread.height)
    parity = fairness(fair).dpl(**question, weight="fair")["dpl"].drop_nulls()
    assert parity.to_list() == pytest.approx([0.0] * len(parity))


GRADES: Final = pl.DataFrame(
    {"sex": ["F", "F", "F", "M", "M", "M"], "grade": ["a", "b", "c", "a", "a", "c"]}
)


def test_label_values_count_apart_unless_some_are_positive() -> None:
    each = pf.reweigh(GRADES, facet="sex", label="grade")
    assert each.select("sex", "grade", "factor").rows() == [
        ("F", "a", pytest.approx(3 * 3 / 6)),
        ("F", "b", pytest.approx(3 * 1 / 6)),
        ("F", "c", pytest.approx(3 * 2 / 6)),
        ("M", "a", pytest.approx(3 * 3 / (6 * 2))),
        ("M", "c", pytest.approx(3 * 2 / 6)),
    ]
    positive = pf.reweigh(GRADES, facet="sex", label="grade", positive=["a", "b"])
    assert positive.rows() == [
        ("F", False, 1, pytest.approx(3 * 2 / 6)),
        ("F", True, 2, pytest.approx(3 * 4 / (6 * 2))),
        ("M", False, 1, pytest.approx(3 * 2 / 6)),
        ("M", True, 2, pytest.approx(3 * 4 / (6 * 2))),
    ]
    fair = pf.reweighed(GRADES, facet="sex", label="grade", positive=["a", "b"])
    assert fair["weight"].to_list() == pytest.approx([1.0] * 6)
    points = GRADES.with_columns(pl.Series("points", [9, 8, 2, 7, 7, 1]))
    by_points = pf.reweigh(points, facet="sex", label="points", label_threshold=5)
    assert_frame_equal(by_points.rename({"points": "grade"}), positive)
    inverted = pf.reweigh(LOANS.cast({"y": pl.Boolean}), positive=False, **OF_SEX)
    assert inverted.filter(sex="F", y=True)["n"].item() == 2


def test_rows_that_are_left_out_have_no_weight_and_zero_stays_zero() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["F", "F", "M", "M", "M", "F"],
            "y": [1, 0, 1, None, 0, None],
            "w": [1.0, 1.0, 0.0, 1.0, 2.0, 0.0],
            "k": [1, 0, 1, 1, 1, 1],
        }
    )
    question: dict[str, Any] = {**OF_SEX, "weight": "w"}
    fair = pf.reweighed(frame, nulls="drop", **question)
    # 2 of 4 in weight are F, and 3 of 4 are negative; M and positive do not meet.
    assert fair["weight"].to_list() == [0.5, 1.5, 0.0, None, 1.5, 0.0]
    counted = pf.reweighed(frame, nulls="drop", count="k", **OF_SEX)
    assert counted["weight"].to_list() == pytest.approx([2 / 3, 0.0, 4 / 3, None, 2 / 3, None])
    unweighed = frame.with_columns(w=pl.Series([1.0, None, 1.0, 1.0, 1.0, 1.0]))
    fair = pf.reweighed(unweighed, nulls="drop", **question)
    assert fair["weight"].is_null().to_list() == [False, True, False, True, False, True]
