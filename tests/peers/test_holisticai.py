"""HolisticAI, whose metrics are ``group_a`` less ``group_b``, or the one divided by the other.

Its documentation means by ``group_a`` the side that may be treated unfairly: d in our
`statistical_parity` and `di`. All our other metrics begin with a: see `_a_first` and `_d_first`.
A rate of no rows is 0 there, as with ``zero_division=0.0`` here.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from holisticai.bias import metrics as holistic
from numpy.typing import NDArray

import polars_fairness as pf
from tests.frames import fairness

from .comparisons import (
    Ask,
    Comparison,
    Values,
    close,
    comparisons,
    number,
    our_value,
    ours,
    theirs,
)
from .frames import FRAMES, REGULAR


def _of_sides(function: Any, first: NDArray[Any], second: NDArray[Any], *outcomes: Any) -> float:
    # Its divisions by zero give inf or nan, and the tests below compare these values.
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(function(first, second, *outcomes))


def _a_first(function: Any, *outcomes: str) -> Ask:
    """Ask with our a as ``group_a``."""
    return lambda each: _of_sides(function, each.in_a, each.in_d, *map(each.column, outcomes))


def _d_first(function: Any, *outcomes: str) -> Ask:
    """Ask with our d as ``group_a``."""
    return lambda each: _of_sides(function, each.in_d, each.in_a, *map(each.column, outcomes))


_LABELLED: Final = ("predicted", "label")

OF_DECISIONS: Final = {
    "dppl": _a_first(holistic.statistical_parity, "predicted"),
    "statistical_parity": _d_first(holistic.statistical_parity, "predicted"),
    "success_ratio": _a_first(holistic.disparate_impact, "predicted"),
    "di": _d_first(holistic.disparate_impact, "predicted"),
    "four_fifths": _a_first(holistic.four_fifths, "predicted"),
    "cohens_d": _a_first(holistic.cohen_d, "predicted"),
    "two_sd": _a_first(holistic.z_test_diff, "predicted"),
    "z_ratio": _a_first(holistic.z_test_ratio, "predicted"),
}
OF_ERRORS: Final = {
    "rd": _a_first(holistic.equal_opportunity_diff, *_LABELLED),
    "sd": _d_first(holistic.true_negative_rate_diff, *_LABELLED),
    "fnr_difference": _a_first(holistic.false_negative_rate_diff, *_LABELLED),
    "average_odds_difference": _a_first(holistic.average_odds_diff, *_LABELLED),
    "ad": _a_first(holistic.accuracy_diff, *_LABELLED),
}
# What it calls its area between ROC curves is a difference of the areas under them.
OF_SCORES: Final = {
    "score_difference": _a_first(holistic.avg_score_diff, "score"),
    "auc_difference": _a_first(holistic.abroca, "score", "label"),
}
LARGEST_DIFFERENCE: Final = _a_first(holistic.max_statistical_parity, "score")
FPR_DIFFERENCE: Final = _a_first(holistic.false_positive_rate_diff, *_LABELLED)
UNBOUNDED: Final = ("di", "success_ratio")


def _both_are_seen(frame: pl.DataFrame) -> bool:
    """Whether a positive and a negative, observed or predicted, occur on every side."""
    return all(
        len(np.unique(np.concatenate([each.label[side], each.predicted[side]]))) == 2
        for each in comparisons(frame)
        for side in (each.in_a, each.in_d)
    )


SEEN: Final = [name for name, frame in FRAMES.items() if _both_are_seen(frame)]


@pytest.mark.parametrize("frame", REGULAR)
@pytest.mark.parametrize("metric", [*OF_DECISIONS, *OF_ERRORS])
def test_agrees_where_every_rate_is_defined(metric: str, frame: str) -> None:
    ask = (OF_DECISIONS | OF_ERRORS)[metric]
    assert ours(frame, metric) == close(theirs(frame, ask))


@pytest.mark.parametrize("frame", REGULAR)
@pytest.mark.parametrize("metric", OF_SCORES)
def test_differences_of_scores_agree(metric: str, frame: str) -> None:
    assert ours(frame, metric) == close(theirs(frame, OF_SCORES[metric]))


@pytest.mark.parametrize("frame", REGULAR)
def test_standardized_differences_agree_after_its_variances_are_those_of_samples(
    frame: str,
) -> None:
    """It multiplies by n − 1 a variance that was divided by n: textbooks divide it by n − 1."""

    def as_in_textbooks(each: Comparison) -> float:
        sides = [each.score[each.in_a], each.score[each.in_d]]
        taken = sum((len(side) - 1) * side.var() for side in sides)
        pooled = sum((len(side) - 1) * side.var(ddof=1) for side in sides)
        found = _of_sides(holistic.zscore_diff, each.in_a, each.in_d, each.score)
        return float(found * sqrt(taken / pooled))

    assert ours(frame, "smd") == close(theirs(frame, as_in_textbooks))


@pytest.mark.parametrize("frame", REGULAR)
def test_no_threshold_that_it_tries_has_a_larger_difference_of_selection_rates(frame: str) -> None:
    found = ours(frame, "score_ks")
    for side, tried in theirs(frame, LARGEST_DIFFERENCE).items():
        value = found[side]
        assert value is not None
        assert tried is not None
        # It tries 150 quantiles, and not every score.
        assert tried - 1e-12 <= value <= tried + 0.1


@pytest.mark.parametrize("frame", REGULAR)
def test_a_difference_of_specificities_is_one_of_false_positive_rates(frame: str) -> None:
    assert ours(frame, "sd") == close(theirs(frame, FPR_DIFFERENCE))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", OF_DECISIONS)
def test_what_it_divides_by_zero_is_null_here_unless_unbounded(metric: str, frame: str) -> None:
    expected = theirs(frame, OF_DECISIONS[metric])
    if metric not in UNBOUNDED:
        expected = {side: _finite(value) for side, value in expected.items()}
    assert ours(frame, metric) == close(expected)


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("metric", OF_DECISIONS)
def test_with_a_value_for_zero_by_zero_only_its_nan_is_replaced(metric: str, frame: str) -> None:
    expected = theirs(frame, OF_DECISIONS[metric])
    assert ours(frame, metric, zero=0.0) == close(_with_0_for_nan(expected))


def _with_0_for_nan(values: Values) -> Values:
    return {side: 0.0 if value is None else value for side, value in values.items()}


@pytest.mark.parametrize("frame", SEEN)
@pytest.mark.parametrize("metric", OF_ERRORS)
def test_a_rate_of_no_rows_is_0_there_as_here_with_zero_division(metric: str, frame: str) -> None:
    assert ours(frame, metric, zero=0.0) == close(theirs(frame, OF_ERRORS[metric]))


@pytest.mark.parametrize(
    ("frame", "undefined"),
    [
        ("no positive label in d", ["rd", "fnr_difference", "average_odds_difference"]),
        ("no negative label in d", ["sd", "average_odds_difference"]),
    ],
)
def test_a_rate_of_no_rows_is_0_there_and_null_here(frame: str, undefined: Iterable[str]) -> None:
    for metric in undefined:
        assert None not in theirs(frame, OF_ERRORS[metric]).values()
        assert set(ours(frame, metric).values()) == {None}


def test_the_false_positive_rate_of_no_rows_is_0_there_while_ours_takes_the_specificity_for_0() -> (
    None
):
    # fpr_a - 0 there and 0 - tnr_a here, which differ by 1.
    frame = "no negative label in d"
    there = theirs(frame, FPR_DIFFERENCE)["d"]
    assert there is not None
    assert ours(frame, "sd", zero=0.0)["d"] == close(there - 1)
    assert ours(frame, "sd")["d"] is None


ALL_FOUND: Final = pl.DataFrame(
    {"group": ["a", "a", "d", "d", "d"], "label": [1, 1, 0, 0, 1], "predicted": [1, 1, 0, 1, 1]}
)
A_SINGLE_LABEL: Final = "A single label was found in 'y_true' and 'y_pred'"


@pytest.mark.parametrize("metric", ["rd", "fnr_difference", "average_odds_difference"])
def test_a_side_with_one_outcome_only_is_an_error_there(metric: str) -> None:
    each = Comparison(ALL_FOUND, "d")
    with (
        pytest.raises(IndexError, match="index 1 is out of bounds"),
        pytest.warns(UserWarning, match=A_SINGLE_LABEL),
    ):
        OF_ERRORS[metric](each)


def test_a_side_with_one_outcome_only_has_its_defined_rates_here() -> None:
    answer = pf.metrics(
        ALL_FOUND, "rd", "sd", facet="group", disfavored="d", label="label", predicted="predicted"
    )
    assert answer.select("rd", "sd").row(0) == (0.0, None)


def test_of_positives_that_are_all_found_it_takes_the_sensitivity_for_the_specificity() -> None:
    # d has a specificity of 1/2, a has none here; there a has 1.
    each = Comparison(ALL_FOUND, "d")
    with pytest.warns(UserWarning, match=A_SINGLE_LABEL):
        assert OF_ERRORS["sd"](each) == 1 / 2 - 1
    answer = fairness(ALL_FOUND).sd(
        facet="group",
        disfavored="d",
        label="label",
        predicted="predicted",
        zero_division=0.0,
    )
    assert answer["sd"].item() == 1 / 2


def test_rows_on_neither_side_count_for_neither() -> None:
    frame = FRAMES["five groups"]
    in_d, in_a = (frame["group"].is_in(side).to_numpy() for side in (["d", "e"], ["a"]))
    predicted, label = frame["predicted"].to_numpy(), frame["label"].to_numpy()
    answer = pf.metrics(
        frame,
        *("dppl", "success_ratio", "two_sd", "rd", "ad"),
        facet="group",
        disfavored=["d", "e"],
        favored="a",
        label="label",
        predicted="predicted",
    )
    expected = {
        "dppl": holistic.statistical_parity(in_a, in_d, predicted),
        "success_ratio": holistic.disparate_impact(in_a, in_d, predicted),
        "two_sd": holistic.z_test_diff(in_a, in_d, predicted),
        "rd": holistic.equal_opportunity_diff(in_a, in_d, predicted, label),
        "ad": holistic.accuracy_diff(in_a, in_d, predicted, label),
    }
    assert answer.select(*expected).row(0, named=True) == close(expected)


def _outcomes(frame: str) -> tuple[NDArray[Any], NDArray[Any]]:
    return FRAMES[frame]["predicted"].to_numpy(), FRAMES[frame]["label"].to_numpy()


def _entropy(frame: str, alpha: float) -> float | None:
    answer = fairness(FRAMES[frame]).ge(alpha=alpha, label="label", predicted="predicted")
    value: float | None = answer["ge"].item()
    return value


@pytest.mark.parametrize("frame", FRAMES)
def test_theils_index_agrees(frame: str) -> None:
    assert our_value(frame, "theil") == close(holistic.theil_index(*_outcomes(frame)))


@pytest.mark.parametrize("alpha", [0.5, 1, 2, 3])
@pytest.mark.parametrize("frame", FRAMES)
def test_generalized_entropy_of_any_order_agrees(frame: str, alpha: float) -> None:
    expected = holistic.generalized_entropy_index(*_outcomes(frame), alpha=alpha)
    assert _entropy(frame, alpha) == close(expected)


@pytest.mark.parametrize("frame", FRAMES)
def test_its_coefficient_of_variation_takes_the_2_out_of_the_root(frame: str) -> None:
    # 2·√GE₂ there, √(2·GE₂) here and in AIF360.
    there = holistic.coefficient_of_variation(*_outcomes(frame))
    assert our_value(frame, "coefficient_of_variation") == close(there / sqrt(2))


@pytest.mark.parametrize("frame", ["all accepted", "no positive label"])
def test_its_entropy_of_order_0_is_divided_by_the_mean_benefit_once_more(frame: str) -> None:
    mean = Comparison(FRAMES[frame], "d").benefit.mean()
    there = holistic.generalized_entropy_index(*_outcomes(frame), alpha=0)
    assert mean > 1
    assert _entropy(frame, 0) == close(there * mean)


@pytest.mark.parametrize("alpha", [-1, 0])
def test_orders_below_1_are_infinite_there_and_null_here_where_a_row_has_no_benefit(
    alpha: float,
) -> None:
    predicted, label = (values.astype(float) for values in _outcomes("balanced"))
    with np.errstate(divide="ignore"):
        assert holistic.generalized_entropy_index(predicted, label, alpha=alpha) == inf
    assert _entropy("balanced", alpha) is None


def test_entropies_are_nan_there_and_null_here_where_no_row_has_a_benefit() -> None:
    frame = pl.DataFrame({"label": [1, 1], "predicted": [0, 0]})
    with np.errstate(invalid="ignore"):
        there = holistic.generalized_entropy_index(frame["predicted"], frame["label"])
    assert number(there) is None
    assert fairness(frame).ge(label="label", predicted="predicted")["ge"].item() is None
