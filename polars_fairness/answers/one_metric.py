"""The function behind the method of each metric and alias of the catalogue, such as `di`.

A function is made when it is first used: signature and docstring follow from the metric.
Type checkers and editors do not run code, so ``make generated`` writes the methods into the stubs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from inspect import Parameter, cleandoc, signature, unwrap
from typing import Any, Final

from polars_fairness.answers.metrics import metrics
from polars_fairness.api.signatures import spelled_out
from polars_fairness.api.unknown_arguments import UnknownArgumentError
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.catalogue.prefixes import prefixed
from polars_fairness.catalogue.wording import OPPOSITE_SIGNS
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import did_you_mean, listed
from polars_fairness.formula.metric import Metric, ideal_as_text, said
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
...         "score": [0.9, 0.4, 0.3, 0.8, 0.7, 0.6],
...     }}
... )
>>> loans.fairness.{name}({question}).columns[-1]
'{name}'
"""

_OF_GROUPS: Final = """\
Parameters
----------
groups, depth, minimum_count, include_unknown
    The groups, as in `Metric.over`."""

_ARGUMENTS: Final = {
    "facet": 'facet="sex"',
    "label": 'label="repaid"',
    "label values": 'label="repaid"',
    "predicted": 'predicted="approved"',
    "predicted values": 'predicted="approved"',
    "observed": 'observed="repaid"',
    "estimated": 'estimated="score"',
    "score": 'score="score"',
    "subgroup": 'subgroup="branch"',
    "controls": 'controls="branch"',
}


def _parametrised_function_of(name: str, factory: Callable[..., Metric]) -> Function:
    """The function that computes a metric with parameters of its own."""
    of_metric = list(signature(factory).parameters.values())
    compute: Function = metrics

    def function(frame: AnyFrame, **arguments: Any) -> PolarsFrame:
        chosen = {p.name: arguments.pop(p.name) for p in of_metric if p.name in arguments}
        metric = factory(**chosen)
        if name != metric.name:
            metric = metric.named(name)
        answer: PolarsFrame = compute(frame, metric, **arguments)
        return answer

    of_compute = [
        parameter
        for parameter in signature(compute).parameters.values()
        if parameter.kind is Parameter.KEYWORD_ONLY and parameter.name not in DEFAULTS
    ]
    # The docstring that was written for a metric with parameters, else one from its entry.
    written = cleandoc(factory.__doc__ or "") if name == factory.__name__ else ""
    documented = (written or documentation(name, CATALOGUE[name])).rstrip()
    return _presented(function, name, documented, [*of_metric, *of_compute])


def _presented(
    function: Function, name: str, documented: str, own_parameters: Sequence[Parameter]
) -> Function:
    """The function under a public name, with a docstring and a full signature."""
    function.__name__ = name
    function.__qualname__ = f"FrameMethods.{name}"
    function.__module__ = "polars_fairness.facade.methods"
    function.__doc__ = documented
    return spelled_out(function, own_parameters)


def documentation(name: str, metric: Metric) -> str:
    """The docstring of a metric's function, written from its entry in the catalogue."""
    lines = described(name, metric)
    needed = listed([need.partition(" ")[0] for need in metric.needs], write="``{}``".format)
    lines += ["", f"Needs {needed}; all arguments are those of `metrics`."]
    if metric.ranges_over_groups and metric.name in PARAMETRISED:
        lines += ["", _OF_GROUPS]
    question = ", ".join(_ARGUMENTS[need] for need in metric.needs)
    return "\n".join([*lines, "", _EXAMPLE.format(name=name, question=question)])


def described(name: str, metric: Metric) -> list[str]:
    """What a metric is and what its values mean, as the first lines of a docstring."""
    tool = OPPOSITE_SIGNS.get(name)
    sign = f", the opposite sign of {tool}'s `{name}`" if tool else ""
    lines = [f"{metric.title}: {metric.definition}{sign}.", ""]
    if name != metric.name:
        lines += [f"Another name for `{metric.name}`.", ""]
    for what, meaning in (("Above", metric.above), ("Below", metric.below)):
        if meaning:
            lines.append(f"{what} {ideal_as_text(metric.ideal)}: {said(meaning)}.")
    low, high = metric.range
    ideal = "no ideal" if metric.ideal is None else f"ideal {metric.ideal:g}"
    source = f" Source: {metric.source}." if metric.source else ""
    return [*lines, f"Range {low:g} to {high:g}, {ideal}.{source}"]


@cache
def one_metric(name: str) -> Function:
    """The function of a metric or alias."""
    metric = CATALOGUE[name]
    if metric.name in PARAMETRISED:
        return _parametrised_function_of(name, PARAMETRISED[metric.name])
    # The function that computes one metric.
    compute: Function = unwrap(metrics)  # the arguments are checked under the name of the metric

    def function(frame: AnyFrame, **question: Any) -> PolarsFrame:
        answer: PolarsFrame = compute(frame, name, **question)
        return answer

    return _presented(function, name, documentation(name, metric), ())


def entry(name: str, /, **parameters: Any) -> Metric:
    """Return a metric of the catalogue, to be passed to `metrics`, `audit` and the others.

    Parameters
    ----------
    name
        A name or an alias of the catalogue, or another tool's name for its own metric, such as
        "fairlearn.equalized_odds_difference". The returned metric has this name.
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
    others = prefixed(metric.name)
    factory = PARAMETRISED.get(metric.name) if others is None else others.factory(metric.name)
    known = [] if factory is None else list(signature(factory).parameters)
    for parameter in parameters:
        if parameter not in known:
            raise UnknownArgumentError(
                f"{parameter}: {name} has no such parameter; {_hint(name, parameter, known)}"
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
