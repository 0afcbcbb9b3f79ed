"""Rates shrunken towards the rates of other groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.worst_groups.people import PEOPLE, QUESTION


def groups_of(yes: list[int], of: list[int]) -> pl.DataFrame:
    """Counted rows of groups, from the numbers of accepted and of all rows of each."""
    parts = [
        {"group": f"{i:03}", "p": accepted, "n": n}
        for i, (y, m) in enumerate(zip(yes, of, strict=True))
        for accepted, n in ((1, y), (0, m - y))
    ]
    return pl.DataFrame(parts)


def shrunken(frame: pl.DataFrame, **settings_of: Any) -> pl.DataFrame:
    attribute = pl.col("group").alias("unit")
    return pf.worst_groups(
        frame, "spsf", facet=attribute, predicted="p", count="n", shrink=True, **settings_of
    ).sort("unit")


def test_rates_shrink_by_the_variance_between_groups() -> None:
    """Groups of 20 with 2, 10 and 18: mean 1/2, between groups 5.9/9.5 of the variance.

    S = 20·0.16·2 = 6.4; within 0.25·2 = 0.5; room 60 − 1200/60 − 2 = 38, times 0.25 is 9.5. The
    strength is 9.5/5.9 − 1 = 3.6/5.9.
    """
    answer = shrunken(groups_of([2, 10, 18], [20, 20, 20]))
    worth = 3.6 / 5.9
    expected = [(yes + worth / 2) / (20 + worth) for yes in (2, 10, 18)]
    assert answer["shrunken_rate"].to_list() == pytest.approx(expected)
    assert answer["rate"].to_list() == [0.1, 0.5, 0.9]
    assert answer["beta"].to_list() == pytest.approx([abs(0.5 - each) for each in expected])


def test_groups_of_similar_rates_shrink_as_far_as_all_rows_allow() -> None:
    """10 of 20 in each: the strength is all 60 rows. 9, 10 and 11 differ by less than chance."""
    for yes in ([10, 10, 10], [9, 10, 11]):
        answer = shrunken(groups_of(yes, [20, 20, 20]))
        expected = [(each + 60 / 2) / 80 for each in yes]
        assert answer["shrunken_rate"].to_list() == pytest.approx(expected)


def test_rates_of_0_and_1_shrink() -> None:
    for yes, of in (([0, 0], [5, 9]), ([5, 9], [5, 9]), ([0, 9], [9, 9])):
        answer = shrunken(groups_of(yes, of))
        assert answer["shrunken_rate"].to_list() == [y / n for y, n in zip(yes, of, strict=True)]
    alone = shrunken(groups_of([3], [9]))
    assert alone["shrunken_rate"].to_list() == pytest.approx([1 / 3])


def test_intervals_are_those_of_the_rates_themselves() -> None:
    """Shrinking is for the order of groups."""
    columns = ["sex", "race", "rate", "lower", "upper"]
    of_rates, moved = (
        pf.worst_groups(PEOPLE, "spsf", shrink=shrink, **QUESTION).sort("group").select(columns)
        for shrink in (False, True)
    )
    assert_frame_equal(moved, of_rates)
    assert of_rates["lower"].null_count() == 0


def test_overlapping_groups_have_no_more_strength_than_all_rows() -> None:
    """Each attribute covers the same 40 rows: the strength is 40, with one attribute or two."""
    accepted = [1, *range(21, 40)]  # 9 and 11 of 20 by the first attribute, 10 and 10 by the other
    frame = pl.DataFrame({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10})
    frame = frame.with_columns(p=pl.int_range(40).is_in(accepted))
    for attributes in (["a"], ["a", "b"]):
        answer = pf.worst_groups(
            frame, "spsf", facet=attributes, predicted="p", depth=1, shrink=True
        ).sort("a", nulls_last=True)
        expected = [(each + 40 / 2) / 60 for each in (9, 11, 10, 10)]
        found = answer["shrunken_rate"].to_list()
        assert found == pytest.approx(expected[: len(found)])
    weighted = pf.worst_groups(
        frame.with_columns(w=3.0), "spsf", facet=["a", "b"], predicted="p", weight="w", shrink=True
    )
    unweighted = pf.worst_groups(frame, "spsf", facet=["a", "b"], predicted="p", shrink=True)
    bounds = ["shrunken_rate", "lower", "upper"]
    assert_frame_equal(weighted.select(bounds), unweighted.select(bounds))


def test_the_distribution_that_rates_came_from_is_recovered() -> None:
    random = np.random.default_rng(7)
    rates = random.beta(2, 6, 400)
    of = random.integers(5, 60, 400)
    yes = random.binomial(of, rates)
    answer = shrunken(groups_of(yes.tolist(), of.tolist()))
    drawn, raw = answer["shrunken_rate"].to_numpy(), answer["rate"].to_numpy()
    # The strength of Beta(2, 6) is 8: a group of 8 rows shrinks half way to the mean.
    mean = yes.sum() / of.sum()
    worth = of * (drawn - raw) / (mean - drawn)
    assert np.median(worth) == pytest.approx(8, rel=0.2)
    assert ((drawn - rates) ** 2).mean() < 0.7 * ((raw - rates) ** 2).mean()
    inside = (answer["lower"].to_numpy() <= rates) & (rates <= answer["upper"].to_numpy())
    assert 0.93 < inside.mean() < 0.98


def test_rates_shrink_towards_groups_of_as_many_attributes_in_their_window() -> None:
    frame = PEOPLE.with_columns(branch=pl.lit("n"))
    other = PEOPLE.with_columns(p=1 - pl.col("p"), branch=pl.lit("s"))
    answer = pf.worst_groups(
        pl.concat([frame, other]), "spsf", by="branch", shrink=True, **QUESTION
    )
    alone = pf.worst_groups(PEOPLE, "spsf", shrink=True, **QUESTION)
    assert_frame_equal(answer.filter(branch="n").drop("branch"), alone)
    values = pf.worst_groups(PEOPLE, "spsf", depth=1, shrink=True, **QUESTION)
    keys = ["sex", "race", "shrunken_rate", "lower", "upper"]
    assert_frame_equal(alone.filter(depth=1).select(keys), values.select(keys))
