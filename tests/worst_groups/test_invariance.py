"""Laziness, cells, shards, row order and copies do not change the table of groups."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.strategies import JOINTLY, examples, people_of_many_groups


@given(people_of_many_groups(least=1))
@examples(25)
def test_a_count_or_weight_ranks_as_its_copies_do(frame: pl.DataFrame) -> None:
    copies = frame[[i for i, k in enumerate(frame["k"]) for _ in range(k)]]
    expected = pf.worst_groups(copies, "fnsf", **JOINTLY)
    assert_frame_equal(pf.worst_groups(frame, "fnsf", count="k", **JOINTLY), expected)
    weighted = pf.worst_groups(frame, "fnsf", weight="k", **JOINTLY)
    # A weight adds no rows, so it narrows no intervals.
    of_rows = ["lower", "upper"]
    numbers = pl.col("n").cast(pl.Int64)
    assert_frame_equal(weighted.with_columns(numbers).drop(of_rows), expected.drop(of_rows))


@pytest.mark.extras
@given(people_of_many_groups(least=1))
@examples(25)
def test_a_window_gives_what_its_rows_alone_give(frame: pl.DataFrame) -> None:
    for options in ({"metric": "tpr_gap"}, {"metric": "fpsf", "shrink": True, "depth": 2}):
        answer = pf.worst_groups(frame, **options, by="branch", **JOINTLY)
        for branch in frame["branch"].unique():
            inside = pl.col("branch").eq_missing(pl.lit(branch))
            alone = pf.worst_groups(frame.filter(inside), **options, **JOINTLY)
            assert_frame_equal(answer.filter(inside).drop("branch"), alone)
