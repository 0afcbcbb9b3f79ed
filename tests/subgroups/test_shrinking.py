"""Rates drawn towards those of other groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy.stats import beta as beta_distribution

import polars_fairness as pf
from tests.subgroups.people import PEOPLE, QUESTION


def groups_of(yes: list[int], of: list[int]) -> pl.DataFrame:
    """So many accepted of so many in each group."""
    parts = [
        {"group": f"{i:03}", "p": accepted, "n": n}
        for i, (y, m) in enumerate(zip(yes, of, strict=True))
        for accepted, n in ((1, y), (0, m - y))
    ]
    return pl.DataFrame(parts)


def shrunken(frame: pl.DataFrame, **settings_of: Any) -> pl.DataFrame:
    attribute = pl.col("group").alias("unit")
    return pf.subgroups(
        frame, "spsf", facet=attribute, predicted="p", count="n", shrink=True, **settings_of
    ).sort("unit")


def test_rates_shrink_by_the_variance_between_groups() -> None:
    """Groups of 20 with 2, 10 and 18: mean 1/2, between groups 5.9/9.5 of the variance.

    S = 20·0.16·2 = 6.4; within 0.25·2 = 0.5; room 60 − 1200/60 − 2 = 38, times 0.25 is 9.5. The
    strength is 9.5/5.9 − 1 = 3.6/5.9.
    """
    told = shrunken(groups_of([2, 10, 18], [20, 20, 20]))
    worth = 3.6 / 5.9
    expected = [(yes + worth / 2) / (20 + worth) for yes in (2, 10, 18)]
    assert told["shrunken_rate"].to_list() == pytest.approx(expected)
    assert told["rate"].to_list() == [0.1, 0.5, 0.9]
    assert told["beta"].to_list() == pytest.approx([abs(0.5 - each) for each in expected])
    for row, rate in zip(told.iter_rows(named=True), expected, strict=True):
        yes, no = rate * (20 + worth), (1 - rate) * (20 + worth)
        bounds = beta_distribution.ppf([0.025, 0.975], yes, no)
        assert (row["lower"], row["upper"]) == pytest.approx(tuple(bounds))


def test_alike_groups_shrink_as_far_as_all_rows_allow() -> None:
    """10 of 20 in each: as strong as all 60 rows. 8, 10 and 12 differ by less than chance does."""
    for yes in ([10, 10, 10], [9, 10, 11]):
        told = shrunken(groups_of(yes, [20, 20, 20]))
        expected = [(each + 60 / 2) / 80 for each in yes]
        assert told["shrunken_rate"].to_list() == pytest.approx(expected)


def test_rates_of_0_and_1_shrink_and_have_bounds() -> None:
    told = shrunken(groups_of([0, 0], [5, 9]))
    assert told["shrunken_rate"].to_list() == told["lower"].to_list() == [0, 0]
    # An outcome that never was is half a row: of 5 and 14 more, of 9 and 14 more.
    expected = [beta_distribution.ppf(0.975, 0.5, n) for n in (19, 23)]
    assert told["upper"].to_list() == pytest.approx(expected)
    everybody = shrunken(groups_of([5, 9], [5, 9]))
    assert everybody["shrunken_rate"].to_list() == everybody["upper"].to_list() == [1, 1]
    assert everybody["lower"].to_list() == pytest.approx([1 - each for each in expected])
    apart = shrunken(groups_of([0, 9], [9, 9]))
    assert apart["shrunken_rate"].to_list() == [0, 1]
    alone = shrunken(groups_of([3], [9]))
    assert alone["shrunken_rate"].to_list() == pytest.approx([1 / 3])


def test_overlapping_groups_have_no_more_strength_than_all_rows() -> None:
    """Three attributes, each alike for all 40: the strength is 40 rows, and not 120."""
    frame = pl.DataFrame({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "p": [0] * 20 + [1] * 20})
    for attributes in (["a"], ["a", "b"]):
        told = pf.subgroups(frame, "spsf", facet=attributes, predicted="p", depth=1, shrink=True)
        bounds = beta_distribution.ppf([0.025, 0.975], 30, 30)
        assert told.select("lower", "upper").row(0) == pytest.approx(tuple(bounds))
    weighted = pf.subgroups(
        frame.with_columns(w=3.0), "spsf", facet=["a", "b"], predicted="p", weight="w", shrink=True
    )
    alike = pf.subgroups(frame, "spsf", facet=["a", "b"], predicted="p", shrink=True)
    bounds = ["shrunken_rate", "lower", "upper"]
    assert_frame_equal(weighted.select(bounds), alike.select(bounds))


def test_groups_without_the_rate_are_not_shrunken() -> None:
    """Groups that are all one thing or another are not drawn; the third has no rate to draw."""
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 5 + ["M"] * 5 + ["X"] * 3,
            "y": [0] * 10 + [1] * 3,
            "p": [0] * 5 + [1] * 5 + [1, 0, 1],
        }
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "shrink": True}
    told = pf.subgroups(frame, "fpr_gap", **question).select("sex", "shrunken_rate", "rank")
    assert told.rows() == [("F", 0.0, 1), ("M", 1.0, 1), ("X", None, None)]
    told = pf.subgroups(frame, "fpr_gap", zero_division=0.0, **question)
    assert told.filter(sex="X")["shrunken_rate"].to_list() == [0.5]
    nobody = frame.filter(sex="X")
    told = pf.subgroups(nobody, "fpsf", **question)
    assert told.select("rate", "shrunken_rate", "lower", "rank").row(0) == (None,) * 4


def test_the_distribution_that_rates_came_from_is_recovered() -> None:
    random = np.random.default_rng(7)
    rates = random.beta(2, 6, 400)
    of = random.integers(5, 60, 400)
    yes = random.binomial(of, rates)
    told = shrunken(groups_of(yes.tolist(), of.tolist()))
    drawn, raw = told["shrunken_rate"].to_numpy(), told["rate"].to_numpy()
    # Their strength is 8: a group of 8 rows lies half way between its own rate and the mean.
    mean = yes.sum() / of.sum()
    worth = of * (drawn - raw) / (mean - drawn)
    assert np.median(worth) == pytest.approx(8, rel=0.2)
    assert ((drawn - rates) ** 2).mean() < 0.7 * ((raw - rates) ** 2).mean()
    inside = (told["lower"].to_numpy() <= rates) & (rates <= told["upper"].to_numpy())
    assert 0.93 < inside.mean() < 0.97


def test_rates_shrink_towards_groups_of_as_many_attributes_in_their_window() -> None:
    frame = PEOPLE.with_columns(branch=pl.lit("n"))
    other = PEOPLE.with_columns(p=1 - pl.col("p"), branch=pl.lit("s"))
    told = pf.subgroups(pl.concat([frame, other]), "spsf", by="branch", shrink=True, **QUESTION)
    alone = pf.subgroups(PEOPLE, "spsf", shrink=True, **QUESTION)
    assert_frame_equal(told.filter(branch="n").drop("branch"), alone)
    values = pf.subgroups(PEOPLE, "spsf", depth=1, shrink=True, **QUESTION)
    keys = ["sex", "race", "shrunken_rate", "lower", "upper"]
    assert_frame_equal(alone.filter(depth=1).select(keys), values.select(keys))


def test_intervals_of_shrunken_rates_take_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r'pip install "polars-fairness\[significance\]"'):
        pf.subgroups(PEOPLE, "spsf", shrink=True, **QUESTION)
    told = pf.subgroups(PEOPLE, "spsf", shrink=True, confidence=None, **QUESTION)
    assert told["lower"].null_count() == 8
