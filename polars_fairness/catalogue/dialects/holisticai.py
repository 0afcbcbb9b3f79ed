"""HolisticAI's metrics: `group_a`, our a, minus or over `group_b`, our d. It reads no weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from polars_fairness.catalogue.dialects.entries import Of, Row, Tool, Written, entropy_of_rows, rate
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import INFINITY, least, unbounded_ratio
from polars_fairness.formula.formulas import Formula, over_scores, population
from polars_fairness.formula.metric import ANY
from polars_fairness.formula.numbers import (
    centred_mean,
    correlation,
    mean,
    mean_distance,
    mean_square,
    root_mean_square,
    variance,
)
from polars_fairness.formula.scores import auc
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s, g
from polars_fairness.formula.tree import Expression, choose, literal

A_MINUS_D: Final = "group_a minus group_b: a − d"
A_OVER_D: Final = "group_a over group_b: a / d"
OVER_ZERO: Final = "x/0 is infinite, 0/0 is nan"
ZERO: Final = "a rate of no rows is 0"
ALONE: Final = "an error if all labels and predictions of a side are one value; null here"
OF_ALL: Final = "of all rows, as with q=0"
QUANTILE: Final = "a score that reaches the quantile counts; quantiles are those of both sides"

RATIO: Final[dict[str, Any]] = {"range": (0, INFINITY), "ideal": 1}
TENTH: Final[dict[str, Any]] = {"range": (-1, 1), "acceptable": (-0.1, 0.1)}
FIFTH: Final[dict[str, Any]] = {**RATIO, "acceptable": (0.8, 1.2)}
TEST: Final[dict[str, Any]] = {"range": ANY, "acceptable": (-2, 2), "has_interval": False}


_difference: Final = a.selection_rate - d.selection_rate
_quotient: Final = unbounded_ratio(a.selection_rate, d.selection_rate)
_squares: Final = ((side.n - 1) * side.accepted * side.rejected / side.n**2 for side in (a, d))
_deviation: Final = (sum(_squares, literal(0.0)) / (both.n - 2)).sqrt()
_balance: Final = both.n * a.n * d.n


def _of_predictions() -> Iterator[Row]:
    for function, title, definition, formula, ours, own, more in (
        (
            "statistical_parity", "Statistical parity", "q'a − q'd",
            _difference, "dppl", A_MINUS_D, TENTH,
        ),
        (
            "disparate_impact", "Disparate impact", "q'a / q'd",
            _quotient, "success_ratio", A_OVER_D, FIFTH,
        ),
        (
            "four_fifths", "Four-fifths rule", "min(q'a / q'd, q'd / q'a)",
            least(_quotient, unbounded_ratio(d.selection_rate, a.selection_rate)),
            "four_fifths", "either side first",
            {"range": (0, 1), "ideal": 1, "acceptable": (0.8, 1), "sign": 0},
        ),
        (
            "cohen_d", "Cohen's d", "(q'a − q'd) / s, s the pooled deviation",
            _difference / _deviation, "cohens_d", A_MINUS_D, {"range": ANY},
        ),
        (
            "z_test_diff", "Two-standard-deviations rule, on the difference",
            "(q'a − q'd) / √(q'(1−q') / (N·P(1−P)))",
            _difference / (both.accepted * both.rejected / _balance).sqrt(),
            "two_sd", A_MINUS_D, TEST,
        ),
        (
            "z_test_ratio", "Two-standard-deviations rule, on the log ratio",
            "ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P)))",
            _quotient.log() / (both.rejected * both.n**2 / (both.accepted * _balance)).sqrt(),
            "z_ratio", A_MINUS_D, TEST,
        ),
    ):  # fmt: skip
        yield Row(function, title, definition, formula, ours, own, OVER_ZERO, **more)


def _in_matrix(word: str, alone: float | None = None) -> Of:
    """A rate as scikit-learn's matrix has it, which has one cell if all outcomes are one value."""

    def of(side: Side) -> Expression:
        is_alone = (side.tp == side.n) | (side.tn == side.n)
        found = rate(word, 0.0)(side)
        return choose(is_alone, literal(alone), found)

    return of


def _apart(of: Of) -> Expression:
    return of(a) - of(d)


def _of_labels() -> Iterator[Row]:
    for function, of, symbol, ours, own in (
        ("equal_opportunity_diff", _in_matrix("tpr"), "tpr", "rd", ALONE),
        ("false_positive_rate_diff", _in_matrix("fpr"), "fpr", "sd", ALONE),
        ("false_negative_rate_diff", _in_matrix("fnr"), "fnr", "fnr_difference", ALONE),
        (
            "true_negative_rate_diff", _in_matrix("tnr", 1.0), "tnr", "sd",
            "the rate is 1 if all labels and predictions of a side are one value, even if positive",
        ),
        ("accuracy_diff", rate("accuracy"), "acc", "ad", "predictions, called y_score there"),
    ):  # fmt: skip
        yield Row(
            function, f"Difference of {symbol}", f"{symbol}_a − {symbol}_d",
            _apart(of), ours, A_MINUS_D, own, *([] if symbol == "acc" else [ZERO]), range=(-1, 1),
        )  # fmt: skip
    yield Row(
        "average_odds_diff", "Average odds difference", "((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2",
        (_apart(_in_matrix("tpr")) + _apart(_in_matrix("fpr"))) / 2,
        "average_odds_difference", A_MINUS_D, ALONE, ZERO, **TENTH,
    )  # fmt: skip
    yield Row(
        "abroca", "Difference of AUC", "AUC_a − AUC_d",
        over_scores(auc(a_s, a_s) - auc(d_s, d_s)), "auc_difference", A_MINUS_D,
        "not the area between the curves, but the difference of two areas", range=(-1, 1),
    )  # fmt: skip


def _of_benefits() -> Iterator[Row]:
    for function, title, formula, ours, own in (
        (
            "generalized_entropy_index", "Generalized entropy", entropy_of_rows, "ge",
            "order 0 is divided by the mean benefit once more",
        ),
        ("theil_index", "Theil index", entropy_of_rows(1), "theil", "rows of all groups"),
        (
            "coefficient_of_variation", "Coefficient of variation",
            population(2 * entropy_of_rows(2).expression.clip(lower=0).sqrt()),
            "coefficient_of_variation", "2·√GE₂, which is √2 times the coefficient",
        ),
    ):  # fmt: skip
        yield Row(
            function, f"{title} of the benefits of rows", "of b = y' − y + 1",
            formula, ours, own, range=(0, INFINITY),
        )  # fmt: skip


_rows: Final = a_s.n.sum() + d_s.n.sum()
_last: Final = (a_s.n + d_s.n).running_sum() - 1
"""The place of the last row of a score among all, by rising score, from 0."""


def _share_from(side: Side) -> Expression:
    """The share of a side with this score or a higher one."""
    return (side.n.sum() - side.n.running_sum() + side.n) / side.n.sum()


# Of 150 quantiles from lowest to highest, those above all lower scores and up to this score.
_up_to: Final = (_last * 149 / (_rows - 1)).floor()
_quantiles: Final = _up_to - choose(_up_to.previous().is_null(), -1, _up_to.previous())
_between: Final = (_share_from(a_s) - _share_from(d_s)).abs()


def _of_best(value: Callable[[Expression, Expression], Expression], quantile: float) -> Written:
    """A value of the shares of both sides with scores from a quantile of all scores."""

    def formula(q: float = quantile) -> Formula:
        q = require_number("q", q, "a number from 0 to 1", least=0, most=1)
        is_best = _last >= q * (_rows - 1)
        shares = (choose(is_best, side.n).sum() / side.n.sum() for side in (a_s, d_s))
        return over_scores(value(*shares))

    return formula


def _of_scores() -> Iterator[Row]:
    of_best = "the share of a side at or above the quantile q of all scores"
    yield Row(
        "disparate_impact_regression", "Ratio of shares among the highest scores",
        f"s_a / s_d, {of_best}", _of_best(unbounded_ratio, 0.8),
        "success_ratio", A_OVER_D, QUANTILE, OVER_ZERO, **FIFTH,
    )  # fmt: skip
    yield Row(
        "statistical_parity_regression", "Difference of shares among the highest scores",
        f"s_a − s_d, {of_best}", _of_best(lambda one, other: one - other, 0.5),
        "dppl", A_MINUS_D, QUANTILE, range=(-1, 1),
    )  # fmt: skip
    of_150 = "of 150 quantiles, evenly spaced"
    for function, title, definition, value, ours, band in (
        (
            "max_statistical_parity", "Largest difference of shares over quantiles",
            "max |s_a − s_d|", choose(_quantiles > 0, _between).max(), "score_ks", 0.1,
        ),
        (
            "statistical_parity_auc", "Mean difference of shares over quantiles",
            "mean |s_a − s_d|", (_quantiles * _between).sum() / 150, "score_wasserstein", 0.075,
        ),
    ):  # fmt: skip
        yield Row(
            function, title, f"{definition} {of_150}", over_scores(value), ours, QUANTILE,
            "rounding there may put a quantile above the score that it is",
            range=(0, 1), acceptable=(0, band), sign=0,
        )  # fmt: skip


_means_apart: Final = _apart(centred_mean("estimated"))
_sum_of_squares: Final = sum(
    ((side.n - 1) * (variance("estimated")(side) * (side.n - 1) / side.n) for side in (a, d)),
    literal(0.0),
)
_pooled: Final = (_sum_of_squares / (both.n - 2)).sqrt()


def _of_numbers() -> Iterator[Row]:
    for function, title, definition, formula, ours, own, more in (
        (
            "avg_score_diff", "Difference of mean estimates", "ē_a − ē_d",
            _means_apart, "estimate_difference", A_MINUS_D, {},
        ),
        (
            "avg_score_ratio", "Ratio of mean estimates", "ē_a / ē_d",
            unbounded_ratio(mean("estimated")(a), mean("estimated")(d)), "estimate_ratio",
            A_OVER_D, {"ideal": 1, "acceptable": (0.8, 1.25), "sign": 1},
        ),
        (
            "zscore_diff", "Standardized difference of estimates",
            "(ē_a − ē_d) / s, s² = Σ (n − 1)·v / (n_a + n_d − 2)",
            _means_apart / _pooled, "estimate_smd", "v has the divisor n, not n − 1", {},
        ),
        (
            "rmse_ratio", "Ratio of root mean squared errors", "rmse_a / rmse_d",
            unbounded_ratio(root_mean_square(a), root_mean_square(d)), "rmse_ratio",
            A_OVER_D, RATIO,
        ),
        (
            "mae_ratio", "Ratio of mean absolute errors", "mae_a / mae_d",
            unbounded_ratio(mean_distance(a), mean_distance(d)), "mae_ratio", A_OVER_D, RATIO,
        ),
        (
            "correlation_diff", "Difference of correlations", "ρ_a − ρ_d",
            _apart(correlation), "correlation_difference", A_MINUS_D, {"range": (-2, 2)},
        ),
    ):  # fmt: skip
        yield Row(function, title, definition, formula, ours, own, OF_ALL, **more)
    evenness = unbounded_ratio(mean_distance(g) ** 2, mean_square(g))
    yield Row(
        "jain_index", "Jain's index of the errors", "(Σ|e|)² / (n·Σe²) of all rows",
        population(choose(mean_square(g) == 0, 1.0, evenness).max()),
        "", "1 if there is no error", range=(0, 1), ideal=1,
    )  # fmt: skip


_CLASSES: Final = "it compares several classes at once; classes='each' compares each of them"
_MATRIX: Final = "it has a number for each class; confusions has the counts"
_TWO: Final = "it has two numbers, those of the sides; rates has them"

TOOL: Final = Tool(
    name="holisticai",
    title="HolisticAI",
    version="1.0.14",
    page="https://github.com/holistic-ai/holisticai/tree/main/src/holisticai/bias/metrics",
    rows=(*_of_predictions(), *_of_labels(), *_of_benefits(), *_of_scores(), *_of_numbers()),
    reasons={
        "success_rate": _TWO,
        "success_rate_regression": _TWO,
        "no_disparate_impact_level": "it gives a score, not a number of groups; choose finds it",
        "consistency_score": "it compares individuals; 'consistency' is ours",
        **dict.fromkeys(
            ("classification_bias_metrics", "regression_bias_metrics", "multiclass_bias_metrics"),
            "it is a table of metrics; give their names",
        ),
        **dict.fromkeys(
            (
                "multiclass_equality_of_opp", "multiclass_average_odds", "multiclass_true_rates",
                "multiclass_statistical_parity",
            ),
            _CLASSES,
        ),
        **dict.fromkeys(
            (
                "confusion_matrix", "confusion_tensor", "frequency_matrix", "accuracy_matrix",
                "precision_matrix", "recall_matrix",
            ),
            _MATRIX,
        ),
        **dict.fromkeys(
            (
                "recommender_bias_metrics", "aggregate_diversity", "gini_index",
                "avg_recommendation_popularity", "exposure_l1", "exposure_kl", "exposure_entropy",
                "mad_score", "avg_precision_ratio", "avg_recall_ratio", "avg_f1_ratio",
                "recommender_rmse_ratio", "recommender_mae_ratio",
            ),
            "it is about recommended items, not about outcomes of rows",
        ),
        **dict.fromkeys(
            (
                "clustering_bias_metrics", "cluster_balance", "min_cluster_ratio",
                "cluster_dist_l1", "cluster_dist_kl", "cluster_dist_entropy",
                "social_fairness_ratio", "silhouette_diff",
            ),
            "it is about clusters, not about outcomes of rows",
        ),
    },
    columns={"selection_rate": "success_rate"},
    takes_weights=False,
)  # fmt: skip
