"""Fairlearn: the largest difference and the smallest ratio of a rate between any two groups.

A rate of no rows is 0 there and takes part, as with ``zero_division=0.0``; here it is left out, as
Fairlearn leaves out a rate that is nan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from fairlearn import metrics as fairlearn
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    precision_score,
    recall_score,
    roc_auc_score,
)

import polars_fairness as pf

from .comparisons import UNWEIGHTED_AND_WEIGHTED, Values, close, number, our_value
from .frames import FRAMES, REGULAR

Rate = Callable[..., float]

RATES: Final[dict[str, Rate]] = {
    "selection_rate": fairlearn.selection_rate,
    "tpr": fairlearn.true_positive_rate,
    "fpr": fairlearn.false_positive_rate,
    "tnr": fairlearn.true_negative_rate,
    "fnr": fairlearn.false_negative_rate,
    "ppv": partial(precision_score, zero_division=0.0),
    "npv": partial(precision_score, pos_label=0, zero_division=0.0),
    "accuracy": accuracy_score,
}
RATES_OR_NAN: Final[dict[str, Rate]] = {
    "tpr": partial(recall_score, zero_division=np.nan),
    "tnr": partial(recall_score, pos_label=0, zero_division=np.nan),
    "ppv": partial(precision_score, zero_division=np.nan),
    "npv": partial(precision_score, pos_label=0, zero_division=np.nan),
}


def _metric_frame(
    frame: pl.DataFrame, rates: Mapping[str, Rate], *, weighted: bool, **features: Any
) -> fairlearn.MetricFrame:
    weight = {"sample_weight": frame["weight"].to_numpy()} if weighted else {}
    return fairlearn.MetricFrame(
        metrics=dict(rates),
        y_true=frame["label"].to_numpy(),
        y_pred=frame["predicted"].to_numpy(),
        sample_params=dict.fromkeys(rates, weight),
        **({"sensitive_features": frame["group"].to_numpy()} | features),
    )


def _gaps_and_ratios(metrics: fairlearn.MetricFrame) -> Values:
    gaps, ratios = metrics.difference(method="between_groups"), metrics.ratio("between_groups")
    return {f"{rate}_gap": number(value) for rate, value in gaps.items()} | {
        f"{rate}_ratio": number(value) for rate, value in ratios.items()
    }


@cache
def _theirs(name: str, *, weighted: bool) -> Values:
    return _gaps_and_ratios(_metric_frame(FRAMES[name], RATES, weighted=weighted))


def _ours(name: str, metrics: Values, *, weighted: bool, zero: float | None = None) -> Values:
    return {metric: our_value(name, metric, weighted=weighted, zero=zero) for metric in metrics}


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_agrees_where_every_rate_is_defined(frame: str, *, weighted: bool) -> None:
    expected = _theirs(frame, weighted=weighted)
    assert _ours(frame, expected, weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_rates_of_no_rows_are_0_there_as_here_with_zero_division(
    frame: str, *, weighted: bool
) -> None:
    expected = _theirs(frame, weighted=weighted)
    # Only the ratio of rates that are all 0 is nan there.
    with_0 = {metric: 0.0 if value is None else value for metric, value in expected.items()}
    assert _ours(frame, expected, weighted=weighted, zero=0.0) == close(with_0)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_rates_of_no_rows_are_left_out_here_as_there_when_nan(
    frame: str, *, weighted: bool
) -> None:
    metrics = _metric_frame(FRAMES[frame], RATES_OR_NAN, weighted=weighted)
    groups = metrics.by_group.notna().sum()
    # Of one group alone, the gap is 0 there and the ratio 1.
    expected = {
        name: value if groups[name.rpartition("_")[0]] > 1 else None
        for name, value in _gaps_and_ratios(metrics).items()
    }
    assert _ours(frame, expected, weighted=weighted) == close(expected)


@pytest.mark.parametrize(
    ("frame", "rate"),
    [
        ("no positive label in d", "tpr"),
        ("no negative label in d", "fpr"),
        ("d all rejected", "ppv"),
        ("d all accepted", "npv"),
    ],
)
def test_a_group_without_the_rate_is_the_worst_there_and_left_out_here(
    frame: str, rate: str
) -> None:
    expected = _theirs(frame, weighted=False)
    assert expected[f"{rate}_gap"] not in (None, 0)
    assert expected[f"{rate}_ratio"] == 0
    # One group is left, and compared with nothing.
    assert our_value(frame, f"{rate}_gap") is None
    assert our_value(frame, f"{rate}_ratio") is None


def _named(name: str, function: Any, *, weighted: bool) -> float | None:
    frame = FRAMES[name]
    return number(
        function(
            frame["label"].to_numpy(),
            frame["predicted"].to_numpy(),
            sensitive_features=frame["group"].to_numpy(),
            sample_weight=frame["weight"].to_numpy() if weighted else None,
        )
    )


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_demographic_parity_agrees(frame: str, *, weighted: bool) -> None:
    gap = _named(frame, fairlearn.demographic_parity_difference, weighted=weighted)
    ratio = _named(frame, fairlearn.demographic_parity_ratio, weighted=weighted)
    # A ratio of two selection rates of 0 is nan there and null here.
    assert our_value(frame, "selection_rate_gap", weighted=weighted) == close(gap)
    assert our_value(frame, "selection_rate_ratio", weighted=weighted) == close(ratio)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_the_equalized_odds_difference_agrees(frame: str, *, weighted: bool) -> None:
    gap = _named(frame, fairlearn.equalized_odds_difference, weighted=weighted)
    assert our_value(frame, "equalized_odds_gap", weighted=weighted, zero=0.0) == close(gap)


# Some rate of true and some rate of false positives is above 0, or their ratio is 0/0.
WITH_BOTH_RATIOS: Final = [
    name for name, frame in FRAMES.items() if frame.filter(predicted=1)["label"].n_unique() == 2
]


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", WITH_BOTH_RATIOS)
def test_equalized_odds_ratio_where_both_ratios_are_defined(frame: str, *, weighted: bool) -> None:
    ratio = _named(frame, fairlearn.equalized_odds_ratio, weighted=weighted)
    assert our_value(frame, "equalized_odds_ratio", weighted=weighted, zero=0.0) == close(ratio)


@pytest.mark.parametrize(
    ("frame", "there"),
    # There, the ratio of true positive rates counts as the smaller if one of the two is nan.
    [("perfect predictions", 1.0), ("always wrong", None), ("all rejected", None)],
)
def test_equalized_odds_ratio_is_null_here_where_one_ratio_is_0_by_0(
    frame: str, there: float | None
) -> None:
    assert _named(frame, fairlearn.equalized_odds_ratio, weighted=False) == there
    assert our_value(frame, "equalized_odds_ratio") is None


@pytest.mark.parametrize("alias", ["demographic_parity", "equalized_odds"])
def test_its_names_are_aliases_here(alias: str) -> None:
    answer = pf.metrics(
        FRAMES["balanced"],
        f"{alias}_difference",
        f"{alias}_ratio",
        facet="group",
        label="label",
        predicted="predicted",
    )
    for name in (f"{alias}_difference", f"{alias}_ratio"):
        expected = _named("balanced", getattr(fairlearn, name), weighted=False)
        assert answer[name][0] == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", ["balanced", "large"])
def test_several_sensitive_features_are_an_intersection(frame: str, *, weighted: bool) -> None:
    table = FRAMES[frame]
    expected = _gaps_and_ratios(
        _metric_frame(
            table,
            RATES,
            weighted=weighted,
            sensitive_features=table.select("group", "branch").to_pandas(),
        )
    )
    answer = pf.metrics(
        table,
        *expected,
        facet=pl.struct("group", "branch").alias("both"),
        label="label",
        predicted="predicted",
        weight="weight" if weighted else None,
        zero_division=0.0,
    )
    assert answer.select(*expected).row(0, named=True) == close(expected)


def test_control_features_give_the_values_of_by() -> None:
    table = FRAMES["balanced"]
    metrics = _metric_frame(
        table, RATES, weighted=True, control_features=table["branch"].to_pandas()
    )
    answer = pf.metrics(
        table,
        *(f"{rate}_gap" for rate in RATES),
        by="branch",
        facet="group",
        disfavored="d",
        label="label",
        predicted="predicted",
        weight="weight",
        zero_division=0.0,
    )
    gaps = metrics.difference(method="between_groups").add_suffix("_gap")
    expected = {branch: gaps.loc[branch].to_dict() for branch in table["branch"].unique()}
    found = answer.select("branch", *gaps.columns).rows_by_key("branch", named=True, unique=True)
    assert found == close(expected)


OF_SCORES: Final[dict[str, Rate]] = {"auc": roc_auc_score, "brier": brier_score_loss}


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_differences_of_scores_between_groups_agree(frame: str, *, weighted: bool) -> None:
    table = FRAMES[frame]
    of_scores = table.with_columns(predicted="score")
    metrics = _metric_frame(of_scores, OF_SCORES, weighted=weighted)
    gaps = metrics.difference(method="between_groups")
    for name in OF_SCORES:
        assert our_value(frame, f"{name}_gap", weighted=weighted) == close(gaps[name])
    answer = pf.rates(
        table,
        facet="group",
        label="label",
        score="score",
        weight="weight" if weighted else None,
    )
    groups = answer.filter(facet="group")
    for name in OF_SCORES:
        assert dict(groups.select("value", name).rows()) == close(metrics.by_group[name].to_dict())


@pytest.mark.parametrize("frame", ["balanced", "five groups"])
def test_its_lowest_auc_is_the_lowest_of_the_rates(frame: str) -> None:
    table = FRAMES[frame]
    lowest = fairlearn.roc_auc_score_group_min(
        table["label"].to_numpy(),
        table["score"].to_numpy(),
        sensitive_features=table["group"].to_numpy(),
    )
    answer = pf.rates(table, facet="group", label="label", score="score")
    assert answer.filter(facet="group")["auc"].min() == close(lowest)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_accuracy_and_selection_rate_of_all_rows_agree(frame: str, *, weighted: bool) -> None:
    for name in ("accuracy", "selection_rate"):
        of_all = _metric_frame(FRAMES[frame], {name: RATES[name]}, weighted=weighted).overall
        assert our_value(frame, name, weighted=weighted) == close(float(of_all[name]))
