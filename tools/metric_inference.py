"""The interval and the p-value of a metric in words, as the package finds them for its formula."""

from __future__ import annotations

from typing import Final

from polars_fairness.formula.levels import STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES
from polars_fairness.inference.closed_forms import Method, closed_form
from polars_fairness.inference.significance import find_test

_CHOSEN: Final[tuple[Method, ...]] = ("newcombe", "log", "delong")

_ACROSS_STRATA: Final = {
    "mh_odds_ratio": "by Robins, Breslow and Greenland",
    "mh_ratio": "recovered from Wilson's of both sides",
    "mh_difference": "recovered from Wilson's of both sides",
}


def interval_of(metric: Metric) -> str:
    """Return the kind of interval, and the methods that may be chosen in its place."""
    methods = [method for method in _CHOSEN if closed_form(metric, method, 0.95)]
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
    if closed_form(metric, "areas", 0.95):
        return "Wilson's, for the variance of the AUC"
    if closed_form(metric, "means", 0.95):
        is_smd = metric.name == "smd"
        return "Welch's, by the delta method" if is_smd else "Welch's"
    if not closed_form(metric, "strata", 0.95):
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
