"""HolisticAI's metrics: `group_a`, our a, minus or over `group_b`, our d. It reads no weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from polars_fairness.elsewhere.entries import (
    BEST_1,
    CONTRASTS,
    DISTANCE,
    RATIO,
    SHARE,
    SPAN,
    Number,
    Row,
    Tool,
    Written,
    entropy_of_rows,
    number,
    rows,
)
from polars_fairness.errors import require_number
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
from polars_fairness.formula.tree import Expression, choose, least, literal, unbounded_ratio

A_MINUS_D: Final = "group_a minus group_b: a − d"
A_OVER_D: Final = "group_a over group_b: a / d"
OVER_ZERO: Final = "x/0 is infinite, 0/0 is nan"
ZERO: Final = "a rate of no rows is 0"
ALONE: Final = "an error if all labels and predictions of a side are one value; null here"
OF_ALL: Final = "of all rows, as with q=0"
QUANTILE: Final = "a score that reaches the quantile counts; quantiles are those of both sides"
_OF_150: Final = "rounding there may put a quantile above the score that it is"

TENTH: Final[dict[str, Any]] = SPAN | {"acceptable": (-0.1, 0.1)}
FIFTH: Final[dict[str, Any]] = RATIO | {"acceptable": (0.8, 1.2)}
TEST: Final[dict[str, Any]] = {"range": ANY, "acceptable": (-2, 2), "has_interval": False}


def _matrix_rate(word: str, alone: float | None = None) -> Number:
    """A rate as scikit-learn's matrix has it, which has one cell if all outcomes are one value."""
    rate = number(word, 0.0)

    def formula(side: Side) -> Expression:
        return choose((side.tp == side.n) | (side.tn == side.n), literal(alone), rate(side))

    return Number(word, formula)


# Function, number, contrast, 0/0, the nearest metric here.
_OF_LABELS: Final = """
equal_opportunity_diff   tpr      a-d alone rd
false_positive_rate_diff fpr      a-d alone sd
false_negative_rate_diff fnr      a-d alone fnr_difference
true_negative_rate_diff  tnr      a-d one   sd
accuracy_diff            accuracy a-d -     ad
"""
_MATRIX: Final = {word: _matrix_rate(word) for word in ("tpr", "fpr", "fnr")} | {
    "tnr": _matrix_rate("tnr", 1.0)
}
_WORDS: Final = {
    "a-d": (A_MINUS_D,),
    "-": ("predictions, called y_score there",),
    "alone": (ALONE, ZERO),
    "one": (
        "the rate is 1 if all labels and predictions of a side are one value, even if positive",
        ZERO,
    ),
}
_true, _false = (_MATRIX[word](a) - _MATRIX[word](d) for word in ("tpr", "fpr"))
_difference: Final = a.selection_rate - d.selection_rate
_quotient: Final = unbounded_ratio(a.selection_rate, d.selection_rate)
_squares: Final = ((side.n - 1) * side.accepted * side.rejected / side.n**2 for side in (a, d))
_deviation: Final = (sum(_squares, literal(0.0)) / (both.n - 2)).sqrt()
_balance: Final = both.n * a.n * d.n

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


def _best_shares(value: Callable[[Expression, Expression], Expression], quantile: float) -> Written:
    """A value of the shares of both sides with scores from a quantile of all scores."""

    def formula(q: float = quantile) -> Formula:
        q = require_number("q", q, "a number from 0 to 1", least=0, most=1)
        is_best = _last >= q * (_rows - 1)
        shares = (choose(is_best, side.n).sum() / side.n.sum() for side in (a_s, d_s))
        return over_scores(value(*shares))

    return formula


_means_apart: Final = centred_mean("estimated")(a) - centred_mean("estimated")(d)
_sum_of_squares: Final = sum(
    ((side.n - 1) * (variance("estimated")(side) * (side.n - 1) / side.n) for side in (a, d)),
    literal(0.0),
)
_pooled: Final = (_sum_of_squares / (both.n - 2)).sqrt()
_evenness: Final = unbounded_ratio(mean_distance(g) ** 2, mean_square(g))

TOOL: Final = Tool(
    name="holisticai",
    title="HolisticAI",
    version="1.0.14",
    page="https://github.com/holistic-ai/holisticai/tree/main/src/holisticai/bias/metrics",
    rows=(
        Row("statistical_parity", "q'a − q'd", _difference, "dppl", A_MINUS_D, OVER_ZERO, **TENTH),
        Row("disparate_impact", "q'a / q'd", _quotient, "success_ratio", A_OVER_D, OVER_ZERO,
            **FIFTH),
        Row("four_fifths", "min(q'a / q'd, q'd / q'a)",
            least(_quotient, unbounded_ratio(d.selection_rate, a.selection_rate)), "four_fifths",
            "either side first", OVER_ZERO, **BEST_1, acceptable=(0.8, 1), sign=0),
        Row("cohen_d", "(q'a − q'd) / s, s the pooled deviation", _difference / _deviation,
            "cohens_d", A_MINUS_D, OVER_ZERO, range=ANY),
        Row("z_test_diff", "(q'a − q'd) / √(q'(1−q') / (N·P(1−P)))",
            _difference / (both.accepted * both.rejected / _balance).sqrt(),
            "two_sd", A_MINUS_D, OVER_ZERO, **TEST),
        Row("z_test_ratio", "ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P)))",
            _quotient.log() / (both.rejected * both.n**2 / (both.accepted * _balance)).sqrt(),
            "z_ratio", A_MINUS_D, OVER_ZERO, **TEST),
        *rows(_OF_LABELS, _WORDS, CONTRASTS, _MATRIX),
        Row("average_odds_diff", "((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2", (_true + _false) / 2,
            "average_odds_difference", A_MINUS_D, ALONE, ZERO, **TENTH),
        Row("abroca", "AUC_a − AUC_d", over_scores(auc(a_s, a_s) - auc(d_s, d_s)),
            "auc_difference", A_MINUS_D,
            "not the area between the curves, but the difference of two areas", **SPAN),
        Row("generalized_entropy_index", "of b = y' − y + 1 of rows",
            entropy_of_rows, "ge", "order 0 is divided by the mean benefit once more", **DISTANCE),
        Row("theil_index", "of b = y' − y + 1 of rows", entropy_of_rows(1),
            "theil", "rows of all groups", **DISTANCE),
        Row("coefficient_of_variation", "2·√GE₂ of b = y' − y + 1 of rows",
            population(2 * entropy_of_rows(2).expression.clip(lower=0).sqrt()),
            "coefficient_of_variation", "√2 times the coefficient", **DISTANCE),
        Row("disparate_impact_regression", "s_a / s_d, shares from the quantile q of all scores",
            _best_shares(unbounded_ratio, 0.8), "success_ratio", A_OVER_D, QUANTILE, OVER_ZERO,
            **FIFTH),
        Row("statistical_parity_regression",
            "s_a − s_d, shares from the quantile q of all scores",
            _best_shares(lambda one, other: one - other, 0.5), "dppl", A_MINUS_D, QUANTILE, **SPAN),
        Row("max_statistical_parity", "max |s_a − s_d| of 150 quantiles, evenly spaced",
            over_scores(choose(_quantiles > 0, _between).max()), "score_ks", QUANTILE, _OF_150,
            **SHARE, acceptable=(0, 0.1), sign=0),
        Row("statistical_parity_auc", "mean |s_a − s_d| of 150 quantiles, evenly spaced",
            over_scores((_quantiles * _between).sum() / 150), "score_wasserstein", QUANTILE,
            _OF_150, **SHARE, acceptable=(0, 0.075), sign=0),
        Row("avg_score_diff", "ē_a − ē_d, the mean estimates", _means_apart, "estimate_difference",
            A_MINUS_D, OF_ALL),
        Row("avg_score_ratio", "ē_a / ē_d, the mean estimates",
            unbounded_ratio(mean("estimated")(a), mean("estimated")(d)), "estimate_ratio",
            A_OVER_D, OF_ALL, ideal=1, acceptable=(0.8, 1.25), sign=1),
        Row("zscore_diff", "(ē_a − ē_d) / s, s² = Σ (n − 1)·v / (n_a + n_d − 2)",
            _means_apart / _pooled, "estimate_smd", "v has the divisor n, not n − 1", OF_ALL),
        *(
            Row(f"{word}_ratio", f"{word}_a / {word}_d", unbounded_ratio(of(a), of(d)),
                f"{word}_ratio", A_OVER_D, OF_ALL, **RATIO)
            for word, of in (("rmse", root_mean_square), ("mae", mean_distance))
        ),
        Row("correlation_diff", "ρ_a − ρ_d", correlation(a) - correlation(d),
            "correlation_difference", A_MINUS_D, OF_ALL, range=(-2, 2)),
        Row("jain_index", "(Σ|e|)² / (n·Σe²) of all rows",
            population(choose(mean_square(g) == 0, 1.0, _evenness).max()),
            "", "1 if there is no error", **BEST_1),
    ),
    without={
        "it has two numbers, those of the sides; rates has them":
            "success_rate success_rate_regression",
        "it gives a score, not a number of groups; choose finds it": "no_disparate_impact_level",
        "it compares individuals; 'consistency' is ours": "consistency_score",
        "it is a table of metrics; give their names":
            "classification_bias_metrics regression_bias_metrics multiclass_bias_metrics",
        "it compares several classes at once; classes='each' compares each of them":
            "multiclass_equality_of_opp multiclass_average_odds multiclass_true_rates "
            "multiclass_statistical_parity",
        "it has a number for each class; confusions has the counts":
            "confusion_matrix confusion_tensor frequency_matrix accuracy_matrix precision_matrix "
            "recall_matrix",
        "it is about recommended items, not about outcomes of rows":
            "recommender_bias_metrics aggregate_diversity gini_index avg_recommendation_popularity "
            "exposure_l1 exposure_kl exposure_entropy mad_score avg_precision_ratio "
            "avg_recall_ratio avg_f1_ratio recommender_rmse_ratio recommender_mae_ratio",
        "it is about clusters, not about outcomes of rows":
            "clustering_bias_metrics cluster_balance min_cluster_ratio cluster_dist_l1 "
            "cluster_dist_kl cluster_dist_entropy social_fairness_ratio silhouette_diff",
    },
    columns={"selection_rate": "success_rate"},
    takes_weights=False,
)  # fmt: skip
