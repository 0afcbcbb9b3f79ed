"""Numbers as outcomes beside HolisticAI, scikit-learn and SciPy, on amounts with many zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from holisticai.bias import metrics as holistic
from scipy.stats import pearsonr, ttest_ind
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error
from statsmodels.api import OLS, add_constant
from statsmodels.stats.weightstats import DescrStatsW

import polars_fairness as pf


@pytest.mark.parametrize("seed", range(2))
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
    # The squared t of equal variances, and R² adjusted for the number of groups.
    rows_of_sides = 1 / in_d.sum() + 1 / (~in_d).sum()
    t_statistic = ttest_ind(price[~in_d], price[in_d]).statistic
    assert found["estimate_smd"] == pytest.approx(t_statistic * np.sqrt(rows_of_sides))
    fitted = OLS(price, add_constant(in_d.astype(float))).fit()
    assert found["explained_by_group"] == pytest.approx(fitted.rsquared_adj, abs=1e-12)
    correlations = by_scikit_learn["correlation"]
    assert found["correlation_difference"] == pytest.approx(correlations[1] - correlations[0])


def test_weighted_means_and_deviations() -> None:
    random = np.random.default_rng(1)
    rows = 300
    weights, price = random.random(rows) + 0.5, random.lognormal(3, 1, rows)
    frame = pl.DataFrame({"sex": random.choice(["F", "M"], rows), "price": price, "w": weights})
    rates = pf.rates(frame, facet="sex", estimated="price", weight="w")
    for sex, mean, deviation in rates.select(
        "value", "estimated_mean", "estimated_deviation"
    ).iter_rows():
        own = (frame["sex"] == sex).to_numpy() if sex else np.full(rows, fill_value=True)
        known = DescrStatsW(price[own], weights=weights[own])
        effective = weights[own].sum() ** 2 / (weights[own] ** 2).sum()
        assert mean == pytest.approx(known.mean)
        # There the divisor is the sum of weights, here the effective rows less 1.
        assert deviation == pytest.approx(known.std * np.sqrt(effective / (effective - 1)))
