"""Other tools' metrics by their own names: `aif360.average_odds_difference` is AIF360's number.

Each tool is a table in its own module. Other modules compare our numbers with theirs, and read
SageMaker Clarify's configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from typing import Final, Literal, get_args, get_origin, get_type_hints

from polars_fairness.catalogue.prefixes import MODULES
from polars_fairness.elsewhere.entries import Tool, ToolMetric
from polars_fairness.formula.metric import Metric

TOOLS: Final = (*MODULES,)


def tool_of(name: str) -> Tool:
    """The table of a tool.

    Examples
    --------
    >>> tool_of("fairlearn").title
    'Fairlearn'
    """
    loaded: Tool = import_module(MODULES[name]).TOOL
    return loaded


def other_arguments(metric: Metric) -> Iterator[tuple[str, ToolMetric]]:
    """A tool's metric with each other word or flag as one argument, by what the argument is.

    Examples
    --------
    >>> metric = tool_of("aif360").factory("aif360.true_positive_rate")()
    >>> [words for words, _ in other_arguments(metric)]
    ['privileged is True', 'privileged is False']
    """
    tool = next((tool_of(name) for name in TOOLS if metric.name.startswith(f"{name}.")), None)
    if tool is None or not isinstance(metric, ToolMetric):
        return
    row, given = tool.found(metric.name)
    if not given and metric is not tool.metric(row):
        yield "all arguments are those by default", tool.metric(row)
    types = get_type_hints(row.formula)
    for name, parameter in signature(row.formula).parameters.items():
        known = types.get(name)
        flags = (True, False, None) if known == bool | None else ()
        for value in get_args(known) if get_origin(known) is Literal else flags:
            if value != parameter.default:
                yield f"{name} is {value!r}", tool.metric(row, **given, **{name: value})
