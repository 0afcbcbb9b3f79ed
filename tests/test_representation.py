"""Shares of groups in the data beside their shares in a population."""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import polars_fairness as pf

ROWS: Final = pl.DataFrame({"race": ["Black"] * 20 + ["White"] * 70 + ["Asian"] * 10 + [None] * 5})
SHARES: Final = {"Black": 0.13, "White": 0.80, "Asian": 0.07}


def test_shares_ratios_intervals_and_the_index_by_hand() -> None:
    answer = pf.representation(ROWS, facet="race", reference=SHARES, p_values="exact")
    assert answer["value"].to_list() == ["Asian", "Black", "White", None]
    assert answer["n"].to_list() == [10, 20, 70, 5]
    assert answer["share"][:3].to_list() == pytest.approx([0.1, 0.2, 0.7])
    assert answer["ratio"][:3].to_list() == pytest.approx([0.1 / 0.07, 0.2 / 0.13, 0.7 / 0.8])
    index = sum((p - q) * log(p / q) for p, q in ((0.2, 0.13), (0.7, 0.8), (0.1, 0.07)))
    assert answer["psi"][:3].to_list() == pytest.approx([index] * 3)
    expected = stats.chisquare([20, 70, 10], [13, 80, 7]).pvalue
    assert answer["p_value"][:3].to_list() == pytest.approx([expected] * 3)
    low, high = stats.binomtest(20, 100).proportion_ci(method="wilson")
    assert answer.select("lower", "upper").row(1) == pytest.approx((low / 0.13, high / 0.13))
    assert answer.row(3)[3:] == (None,) * 8


def test_numbers_of_people_and_frames_are_the_same_as_shares() -> None:
    expected = pf.representation(ROWS, facet="race", reference=SHARES)
    people = {name: share * 1_000 for name, share in SHARES.items()}
    frame = pl.DataFrame({"race": [*SHARES], "people": [*people.values()]})
    for reference in (people, frame, frame.lazy(), {"race": SHARES}, {"race": frame}):
        answer = pf.representation(ROWS, facet="race", reference=reference)
        assert_frame_equal(answer, expected)


def test_uneven_weights_count_as_fewer_rows() -> None:
    weighted = ROWS.with_columns(w=(pl.int_range(pl.len()) % 2) * 3.0 + 1)
    answer = pf.representation(weighted, facet="race", reference=SHARES, weight="w")
    known = weighted.drop_nulls()
    weights = known["w"].to_numpy()
    n = float(weights.sum() ** 2 / (weights**2).sum())
    share = float(known.filter(race="Black")["w"].to_numpy().sum() / weights.sum())
    z = stats.norm.ppf(0.975)
    middle, reach = share + z**2 / (2 * n), z * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    expected = [(middle + sign * reach) / (1 + z**2 / n) / 0.13 for sign in (-1, 1)]
    assert answer.select("lower", "upper").row(1) == pytest.approx(expected)


def test_a_group_without_rows_and_one_expected_seldom() -> None:
    shares = {**SHARES, "Black": 0.12, "Pacific": 0.01}
    answer = pf.representation(ROWS, facet="race", reference=shares, p_values="exact")
    pacific = answer.row(by_predicate=pl.col("value") == "Pacific", named=True)
    assert (pacific["n"], pacific["share"], pacific["ratio"], pacific["lower"]) == (0, 0, 0, 0)
    assert pacific["upper"] > 1
    assert answer["p_value"].null_count() == answer.height
    assert answer["note"][0] == (
        "reference: a group would have fewer than 5 rows, too few for a test"
    )


def test_each_interval_holds_in_95_of_100_data_sets() -> None:
    data = pl.DataFrame({"data": range(2_000)}).join(pl.DataFrame({"race": [*SHARES]}), how="cross")
    counts = np.random.default_rng(1).multinomial(300, [*SHARES.values()], size=2_000)
    answer = pf.representation(
        data.with_columns(n=counts.ravel()),
        facet="race",
        by="data",
        count="n",
        reference=SHARES,
        p_values="exact",
    )
    held = answer.group_by("value").agg(pl.lit(1.0).is_between("lower", "upper").mean())
    assert min(held.to_series(1)) > 0.93
    false = answer.unique("data")["p_value"].lt(0.05).mean()
    assert false == pytest.approx(0.05, abs=0.015)
