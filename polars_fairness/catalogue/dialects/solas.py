"""The ratios and differences of solas-ai: protected group, our d, and reference group, our a."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from polars_fairness.catalogue.dialects.entries import Row, Tool, Written, chosen, rate
from polars_fairness.formula.arithmetic import INFINITY
from polars_fairness.formula.formulas import Formula, over_scores
from polars_fairness.formula.scores import mean_score, overshoot, variance
from polars_fairness.formula.sides import Side, a, a_s, d, d_s
from polars_fairness.formula.tree import Expression

OVER_ZERO: Final = "x/0 is infinite, 0/0 is nan, and so is a rate of no rows"
HUNDRED: Final = "in hundredths of a standard deviation, group minus reference: d − a"
RATIO: Final[dict[str, Any]] = {"range": (0, INFINITY), "ideal": 1}


def _of_outcomes() -> Iterator[Row]:
    odds_d, odds_a = d.accepted / d.rejected, a.accepted / a.rejected
    for function, title, definition, value, ours in (
        ("adverse_impact_ratio", "Adverse impact ratio", "q'd / q'a",
         d.selection_rate / a.selection_rate, "di"),
        ("relative_rate", "Relative rate of unfavorable outcomes", "(1 − q'd) / (1 − q'a)",
         (d.rejected / d.n) / (a.rejected / a.n), ""),
        ("odds_ratio", "Odds ratio", "odds_d / odds_a", odds_d / odds_a, "odds_ratio"),
    ):  # fmt: skip
        yield Row(function, title, definition, value, ours, OVER_ZERO, **RATIO)


def _of_rates() -> Iterator[Row]:
    """The ratio and the difference of each rate; above 1 or 0, a high one is good for a."""
    for function, word, ours, is_good in (
        ("true_positive_rate", "tpr", "rd", True),
        ("true_negative_rate", "tnr", "sd", True),
        ("precision", "ppv", "dar", True),
        ("false_positive_rate", "fpr", "sd", False),
        ("false_negative_rate", "fnr", "fnr_difference", False),
        ("false_discovery_rate", "fdr", "fdr_difference", False),
    ):
        of, title = rate(word), function.replace("_", " ")
        one, other = (d, a) if is_good else (a, d)
        yield Row(
            f"{function}_ratio", f"Ratio of {title}s", f"{word}_{one.name} / {word}_{other.name}",
            of(one) / of(other), "", OVER_ZERO, "its column Ratio", **RATIO,
        )  # fmt: skip
        yield Row(
            f"{function}_difference", f"Difference of {title}s",
            f"{word}_{other.name} − {word}_{one.name}", of(other) - of(one), ours,
            "its column Difference", range=(-1, 1),
        )  # fmt: skip


def _residuals(side: Side) -> Expression:
    """The sum of the squares of label less score around their mean."""
    squares = (side.squared_scores - 2 * side.positive_scores + side.positive).sum()
    return (squares - side.n.sum() * overshoot(side) ** 2).clip(lower=0)


def _standardized(
    apart: Expression, squares: tuple[Expression, Expression], denominator: str, argument: str
) -> Formula:
    """A difference of means over the deviation of all rows, or over that inside both sides."""
    n_d, n_a = d_s.n.sum(), a_s.n.sum()
    inside = squares[0] + squares[1]
    of_all = inside + n_d * n_a / (n_d + n_a) * apart**2
    deviation = chosen(
        argument,
        denominator,
        {
            "population": (of_all / (n_d + n_a - 1)).sqrt(),
            "pooled": (inside / (n_d + n_a - 2)).sqrt(),
        },
    )
    return over_scores(100 * apart / deviation)


Denominator = Literal["population", "pooled"]


def _of_means(smd_denominator: Denominator = "population") -> Formula:
    squares = (variance(d_s) * d_s.n.sum(), variance(a_s) * a_s.n.sum())
    apart = mean_score(d_s) - mean_score(a_s)
    return _standardized(apart, squares, smd_denominator, "smd_denominator")


def _of_residuals(residual_smd_denominator: Denominator = "population") -> Formula:
    squares = (_residuals(d_s), _residuals(a_s))
    apart = overshoot(d_s) - overshoot(a_s)
    return _standardized(apart, squares, residual_smd_denominator, "residual_smd_denominator")


def _of_scores() -> Iterator[Row]:
    written: tuple[tuple[str, str, str, Written, str], ...] = (
        ("standardized_mean_difference", "Standardized mean difference of scores",
         "100·(s̄_d − s̄_a) / σ", _of_means, "smd"),
        ("residual_standardized_mean_difference", "Standardized mean difference of residuals",
         "100·(r̄_d − r̄_a) / σ, r = label − score", _of_residuals, "calibration_difference"),
    )  # fmt: skip
    for function, title, definition, formula, ours in written:
        own = "the deviation is that of the rows of both sides, with the sum of weights less 1"
        yield Row(function, title, definition, formula, ours, HUNDRED, own)


_OF_QUANTILES: Final = "it has a ratio for each part; give a threshold, or a window by="
_INTERSECTIONS: Final = "it is about the groups of race and sex together; pf.hiring has its tables"

TOOL: Final = Tool(
    name="solas",
    title="solas-ai",
    version="0.6.0",
    page="https://github.com/SolasAI/solas-ai-disparity",
    rows=(*_of_outcomes(), *_of_rates(), *_of_scores()),
    reasons={
        "adverse_impact_ratio_by_quantile": _OF_QUANTILES,
        "categorical_adverse_impact_ratio": _OF_QUANTILES,
        "segmented_adverse_impact_ratio": _OF_QUANTILES,
        "scoring_impact_ratio": _INTERSECTIONS,
        "selection_impact_ratio": _INTERSECTIONS,
        "wasserstein": "it has several numbers; score_wasserstein is one of them",
        "custom_disparity_metric": "it takes a metric of one's own; pf.Metric does so here",
        **dict.fromkeys(
            (
                "true_positive_rate", "true_negative_rate", "precision", "false_positive_rate",
                "false_negative_rate", "false_discovery_rate",
            ),
            "it has a ratio and a difference; add _ratio or _difference to its name",
        ),
    },
    columns={
        "tpr": "TPR",
        "tnr": "TNR",
        "fpr": "FPR",
        "fnr": "FNR",
        "ppv": "PRECISION SCORE",
        "fdr": "FDR",
    },
)  # fmt: skip
