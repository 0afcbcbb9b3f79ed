"""Intervals of metrics of scores: what they contain, and what moves them."""

from __future__ import annotations

import importlib
from math import erf, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.inference import bootstrap
from tests.frames import shared
from tests.paths import BENCHMARKS
from tests.strategies import FULL, examples, frames

TASKS = bootstrap._tasks

METRICS: Final = [
    name
    for name, metric in pf.CATALOGUE.items()
    if "score" in metric.needs and not metric.is_about_ranks  # which have no interval
]
DIFFERENCES: Final = [
    *(name for name in METRICS if name.endswith("_difference")),
    *("smd", "balance_positive", "balance_negative"),
]
BOUNDS: Final = ["lower", "upper"]
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "s"}
F_AGAINST_M: Final[dict[str, Any]] = {**QUESTION, "disfavored": "F", "favored": "M"}

SIZES: Final = st.sampled_from([{}, {"weight": "w"}, {"count": "k"}])
RESOLUTIONS: Final = st.sampled_from([None, 0.1, 0.003])


def people(n: int, decimals: int = 16, seed: int = 0) -> pl.DataFrame:
    """People with scores that say less of F than of M, and in two shops and three ages."""
    random = np.random.default_rng(seed)
    is_f = random.random(n) < 0.4
    score = random.beta(2, 3, n).round(decimals)
    chance = np.where(is_f, 0.2 + 0.5 * score, score)
    return pl.DataFrame(
        {
            "sex": np.where(is_f, "F", "M"),
            "age": random.choice(["young", "middle", "old"], n),
            "shop": random.integers(0, 2, n),
            "y": random.random(n) < chance,
            "s": score,
        }
    )


def audited(frame: pl.DataFrame, *metrics: str | pf.Metric, **question: Any) -> pl.DataFrame:
    answer: pl.DataFrame = shared(pf.audit, frame, *metrics, **{**F_AGAINST_M, **question})
    return answer


def bounds_of(frame: pl.DataFrame, metric: str | pf.Metric, **question: Any) -> tuple[Any, ...]:
    return audited(frame, metric, **question).select(BOUNDS).row(0)


def test_lower_bounds_of_distances_are_as_far_as_upper_bounds() -> None:
    answer = audited(people(200, 1), *METRICS, replicates=50)
    distances = answer.filter(pl.col("ideal") == 0, ~pl.col("metric").is_in(DIFFERENCES))
    assert distances.height == 9
    below, above = distances["value"] - distances["lower"], distances["upper"] - distances["value"]
    assert ((distances["lower"] == 0) | (below >= above - 1e-12)).all()
    assert (distances["lower"] == 0).any()


@pytest.mark.parametrize("size", ["n", "w"])
def test_bounds_of_a_difference_in_means_are_those_of_a_normal_distribution(size: str) -> None:
    """Of weighted rows, the variance of a mean is Σ w²(s − s̄)² / (Σw)²."""
    frame = people(400).with_columns(w=1.0 + pl.col("shop"))
    w, s = pl.col("w") if size == "w" else pl.col("w") ** 0, pl.col("s")
    mean = (w * s).sum() / w.sum()
    variance = (w**2 * (s - mean) ** 2).sum() / w.sum() ** 2
    of_sides = frame.group_by("sex").agg(mean=mean, variance=variance).sort("sex")
    middle = of_sides["mean"].diff()[1]
    reach = 1.959964 * sqrt(of_sides["variance"].sum())
    question = {"weight": "w"} if size == "w" else {}
    low, high = bounds_of(frame, "score_difference", replicates=5_000, **question)
    assert (low, high) == pytest.approx((middle - reach, middle + reach), abs=0.08 * reach)


def test_equal_weights_change_nothing_and_uneven_ones_widen() -> None:
    frame = people(300, 2)
    plain = audited(frame, *METRICS, replicates=50)
    equal = audited(frame.with_columns(w=4.0), *METRICS, replicates=50, weight="w")
    shown = ["metric", "value", *BOUNDS]
    assert_frame_equal(equal.select(shown), plain.select(shown), rel_tol=1e-9)
    # Twice the rows, each of them twice, weigh the same, but have Σw² twice as large.
    cells = frame.with_columns(n=1, weight=1.0)
    wide, narrow = (
        np.subtract(*bounds_of(each, "auc_difference", weight="weight", count="n")[::-1])
        for each in (cells.with_columns(weight_sq=4.0), cells.with_columns(weight_sq=1.0))
    )
    assert wide / narrow == pytest.approx(2, rel=0.15)


@pytest.mark.parametrize("metric", ["auc_difference", "abroca", "smd", "brier_gap"])
def test_draws_belong_to_a_comparison(metric: str) -> None:
    """Neither other metrics nor other facets nor other windows move an interval.

    Many small comparisons are evaluated together, where sums differ in their last digits.
    """
    frame = people(400, 2)

    def bounds(frame: pl.DataFrame, *metrics: str, **more: Any) -> pl.DataFrame:
        question = {**QUESTION, "by": "shop", "replicates": 50, **more}
        answer: pl.DataFrame = shared(pf.audit, frame, *metrics, **question)
        return answer.filter(metric=metric, shop=1, facet="sex").select("disfavored", *BOUNDS)

    alone = bounds(frame.filter(shop=1), metric)
    assert alone.height > 0
    assert alone.null_count().row(0)[1:] == (0, 0)
    for other in (
        bounds(frame, metric),
        bounds(frame, metric, facet=["age", "sex"]),
        bounds(frame, *METRICS),
    ):
        assert_frame_equal(other, alone, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize("side", [{"favored": pf.HIGHEST}, {}])
def test_several_thresholds_have_the_bounds_of_each(side: dict[str, Any]) -> None:
    """At 0.3 and at 0.6 the group with the highest selection rate is another one."""
    frame = people(400, 2).with_columns(
        s=pl.when(age="old").then(0.4).when(age="young").then("s").otherwise(pl.col("s") / 2)
    )
    question = {"facet": "age", "label": "y", "score": "s", "replicates": 50, **side}
    metrics = ["auc_difference", "abroca", "score_ks", "auc_gap", "dppl"]
    together = pf.audit(frame, *metrics, threshold=[0.3, 0.6], **question)
    for threshold in (0.3, 0.6):
        alone = pf.audit(frame, *metrics, threshold=threshold, **question)
        at_it = together.filter(threshold=threshold).drop("threshold")
        assert alone["lower"].null_count() < alone.height
        assert_frame_equal(at_it, alone, abs_tol=1e-12)


def test_metrics_of_scores_are_drawn_once_for_all_thresholds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thresholds add rows to the counts of decisions only."""
    drawn: list[int] = []

    def recorded(*arguments: Any, **by_name: Any) -> Any:
        for task in TASKS(*arguments, **by_name):
            drawn.append(task.counts.ends[-1])
            yield task

    monkeypatch.setattr(bootstrap, "_tasks", recorded)
    frame = people(100, 1)
    audited(frame, "abroca", "dppl", threshold=[0.2, 0.4, 0.6], replicates=5)
    assert drawn == [3, frame["s"].n_unique()]


# Spans of many scores


def test_spans_have_the_intervals_of_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(400)
    monkeypatch.setattr(bootstrap, "MOST_SCORES", 400)
    each = audited(frame, *METRICS, replicates=1_000)
    monkeypatch.undo()
    in_spans = audited(frame, *METRICS, replicates=1_000)
    assert_frame_equal(in_spans.drop(BOUNDS), each.drop(BOUNDS))
    width = each["upper"] - each["lower"]
    for bound in BOUNDS:
        assert ((in_spans[bound] - each[bound]).abs() < 0.2 * width).all()


@pytest.mark.parametrize("question", [{}, {"by": "shop"}, {"facet": "age", "disfavored": "old"}])
def test_no_more_is_drawn_than_spans(
    question: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "MOST_SCORES", 100)
    monkeypatch.setattr(bootstrap, "SPANS", 40)
    heights: list[tuple[int, int]] = []

    def recorded(*arguments: Any, **by_name: Any) -> Any:
        for task in TASKS(*arguments, **by_name):
            heights.append((task.counts.ends[-1], len(task.counts.places)))
            yield task

    monkeypatch.setattr(bootstrap, "_tasks", recorded)
    sides = {"favored": None, **question}
    audited(people(3_000), *METRICS, replicates=2, **sides)
    groups = 3
    # A span ends with a bin.
    assert all(height <= places * groups * (40 + 10) for height, places in heights)
    assert len(heights) == 4


def folded(frame: pl.DataFrame, **question: Any) -> tuple[float, float]:
    """How far the interval of `auc_difference` reaches from 0, to whichever side."""
    lower, upper = bounds_of(frame, "auc_difference", **question)
    return max(0, lower, -upper), max(upper, -lower)


@examples(15)
@example(FULL, {"weight": "w"}, 0.1)
@given(frames(least=4), SIZES, RESOLUTIONS)
def test_distances_between_areas_hold_what_is_known_of_the_difference(
    frame: pl.DataFrame, size: dict[str, str], resolution: float | None
) -> None:
    question = {**size, "resolution": resolution, "replicates": 20}
    two = frame.filter(pl.col("sex").is_in(["F", "M"]))
    if None in bounds_of(two, "auc_difference", **question):
        return
    least, most = folded(two, **question)
    for metric in ("abroca", "auc_gap"):
        lower, upper = bounds_of(two, metric, **question)
        assert lower <= least + 1e-9
        assert upper >= most - 1e-9


@pytest.mark.parametrize("weight", [None, 0.1])
@pytest.mark.parametrize("rows", [10, 20, 40])
def test_scores_without_an_error_have_the_folded_interval_of_the_difference(
    rows: int, weight: float | None
) -> None:
    """Each draw of them is the same, up to the last digits of its sums."""
    side = {"y": [False, True] * (rows // 2), "s": [i % 2 + i / 100 for i in range(rows)]}
    frame = pl.concat(pl.DataFrame(side).with_columns(sex=pl.lit(sex)) for sex in "FM")
    question = {} if weight is None else {"weight": pl.lit(weight)}
    least, most = folded(frame, **question)
    assert least == 0
    assert most > 3 / rows
    for metric in ("abroca", "auc_gap"):
        assert bounds_of(frame, metric, **question) == pytest.approx((least, most))


def test_a_single_positive_row_leaves_the_whole_range() -> None:
    side = {"y": [False] * 9 + [True], "s": [i / 10 for i in range(10)]}
    one = pl.DataFrame(side).with_columns(sex=pl.lit("F"))
    many = pl.concat([people(50), people(50, seed=1)]).with_columns(sex=pl.lit("M"))
    frame = pl.concat([one, many.select(one.columns)])
    for metric in ("abroca", "auc_gap"):
        assert bounds_of(frame, metric, replicates=20) == (0, 1)


def test_distances_between_areas_hold_a_true_one_where_few_scores_err() -> None:
    """Most of these samples have no error; drawn intervals held in 41 to 70 of 100."""
    random, windows = np.random.default_rng(3), 60
    parts = []
    for sex, shift in (("F", 2.5), ("M", 3.5)):
        y = np.tile(np.arange(20) < 10, windows)
        score = random.normal(size=y.size) + shift * y
        window = np.repeat(np.arange(windows), 20)
        parts.append(pl.DataFrame({"window": window, "sex": sex, "y": y, "s": score}))
    apart = [0.5 * (1 + erf(shift / 2)) for shift in (2.5, 3.5)]
    answer = audited(pl.concat(parts), "abroca", "auc_gap", by="window", replicates=50)
    held = (pl.col("lower") <= apart[1] - apart[0]) & (pl.col("upper") >= apart[1] - apart[0])
    shares = answer.group_by("metric").agg(held.mean())
    assert shares.select(pl.col("lower").min()).item() >= 0.95


# Coverage


@pytest.fixture
def certainty(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of intervals; the test runs a smaller version of it."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("certainty")


@pytest.mark.simulation
def test_intervals_cover_the_true_value_as_often_as_they_say(certainty: Any) -> None:
    """The standard deviation of a coverage is 2.2 %."""
    names = (
        *("auc_difference", "abroca", "calibration_difference", "smd", "brier_difference"),
        *("score_ks", "miscalibration"),
    )
    audits = certainty.of_scores(500).audited(100, *names, replicates=200)
    shares = certainty.coverage(audits)
    assert {*shares["metric"]} == {*names}
    assert shares["held"].min() >= 89
