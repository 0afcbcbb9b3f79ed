"""AIF360's metrics in scikit-learn's manner: differences are unprivileged less privileged.

That is our d less a; our metrics that are a less d have the other sign.
A rate of no rows is 0 there, as with ``zero_division=0.0`` here; where another rate is one less
that rate, it is 1. scikit-learn warns of each such rate; `ILL_DEFINED` suppresses the warnings.
"""

from __future__ import annotations

from math import inf
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.frames import fairness

from .comparisons import (
    UNWEIGHTED_AND_WEIGHTED,
    Ask,
    Comparison,
    close,
    comparisons,
    our_value,
    ours,
    ours_of_grades,
    theirs,
)
from .frames import FRAMES, REGULAR, weighing_as_people, with_both, with_one
from .quiet import importing_aif360

with importing_aif360():
    from aif360.sklearn import metrics as aif

ILL_DEFINED: Final = pytest.mark.filterwarnings(
    "ignore:.* is ill-defined and being set to 0.0:sklearn.exceptions.UndefinedMetricWarning"
)


def _outcome(each: Comparison, column: str) -> pd.Series:
    """An outcome; AIF360 looks for the side in the index."""
    return pd.Series(each.column(column), index=pd.Index(each.in_a, name="favored"))


def _asks(function: Any, *outcomes: str, sign: int = 1) -> dict[bool, Ask]:
    """Ask with and without weights; `sign=-1` turns d less a into a less d."""

    def ask(each: Comparison, *, weighted: bool) -> float:
        value = function(
            *(_outcome(each, name) for name in outcomes),
            priv_group=True,
            sample_weight=each.column("weight") if weighted else None,
        )
        return sign * float(value)

    return {
        False: lambda each: ask(each, weighted=False),
        True: lambda each: ask(each, weighted=True),
    }


def _difference(rate: Any) -> Any:
    return lambda *outcomes, **sides: aif.difference(rate, *outcomes, **sides)


_BOTH: Final = ("label", "predicted")

DEFINED: Final = {
    "statistical_parity": _asks(aif.statistical_parity_difference, *_BOTH),
    "dpl": _asks(aif.statistical_parity_difference, "label", sign=-1),
    "ci": _asks(aif.class_imbalance, "label", sign=-1),
    "kl": _asks(aif.kl_divergence, "label"),
}
KL_OF_GRADES: Final = _asks(aif.kl_divergence, "grade")
OF_NO_ROWS_0: Final = {
    "rd": _asks(aif.equal_opportunity_difference, *_BOTH, sign=-1),
    "sd": _asks(_difference(aif.specificity_score), *_BOTH),
    "for_difference": _asks(_difference(aif.false_omission_rate_error), *_BOTH, sign=-1),
    "predictive_value_difference": _asks(aif.average_predictive_value_difference, *_BOTH, sign=-1),
}
OF_NO_ROWS_OTHERWISE: Final = {
    "di": _asks(aif.disparate_impact_ratio, *_BOTH),
    "fnr_difference": _asks(_difference(aif.false_negative_rate_error), *_BOTH, sign=-1),
    "average_odds_difference": _asks(aif.average_odds_difference, *_BOTH, sign=-1),
    "average_abs_odds_difference": _asks(aif.average_odds_error, *_BOTH),
}


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", DEFINED)
def test_agrees_where_nothing_can_be_undefined(metric: str, frame: str, *, weighted: bool) -> None:
    expected = theirs(frame, DEFINED[metric][weighted])
    assert ours(frame, metric, weighted=weighted) == close(expected)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
@pytest.mark.parametrize("metric", [*OF_NO_ROWS_0, *OF_NO_ROWS_OTHERWISE])
def test_agrees_where_every_rate_is_defined(metric: str, frame: str, *, weighted: bool) -> None:
    ask = (OF_NO_ROWS_0 | OF_NO_ROWS_OTHERWISE)[metric][weighted]
    assert ours(frame, metric, weighted=weighted) == close(theirs(frame, ask))


# scikit-learn computes true negatives by subtraction. With weights and no negative rows, 1e-15 may
# remain, and the specificity is then a quotient of rounding errors.
NO_NEGATIVES: Final = [
    name
    for name, frame in FRAMES.items()
    if any(each.label[side].all() for each in comparisons(frame) for side in (each.in_a, each.in_d))
]


@ILL_DEFINED
@pytest.mark.parametrize(
    ("metric", "frame", "weighted"),
    [
        (metric, frame, weighted)
        for metric in OF_NO_ROWS_0
        for frame in FRAMES
        for weighted in (False, True)
        if not (weighted and metric == "sd" and frame in NO_NEGATIVES)
    ],
)
def test_a_rate_of_no_rows_is_0_there_as_here_with_zero_division(
    metric: str, frame: str, *, weighted: bool
) -> None:
    expected = theirs(frame, OF_NO_ROWS_0[metric][weighted])
    assert ours(frame, metric, weighted=weighted, zero=0.0) == close(expected)


def _in_d(metric: str, frame: str) -> float:
    ask = (OF_NO_ROWS_0 | OF_NO_ROWS_OTHERWISE)[metric][False]
    return ask(Comparison(FRAMES[frame], "d"))


@ILL_DEFINED
@pytest.mark.parametrize(
    ("metric", "frame"),
    [
        ("rd", "no positive label in d"),
        ("fnr_difference", "no positive label in d"),
        ("sd", "no negative label in d"),
        ("average_odds_difference", "no negative label in d"),
        ("average_abs_odds_difference", "no negative label in d"),
        ("for_difference", "d all accepted"),
        ("predictive_value_difference", "d all rejected"),
    ],
)
def test_a_rate_of_no_rows_is_a_number_there_and_null_here(metric: str, frame: str) -> None:
    assert np.isfinite(_in_d(metric, frame))
    assert ours(frame, metric)["d"] is None


@ILL_DEFINED
def test_one_less_a_rate_of_no_rows_is_1_there_and_0_here_with_zero_division() -> None:
    found = ours("no positive label in d", "fnr_difference", zero=0.0)["d"]
    odds = ours("no negative label in d", "average_odds_difference", zero=0.0)["d"]
    assert found is not None
    assert odds is not None
    # fnr_a less 1 there, less 0 here; and so with half of fpr_a.
    assert found == close(_in_d("fnr_difference", "no positive label in d") + 1)
    assert odds == close(_in_d("average_odds_difference", "no negative label in d") + 1 / 2)


@ILL_DEFINED
@pytest.mark.parametrize(
    ("frame", "here"), [("only a accepted", {"a": inf, "d": 0}), ("all rejected", None)]
)
def test_a_ratio_to_a_side_that_is_never_accepted_is_0_there(frame: str, here: Any) -> None:
    assert set(theirs(frame, OF_NO_ROWS_OTHERWISE["di"][False]).values()) == {0.0}
    assert ours(frame, "di") == (here or {"a": None, "d": None})


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", FRAMES)
def test_kl_divergence_of_four_labels_counts_what_one_side_lacks(
    frame: str, *, weighted: bool
) -> None:
    expected = theirs(frame, KL_OF_GRADES[weighted])
    assert ours_of_grades(frame, "kl", weighted=weighted) == close(expected)


def _by_group(frame: pl.DataFrame, column: str) -> pd.Series:
    return pd.Series(frame[column].to_numpy(), index=pd.Index(frame["group"], name="group"))


def _across(function: Any, frame: str, *, weighted: bool = False) -> float:
    return _of_groups(function, FRAMES[frame], weighted=weighted)


def _of_groups(function: Any, table: pl.DataFrame, *, weighted: bool) -> float:
    value = function(
        _by_group(table, "label"),
        _by_group(table, "predicted"),
        sample_weight=table["weight"].to_numpy() if weighted else None,
    )
    return float(value)


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", with_both("predicted"))
def test_conditional_demographic_disparity_is_cdd_shares(frame: str, *, weighted: bool) -> None:
    expected = _across(aif.conditional_demographic_disparity, frame, weighted=weighted)
    assert our_value(frame, "cdd_shares", weighted=weighted) == close(expected)


@pytest.mark.parametrize("frame", with_one("predicted"))
def test_conditional_demographic_disparity_of_one_outcome_is_an_error_there_and_null_here(
    frame: str,
) -> None:
    with pytest.raises(ZeroDivisionError):
        _across(aif.conditional_demographic_disparity, frame)
    assert our_value(frame, "cdd_shares") is None


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_smoothed_edf_is_differential_fairness(frame: str, *, weighted: bool) -> None:
    people = weighing_as_people(FRAMES[frame])
    expected = _of_groups(aif.smoothed_edf, people, weighted=weighted)
    assert our_value(frame, "differential_fairness", weighted=weighted) == close(expected)


def test_smoothed_edf_imagines_no_rejection_in_a_group_that_has_none() -> None:
    # It counts the classes of each group: (n + c)/(n + c) there, (n + c/2)/(n + c) here and in
    # AIF360's other smoothed differential fairness.
    frame = "d all accepted"
    with np.errstate(divide="ignore"):
        assert _across(aif.smoothed_edf, frame) == inf
    assert our_value(frame, "differential_fairness") < inf


def _outcomes(frame: str) -> tuple[Any, Any]:
    return FRAMES[frame]["label"].to_numpy(), FRAMES[frame]["predicted"].to_numpy()


def _entropy(frame: str, alpha: float) -> float | None:
    answer = fairness(FRAMES[frame]).ge(alpha=alpha, label="label", predicted="predicted")
    value: float | None = answer["ge"].item()
    return value


@pytest.mark.parametrize("alpha", [0.5, 1, 2, 3])
@pytest.mark.parametrize("frame", FRAMES)
def test_generalized_entropy_of_any_order_agrees(frame: str, alpha: float) -> None:
    expected = aif.generalized_entropy_error(*_outcomes(frame), alpha=alpha)
    assert _entropy(frame, alpha) == close(expected)


@pytest.mark.parametrize("frame", ["all accepted", "no positive label"])
def test_its_entropy_of_order_0_is_divided_by_the_mean_benefit_once_more(frame: str) -> None:
    mean = Comparison(FRAMES[frame], "d").benefit.mean()
    assert mean > 1
    expected = aif.generalized_entropy_error(*_outcomes(frame), alpha=0) * mean
    assert _entropy(frame, 0) == close(expected)


@pytest.mark.parametrize("alpha", [-1, 0])
def test_orders_below_1_are_infinite_there_and_null_here_where_a_row_has_no_benefit(
    alpha: float,
) -> None:
    benefit = Comparison(FRAMES["balanced"], "d").benefit.astype(float)
    with np.errstate(divide="ignore"):
        assert aif.generalized_entropy_index(benefit, alpha=alpha) == inf
    assert _entropy("balanced", alpha) is None


@pytest.mark.parametrize("frame", FRAMES)
def test_theil_index_and_coefficient_of_variation_of_the_benefits(frame: str) -> None:
    benefit = Comparison(FRAMES[frame], "d").benefit
    assert our_value(frame, "theil") == close(aif.theil_index(benefit))
    expected = aif.coefficient_of_variation(benefit)
    assert our_value(frame, "coefficient_of_variation") == close(expected)


def _between(frame: pl.DataFrame, **group: str) -> float:
    label, predicted = (_by_group(frame, outcome) for outcome in ("label", "predicted"))
    return float(aif.between_group_generalized_entropy_error(label, predicted, **group))


@pytest.mark.parametrize("frame", FRAMES)
def test_entropy_between_groups_agrees(frame: str) -> None:
    assert our_value(frame, "ge_between") == close(_between(FRAMES[frame]))


def test_entropy_between_one_group_and_the_rest() -> None:
    frame = FRAMES["five groups"]
    answer = fairness(frame).ge_between(
        facet=(pl.col("group") == "d").alias("in_d"), label="label", predicted="predicted"
    )
    assert answer["ge_between"][0] == close(_between(frame, priv_group="d"))


def test_entropy_between_groups_takes_the_unknown_for_one_group() -> None:
    frame = FRAMES["five groups"]
    unknown = frame.with_columns(pl.col("group").replace("c", None))
    answer = fairness(unknown).ge_between(facet="group", label="label", predicted="predicted")
    assert answer["ge_between"][0] == close(_between(frame))
