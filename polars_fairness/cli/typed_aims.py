"""Typed aims of a sweep: the value to maximise, and the worth of outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, Final

import polars_fairness as pf
from polars_fairness.errors import FairnessError, did_you_mean
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Argument, Kind, Option
from polars_fairness.question.choice_arguments import MAXIMISE

UTILITY: Final = Argument(
    "utility",
    Kind("the worth of outcomes", "str", "WORTH"),
    "the mean worth of rows, such as tp=1,fp=-5; an outcome without a worth has 0",
    option=Option("certainty"),
)
"""An argument of the command line only: in Python, a utility is a metric."""

_OUTCOMES: Final = ("tp", "fp", "fn", "tn")


def maximised_in(arguments: Mapping[str, Any]) -> str | Metric:
    """The value to maximise: the name in --maximise, or the utility of the worths in --utility."""
    given: str | None = arguments.get(MAXIMISE.name)
    for utility in utility_in(arguments):
        if given in (None, utility.name):
            return utility
        msg = f"--utility: is what to maximise, and --maximise {given} is another; give one"
        raise FairnessError(msg)
    return given or MAXIMISE.default


def utility_in(arguments: Mapping[str, Any]) -> Iterator[Metric]:
    """The utility of the worths in --utility, if it was typed."""
    if UTILITY.name in arguments:
        yield pf.utility(**dict.fromkeys(_OUTCOMES, 0.0) | _worths(arguments[UTILITY.name]))


def _worths(text: str) -> dict[str, float]:
    pairs = [entry.strip().partition("=")[::2] for entry in text.split(",")]
    for outcome, worth in pairs:
        if worth and outcome not in _OUTCOMES:
            msg = f"--utility: no outcome {outcome!r}; {did_you_mean(outcome, _OUTCOMES)}"
            raise FairnessError(msg)
    try:
        worths = {outcome: float(worth) for outcome, worth in pairs}
    except ValueError:
        worths = {}
    if len(worths) < len(pairs) or not all(map(isfinite, worths.values())):
        msg = f"--utility: takes the worth of outcomes, such as tp=1,fp=-5, got {text!r}"
        raise FairnessError(msg)
    return worths
