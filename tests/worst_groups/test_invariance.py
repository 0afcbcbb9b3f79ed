"""Laziness, cells, shards, row order and copies do not change the table of groups."""

from __future__ import annotations

import io
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.strategies import JOINTLY, examples, people_of_many_groups
from tests.worst_groups.people import PEOPLE, QUESTION


@pytest.mark.extras
@pytest.mark.parametrize("depth", [None, 1, 2])
def test_the_plan_can_be_sent_elsewhere(depth: int | None) -> None:
    frame = PEOPLE.with_columns(age=pl.Series([30, 60] * 10)).lazy()
    question: dict[str, Any] = {**QUESTION, "facet": ["sex", "race", "age"], "depth": depth}
    for metric in ("spsf", "selection_rate_gap", "selection_rate_ratio"):
        lazy = pf.worst_groups(frame, metric, shrink=True, **question)
        returned = pl.LazyFrame.deserialize(io.BytesIO(lazy.serialize()))
        assert_frame_equal(returned.collect(), lazy.collect())


@pytest.mark.extras
@given(people_of_many_groups(least=1), st.randoms(use_true_random=False))
@examples(25)
def test_rows_cells_shards_engines_and_order_change_nothing(
    frame: pl.DataFrame, random: Any
) -> None:
    for depth in (None, 2):
        options: dict[str, Any] = {"metric": "fpsf", "depth": depth, "shrink": True}
        expected = pf.worst_groups(frame, **options, **JOINTLY)
        order = [*range(frame.height)]
        random.shuffle(order)
        shuffled = pl.concat([frame[order[:7]], frame[order[7:]]], rechunk=False)
        assert_frame_equal(pf.worst_groups(shuffled, **options, **JOINTLY), expected)
        for engine in ("streaming", "in-memory"):
            lazy = pf.worst_groups(frame.lazy(), **options, **JOINTLY)
            assert_frame_equal(lazy.collect(engine=engine), expected)
        shards = [pf.cells(part, **JOINTLY) for part in (frame[::2], frame[1::2])]
        of_cells = pf.worst_groups(pl.concat(shards), **options, count="n", **JOINTLY)
        assert_frame_equal(of_cells, expected)


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
