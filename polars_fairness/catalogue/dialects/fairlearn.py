"""Fairlearn's metrics: no sides, and a rate of no rows is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from polars_fairness.catalogue.dialects.entries import (
    COUNTED,
    RATED,
    RATES_OF_LABELS,
    Contrast,
    Number,
    Of,
    Row,
    Tool,
    Written,
    chosen,
    first_or_smaller,
    rate,
    rows,
)
from polars_fairness.formula.arithmetic import INFINITY, greatest, known
from polars_fairness.formula.formulas import Formula, across, across_measured, population
from polars_fairness.formula.groups import Largest
from polars_fairness.formula.numbers import mean_square
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import all_, g
from polars_fairness.formula.tree import Expression, choose

Method = Literal["between_groups", "to_overall"]
ZERO: Final = "a rate of no rows is 0 and takes part"
NAN: Final = "a ratio of two rates of 0 is nan"
UNKNOWN: Final = "rows whose group is missing are an error there, and in no group here"
ONE_GROUP: Final = "of one group alone a difference is 0 and a ratio 1"
SHARE: Final[dict[str, Any]] = {"range": (0, 1)}
BEST_1: Final[dict[str, Any]] = SHARE | {"ideal": 1}


def _gap(of: Of, method: Method) -> Expression:
    values = {
        "between_groups": of(g).max() - of(g).min(),
        "to_overall": (of(g) - of(all_)).abs().max(),
    }
    return chosen("method", method, values)


def _ratio(of: Of, method: Method) -> Expression:
    of_all = known(of(g) / of(all_))
    values = {
        "between_groups": known(of(g).min() / of(g).max()),
        "to_overall": choose(of_all > 1, 1 / of_all, of_all).min(),
    }
    return chosen("method", method, values)


def _contrasted(
    contrast: Literal["difference", "ratio"], compare: Callable[[Of, Method], Expression]
) -> Callable[[Number], Written]:
    """A contrast of groups, or of groups and all rows; between groups it is a largest one."""

    def of_number(number: Number) -> Written:
        def formula(method: Method = "between_groups") -> Formula:
            is_largest = number.word and method == "between_groups"
            largest = Largest(contrast, (number.word,)) if is_largest else None
            return across(compare(number.of, method), largest=largest)

        return formula

    return of_number


def _mean(one: Expression, other: Expression) -> Expression:
    """The mean of two numbers, or the one that there is."""
    return choose(one.is_null(), other, choose(other.is_null(), one, (one + other) / 2))


_TPR, _FPR = rate("tpr", 0.0), rate("fpr", 0.0)


def _odds_difference(
    method: Method = "between_groups", agg: Literal["worst_case", "mean"] = "worst_case"
) -> Formula:
    tpr, fpr = _gap(_TPR, method), _gap(_FPR, method)
    value = chosen("agg", agg, {"worst_case": greatest(tpr, fpr), "mean": (tpr + fpr) / 2})
    is_largest = method == "between_groups" and agg == "worst_case"
    return across(value, largest=Largest("difference", ("tpr", "fpr")) if is_largest else None)


def _odds_ratio(
    method: Method = "between_groups", agg: Literal["worst_case", "mean"] = "worst_case"
) -> Formula:
    tpr, fpr = _ratio(_TPR, method), _ratio(_FPR, method)
    both = {"worst_case": first_or_smaller(tpr, fpr), "mean": _mean(tpr, fpr)}
    return across(chosen("agg", agg, both))


_HIGHEST: Final = (
    "Highest {number} of a group", "highest {number} over the groups",
    lambda number: across(number.of(g).max()), (UNKNOWN,),
)  # fmt: skip
_CONTRASTS: Final = {
    "max-min": Contrast(
        "Largest difference of {number}", "max − min of {x} over the groups",
        _contrasted("difference", _gap),
        (ONE_GROUP, UNKNOWN), SHARE,
    ),
    "min/max": Contrast(
        "Smallest ratio of {number}", "min / max of {x} over the groups",
        _contrasted("ratio", _ratio),
        (NAN, ONE_GROUP, UNKNOWN), BEST_1,
    ),
    "min": Contrast(
        "Lowest {number} of a group", "lowest {number} over the groups",
        lambda number: across(number.of(g).min()), (UNKNOWN,), BEST_1,
    ),
    "max": Contrast(*_HIGHEST, {"range": (0, INFINITY)}),
    "max<1": Contrast(*_HIGHEST, SHARE),
    "all": Contrast(
        "{Number} of all rows", "{x} of all rows",
        lambda number: population(number.of(g).max()), (), RATED,
    ),
}  # fmt: skip
_NUMBERS: Final = {
    "loss": Number("error rate", "1 − acc", lambda side: 1 - rate("accuracy", 0.0)(side)),
    "f1": Number("F1 score", "f1", rate("f1", 0.0)),
    "recalls": Number("balanced accuracy", "recalls", lambda side: _mean(side.tpr, side.tnr)),
    "squares": Number("mean squared error", "mse", mean_square),
    "distance": Number("mean absolute error", "mae", lambda side: side.residual_distance / side.n),
}
# Function, number, contrast, 0/0, the nearest metric here.
_OF_RATES: Final = """
demographic_parity_difference     selection_rate max-min 0 selection_rate_gap
demographic_parity_ratio          selection_rate min/max 0 selection_rate_ratio
equal_opportunity_difference      tpr            max-min 0 tpr_gap
equal_opportunity_ratio           tpr            min/max 0 tpr_ratio
selection_rate_difference         selection_rate max-min 0 selection_rate_gap
selection_rate_ratio              selection_rate min/max 0 selection_rate_ratio
true_positive_rate_difference     tpr            max-min 0 tpr_gap
true_positive_rate_ratio          tpr            min/max 0 tpr_ratio
true_negative_rate_difference     tnr            max-min 0 tnr_gap
true_negative_rate_ratio          tnr            min/max 0 tnr_ratio
false_positive_rate_difference    fpr            max-min 0 fpr_gap
false_positive_rate_ratio         fpr            min/max 0 fpr_ratio
false_negative_rate_difference    fnr            max-min 0 fnr_gap
false_negative_rate_ratio         fnr            min/max 0 fnr_ratio
accuracy_score_difference         accuracy       max-min 0 accuracy_gap
accuracy_score_ratio              accuracy       min/max 0 accuracy_ratio
"""
# Function, number, contrast, 0/0, the nearest metric here.
_OF_LOSSES: Final = """
zero_one_loss_difference          loss           max-min - accuracy_gap
zero_one_loss_ratio               loss           min/max - -
accuracy_score_group_min          accuracy       min     0 -
precision_score_group_min         ppv            min     0 -
recall_score_group_min            tpr            min     0 -
f1_score_group_min                f1             min     0 -
balanced_accuracy_score_group_min recalls        min     0 -
zero_one_loss_group_max           loss           max<1   0 -
mean_squared_error_group_max      squares        max     0 worst_mse
mean_absolute_error_group_max     distance       max     0 -
selection_rate                    selection_rate all     0 selection_rate
mean_prediction                   selection_rate all     0 selection_rate
true_positive_rate                tpr            all     0 -
true_negative_rate                tnr            all     0 -
false_positive_rate               fpr            all     0 -
false_negative_rate               fnr            all     0 -
"""
_AUC: Final = MEASURES["auc"]

TOOL: Final = Tool(
    name="fairlearn",
    title="Fairlearn",
    version="0.15.0",
    page="https://fairlearn.org/main/api_reference/generated/fairlearn.metrics.{function}.html",
    rows=(
        *rows(_OF_RATES, _CONTRASTS, {"0": ZERO}),
        Row(
            "equalized_odds_difference", "Equalized odds, largest difference",
            "the larger of the gaps of tpr and fpr", _odds_difference, "equalized_odds_gap",
            "the larger of the two differences; agg='mean' takes their mean", ZERO, ONE_GROUP,
            UNKNOWN, **SHARE,
        ),
        Row(
            "equalized_odds_ratio", "Equalized odds, smallest ratio",
            "the smaller of the ratios of tpr and fpr", _odds_ratio, "equalized_odds_ratio",
            "a ratio of true positive rates that is nan is the result; one of false positive "
            "rates is left out", ZERO, NAN, UNKNOWN, **BEST_1,
        ),
        *rows(_OF_LOSSES, _CONTRASTS, {"0": ZERO}, _NUMBERS),
        Row(
            "roc_auc_score_group_min", "Lowest AUC of a group", "lowest AUC over the groups",
            across_measured(_AUC.term.min(), _AUC), "auc_gap",
            "a group of one outcome has no AUC and is left out", UNKNOWN, **BEST_1,
        ),
        Row(
            "count", "Number of rows", "n of all rows", population(g.n.sum()), **COUNTED,
            takes_weights=False,
        ),
    ),
    reasons={
        "MetricFrame": "it holds any metric of groups; rates and metrics have their values",
        "make_derived_metric": "it makes metrics; pf.Metric does so here",
        "plot_model_comparison": "it draws; pf.chart does so here",
        "plot_roc_curve_by_group": "it draws; pf.chart of rates does so here",
        "log_loss_group_max": "it needs the logarithm of each score, not counts",
        "r2_score_group_min": "a group whose numbers are all equal is 0 or 1 there by rounding",
    },
    columns={
        "n": "count",
        **RATES_OF_LABELS,
        "ppv": "precision_score",
        "accuracy": "accuracy_score",
        "f1": "f1_score",
        "auc": "roc_auc_score",
    },
)  # fmt: skip
