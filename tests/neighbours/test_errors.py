"""Errors of the metrics of neighbours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from tests.frames import fairness
from tests.neighbours.places import QUESTION, at


@pytest.mark.extras
def test_fewer_rows_than_neighbours_are_refused() -> None:
    with pytest.raises(
        FairnessError, match=r"^k: 5 neighbours .* only 2 rows; lower k, or name the metrics"
    ):
        fairness(at(F={0: 0}, M={0: 1})).consistency(predicted="p", features="x")


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


def test_features_that_no_metric_needs_are_not_even_read() -> None:
    frame = at(F={0: 0, math.inf: 0}, M={0: 1})
    assert fairness(frame).dppl(**QUESTION)["dppl"].to_list() == [1.0]
    assert pf.rates(frame, **QUESTION).height == 3


def test_neighbours_need_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    frame = at(F={0: 0}, M={0: 1})
    for flips in (False, True):
        with pytest.raises(ImportError, match=r'^features: .*"polars-fairness\[neighbours\]"'):
            pf.fliptest(frame, flips=flips, **QUESTION)
