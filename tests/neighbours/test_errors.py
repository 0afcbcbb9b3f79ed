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
@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"features": None}, r"^features: fliptest needs it"),
        ({"features": []}, r"^features: fliptest needs it"),
        ({"features": "sex"}, r"^features: 'sex' is String, .* encode it as numbers first: "),
        ({"features": pl.lit("a")}, r"^features: 'literal' is String"),
        ({"features": pl.date(2025, 1, 1).alias("d")}, r"^features: 'd' is Date, .*dt\.epoch"),
        ({"features": "xx"}, r"^features: no column 'xx'; did you mean 'x'\?"),
        ({"features": ["x", "p"]}, r"^features, predicted: 'p' cannot be both"),
        ({"k": 0}, r"^k: takes a whole number of neighbours, at least 1, got 0"),
        ({"k": 2.0}, r"^k: takes a whole number of neighbours, at least 1, got 2.0"),
        ({"k": True}, r"^k: takes a whole number of neighbours, at least 1, got True"),
        ({"standardize": "no"}, r"^standardize: takes True or False, got 'no'"),
        ({"progress": 1}, r"^progress: takes True, False or None, got 1"),
        ({"disfavored": "Z"}, r"^disfavored: 'Z' never occurs in 'sex', which has 'F' and 'M'"),
        (
            {"k": 3},
            r"^k: 3 neighbours were requested, but there are only 2 rows on side a of 'sex', "
            r"with 'F' as side d; lower k",
        ),
        ({"k": 2, "by": "x"}, r"only 1 rows on side a of 'sex', with 'F' as side d, where 'x' is"),
    ],
)
def test_a_wrong_argument_is_refused_with_what_it_takes(
    question: dict[str, Any], message: str
) -> None:
    frame = at(F={0: 0, 1: 0}, M={0: 1, 1: 1})
    with pytest.raises(FairnessError, match=message):
        pf.fliptest(frame, **{**QUESTION, **question})


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
