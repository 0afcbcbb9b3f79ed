"""The interval and the p-value of a metric in words, as the package finds them for its formula."""

from __future__ import annotations

from typing import Final

from polars_fairness.formula.levels import STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES
from polars_fairness.inference.closed_forms.rates import area_bounds, bounds, delong_bounds
from polars_fairness.inference.closed_forms.strata import conditional_bounds, mean_bounds
from polars_fairness.inference.significance import find_test

_CONFIDENCE: Final = 0.95

_ACROSS_STRATA: Final = {
    "mh_odds_ratio": "by Robins, Breslow and Greenland",
    "mh_ratio": "recovered from Wilson's of both sides",
    "mh_difference": "recovered from Wilson's of both sides",
}


def interval_of(metric: Metric) -> str:
    """Return the kind of interval, and the methods that may be chosen in its place."""
    methods = [name for name in ("newcombe", "log") if bounds(metric, name, _CONFIDENCE)]
    methods += ["delong"] if delong_bounds(metric, _CONFIDENCE) else []
    return ", or ".join([_interval_by_default(metric), *(f"`{name}`" for name in methods)])


def _interval_by_default(metric: Metric) -> str:
    level = metric.parsed.level
    if level.divided_by == "controls":
        return "by what each row moves, with Student's t"
    if level.number is not None:
        return "from the ranks of the values of both sides"
    if not metric.has_interval or not level.is_redrawn:
        return "none"
    if metric.parsed.largest is not None:
        return "simultaneous for all groups"
    if area_bounds(metric, _CONFIDENCE):
        return "Wilson's, for the variance of the AUC"
    if mean_bounds(metric, _CONFIDENCE):
        is_smd = metric.name == "smd"
        return "Welch's, by the delta method" if is_smd else "Welch's"
    if not conditional_bounds(metric, _CONFIDENCE):
        return "bootstrap"
    return "by the variances inside the strata" if level == STRATUM else _ACROSS_STRATA[metric.name]


def p_value_of(metric: Metric) -> str:
    """Return the test behind the p-value."""
    if metric.parsed.level.divided_by == "controls":
        return "Wald's, of the coefficient of d in the regression"
    test = find_test(metric)
    if test is None:
        return "none"
    kind, rate = test.name.split(".")
    if kind == "chi_squared":
        return "that of the value itself, which is chi-squared"
    if kind == "cmh":
        return "exact, by Cochran, Mantel and Haenszel"
    return f"Fisher's exact test of the {RATES[rate].title.lower()}"
