"""Scores that are missing, infinite, no numbers, or no probabilities."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

OF_PROBABILITIES: Final = (
    *("calibration_difference", "brier_difference", "brier_gap", "ece_gap", "miscalibration"),
)
QUESTION: Final[dict[str, Any]] = {"facet": "g", "label": "y", "score": "s"}


def frame(*scores: Any, dtype: Any = pl.Float64) -> pl.DataFrame:
    """Rows of two groups, with both labels each; the given scores are the first."""
    others = [0.2, 0.4, 0.6, 0.8, 0.3, 0.5, 0.7, 0.9]
    values = pl.Series([*scores, *others[len(scores) :]], dtype=pl.Float64).cast(dtype)
    return pl.DataFrame({"g": list("ababbaba"), "y": [1, 1, 0, 0, 1, 0, 1, 0], "s": values})


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_the_ends_are_probabilities(value: float) -> None:
    answer = pf.metrics(frame(value), *OF_PROBABILITIES, **QUESTION)
    assert answer.select(OF_PROBABILITIES).null_count().sum_horizontal().item() == 0


@pytest.mark.parametrize("resolution", [None, 0.25])
def test_unnamed_metrics_of_probabilities_are_null_of_other_scores(
    resolution: float | None,
) -> None:
    answer = pf.metrics(frame(7.0), **QUESTION, resolution=resolution)
    of_any = ["auc_difference", "score_difference", "score_ks", "score_wasserstein", "smd"]
    assert answer.select(OF_PROBABILITIES).null_count().row(0) == (1,) * len(OF_PROBABILITIES)
    assert answer.select(of_any).null_count().row(0) == (0,) * len(of_any)
    rates = pf.rates(frame(7.0), **QUESTION, resolution=resolution)
    measures = ["brier", "ece", "ecce", "ecce_sigma"]
    for group in (rates.filter(value="a"), rates.filter(facet="(all)")):
        assert group.select(measures).null_count().row(0) == (1,) * len(measures)
    assert rates.select("auc", "mean_score").null_count().row(0) == (0, 0)


@pytest.mark.parametrize("resolution", [None, 0.1])
@pytest.mark.parametrize("left_out", [{"weight": 0.0}, {"y": None}])
def test_scores_of_rows_that_are_left_out_may_be_no_probabilities(
    resolution: float | None, left_out: dict[str, Any]
) -> None:
    rows = frame().with_columns(weight=1.0)
    more = rows[:1].with_columns(s=7.0, **{name: pl.lit(each) for name, each in left_out.items()})
    both = pl.concat([rows, more], how="vertical_relaxed")
    question = {**QUESTION, "weight": "weight", "nulls": "drop", "resolution": resolution}
    answer, expected = (pf.metrics(each, *OF_PROBABILITIES, **question) for each in (both, rows))
    assert_frame_equal(answer.drop("rows_dropped"), expected.drop("rows_dropped"))
