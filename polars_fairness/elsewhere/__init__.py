"""Other tools' metrics by their own names: `aif360.average_odds_difference` is AIF360's number.

A tool is a table in a module of its own, loaded when a name of the tool is first used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import signature
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from polars_fairness.elsewhere.entries import Row, Tool, ToolMetric
from polars_fairness.errors import listed
from polars_fairness.formula.metric import Metric

ToolName = Literal[
    "aequitas",
    "aif360",
    "clarify",
    "fairlearn",
    "fairness_indicators",
    "holisticai",
    "smclarify",
    "solas",
]
"""The names before the dot."""

TOOLS: Final[tuple[ToolName, ...]] = get_args(ToolName)


def tool_of(name: str) -> Tool | None:
    """The tool in whose words a name is written, None if it begins with no tool's name.

    Examples
    --------
    >>> tool_of("fairlearn.selection_rate_ratio").title
    'Fairlearn'
    >>> tool_of("selection_rate_ratio")
    """
    tool, dot, _ = name.partition(".")
    if not dot or tool not in TOOLS:
        return None
    loaded: Tool = import_module(f"{__name__}.{tool}").TOOL
    return loaded


def tool_metric(name: str, /, **parameters: Any) -> ToolMetric:
    """The metric of a tool's name; raise a `LookupError` for a name that the tool does not have.

    Examples
    --------
    >>> metric = tool_metric("aif360.average_odds_difference")
    >>> metric.name, metric.version, metric.ours
    ('aif360.ClassificationMetric.average_odds_difference', '0.6.1', 'average_odds_difference')
    """
    tool, row, given = _found(name)
    return tool.metric(row, **given | parameters)


def parameters_of_tool(name: str) -> list[str]:
    """The parameters that a tool's metric takes, as the tool's function does.

    Examples
    --------
    >>> parameters_of_tool("fairlearn.equalized_odds_difference")
    ['method', 'agg']
    """
    _, row, _ = _found(name)
    return list(signature(row.formula).parameters)


def columns_of_tool(name: ToolName | None) -> Mapping[str, str]:
    """The tool's names for the columns of `rates`, by ours; none without a tool.

    Examples
    --------
    >>> columns_of_tool("aequitas")["ppv"]
    'precision'
    """
    tool = tool_of(f"{name}.")
    return {} if tool is None else tool.columns


def other_arguments(metric: Metric) -> Iterator[tuple[str, ToolMetric]]:
    """A tool's metric with each other word or flag as one argument, by what the argument is.

    Examples
    --------
    >>> [words for words, _ in other_arguments(tool_metric("aif360.true_positive_rate"))]
    ['privileged is True', 'privileged is False']
    """
    if not isinstance(metric, ToolMetric) or tool_of(metric.name) is None:
        return
    tool, row, given = _found(metric.name)
    if not given and metric is not tool.metric(row):
        yield "all arguments are those by default", tool.metric(row)
    types = get_type_hints(row.formula)
    for name, parameter in signature(row.formula).parameters.items():
        known = types.get(name)
        flags = (True, False, None) if known == bool | None else ()
        for value in get_args(known) if get_origin(known) is Literal else flags:
            if value != parameter.default:
                yield f"{name} is {value!r}", tool.metric(row, **given, **{name: value})


def _found(name: str) -> tuple[Tool, Row, dict[str, float]]:
    """The row of a name, with the threshold that stands behind an @."""
    tool, (function, _, threshold) = tool_of(name), name.partition(".")[2].partition("@")
    if tool is None:
        raise LookupError(f"no tool has the name {name!r}; tools are {listed(TOOLS)}")
    row = tool.row(function)
    if not threshold:
        return tool, row, {}
    try:
        given = {"threshold": float(threshold)}
    except ValueError:
        given = {}
    if not given or "threshold" not in signature(row.formula).parameters:
        raise LookupError(f"no threshold {threshold!r} of {tool.name}.{function}; leave @ out")
    return tool, row, given
