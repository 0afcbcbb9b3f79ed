"""Formulas over scores: those of a user, and what is computed by hand from few rows."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import (
    SCORE,
    WIDTH,
    Measure,
    a_s,
    across_measured,
    auc,
    choose,
    d_s,
    g,
    g_s,
    mean_score,
    over_roc,
    over_scores,
    ratio,
    share_up_to,
)
from polars_fairness.values import score_comparisons
from tests.frames import shared

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "label": "y", "score": "s"}


def scored(**sides: list[tuple[float, int]]) -> pl.DataFrame:
    """Lay out the scores and labels of every facet value."""
    rows = [(sex, score, label) for sex, people in sides.items() for score, label in people]
    return pl.DataFrame(rows, schema=["sex", "s", "y"], orient="row")


def value(frame: pl.DataFrame, metric: str | pf.Metric, **more: Any) -> float | None:
    name = metric if isinstance(metric, str) else metric.name
    found: float | None = shared(pf.metrics, frame, metric, **{**QUESTION, **more})[name].item()
    return found


def own(formula: Any, **more: Any) -> pf.Metric:
    return pf.Metric("own", "Own", formula, **more)


def test_bins_of_the_calibration_error_may_be_chosen() -> None:
    """In two bins women have gaps of .1 and .1; in one, they cancel out. Men have .2 and .2."""
    frame = scored(F=[(0.4, 0), (0.4, 1), (0.6, 0), (0.6, 1)], M=[(0.2, 0), (0.8, 1)])
    found = pf.rates(frame, **{**QUESTION, "disfavored": None})
    assert found["ece"].to_list()[:2] == [pytest.approx(0.1), pytest.approx(0.2)]
    assert value(frame, pf.entry("ece_gap", bins=2)) == pytest.approx(0.2 - 0.1)
    assert value(frame, pf.entry("ece_gap", bins=1)) == pytest.approx(0, abs=1e-15)
    both = shared(
        pf.metrics,
        frame,
        pf.entry("ece_gap", bins=1).named("one"),
        pf.entry("ece_gap", bins=2),
        **QUESTION,
    )
    assert both.select("one", "ece_gap").row(0) == pytest.approx((0, 0.1), abs=1e-15)


def test_bins_that_divide_a_multiple_of_the_resolution_are_an_error_where_they_are_named() -> None:
    frame = scored(F=[(0.4, 0), (0.45, 1)], M=[(0.2, 0), (0.8, 1)])
    assert value(frame, pf.entry("ece_gap", bins=2), resolution=0.25) is not None
    unnamed = pf.metrics(frame, resolution=0.25, **QUESTION)
    assert unnamed.select("ece_gap", "brier_gap").null_count().row(0) == (1, 0)
    assert shared(pf.rates, frame, resolution=0.25, **QUESTION)["ece"].null_count() == 3


def test_scores_rounded_down_to_1_are_no_probabilities_if_their_mean_is_above_it() -> None:
    frame = scored(F=[(0.4, 0), (1.004, 1)], M=[(0.2, 0), (1.0, 1)])
    question = {**QUESTION, "resolution": 0.01}
    assert pf.metrics(frame, **question)["brier_difference"].item() is None
    ones = frame.with_columns(pl.col("s").clip(upper_bound=1))
    assert value(ones, "brier_difference", resolution=0.01) is not None


def test_a_reference_that_changes_with_the_threshold_has_comparisons_of_its_own() -> None:
    """At 0.5 F is accepted most, at 0.8 M: X is compared with each of them."""
    frame = scored(F=[(0.6, 1), (0.5, 0)], M=[(0.9, 1), (0.1, 0)], X=[(0.2, 1), (0.4, 0)])
    question = {**QUESTION, "disfavored": "X", "favored": pf.HIGHEST, "threshold": [0.5, 0.8]}
    answer = shared(pf.metrics, frame, "score_difference", "dppl", **question)
    assert answer.select("threshold", "favored").rows() == [(0.5, "F"), (0.8, "M")]
    assert answer["score_difference"].to_list() == pytest.approx([0.55 - 0.3, 0.5 - 0.3])


@pytest.mark.parametrize("favored", [None, "b", pf.HIGHEST, pf.OVERALL])
@pytest.mark.parametrize("weight", [None, "w"])
def test_comparisons_apart_have_the_values_that_they_have_at_once(
    favored: Any, weight: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = pl.int_range(200)
    frame = pl.select(
        sex=pl.lit(pl.Series([*"abcde"])).gather(number * number % 7 % 5),
        month=number % 2,
        y=number % 3 == 0,
        s=(number * 17 % 50) / 50,
        w=1 + number % 4 / 4,
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "score": "s", "by": "month"}
    question |= {"favored": favored, "weight": weight, "threshold": 0.4}
    at_once = pf.metrics(frame, **question)
    monkeypatch.setattr(score_comparisons, "_TOGETHER", 1)
    assert_frame_equal(pf.metrics(frame, **question), at_once, rel_tol=1e-12, abs_tol=1e-12)
    assert at_once["abroca"].null_count() == 0


def test_a_formula_of_a_user_ranges_over_scores() -> None:
    frame = scored(F=[(0.1, 0), (0.6, 1)], M=[(0.6, 1), (0.7, 0)])
    metric = own(over_scores(mean_score(a_s) - mean_score(d_s)), acceptable=(-0.1, 0.1))
    assert value(frame, metric) == pytest.approx(0.65 - 0.35)
    assert metric.needs == ("facet", "score")
    assert own(over_scores(auc(a_s, d_s))).needs == ("facet", "label", "score")
    assert own(over_scores((share_up_to(a_s.n) - share_up_to(d_s.n)).max())).has_sides
    row = shared(pf.audit, frame, metric, confidence=None, **QUESTION).row(0, named=True)
    assert row["verdict"] == "outside"


def test_a_formula_of_a_user_ranges_over_an_interval_of_false_positive_rates() -> None:
    """The area between the curves where the false positive rate is at most a half."""
    end = WIDTH.running_sum()
    share = ((0.5 - (end - WIDTH)) / WIDTH).clip(0, 1)
    area = choose(WIDTH > 0, (a_s.start - d_s.start) * WIDTH * share, 0)
    metric = own(over_roc(area.sum()))
    frame = scored(
        F=[(0.9, 1), (0.8, 0), (0.7, 1), (0.6, 0)], M=[(0.9, 1), (0.8, 1), (0.7, 0), (0.6, 0)]
    )
    assert value(frame, metric) == pytest.approx(1 / 4)


def test_a_measure_of_a_user_is_compared_across_groups() -> None:
    share_at_most_half = ratio(choose(SCORE <= 0.5, g_s.n, 0.0).sum(), g_s.n.sum())
    measure = Measure("low", share_at_most_half, "Low", "the share of scores up to a half")
    metric = own(across_measured(measure.term.max() - measure.term.min(), measure))
    frame = scored(F=[(0.1, 0), (0.6, 1)], M=[(0.6, 1), (0.7, 0)], X=[(0.5, 1)])
    assert pf.metrics(frame, metric, facet="sex", score="s")["own"].unique().to_list() == [1.0]
    assert metric.needs == ("facet", "score")
    of_largest = own(across_measured(choose(g.n == g.n.max(), measure.term).max(), measure))
    assert not of_largest.has_sides
