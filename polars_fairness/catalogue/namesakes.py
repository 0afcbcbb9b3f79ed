"""Metrics that a reader may mean by one name: of other tools, with other arguments or variances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.dialects import TOOLS, other_arguments, tool_of
from polars_fairness.catalogue.dialects.entries import ToolMetric
from polars_fairness.errors import nearest
from polars_fairness.formula.arithmetic import ratio
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s
from polars_fairness.formula.tree import Expression

_APART: Final = a.selection_rate - d.selection_rate


def _squares(side: Side) -> Expression:
    return side.effective_n * side.selection_rate * (1 - side.selection_rate)


def _of_sample(side: Side) -> Expression:
    return _squares(side) * ratio(side.effective_n, side.effective_n - 1)


_ROWS: Final = a.effective_n + d.effective_n
_SCORED: Final = a_s.n.sum() + d_s.n.sum()
_SHORT: Final = 5
"""The length of names such as sd and smd, which are near each other and mean nothing alike."""

_MOST_NEAR: Final = 6
"""Of eight tools, three names are often one metric's."""

_SAMPLE, _POPULATION = "the variance is that of a sample", "the variance is that of the population"

_VARIANCES: Final[Mapping[str, Mapping[str, Expression]]] = {
    "cohens_d": {
        _SAMPLE: ratio(_APART, ((_of_sample(a) + _of_sample(d)) / (_ROWS - 2)).sqrt()),
        _POPULATION: ratio(_APART, ((_squares(a) + _squares(d)) / _ROWS).sqrt()),
    },
    "two_sd": {
        "each side has a variance of its own": ratio(
            _APART, (_squares(a) / a.effective_n**2 + _squares(d) / d.effective_n**2).sqrt()
        )
    },
    "smd": {_POPULATION: CATALOGUE["smd"].parsed.expression * (_SCORED / (_SCORED - 2)).sqrt()},
    **{
        name: {_POPULATION: CATALOGUE[name].parsed.expression * (both.n / (both.n - 2)).sqrt()}
        for name in ("estimate_smd", "observed_smd")
    },
}


def own_name(metric: Metric) -> str:
    """What the metric, or the one that is nearest to another tool's, is called here."""
    return metric.ours if isinstance(metric, ToolMetric) else metric.name


def namesakes(metric: Metric) -> dict[str, Metric]:
    """The metrics that may be meant in a metric's place, by the words of a sentence.

    Examples
    --------
    >>> found = namesakes(CATALOGUE["fairlearn.equalized_odds_difference"])
    >>> list(found)[:2]
    ["method is 'to_overall'", "agg is 'mean'"]
    """
    found: dict[str, Metric] = dict(other_arguments(metric))
    ours = own_name(metric)
    for words, expression in _VARIANCES.get(ours, {}).items():
        like = CATALOGUE[ours]
        formula = replace(like.parsed, expression=expression)
        found[words] = Metric(f"{ours}, {words}", like.title, formula, ideal=like.ideal)
    for name, other in _of_like_name(metric, ours):
        if other.name not in (metric.name, *(each.name for each in found.values())):
            found[f"the metric is {name}"] = other
    return found


def _of_like_name(metric: Metric, ours: str) -> Iterator[tuple[str, Metric]]:
    """The metrics of a name or a near one, those of our own first."""
    tools = [tool for name in TOOLS if (tool := tool_of(f"{name}."))]
    last = metric.name.rpartition(".")[2]
    known = {*CATALOGUE.names}.union(
        row.function.rpartition(".")[2] for tool in tools for row in tool.rows
    )
    aliases = CATALOGUE[ours].aliases if ours in CATALOGUE else ()
    near = nearest(last, sorted(known), _MOST_NEAR) if len(last) > _SHORT else []
    alike = {last, ours, *aliases, *near} - {""}
    for name in CATALOGUE.names:
        if name in alike:
            yield CATALOGUE[name].name, CATALOGUE[name]
    for tool in tools:
        for row in tool.rows:
            names = {row.function.rpartition(".")[2], *row.shorts, row.ours} - {""}
            if names & alike:
                yield f"{tool.name}.{tool.shortest(row)}", tool.metric(row)
