"""What cut-offs are chosen by: one value of all rows, which is to be as high as possible."""

from __future__ import annotations

from collections.abc import Container

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, did_you_mean, shown
from polars_fairness.formula.formulas import population
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.tree import term


def objective_of(maximise: object, taken: Container[str]) -> Metric:
    """The metric to maximise, given by its name, by the name of a rate, or itself.

    Other columns of the result have the names that are taken.
    """
    metric = _named(maximise) if isinstance(maximise, str) else maximise
    if not isinstance(metric, Metric):
        raise FairnessError(
            "maximise: takes a name or a Metric, such as 'accuracy' or pf.entry('utility', ...), "
            f"got {shown(maximise)}"
        )
    if not metric.parsed.level.is_one_group:
        raise FairnessError(
            f"maximise: {metric.name!r} compares groups, so that it has no one value of all rows; "
            f"give one that has, such as 'accuracy' or pf.entry('utility', ...), and "
            f"{metric.name!r} beside it"
        )
    if metric.name in taken:
        raise FairnessError(
            f"maximise: the result has a column called {metric.name!r} already; rename the metric "
            "with .named()"
        )
    return metric


def rate_of_all_rows(name: str) -> Metric:
    """A rate as a metric of all rows."""
    return Metric(name, RATES[name].title, population(term(f"g.{name}")))


def _named(name: str) -> Metric:
    if name in CATALOGUE:
        return CATALOGUE[name]
    if name in RATES:
        return rate_of_all_rows(name)
    overall = (each for each, metric in CATALOGUE.items() if metric.parsed.level.is_one_group)
    hint = did_you_mean(name, dict.fromkeys([*RATES, *overall]))
    raise FairnessError(f"maximise: no metric or rate {name!r}; {hint}")
