"""Properties of the frames that the comparisons with peers rely on."""

from __future__ import annotations

import polars as pl
import pytest

from .frames import FRAMES, ODD, REGULAR, TINY


@pytest.mark.parametrize("frame", REGULAR)
def test_in_a_regular_frame_every_group_has_every_kind_of_error_and_success(frame: str) -> None:
    kinds = FRAMES[frame].group_by("group").agg(pl.struct("label", "predicted").n_unique())
    assert set(kinds["label"]) == {4}


@pytest.mark.parametrize("frame", ODD)
def test_in_an_odd_frame_some_group_lacks_one_of_them(frame: str) -> None:
    kinds = FRAMES[frame].group_by("group").agg(pl.struct("label", "predicted").n_unique())
    assert set(kinds["label"]) != {4}


@pytest.mark.parametrize("frame", TINY)
def test_a_tiny_frame_has_ten_rows(frame: str) -> None:
    assert FRAMES[frame].height == 10


def _strata(frame: str) -> pl.DataFrame:
    return FRAMES[frame].group_by("branch").agg("group", "predicted")


@pytest.mark.parametrize(
    ("frame", "column", "only"),
    [
        ("no rejection in a stratum", "predicted", 1),
        ("no acceptance in a stratum", "predicted", 0),
        ("one side missing in a stratum", "group", "a"),
        ("sparse strata", "predicted", 1),
        ("sparse strata", "predicted", 0),
        ("sparse strata", "group", "a"),
        ("sparse strata", "group", "d"),
    ],
)
def test_a_stratum_has_one_value_only(frame: str, column: str, only: object) -> None:
    found = [set(values) for values in _strata(frame)[column]]
    assert {only} in found
    assert len(found) > found.count({only})
