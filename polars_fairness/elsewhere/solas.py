"""The ratios and differences of solas-ai: protected group, our d, and reference group, our a."""

from __future__ import annotations

from typing import Final, Literal

from polars_fairness.elsewhere.entries import RATIO, Row, Tool, chosen, rows
from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.scores import mean_score, overshoot, variance
from polars_fairness.formula.sides import Side, a, a_s, d, d_s
from polars_fairness.formula.tree import Expression

OVER_ZERO: Final = "x/0 is infinite, 0/0 is nan, and so is a rate of no rows"
HUNDRED: Final = "in hundredths of a standard deviation, group minus reference: d − a"
BOTH: Final = "the deviation is that of the rows of both sides, with the sum of weights less 1"
_RATIOS, _DIFFERENCES = (OVER_ZERO, "its column Ratio"), ("its column Difference",)
_WORDS: Final = {"d/a": _RATIOS, "a/d": _RATIOS, "d-a": _DIFFERENCES, "a-d": _DIFFERENCES}
# Function, number, contrast, 0/0, the nearest metric here. A high value is good for a.
_OF_RATES: Final = """
true_positive_rate_ratio        tpr d/a - -
true_positive_rate_difference   tpr a-d - rd
true_negative_rate_ratio        tnr d/a - -
true_negative_rate_difference   tnr a-d - sd
precision_ratio                 ppv d/a - -
precision_difference            ppv a-d - dar
false_positive_rate_ratio       fpr a/d - -
false_positive_rate_difference  fpr d-a - sd
false_negative_rate_ratio       fnr a/d - -
false_negative_rate_difference  fnr d-a - fnr_difference
false_discovery_rate_ratio      fdr a/d - -
false_discovery_rate_difference fdr d-a - fdr_difference
"""
Denominator = Literal["population", "pooled"]


def _squares_of_residuals(side: Side) -> Expression:
    """The sum of the squares of label less score around their mean."""
    squares = (side.squared_scores - 2 * side.positive_scores + side.positive).sum()
    return (squares - side.n.sum() * overshoot(side) ** 2).clip(lower=0)


def _standardized(argument: str, denominator: str, *, of_residuals: bool) -> Formula:
    """A difference of means over the deviation of all rows, or over that inside both sides."""
    mean = overshoot if of_residuals else mean_score
    apart, n_d, n_a = mean(d_s) - mean(a_s), d_s.n.sum(), a_s.n.sum()
    inside_d, inside_a = (
        _squares_of_residuals(side) if of_residuals else variance(side) * side.n.sum()
        for side in (d_s, a_s)
    )
    inside = inside_d + inside_a
    of_all = inside + n_d * n_a / (n_d + n_a) * apart**2
    variances = {"population": of_all / (n_d + n_a - 1), "pooled": inside / (n_d + n_a - 2)}
    return over_scores(100 * apart / chosen(argument, denominator, variances).sqrt())


def _means_difference(smd_denominator: Denominator = "population") -> Formula:
    return _standardized("smd_denominator", smd_denominator, of_residuals=False)


def _residuals_difference(residual_smd_denominator: Denominator = "population") -> Formula:
    return _standardized("residual_smd_denominator", residual_smd_denominator, of_residuals=True)


TOOL: Final = Tool(
    name="solas",
    title="solas-ai",
    version="0.6.0",
    page="https://github.com/SolasAI/solas-ai-disparity",
    rows=(
        Row("adverse_impact_ratio", "q'd / q'a", d.selection_rate / a.selection_rate, "di",
            OVER_ZERO, **RATIO),
        Row("relative_rate", "(1 − q'd) / (1 − q'a)", (d.rejected / d.n) / (a.rejected / a.n), "",
            OVER_ZERO, **RATIO),
        Row("odds_ratio", "odds_d / odds_a, odds = accepted / rejected",
            (d.accepted / d.rejected) / (a.accepted / a.rejected), "odds_ratio", OVER_ZERO,
            **RATIO),
        *rows(_OF_RATES, _WORDS),
        Row("standardized_mean_difference", "100·(s̄_d − s̄_a) / σ", _means_difference, "smd",
            HUNDRED, BOTH),
        Row("residual_standardized_mean_difference", "100·(r̄_d − r̄_a) / σ, r = label − score",
            _residuals_difference, "calibration_difference", HUNDRED, BOTH),
    ),
    without={
        "it has a ratio for each part; give a threshold, or a window by=":
            "adverse_impact_ratio_by_quantile categorical_adverse_impact_ratio "
            "segmented_adverse_impact_ratio",
        "it is about the groups of race and sex together; pf.hiring has its tables":
            "scoring_impact_ratio selection_impact_ratio",
        "it has several numbers; score_wasserstein is one of them": "wasserstein",
        "it takes a metric of one's own; pf.Metric does so here": "custom_disparity_metric",
        "it has a ratio and a difference; add _ratio or _difference to its name":
            "true_positive_rate true_negative_rate precision false_positive_rate "
            "false_negative_rate false_discovery_rate",
    },
    columns={
        **{word: word.upper() for word in ("tpr", "tnr", "fpr", "fnr", "fdr")},
        "ppv": "PRECISION SCORE",
    },
)  # fmt: skip
