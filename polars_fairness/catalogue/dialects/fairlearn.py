"""Fairlearn's metrics: no sides, and a rate of no rows is 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

from polars_fairness.catalogue.dialects.entries import (
    COUNTED,
    NO_WEIGHTS,
    RATED,
    RATES_OF_LABELS,
    Of,
    Row,
    Tool,
    chosen,
    constant,
    first_or_smaller,
    quotient,
    rate,
)
from polars_fairness.formula.arithmetic import greatest, known
from polars_fairness.formula.formulas import Formula, across, across_measured, population
from polars_fairness.formula.groups import Largest
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.numbers import mean_square
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import Side, all_, g
from polars_fairness.formula.tree import Expression, choose

Method = Literal["between_groups", "to_overall"]
ZERO: Final = "a rate of no rows is 0 and takes part"
NAN: Final = "a ratio of two rates of 0 is nan"
UNKNOWN: Final = "rows whose group is missing are an error there, and in no group here"
ONE_GROUP: Final = "of one group alone a difference is 0 and a ratio 1"


def _loss(side: Side) -> Expression:
    return 1 - rate("accuracy", 0.0)(side)


def _gap(of: Of, method: Method) -> Expression:
    return chosen(
        "method",
        method,
        {
            "between_groups": of(g).max() - of(g).min(),
            "to_overall": (of(g) - of(all_)).abs().max(),
        },
    )


def _ratio(of: Of, method: Method) -> Expression:
    of_all = known(of(g) / of(all_))
    return chosen(
        "method",
        method,
        {
            "between_groups": known(of(g).min() / of(g).max()),
            "to_overall": choose(of_all > 1, 1 / of_all, of_all).min(),
        },
    )


def _mean(one: Expression, other: Expression) -> Expression:
    """The mean of two numbers, or the one that there is."""
    return choose(one.is_null(), other, choose(other.is_null(), one, (one + other) / 2))


def _difference_of(of: Of, *rates: str) -> Callable[..., Formula]:
    def formula(method: Method = "between_groups") -> Formula:
        largest = Largest("difference", rates) if rates and method == "between_groups" else None
        return across(_gap(of, method), largest=largest)

    return formula


def _ratio_of(of: Of, *rates: str) -> Callable[..., Formula]:
    def formula(method: Method = "between_groups") -> Formula:
        largest = Largest("ratio", rates) if rates and method == "between_groups" else None
        return across(_ratio(of, method), largest=largest)

    return formula


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


def _of_rates() -> Iterator[Row]:
    """The difference and the ratio of each rate, between groups or to all rows."""
    for function, name in (
        ("demographic_parity", "selection_rate"),
        ("equal_opportunity", "tpr"),
        ("selection_rate", "selection_rate"),
        ("true_positive_rate", "tpr"),
        ("true_negative_rate", "tnr"),
        ("false_positive_rate", "fpr"),
        ("false_negative_rate", "fnr"),
        ("accuracy_score", "accuracy"),
    ):
        symbol = RATES[name].symbol
        yield Row(
            f"{function}_difference",
            f"Largest difference of {RATES[name].title.lower()}",
            f"max − min of {symbol} over the groups",
            _difference_of(rate(name, 0.0), name),
            f"{name}_gap",
            (ZERO, ONE_GROUP, UNKNOWN),
            more={"range": (0, 1)},
        )
        yield Row(
            f"{function}_ratio",
            f"Smallest ratio of {RATES[name].title.lower()}",
            f"min / max of {symbol} over the groups",
            _ratio_of(rate(name, 0.0), name),
            f"{name}_ratio",
            (ZERO, NAN, ONE_GROUP, UNKNOWN),
            more={"range": (0, 1), "ideal": 1},
        )


def _of_all_rows() -> Iterator[Row]:
    """The rates of all rows."""
    for function, name in (
        ("selection_rate", "selection_rate"),
        ("mean_prediction", "selection_rate"),
        ("true_positive_rate", "tpr"),
        ("true_negative_rate", "tnr"),
        ("false_positive_rate", "fpr"),
        ("false_negative_rate", "fnr"),
    ):
        above, below = (part.sum() for part in RATES[name].sums(g.name))
        yield Row(
            function,
            f"{RATES[name].title} of all rows",
            f"{RATES[name].symbol} of all rows",
            constant(population(quotient(above, below, 0.0))),
            "selection_rate" if name == "selection_rate" else "",
            (ZERO,),
            more=RATED,
        )


def _worst_of_groups() -> Iterator[Row]:
    """The lowest score, or the highest loss, of a group."""
    recalls = _mean(g.tpr, g.tnr)
    squares, distance = mean_square(g), g.residual_distance / g.n
    score, loss = {"range": (0, 1), "ideal": 1}, {"range": (0, float("inf"))}
    for function, title, value, more in (
        ("accuracy_score_group_min", "accuracy", rate("accuracy", 0.0)(g).min(), score),
        (
            "precision_score_group_min",
            "positive predictive value",
            rate("ppv", 0.0)(g).min(),
            score,
        ),
        ("recall_score_group_min", "true positive rate", rate("tpr", 0.0)(g).min(), score),
        ("f1_score_group_min", "F1 score", rate("f1", 0.0)(g).min(), score),
        ("balanced_accuracy_score_group_min", "balanced accuracy", recalls.min(), score),
        ("zero_one_loss_group_max", "error rate", _loss(g).max(), {"range": (0, 1)}),
        ("mean_squared_error_group_max", "mean squared error", squares.max(), loss),
        ("mean_absolute_error_group_max", "mean absolute error", distance.max(), loss),
    ):
        end = "Lowest" if function.endswith("min") else "Highest"
        yield Row(
            function,
            f"{end} {title} of a group",
            f"{end.lower()} {title} over the groups",
            constant(across(value)),
            "worst_mse" if function.startswith("mean_squared") else "",
            (ZERO, UNKNOWN),
            more=more,
        )


_WORST: Final = ("the larger of the two differences; agg='mean' takes their mean",)
_AUC: Final = MEASURES["auc"]

TOOL: Final = Tool(
    name="fairlearn",
    title="Fairlearn",
    version="0.15.0",
    page="https://fairlearn.org/main/api_reference/generated/fairlearn.metrics.{function}.html",
    rows=(
        *_of_rates(),
        Row(
            "equalized_odds_difference",
            "Equalized odds, largest difference",
            "the larger of the gaps of tpr and fpr",
            _odds_difference,
            "equalized_odds_gap",
            (*_WORST, ZERO, ONE_GROUP, UNKNOWN),
            more={"range": (0, 1)},
        ),
        Row(
            "equalized_odds_ratio",
            "Equalized odds, smallest ratio",
            "the smaller of the ratios of tpr and fpr",
            _odds_ratio,
            "equalized_odds_ratio",
            (
                "a ratio of true positive rates that is nan is the result; one of false positive "
                "rates is left out",
                ZERO,
                NAN,
                UNKNOWN,
            ),
            more={"range": (0, 1), "ideal": 1},
        ),
        Row(
            "zero_one_loss_difference",
            "Largest difference of error rates",
            "max − min of 1 − acc over the groups",
            _difference_of(_loss),
            "accuracy_gap",
            (ONE_GROUP, UNKNOWN),
            more={"range": (0, 1)},
        ),
        Row(
            "zero_one_loss_ratio",
            "Smallest ratio of error rates",
            "min / max of 1 − acc over the groups",
            _ratio_of(_loss),
            "",
            (NAN, ONE_GROUP, UNKNOWN),
            more={"range": (0, 1), "ideal": 1},
        ),
        *_worst_of_groups(),
        Row(
            "roc_auc_score_group_min",
            "Lowest AUC of a group",
            "lowest AUC over the groups",
            constant(across_measured(_AUC.term.min(), _AUC)),
            "auc_gap",
            ("a group of one outcome has no AUC and is left out", UNKNOWN),
            more={"range": (0, 1), "ideal": 1},
        ),
        *_of_all_rows(),
        Row(
            "count",
            "Number of rows",
            "n of all rows",
            constant(population(g.n.sum())),
            more=COUNTED | NO_WEIGHTS,
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
)
