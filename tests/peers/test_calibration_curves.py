"""Calibration as scikit-learn has it, with the intervals of statsmodels."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from sklearn.calibration import calibration_curve
from statsmodels.stats.proportion import proportion_confint

import polars_fairness as pf

from .comparisons import TOLERANCE

QUESTION: Final[dict[str, Any]] = {"facet": "group", "label": "label", "score": "score"}


def scored(seed: int, rows: int) -> pl.DataFrame:
    """Scores of three groups; none lies at an end of a bin, where there the bin below has it."""
    draw = np.random.default_rng(seed)
    score = draw.beta(2, 3, rows)
    return pl.DataFrame(
        {
            "group": np.array(["a", "b", "c"])[draw.integers(3, size=rows)],
            "score": score,
            "label": draw.uniform(size=rows) < score**1.3,
        }
    )


@pytest.mark.parametrize(
    ("seed", "rows", "bins"), [(70, 2_000, 10), (71, 60, 17), (72, 5, 5), (70, 60, 1)]
)
def test_means_and_shares_are_those_of_the_curve(seed: int, rows: int, bins: int) -> None:
    frame = scored(seed, rows)
    answer = pf.calibration(frame, bins=bins, **QUESTION).filter(pl.col("n") > 0)
    for (facet, value), ours in answer.group_by("facet", "value"):
        group = frame if facet == "(all)" else frame.filter(group=value)
        shares, means = calibration_curve(
            group["label"].to_numpy(), group["score"].to_numpy(), n_bins=bins, strategy="uniform"
        )
        assert ours["base_rate"].to_list() == pytest.approx(shares.tolist(), abs=TOLERANCE)
        assert ours["mean_score"].to_list() == pytest.approx(means.tolist(), abs=TOLERANCE)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_are_those_of_wilson_there(confidence: float) -> None:
    answer = pf.calibration(scored(73, 400), confidence=confidence, **QUESTION)
    for row in answer.filter(pl.col("n") > 0).iter_rows(named=True):
        count = round(row["base_rate"] * row["n"])
        expected = proportion_confint(count, row["n"], alpha=1 - confidence, method="wilson")
        assert (row["lower"], row["upper"]) == pytest.approx(expected, abs=TOLERANCE)
