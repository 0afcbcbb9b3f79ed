"""Closed-form intervals of differences of means over scores."""

from __future__ import annotations

from math import inf
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared
from tests.reference.moments import of_rows

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "score": "s",
}
# What is averaged over which rows, and whether side a is less side d.
MEANS: Final[dict[str, tuple[pl.Expr, pl.Expr | bool, bool]]] = {
    "score_difference": (pl.col("s"), True, True),
    "balance_positive": (pl.col("s"), pl.col("y"), True),
    "balance_negative": (pl.col("s"), ~pl.col("y"), True),
    "calibration_difference": (pl.col("y") - pl.col("s"), True, False),
    "brier_difference": ((pl.col("y") - pl.col("s")) ** 2, True, False),
}


def people(of_m: int, of_f: int, sets: int = 1, *, skewed: bool = False) -> pl.DataFrame:
    """Data sets of people, with weights that go up and down."""
    random, size = np.random.default_rng(7), sets * (of_m + of_f)
    is_f = np.tile(np.repeat([False, True], [of_m, of_f]), sets)
    score = random.beta(1, 6, size) if skewed else random.normal(0.5, 0.1, size).clip(0, 1)
    score = np.where(is_f, 0.9 * score, score)
    return pl.DataFrame(
        {
            "set": np.repeat(np.arange(sets), of_m + of_f),
            "sex": np.where(is_f, "F", "M"),
            "y": random.random(size) < np.where(is_f, 0.1, 0.0) + 0.9 * score,
            "s": score,
            "w": random.gamma(2, 1, size) + 0.2,
        }
    )


def bounds(frame: pl.DataFrame, metric: str, **question: Any) -> tuple[float, float]:
    low, high = (
        shared(pf.audit, frame, metric, **QUESTION, **question).select("lower", "upper").row(0)
    )
    return low, high


@pytest.mark.parametrize("size", [{}, {"weight": "w"}])
@pytest.mark.parametrize("metric", MEANS)
def test_the_interval_is_that_of_rows_one_by_one(metric: str, size: dict[str, Any]) -> None:
    number, rows, a_less_d = MEANS[metric]
    frame = people(80, 50).filter(rows) if rows is not True else people(80, 50)
    values = frame.select(number.cast(pl.Float64)).to_series().to_numpy()
    weight = frame["w"].to_numpy() if size else None
    low, high = of_rows(values, (frame["sex"] == "F").to_numpy() * 1, weight=weight).interval()
    expected = (low, high) if a_less_d else (-high, -low)
    # The skewness of all rows together is that of rows as they are, or left out one by one.
    assert bounds(people(80, 50), metric, **size) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("size", [{}, {"weight": "w"}])
def test_the_interval_of_the_standardized_difference_is_that_of_a_jackknife(
    size: dict[str, Any],
) -> None:
    frame = people(60, 40, skewed=True)
    n = frame.height
    without_each = pl.concat(
        frame.with_row_index("i").filter(pl.col("i") != i).with_columns(left_out=i)
        for i in range(n)
    )
    values = shared(pf.metrics, without_each, "smd", by="left_out", **QUESTION, **size).sort(
        "left_out"
    )
    value = shared(pf.metrics, frame, "smd", **QUESTION, **size)["smd"].item()
    variance = 0.0
    for sex in ("M", "F"):
        moved = values["smd"].filter(frame["sex"] == sex) - value
        variance += float((moved**2).sum())
    low, high = bounds(frame, "smd", **size)
    assert low < value < high
    assert high - low == pytest.approx(2 * 1.99 * variance**0.5, rel=0.06)


def test_labels_may_have_weights_of_their_own() -> None:
    """Of equal scores, the rows of each label keep their own squared weights."""
    frame = people(80, 50).with_columns(
        pl.col("s").round(1), w=pl.when("y").then(5.0).otherwise(1.0)
    )
    positive = frame.filter("y")
    same = bounds(positive, "score_difference"), bounds(frame, "balance_positive", weight="w")
    assert same[1] == pytest.approx(same[0])


def test_of_one_row_every_value_is_possible() -> None:
    frame = people(50, 1)
    assert bounds(frame, "brier_difference") == (-1, 1)
    assert bounds(frame, "score_difference", weight="w") == (-inf, inf)


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("size", "skewed"),
    [
        ({}, True),
        ({"weight": "w"}, False),
        pytest.param({}, False, marks=pytest.mark.nightly),
        pytest.param({"weight": "w"}, True, marks=pytest.mark.nightly),
    ],
)
def test_intervals_of_means_hold_the_true_value(size: dict[str, Any], skewed: bool) -> None:
    """The standard deviation of a coverage is 1.1 %."""
    metrics = [*MEANS, "smd"]
    truth = pf.metrics(
        people(300_000, 300_000, skewed=skewed).with_columns(pl.col("s").round(4)),
        *metrics,
        **QUESTION,
    )
    frame = people(60, 40, sets=400, skewed=skewed)
    answer = pf.audit(frame, *metrics, by="set", **QUESTION, **size)
    for name in metrics:
        holds = pl.lit(truth[name].item()).is_between("lower", "upper")
        share = answer.filter(metric=name).select(holds.mean()).item()
        assert 0.92 <= share <= 0.98, (name, share)
