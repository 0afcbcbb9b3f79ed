"""Fairlearn's metrics: no sides, and a rate of no rows is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from polars_fairness.elsewhere.entries import (
    BEST_1,
    CONTRASTS,
    COUNTED,
    DISTANCE,
    NO_WEIGHTS,
    RATES_OF_LABELS,
    SHARE,
    Contrast,
    Number,
    Of,
    Row,
    Tool,
    Written,
    chosen,
    number,
    rows,
)
from polars_fairness.formula.formulas import Formula, across, across_measured, population
from polars_fairness.formula.levels import Largest
from polars_fairness.formula.numbers import mean_square
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import all_, g
from polars_fairness.formula.tree import Expression, choose, greatest, known, least

Method = Literal["between_groups", "to_overall"]
ZERO: Final = "a rate of no rows is 0 and takes part"
NAN: Final = "a ratio of two rates of 0 is nan"
UNKNOWN: Final = "rows whose group is missing are an error there, and in no group here"
ONE_GROUP: Final = "of one group alone a difference is 0 and a ratio 1"


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
    of: Number,
    contrast: Literal["difference", "ratio"],
    compare: Callable[[Of, Method], Expression],
) -> Written:
    """A contrast of groups, or of groups and all rows; between groups it is a largest one."""

    def formula(method: Method = "between_groups") -> Formula:
        is_largest = of.word and method == "between_groups"
        return across(
            compare(of, method), largest=Largest(contrast, (of.word,)) if is_largest else None
        )

    return formula


def _mean(one: Expression, other: Expression) -> Expression:
    """The mean of two numbers, or the one that there is."""
    return choose(one.is_null(), other, choose(other.is_null(), one, (one + other) / 2))


_TPR, _FPR = number("tpr", 0.0), number("fpr", 0.0)
Aggregate = Literal["worst_case", "mean"]


def _odds_difference(method: Method = "between_groups", agg: Aggregate = "worst_case") -> Formula:
    tpr, fpr = _gap(_TPR, method), _gap(_FPR, method)
    value = chosen("agg", agg, {"worst_case": greatest(tpr, fpr), "mean": (tpr + fpr) / 2})
    is_largest = method == "between_groups" and agg == "worst_case"
    return across(value, largest=Largest("difference", ("tpr", "fpr")) if is_largest else None)


def _odds_ratio(method: Method = "between_groups", agg: Aggregate = "worst_case") -> Formula:
    tpr, fpr = _ratio(_TPR, method), _ratio(_FPR, method)
    # Python's min: undefined if the first is, else it leaves out the other.
    worst = choose(~tpr.is_null(), least(tpr, fpr))
    return across(chosen("agg", agg, {"worst_case": worst, "mean": _mean(tpr, fpr)}))


_HIGHEST: Final = "highest {x} over the groups"
_CONTRASTS: Final = CONTRASTS | {
    "max-min": Contrast("max − min of {x} over the groups",
                        lambda of: _contrasted(of, "difference", _gap), SHARE),
    "min/max": Contrast("min / max of {x} over the groups",
                        lambda of: _contrasted(of, "ratio", _ratio), BEST_1),
    "min": Contrast("lowest {x} over the groups", lambda of: across(of(g).min()), BEST_1),
    "max": Contrast(_HIGHEST, lambda of: across(of(g).max()), DISTANCE),
    "max<1": Contrast(_HIGHEST, lambda of: across(of(g).max()), SHARE),
}  # fmt: skip
_WORDS: Final = {
    "max-min": (ONE_GROUP, UNKNOWN),
    "min/max": (NAN, ONE_GROUP, UNKNOWN),
    **dict.fromkeys(("min", "max", "max<1"), (UNKNOWN,)),
    "0": (ZERO,),
}
_NUMBERS: Final = {
    "loss": Number("(1 − acc)", lambda side: 1 - number("accuracy", 0.0)(side)),
    "recalls": Number("mean of tpr and tnr", lambda side: _mean(side.tpr, side.tnr)),
    "squares": Number("mse", mean_square),
    "distance": Number("mae", lambda side: side.residual_distance / side.n),
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
        *rows(_OF_RATES, _WORDS, _CONTRASTS),
        Row("equalized_odds_difference", "the larger of the gaps of tpr and fpr",
            _odds_difference, "equalized_odds_gap",
            "the larger of the two differences; agg='mean' takes their mean", ZERO, ONE_GROUP,
            UNKNOWN, **SHARE),
        Row("equalized_odds_ratio", "the smaller of the ratios of tpr and fpr", _odds_ratio,
            "equalized_odds_ratio",
            "a ratio of true positive rates that is nan is the result; one of false positive "
            "rates is left out", ZERO, NAN, UNKNOWN, **BEST_1),
        *rows(_OF_LOSSES, _WORDS, _CONTRASTS, _NUMBERS),
        Row("roc_auc_score_group_min", "lowest AUC over the groups",
            across_measured(_AUC.term.min(), _AUC), "auc_gap",
            "a group of one outcome has no AUC and is left out", UNKNOWN, **BEST_1),
        Row("count", "n of all rows", population(g.n.sum()), **COUNTED, **NO_WEIGHTS),
    ),
    without={
        "it holds any metric of groups; rates and metrics have their values": "MetricFrame",
        "it makes metrics; pf.Metric does so here": "make_derived_metric",
        "it draws; pf.chart does so here": "plot_model_comparison",
        "it draws; pf.chart of rates does so here": "plot_roc_curve_by_group",
        "it needs the logarithm of each score, not counts": "log_loss_group_max",
        "a group whose numbers are all equal is 0 or 1 there by rounding": "r2_score_group_min",
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
