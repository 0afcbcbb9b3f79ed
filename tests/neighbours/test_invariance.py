"""Row order, copies, cells, types and engines do not change metrics of neighbours."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.neighbours.places import both
from tests.strategies import WITH_FEATURES, examples, frames

pytestmark = pytest.mark.extras

several = examples(30)


@given(frames(least=3), st.randoms())
@several
def test_row_order_changes_no_vote(frame: pl.DataFrame, random: Any) -> None:
    order = list(range(frame.height))
    random.shuffle(order)
    for standardize in (False, True):
        metrics = (
            pf.entry("fliptest", standardize=standardize),
            pf.entry("consistency", standardize=standardize),
        )
        shuffled, as_it_was = (
            pf.metrics(rows, *metrics, **WITH_FEATURES) for rows in (frame[order], frame)
        )
        assert_frame_equal(shuffled, as_it_was)


@given(frames(least=3))
@several
def test_a_count_votes_as_its_copies_do(frame: pl.DataFrame) -> None:
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    assert_frame_equal(both(frame, count="k"), both(repeated))
    metrics = (pf.entry("fliptest", standardize=True), pf.entry("consistency", standardize=True))
    by_count = pf.metrics(frame, *metrics, count="k", **WITH_FEATURES)
    assert_frame_equal(by_count, pf.metrics(repeated, *metrics, **WITH_FEATURES))


@given(frames(least=3))
@several
def test_types_of_features_change_no_vote(frame: pl.DataFrame) -> None:
    expected = both(frame)
    for dtype in (pl.Float32(), pl.Decimal(10, 2)):
        assert_frame_equal(both(frame.cast({"u": dtype, "v": dtype})), expected)
    yes = frame.with_columns(u=pl.col("u") > 0)
    assert_frame_equal(both(yes), both(yes.cast({"u": pl.UInt8})))
