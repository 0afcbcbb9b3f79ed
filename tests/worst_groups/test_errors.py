"""Errors of `worst_groups`, at the call and from the data."""

from __future__ import annotations

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users
from tests.worst_groups.people import PEOPLE, QUESTION


def test_errors_of_the_data_are_raised_when_it_runs() -> None:
    broken = PEOPLE.with_columns(p=pl.lit(None, pl.Int64), age=pl.lit(1))
    for depth in (None, 1, 2):
        question = {**QUESTION, "facet": ["sex", "race", "age"]}
        lazy = pf.worst_groups(broken.lazy(), "spsf", depth=depth, **question)
        for engine in ("streaming", "in-memory"):
            with (
                pytest.raises(pf.FairnessError, match="predicted: missing values: 'p' has 20"),
                errors_of_users(),
            ):
                lazy.collect(engine=engine)
        dropped = pf.worst_groups(broken, "spsf", depth=depth, nulls="drop", **question)
        assert dropped.is_empty()
