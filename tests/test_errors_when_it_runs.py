"""Errors in the data are raised when the query runs, with their own type."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

GOOD: dict[str, list[Any]] = {
    "sex": ["F", "F", "M", None],
    "y": [1, 0, 1, 0],
    "p": [1, 1, 0, 0],
    "decision": ["yes", "no", "yes", "no"],
    "score": [0.2, 0.4, 0.6, 0.8],
    "w": [1.0, 2.0, 1.0, 0.5],
    "k": [1, 2, 3, 4],
}


@pytest.mark.parametrize(
    ("drop", "question"),
    [
        ({"w": [1.0, None, 1.0, 0.5]}, {"weight": "w"}),
        ({"k": [1, None, 3, 4]}, {"count": "k"}),
        ({"w": [1.0, None, 1.0, 0.5]}, {"weight": "w", "count": "k"}),
        ({"k": [1, None, 3, 4]}, {"weight": "w", "count": "k"}),
    ],
)
def test_dropping_is_as_if_the_row_were_not_there(
    drop: dict[str, list[Any]], question: dict[str, Any]
) -> None:
    frame = pl.DataFrame({**GOOD, **drop})
    arguments = {"facet": "sex", "label": "y", "predicted": "p", **question}
    without = frame.filter(pl.int_range(pl.len()) != 1)
    for function in (pf.metrics, pf.rates):
        dropped, absent = (
            function(rows, nulls="drop", **arguments).drop("rows_dropped", strict=False)
            for rows in (frame, without)
        )
        assert_frame_equal(dropped, absent)
