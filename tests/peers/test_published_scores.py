"""Packages about scores that do not install beside the others, by figures that they give.

mcgrad needs PyTorch, fair-scoring a numpy below 2, and abroca a pandas below 2. The figures are
from their own tests, or were computed by these packages from the example data.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from sklearn.preprocessing import quantile_transform

import polars_fairness as pf
from tests.frames import fairness

# From the tests of mcgrad: labels, its ECCE, and the same in standard errors.
OF_MCGRAD: Final = [
    ([0, 1, 0, 1], 0.15, 0.67082),
    ([1, 1, 1, 1], 0.5, 2.23607),
    ([0, 1, 0, 0], 0.3, 1.34164),
]


def calibration(**columns: Any) -> dict[str, Any]:
    frame = pl.DataFrame(columns).with_columns(group=pl.lit("g"))
    weight = "weight" if "weight" in columns else None
    question: dict[str, Any] = {"facet": "group", "label": "label", "weight": weight}
    return pf.rates(frame, score="score", **question).row(0, named=True)


@pytest.mark.parametrize(("label", "ecce", "sigma"), OF_MCGRAD)
def test_the_cumulative_calibration_error_of_mcgrad(
    label: list[int], ecce: float, sigma: float
) -> None:
    group = calibration(score=[0.6, 0.8, 0.2, 0.4], label=label)
    assert group["ecce"] == pytest.approx(ecce, abs=1e-12)
    assert group["ecce_sigma"] == pytest.approx(sigma, abs=1e-5)


@pytest.mark.parametrize(
    ("score", "label", "weight", "ecce", "sigma"),
    [
        ([0.6, 0.8, 0.2, 0.4], [0, 1, 0, 0], [0.4, 0.3, 0.2, 0.1], 0.32, 1.289317),
        # Without uncertainty, its error in standard errors is infinite.
        ([0.0] * 4, [0, 1, 0, 0], [1.0] * 4, 0.25, None),
        ([1.0] * 4, [0, 1, 0, 0], [1.0] * 4, 0.75, None),
    ],
)
def test_its_values_with_weights_and_at_both_ends(
    score: list[float], label: list[int], weight: list[float], ecce: float, sigma: float | None
) -> None:
    group = calibration(score=score, label=label, weight=weight)
    assert group["ecce"] == pytest.approx(ecce, abs=1e-12)
    assert group["ecce_sigma"] == (None if sigma is None else pytest.approx(sigma, abs=1e-6))


# By mcgrad 0.1.5: ECCE, the same in standard errors, and the calibration error of 10 bins.
LOANS_BY_MCGRAD: Final = {
    "F": (0.05906564046776513, 11.83486383593986, 0.058995313846068806),
    "M": (0.005873753684402658, 1.3077193950109054, 0.008107104186364882),
    None: (0.028866192935000014, 8.645752890199343, 0.029070928177000025),
}
BY_INCOME: Final = {
    "F": (0.06050865145838575, 11.6618161555187, 0.06046911670427413),
    "M": (0.007385011625759306, 1.6282139110563816, 0.009066897535353466),
}


def loans_without_ties() -> pl.DataFrame:
    """Loans with scores that differ: mcgrad takes equal ones in any order, and not as one step."""
    score = pl.col("score") * 0.999 + pl.int_range(pl.len()) * 1e-8
    return pf.datasets.loans().with_columns(score)


def rates_of_loans(weight: str | None = None) -> dict[str | None, dict[str, Any]]:
    question: dict[str, Any] = {"facet": "sex", "label": "repaid", "score": "score"}
    answer = pf.rates(loans_without_ties(), weight=weight, **question)
    return {group["value"]: group for group in answer.rows(named=True)}


def errors(group: dict[str, Any]) -> tuple[float, ...]:
    return tuple(group[name] for name in ("ecce", "ecce_sigma", "ece"))


def test_the_calibration_of_loans_by_mcgrad() -> None:
    found = rates_of_loans()
    for value, expected in LOANS_BY_MCGRAD.items():
        assert errors(found[value]) == pytest.approx(expected, rel=1e-9)
    shares = {value: found[value]["n"] / 20_000 for value in ("F", "M")}
    miscalibration = max(shares[value] * LOANS_BY_MCGRAD[value][0] for value in ("F", "M"))
    question: dict[str, Any] = {"facet": "sex", "label": "repaid", "score": "score"}
    answer = fairness(loans_without_ties()).miscalibration(**question)
    assert answer["miscalibration"].item() == pytest.approx(miscalibration, rel=1e-9)


def test_the_weighted_calibration_of_loans_by_mcgrad() -> None:
    found = rates_of_loans("income")
    for value, expected in BY_INCOME.items():
        assert errors(found[value]) == pytest.approx(expected, rel=1e-9)


# COMPAS scores turned round, as a low risk is the favorable outcome.
LOW_RISK: Final = (
    pf.datasets.compas()
    .filter(pl.col("race").is_in(["African-American", "Caucasian"]))
    .with_columns(score=11 - pl.col("score"), stayed_out=~pl.col("reoffended"))
)
COMPAS: Final[dict[str, Any]] = {
    "facet": "race",
    "disfavored": "African-American",
    "label": "stayed_out",
    "score": "score",
    "count": "n",
}


def test_the_table_of_compas_by_fair_scoring() -> None:
    """Table 1 of Becker et al. 2024; its equal opportunity is about quantiles of the scores."""
    found = pf.metrics(LOW_RISK, "abroca", "xauc_difference", **COMPAS).row(0, named=True)
    assert round(found["abroca"], 3) == 0.016
    # Its cross-ROC curves do not cross, so that the area between them is the difference.
    assert found["xauc_difference"] == pytest.approx(0.2731524129627960, abs=1e-12)
    assert round(found["xauc_difference"], 3) == 0.273
    names = ("score_wasserstein_positive", "score_wasserstein_negative")
    ranked = pf.metrics(with_quantiles(LOW_RISK), *names, **COMPAS).row(0, named=True)
    assert [round(ranked[name], 3) for name in names] == [0.161, 0.154]


def with_quantiles(counted: pl.DataFrame) -> pl.DataFrame:
    """Replace scores by their quantiles among both races, as fair-scoring does."""
    people = (
        counted["score"]
        .repeat_by(counted["n"])
        .explode(empty_as_null=False)
        .to_numpy()
        .astype(np.float64)
    )
    quantiles = quantile_transform(people.reshape(-1, 1), n_quantiles=people.size, subsample=10**7)
    of_score = dict(zip(people.tolist(), quantiles[:, 0].tolist(), strict=True))
    return counted.with_columns(pl.col("score").cast(pl.Float64).replace(of_score))


def test_distances_of_compas_scores_by_fair_scoring() -> None:
    """Without its transformation, in version 0.2.1."""
    expected = {
        "score_wasserstein": 1.6336507319086782,
        "score_wasserstein_positive": 1.3638422140354027,
        "score_wasserstein_negative": 1.4694118710540274,
    }
    found = pf.metrics(LOW_RISK, *expected, **COMPAS).select(*expected).row(0, named=True)
    assert found == {name: pytest.approx(value, rel=1e-12) for name, value in expected.items()}


def test_compas_ranks_both_races_alike() -> None:
    """By abroca 0.1.3, whose integral is inexact for curves of many more corners than these ten."""
    found = pf.metrics(LOW_RISK, "abroca", **COMPAS)["abroca"].item()
    assert found == pytest.approx(0.0158147066, abs=1e-6)
