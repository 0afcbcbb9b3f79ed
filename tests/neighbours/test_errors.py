"""Errors of the metrics of neighbours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from tests.neighbours.places import QUESTION, at


@pytest.mark.extras
def test_infinite_features_are_refused() -> None:
    frame = at(F={0: 0, math.inf: 0}, M={0: 1})
    for nulls in ("raise", "drop"):
        with pytest.raises(FairnessError, match=r"^features: 'x' has infinite values"):
            pf.fliptest(frame, nulls=nulls, **QUESTION)
    weightless = frame.with_columns(w=pl.Series([1.0, 0.0, 1.0]))
    assert pf.fliptest(weightless, weight="w", **QUESTION)["n_disfavored"].to_list() == [1.0]


def test_k_may_be_a_whole_number_of_numpy() -> None:
    three: Any = np.int64(3)  # a type checker takes it for no int
    assert pf.entry("fliptest", k=three) == pf.entry("fliptest", k=3)
    assert pf.entry("fliptest", standardize=True) != pf.entry("fliptest")
