"""Numbers as outcomes beside HolisticAI, scikit-learn and SciPy, on amounts with many zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from holisticai.bias import metrics as holistic
from scipy.stats import pearsonr
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

import polars_fairness as pf


@pytest.mark.parametrize("seed", range(20))
def test_metrics_of_amounts(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(20, 500))
    in_d = random.random(rows) < random.choice([0.2, 0.5])
    in_d[:3], in_d[3:6] = True, False
    claim = random.lognormal(2, 1, rows) * (random.random(rows) < 0.8)
    price = 0.6 * claim + random.lognormal(1, 0.5, rows)
    frame = pl.DataFrame({"sex": np.where(in_d, "F", "M"), "price": price, "claim": claim})
    found = pf.metrics(frame, facet="sex", disfavored="F", estimated="price", observed="claim").row(
        0, named=True
    )
    d_first: Any = (in_d, ~in_d)
    a_first: Any = (~in_d, in_d)
    sides = [(claim[each], price[each]) for each in d_first]
    by_scikit_learn = {
        name: [of(*each) for each in sides]
        for name, of in (
            ("mae", mean_absolute_error),
            ("rmse", root_mean_squared_error),
            ("r2", r2_score),
            ("correlation", lambda *each: pearsonr(*each).statistic),
        )
    }
    expected = {
        "estimate_difference": holistic.avg_score_diff(*a_first, price),
        "observed_difference": holistic.avg_score_diff(*a_first, claim),
        "estimate_ratio": holistic.avg_score_ratio(*d_first, price),
        "observed_ratio": holistic.avg_score_ratio(*d_first, claim),
        "mae_ratio": holistic.mae_ratio(*d_first, price, claim),
        "rmse_ratio": holistic.rmse_ratio(*d_first, price, claim),
        "correlation_difference": holistic.correlation_diff(*a_first, price, claim),
        "mae_difference": by_scikit_learn["mae"][0] - by_scikit_learn["mae"][1],
        "rmse_difference": by_scikit_learn["rmse"][0] - by_scikit_learn["rmse"][1],
        "r2_difference": by_scikit_learn["r2"][1] - by_scikit_learn["r2"][0],
        "rmse_gap": abs(by_scikit_learn["rmse"][0] - by_scikit_learn["rmse"][1]),
        "worst_mse": max(by_scikit_learn["rmse"]) ** 2,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-9), name
    correlations = by_scikit_learn["correlation"]
    assert found["correlation_difference"] == pytest.approx(correlations[1] - correlations[0])
