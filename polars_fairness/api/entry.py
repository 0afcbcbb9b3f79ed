"""The function `entry`: a metric of the catalogue, with parameters of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from inspect import signature
from typing import Any

from polars_fairness.api.unknown_arguments import UnknownArgumentError
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.catalogue.dialects import parameters_of_tool, tool_metric
from polars_fairness.catalogue.dialects.entries import ToolMetric
from polars_fairness.errors import did_you_mean, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import DEFAULTS


def entry(name: str, /, **parameters: Any) -> Metric:
    """Return a metric of the catalogue, to be passed to `metrics`, `audit` and the others.

    Parameters
    ----------
    name
        A name or an alias of the catalogue, or another tool's name of its own metric, such as
        "fairlearn.equalized_odds_difference". The metric returned has this name.
    **parameters
        The parameters of the metric, such as ``alpha`` of `ge`, or ``agg`` of Fairlearn's function.
        Each has the default of the catalogue, or of the tool.

    Returns
    -------
    Metric
        The metric with these parameters; `Metric.named` gives it another name.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> distance = pf.entry("lp", p=1).named("l1")
    >>> repaid = pl.DataFrame({"sex": ["F", "F", "M", "M"], "repaid": [1, 0, 1, 1]})
    >>> question = {"facet": "sex", "disfavored": "F", "label": "repaid"}
    >>> repaid.fairness.metrics(distance, **question)["l1"].item()
    1.0
    """
    metric = CATALOGUE[name]
    factory = PARAMETRISED.get(metric.name)
    known = [] if factory is None else list(signature(factory).parameters)
    if isinstance(metric, ToolMetric):
        known = parameters_of_tool(metric.name)
        factory = partial(tool_metric, metric.name) if known else None
    for parameter in parameters:
        if parameter not in known:
            raise UnknownArgumentError(
                f"{parameter}: no such parameter of {name}; {_hint(name, parameter, known)}"
            )
    if factory is not None:
        metric = factory(**parameters)
    return metric if name == metric.name else metric.named(name)


def _hint(name: str, parameter: str, known: Sequence[str]) -> str:
    if parameter in DEFAULTS:
        return f"it is an argument of a question; give it to frame.fairness.{name}(...)"
    if known:
        return did_you_mean(parameter, known)
    return f"it has none; metrics with parameters are {listed(PARAMETRISED)}"
