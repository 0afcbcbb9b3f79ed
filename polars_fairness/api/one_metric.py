"""One function per catalogue entry and alias, with the signature and the words of its entry.

They are made when the package is imported; `__init__.pyi` and `namespace.pyi` spell them out for
readers that do not run code, and are written from the same place by ``make stubs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, cleandoc, signature
from typing import Any, Final

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.fliptest import fliptest
from polars_fairness.api.metrics import metrics
from polars_fairness.api.signatures import spelled_out
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import DEFAULTS

Function = Callable[..., Any]

_EXAMPLE: Final = """\
Examples
--------
>>> import polars as pl
>>> import polars_fairness as pf
>>> loans = pl.DataFrame(
...     {{
...         "sex": ["F", "F", "F", "M", "M", "M"],
...         "branch": ["north", "south", "south", "north", "north", "south"],
...         "repaid": [1, 0, 1, 1, 1, 0],
...         "approved": [1, 0, 0, 1, 1, 1],
...     }}
... )
>>> pf.{name}(loans, {question}).columns[-1]
'{name}'
"""

_OF_GROUPS: Final = """\
Parameters
----------
groups, depth, minimum_count, unknown
    Which groups, as in `Metric.over`."""

_ARGUMENTS: Final = {
    "facet": 'facet="sex"',
    "label": 'label="repaid"',
    "label values": 'label="repaid"',
    "predicted": 'predicted="approved"',
    "subgroup": 'subgroup="branch"',
    "features": 'features="income"',
}


# The methods whose results have columns of their own.
_ASKED_BY: Final[dict[str, Function]] = {"fliptest": fliptest}


def _function_of(name: str, metric: Metric) -> Function:
    def function(frame: AnyFrame, **question: Any) -> PolarsFrame:
        return metrics(frame, name, **question)

    return _presented(function, name, documentation(name, metric), ())


def _parametrised_function_of(name: str, factory: Callable[..., Metric]) -> Function:
    of_metric = list(signature(factory).parameters.values())
    ask: Function = _ASKED_BY.get(factory.__name__, metrics)

    def function(frame: Any = None, **arguments: Any) -> Any:
        chosen = {p.name: arguments.pop(p.name) for p in of_metric if p.name in arguments}
        metric = factory(**chosen)
        if name != metric.name:
            metric = metric.named(name)
        if frame is not None:
            return ask(frame, metric, **arguments)
        if arguments:
            msg = f"{next(iter(arguments))}: asks something of a frame; give the frame first"
            raise FairnessError(msg)
        return metric

    of_ask = [
        parameter
        for parameter in signature(ask).parameters.values()
        if parameter.kind is Parameter.KEYWORD_ONLY and parameter.name not in DEFAULTS
    ]
    told_by = factory if ask is metrics else ask
    told = cleandoc(told_by.__doc__ or "") or documentation(name, CATALOGUE[name])
    if told_by.__doc__ and name != factory.__name__:
        first, _, rest = told.partition("\n\n")
        told = f"{first}\n\nAnother name for `{factory.__name__}`.\n\n{rest}"
    documented = f"""{told.rstrip()}

Notes
-----
With a frame before it, and the arguments of `metrics` behind it, this computes the metric;
without a frame it gives the `Metric`, to be passed to `metrics`.
"""
    return _presented(function, name, documented, [*of_metric, *of_ask])


def _presented(
    function: Function, name: str, documented: str, own_parameters: Sequence[Parameter]
) -> Function:
    """Give a function its name, its documentation, and the arguments it really takes."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = "polars_fairness"
    function.__doc__ = documented
    return spelled_out(function, own_parameters)


def documentation(name: str, metric: Metric) -> str:
    """Write the docstring of an entry's function."""
    lines = [f"{metric.title}: {metric.definition}.", ""]
    if name != metric.name:
        lines += [f"Another name for `{metric.name}`.", ""]
    for what, meaning in (("Above", metric.above), ("Below", metric.below)):
        if meaning:
            lines.append(f"{what} {metric.ideal:g}: {meaning}.")
    low, high = metric.range
    lines.append(f"Range {low:g} to {high:g}, ideal {metric.ideal:g}. Source: {metric.source}.")
    lines += ["", f"Needs {_and(metric.needs)}; all arguments are those of `metrics`."]
    if metric.ranges_over_groups:
        lines += ["", _OF_GROUPS]
    question = ", ".join(_ARGUMENTS[need] for need in metric.needs)
    return "\n".join([*lines, "", _EXAMPLE.format(name=name, question=question)])


def _and(needs: Sequence[str]) -> str:
    words = [f"``{need.partition(' ')[0]}``" for need in needs]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


ONE_METRIC: Final[dict[str, Function]] = {
    name: _parametrised_function_of(name, PARAMETRISED[metric.name])
    if metric.name in PARAMETRISED
    else _function_of(name, metric)
    for name, metric in ((name, CATALOGUE[name]) for name in CATALOGUE.names)
}
