"""On which side of the overall rate a group is, and which side is ranked first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers.worst_groups import harm_of
from polars_fairness.formula.sides import PROPORTIONS, RATES
from tests.frames import shared
from tests.strategies import JOINTLY, examples, people_of_many_groups


@given(people_of_many_groups(), st.sampled_from([None, "w"]))
@examples(40)
def test_the_other_outcome_has_the_other_side(frame: pl.DataFrame, weight: str | None) -> None:
    question = {**JOINTLY, "weight": weight}
    other = frame.with_columns(p=~pl.col("p").cast(pl.Boolean))
    sides: dict[Any, Any] = {"below": "above", "above": "below", "both": "both"}
    for harm, opposite in sides.items():
        columns = [*JOINTLY["facet"], "fixed", "rank"]
        answer = shared(pf.worst_groups, frame, "spsf", harm=harm, **question)
        mirrored = shared(pf.worst_groups, other, "spsf", harm=opposite, **question)
        assert_frame_equal(answer.select(columns), mirrored.select(columns))
        swapped = mirrored["direction"].replace(sides)
        assert answer["direction"].to_list() == swapped.to_list()


def test_a_group_at_the_overall_rate_has_no_direction_and_is_not_harmed() -> None:
    """Accepted are 0 of 4 of a, 2 of 4 of m and 4 of 4 of z: 6 of 12.

    For a gap m is as far from a as from z, by a half.
    """
    frame = pl.DataFrame({"unit": [*"aaaammmmzzzz"], "p": [0] * 4 + [1, 1, 0, 0] + [1] * 4})
    question: dict[str, Any] = {"facet": "unit", "predicted": "p"}
    columns = ["unit", "direction", "beta", "rank"]
    ends: dict[Any, tuple[str, str]] = {"below": ("a", "z"), "above": ("z", "a")}
    for harm, (first, last) in ends.items():
        answer = pf.worst_groups(frame, "selection_rate_gap", harm=harm, **question)
        opposite = {"a": "below", "z": "above"}
        assert answer.select(columns).rows() == [
            (first, opposite[first], 1.0, 1),
            (last, opposite[last], 1.0, 2),
            ("m", None, 0.5, 3),
        ]
    # The smallest ratio is the worst: 0 for a, and for m and z, whose ratios are with a.
    ratio = pf.worst_groups(frame, "selection_rate_ratio", **question)
    assert ratio.select(columns).rows() == [
        ("a", "below", 0.0, 1),
        ("m", None, 0.0, 2),
        ("z", "above", 0.0, 2),
    ]


def test_a_group_without_a_rate_has_no_direction_and_no_rank() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M", "X"], "y": [0, 0, 1, 0], "p": [1, 0, 1, 0]})
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    answer = pf.worst_groups(frame, "fpsf", **question)
    assert answer.select("sex", "direction", "rank").rows() == [
        ("X", "below", 1),
        ("F", "above", 2),
        ("M", None, None),
    ]
    infinite = pf.worst_groups(frame, "fpsf", zero_division=float("inf"), harm="above", **question)
    # 0 times infinity is no product: M is harmed without a rank, and takes none.
    assert infinite.select("sex", "direction", "rank").rows() == [
        ("F", "above", 1),
        ("X", "below", 2),
        ("M", "above", None),
    ]
    all_infinite = pf.worst_groups(
        frame.filter(y=1), "fpsf", zero_division=float("inf"), **question
    )
    assert all_infinite.select("rate", "direction").rows() == [(float("inf"), None)]


@given(
    people_of_many_groups(),
    st.sampled_from(["fpsf", "fnsf", "spsf", "tpr_gap", "accuracy_gap", "fpr_ratio"]),
    st.sampled_from(["below", "above"]),
    st.sampled_from(
        [{}, {"by": "branch"}, {"depth": 2, "minimum_count": 2}, {"include_unknown": False}]
    ),
)
@examples(60)
def test_harmed_groups_come_first_and_each_part_is_in_the_order_of_both(
    frame: pl.DataFrame, metric: str, harm: Any, more: dict[str, Any]
) -> None:
    answer = shared(pf.worst_groups, frame, metric, harm=harm, **more, **JOINTLY)
    of_both = shared(pf.worst_groups, frame, metric, harm="both", **more, **JOINTLY)
    for branch in frame["branch"].unique() if "by" in more else [None]:
        inside = pl.col("branch").eq_missing(pl.lit(branch)) if "by" in more else pl.lit(True)
        window, both = answer.filter(inside), of_both.filter(inside)
        is_harmed = pl.col("direction").eq_missing(pl.lit(harm))
        ranked = pl.col("rank").is_not_null()
        parts = [
            both.filter(ranked, is_harmed),
            both.filter(ranked, ~is_harmed),
            both.filter(~ranked),
        ]
        assert_frame_equal(window.drop("rank"), pl.concat(parts).drop("rank"))
        worse = 0
        ranks: list[int | None] = []
        for part in parts[:2]:
            own = part["rank"].to_list()
            ranks += [worse + 1 + sum(other < each for other in own) for each in own]
            worse += len(own)
        assert window["rank"].to_list() == ranks + [None] * parts[2].height
        for row in both.iter_rows(named=True):
            apart = None if row["rate"] is None else round(row["rate"] - row["rate_of_all"], 12)
            assert row["direction"] == (None if not apart else "below" if apart < 0 else "above")


# If a positive outcome is favorable, it is worse to be accepted less often, be it rightly or
# wrongly, and to be decided wrongly more often. If it is a burden, it is worse to be accepted more
# often, and again to be decided wrongly more often.
HARMS = {
    **dict.fromkeys(["selection_rate", "base_rate", "tpr", "fpr"], ("below", "above")),
    **dict.fromkeys(["tnr", "fnr"], ("above", "below")),
    **dict.fromkeys(["ppv", "npv", "accuracy"], ("below", "below")),
    **dict.fromkeys(["fdr", "false_omission_rate"], ("above", "above")),
}


@pytest.mark.parametrize("name", PROPORTIONS)
def test_every_rate_has_a_side_that_fares_worse(name: str) -> None:
    rate = RATES[name]
    assert (harm_of(rate), harm_of(rate, favorable=False)) == HARMS[name]


def test_the_documents_list_the_side_of_every_rate() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "small-groups.md"
    rows = re.findall(
        r'^\| (`.+) \| .+ \| `"(\w+)"` \| `"(\w+)"` \|$', page.read_text("utf-8"), re.M
    )
    listed = {name: sides for names, *sides in rows for name in re.findall(r"`(\w+)`", names)}
    assert {name: tuple(sides) for name, sides in listed.items()} == HARMS
