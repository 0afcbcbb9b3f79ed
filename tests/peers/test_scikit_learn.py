"""scikit-learn: areas under ROC curves, Brier scores, and rates at every threshold."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.calibration import calibration_curve
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    precision_score,
    roc_auc_score,
    roc_curve,
)

import polars_fairness as pf

from .comparisons import UNWEIGHTED_AND_WEIGHTED, Ask, Comparison, close, number, ours, theirs
from .frames import FRAMES, REGULAR

Rows = NDArray[np.bool_]
Score = Callable[..., float]

QUESTION: Final[dict[str, Any]] = {"facet": "group", "label": "label", "score": "score"}


def of_rows(function: Score, each: Comparison, rows: Rows, *, weighted: bool) -> float:
    """A number of some rows; nan where they have one label only."""
    weight = each.column("weight")[rows] if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return function(each.label[rows], each.score[rows], sample_weight=weight)


def auc_of(each: Comparison, positives: Rows, negatives: Rows, *, weighted: bool) -> float:
    """The chance that a positive of some rows is above a negative of others."""
    rows = (positives & each.label) | (negatives & ~each.label)
    return of_rows(roc_auc_score, each, rows, weighted=weighted)


def brier_of(each: Comparison, rows: Rows, *, weighted: bool) -> float:
    return of_rows(brier_score_loss, each, rows, weighted=weighted)


@cache
def asking_for(metric: str, *, weighted: bool) -> Ask:
    """How a metric of two sides follows from numbers of scikit-learn."""

    def auc(each: Comparison, positives: Rows, negatives: Rows) -> float:
        return auc_of(each, positives, negatives, weighted=weighted)

    return {
        "auc_difference": lambda c: auc(c, c.in_a, c.in_a) - auc(c, c.in_d, c.in_d),
        "xauc_difference": lambda c: auc(c, c.in_a, c.in_d) - auc(c, c.in_d, c.in_a),
        "bpsn_auc": lambda c: auc(c, c.in_a, c.in_d),
        "bnsp_auc": lambda c: auc(c, c.in_d, c.in_a),
        "brier_difference": lambda c: (
            brier_of(c, c.in_d, weighted=weighted) - brier_of(c, c.in_a, weighted=weighted)
        ),
        "abroca": lambda c: area_between(
            *(roc(c, rows, weighted=weighted) for rows in (c.in_a, c.in_d))
        ),
    }[metric]


def roc(each: Comparison, rows: Rows, *, weighted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The points of a ROC curve."""
    weight = each.column("weight")[rows] if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        fpr, tpr, _ = roc_curve(each.label[rows], each.score[rows], sample_weight=weight)
    return fpr, tpr


def area_between(*curves: tuple[NDArray[Any], NDArray[Any]]) -> float:
    """The area between two curves, on a grid much finer than their points."""
    x = np.linspace(0, 1, 200_001)
    one, other = (np.interp(x, *curve) for curve in curves)
    return float(np.trapezoid(np.abs(one - other), x))


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "metric", ["auc_difference", "xauc_difference", "bpsn_auc", "bnsp_auc", "brier_difference"]
)
def test_differences_of_two_sides_agree(metric: str, frame: str, *, weighted: bool) -> None:
    expected = theirs(frame, asking_for(metric, weighted=weighted))
    assert ours(frame, metric, weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_the_area_between_its_roc_curves_agrees(frame: str, *, weighted: bool) -> None:
    expected = theirs(frame, asking_for("abroca", weighted=weighted))
    assert ours(frame, "abroca", weighted=weighted) == {
        side: pytest.approx(value, abs=1e-4) for side, value in expected.items()
    }


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_auc_and_brier_score_of_every_group_agree(frame: str, *, weighted: bool) -> None:
    table = FRAMES[frame]
    weight = "weight" if weighted else None
    answer = pf.rates(table, predicted="predicted", weight=weight, **QUESTION)
    for group in answer.rows(named=True):
        each = Comparison(table, group["value"])
        rows = each.in_d if group["facet"] == "group" else np.full(table.height, True)
        of_group = table.filter(rows)
        assert {name: group[name] for name in ("auc", "brier", "mean_score")} == close(
            {
                "auc": number(auc_of(each, rows, rows, weighted=weighted)),
                "brier": brier_of(each, rows, weighted=weighted),
                "mean_score": np.average(
                    of_group["score"], weights=of_group["weight"] if weighted else None
                ),
            }
        )


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", ["balanced", "five groups", "sparse strata"])
def test_rates_at_every_threshold_are_the_points_of_its_roc_curve(
    frame: str, *, weighted: bool
) -> None:
    table = FRAMES[frame]
    weight = "weight" if weighted else None
    answer = pf.rates(table, threshold="every", weight=weight, **QUESTION)
    for value in table["group"].unique():
        rows = table.filter(group=value)
        points = roc_curve(
            rows["label"],
            rows["score"],
            sample_weight=rows["weight"] if weighted else None,
            drop_intermediate=False,
        )
        # Its first threshold is infinite: no rows are accepted.
        occurs = pl.col("threshold").is_in(rows["score"].implode())
        falling = answer.filter(occurs, value=value).reverse()
        for column, expected in zip(("fpr", "tpr", "threshold"), points, strict=True):
            assert falling[column].to_list() == pytest.approx(expected[1:].tolist(), abs=1e-12)


@pytest.mark.parametrize("threshold", [0.29, 0.5, 0.57])
def test_decisions_at_a_threshold_have_its_accuracy_and_precision(threshold: float) -> None:
    table = FRAMES["large"]
    answer = pf.rates(table, threshold=[0.1, threshold, 0.9], **QUESTION)
    for value in table["group"].unique():
        rows = table.filter(group=value)
        decided = (rows["score"] >= threshold).to_numpy()
        group = answer.filter(value=value, threshold=threshold).row(0, named=True)
        assert group["accuracy"] == pytest.approx(accuracy_score(rows["label"], decided))
        assert group["ppv"] == pytest.approx(precision_score(rows["label"], decided))


def test_the_calibration_error_is_that_of_its_calibration_curve() -> None:
    # No score on an edge: it would belong to the bin above here, and to the bin below there.
    table = FRAMES["large"].with_columns(score=pl.col("score") * 0.998 + 0.0007)
    answer = pf.rates(table, predicted="predicted", **QUESTION)
    for value in table["group"].unique():
        rows = table.filter(group=value)
        rates, scores = calibration_curve(rows["label"], rows["score"], n_bins=10)
        sizes = rows.group_by((pl.col("score") * 10).floor()).len().sort("score")["len"]
        expected = math.fsum(sizes * np.abs(rates - scores)) / rows.height
        assert answer.filter(value=value)["ece"].item() == pytest.approx(expected, abs=1e-12)
