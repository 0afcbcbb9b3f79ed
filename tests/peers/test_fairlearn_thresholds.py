"""Fairlearn's ThresholdOptimizer: cut-offs of groups for equal rates or odds, on a grid of rates.

The best rate may lie between two numbers of its grid; here it is found exactly. The two agree where
the grid has it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from fairlearn.postprocessing import ThresholdOptimizer
from sklearn.base import BaseEstimator

import polars_fairness as pf
from polars_fairness.terms import g, population

CONSTRAINTS: Final = {
    "demographic_parity": "selection_rate",
    "true_positive_rate_parity": "tpr",
    "false_positive_rate_parity": "fpr",
    "true_negative_rate_parity": "tnr",
    "false_negative_rate_parity": "fnr",
    "equalized_odds": "equalized_odds",
}

BALANCED: Final = pf.Metric("balanced", "Balanced accuracy", population((g.tpr + g.tnr).sum() / 2))


class FirstColumn(BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """The score, as a fitted estimator."""

    def fit(self, x: Any, _y: Any) -> FirstColumn:
        self.columns_ = len(x[0])
        return self

    def predict(self, x: Any) -> Any:
        return np.asarray(x)[:, 0]


def scored(seed: int, groups: int, *, of_each_label: int) -> pl.DataFrame:
    """As many positive as negative labels in each group; the scores of groups differ in quality."""
    draw = np.random.default_rng(seed)
    return pl.concat(
        pl.DataFrame(
            {
                "group": [f"group {i}"] * 2 * of_each_label,
                "y": [1] * of_each_label + [0] * of_each_label,
                "s": np.concatenate(
                    [draw.normal(1 + i / 2, 1, of_each_label), draw.normal(0, 1, of_each_label)]
                ).round(1),
            }
        )
        for i in range(groups)
    )


def theirs(frame: pl.DataFrame, constraint: str, objective: str, grid: int) -> pl.Series:
    """The probability of each row to be accepted."""
    x, groups = frame.select("s").to_numpy(), frame["group"].to_numpy()
    optimizer = ThresholdOptimizer(
        estimator=FirstColumn().fit(x, None),
        constraints=constraint,
        objective=objective,
        grid_size=grid,
        prefit=True,
        predict_method="predict",
    )
    optimizer.fit(x, frame["y"].to_numpy(), sensitive_features=groups)
    return pl.Series(optimizer._pmf_predict(x, sensitive_features=groups)[:, 1])


def ours(frame: pl.DataFrame, answer: pl.DataFrame) -> pl.Series:
    """The probability of each row to be accepted, from the columns of an answer."""
    cutoffs = {row["value"]: row for row in answer.rows(named=True)}
    return pl.Series(
        sum(
            cutoffs[group][f"share_{i}"] * (score >= cutoffs[group][f"threshold_{i}"])
            for i in (0, 1)
            if cutoffs[group][f"share_{i}"]
        )
        + cutoffs[group]["share_at_random"] * (cutoffs[group]["rate_at_random"] or 0)
        for group, score in frame.select("group", "s").iter_rows()
    )


def right(frame: pl.DataFrame, accepted: pl.Series) -> float:
    """The share of rows that are decided rightly, on average."""
    pairs = zip(accepted.to_list(), frame["y"].to_list(), strict=True)
    return float(sum(p if y else 1 - p for p, y in pairs)) / frame.height


QUESTION: Final[dict[str, Any]] = {"facet": "group", "label": "y", "score": "s"}


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize(("seed", "groups"), [(1, 2), (2, 3)])
def test_rows_are_accepted_with_the_same_probabilities(
    constraint: str, seed: int, groups: int
) -> None:
    """With 20 labels of each kind, the corners of all hulls lie on a grid of fortieths."""
    frame = scored(seed, groups, of_each_label=20)
    equal: Any = CONSTRAINTS[constraint]
    answer = pf.cutoffs_by_group(frame, equal=equal, **QUESTION)
    accepted = theirs(frame, constraint, "accuracy_score", 40)
    assert ours(frame, answer).to_list() == pytest.approx(accepted.to_list(), abs=1e-12)
    assert answer["accuracy"][-1] == pytest.approx(right(frame, accepted))


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_no_grid_is_better_and_a_fine_grid_is_near(constraint: str) -> None:
    """Groups of 86, 58 and 58 rows: few of their rates are tenths or thousandths."""
    both = [scored(4, groups, of_each_label=rows) for groups, rows in ((1, 43), (3, 29))]
    frame = pl.concat([both[0], both[1].filter(pl.col("group") != "group 0")])
    equal: Any = CONSTRAINTS[constraint]
    answer = pf.cutoffs_by_group(frame, equal=equal, **QUESTION)
    best = right(frame, ours(frame, answer))
    assert answer["accuracy"][-1] == pytest.approx(best)
    for grid in (10, 1000):
        on_grid = right(frame, theirs(frame, constraint, "accuracy_score", grid))
        assert -1e-12 <= best - on_grid <= 1 / grid


@pytest.mark.parametrize(
    ("constraint", "objective", "maximise"),
    [
        ("equalized_odds", "balanced_accuracy_score", BALANCED),
        ("true_positive_rate_parity", "selection_rate", "selection_rate"),
        ("false_positive_rate_parity", "selection_rate", "selection_rate"),
    ],
)
def test_other_objectives_agree(constraint: str, objective: str, maximise: Any) -> None:
    frame = scored(7, 3, of_each_label=20)
    equal: Any = CONSTRAINTS[constraint]
    answer = pf.cutoffs_by_group(frame, equal=equal, maximise=maximise, **QUESTION)
    accepted = theirs(frame, constraint, objective, 40)
    assert ours(frame, answer).to_list() == pytest.approx(accepted.to_list(), abs=1e-12)
