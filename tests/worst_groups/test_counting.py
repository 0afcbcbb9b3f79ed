"""Groups are sums of cells of all attributes; the work stays bounded."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, shared
from tests.plans import scans_of
from tests.strategies import JOINTLY, examples, people_of_many_groups
from tests.worst_groups.people import PEOPLE, QUESTION


@given(people_of_many_groups(), st.sampled_from([1, 2]))
@examples(30)
def test_depth_is_a_filter(frame: pl.DataFrame, depth: int) -> None:
    of_all = pf.worst_groups(frame, "fpsf", **JOINTLY).drop("rank")
    answer = pf.worst_groups(frame, "fpsf", depth=depth, **JOINTLY).drop("rank")
    assert_frame_equal(answer, of_all.filter(pl.col("depth") <= depth))


@given(people_of_many_groups(), st.sampled_from([1, 2, 3, 5, 9]), st.sampled_from([None, "branch"]))
@examples(40)
def test_small_groups_are_left_out(frame: pl.DataFrame, least: int, by: str | None) -> None:
    of_all, answer = (
        shared(pf.worst_groups, frame, "spsf", by=by, minimum_count=each, **JOINTLY).drop("rank")
        for each in (0, least)
    )
    assert_frame_equal(answer, of_all.filter(pl.col("n") >= least))


def of_forty_attributes() -> pl.DataFrame:
    """100 people; 60 share the first three attributes, and 50 have each other attribute."""
    three = {f"a{i}": [row < 60 for row in range(100)] for i in range(3)}
    others = {
        f"a{i}": [(row >> i % 6) % 2 == i // 6 % 2 for row in range(64)] for i in range(3, 40)
    }
    others = {name: [*first, *([True, False] * 18)] for name, first in others.items()}
    return pl.DataFrame({**three, **others, "p": [row % 3 == 0 for row in range(100)]})


def test_work_is_bounded_by_the_groups_that_are_large_enough() -> None:
    """Forty attributes have 10**12 subsets; seven of them have a group of 60 or more."""
    frame = of_forty_attributes()
    names = [name for name in frame.columns if name != "p"]
    question: dict[str, Any] = {"facet": names, "predicted": "p"}
    answer = pf.worst_groups(frame, "spsf", minimum_count=60, **question)
    fixed = {
        tuple(name for name in names if row["fixed"][name]): row["n"]
        for row in answer.iter_rows(named=True)
    }
    subsets = [each for size in (1, 2, 3) for each in combinations(names[:3], size)]
    assert fixed == dict.fromkeys(subsets, 60)
    of_groups = fairness(frame).spsf(groups="conjunctions", minimum_count=60, **question)
    assert of_groups["spsf"].item() == pytest.approx(answer["weighted_gap"][0], abs=1e-12)


@pytest.mark.newest
@pytest.mark.parametrize("options", [{}, {"depth": 1}, {"minimum_count": 2}])
def test_all_attributes_are_counted_together(options: dict[str, Any]) -> None:
    assert scans_of(pf.worst_groups(PEOPLE.lazy(), "spsf", **QUESTION, **options)) == 1
