"""Arguments that are given and that nothing in an answer uses, by names alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.policy import Policy

_OF_SOME_METRICS: Final = ("subgroup", "controls", "observed", "estimated")
"""The arguments that only some metrics use; without such a metric they would change nothing."""

_ALLOWING: Final = ("metrics", "audit", "check", "report", "bounds", "plan", "compare")
"""The functions that without metrics compute all that the arguments allow."""

_USED: Final[Mapping[str, str]] = {
    **dict.fromkeys((*_ALLOWING, *CATALOGUE.names, "choose", "explore"), ""),
    "calibration": "",
    "cells": "subgroup controls observed estimated",
    "confusions": "",
    "decompose": "subgroup",
    "drivers": "controls",
    "consistency": "",
    "fliptest": "",
    "intake": "",
    "lending.quantiles": "subgroup",  # refused by a row of the clashes
    "lending.report": "subgroup",
    "lending.segments": "subgroup",
    "lending.table": "subgroup",  # refused too
    "pairs": "subgroup",  # refused too
    "rates": "observed estimated",
    "report": "observed estimated",
    "representation": "",
    "reweigh": "",
    "reweighed": "",
    "switches": "",
    "worst_groups": "controls",  # refused too
}
"""What the answer of a function uses beside the needs of its metrics; without a row, all."""

_IS_OUR_CALL: ContextVar[bool] = ContextVar("_IS_OUR_CALL", default=False)


@contextmanager
def calls_of_ours() -> Iterator[None]:
    """Within this, functions are called with a question that may be about more than they answer."""
    before = _IS_OUR_CALL.set(True)
    try:
        yield
    finally:
        _IS_OUR_CALL.reset(before)


def unused_arguments(
    function: str, metrics: Sequence[object], question: Mapping[str, Any]
) -> list[str]:
    """The given arguments that neither these metrics nor the answer of a function uses.

    Without metrics these are all that the arguments allow.
    """
    given = {name for name, value in question.items() if value is not None}
    if function not in _USED or given.isdisjoint(_OF_SOME_METRICS):
        return []
    chosen = [CATALOGUE[each] if isinstance(each, str) else each for each in metrics]
    if not chosen and function in _ALLOWING:
        chosen = [each for each in CATALOGUE.values() if _arguments_of(each) <= given]
    used = {need for each in chosen if isinstance(each, Metric) for need in _arguments_of(each)}
    return [name for name in _OF_SOME_METRICS if name in given - used - {*_USED[function].split()}]


def refuse_unused_arguments(
    function: str, by_place: Sequence[object], by_name: Mapping[str, Any]
) -> None:
    """Raise for an argument of a call that nothing in its answer uses; calls of ours are exempt."""
    if _IS_OUR_CALL.get() or {*by_name}.isdisjoint(_OF_SOME_METRICS):
        return
    metrics = [*_one_by_one(by_place[1:]), *_one_by_one([by_name.get("metric")])]
    metrics += [function] if function in CATALOGUE.names else []
    try:
        if (policy := by_name.get("policy")) is not None:
            metrics += (policy if isinstance(policy, Policy) else Policy.read(policy)).metrics
        maximised = by_name.get("maximise")
        metrics += [maximised] if maximised in CATALOGUE.names else []
        unused = unused_arguments(function, metrics, by_name)
    except FairnessError:
        return  # the function itself says what is wrong with its metrics or its policy
    for name in unused[:1]:
        raise FairnessError(f"{unused_in_words(name)}; name such a metric, or leave {name} out")


def unused_in_words(argument: str) -> str:
    """That an argument changes nothing, and what it is for."""
    users = [name for name, each in CATALOGUE.items() if argument in _arguments_of(each)]
    return f"{argument}: nothing in this answer uses it; it is for {listed(users, most=4)}"


def _arguments_of(metric: Metric) -> set[str]:
    return {need.partition(" ")[0] for need in metric.needs}


def _one_by_one(metrics: Iterable[object]) -> Iterator[object]:
    for each in metrics:
        if isinstance(each, list | tuple):
            yield from _one_by_one(each)
        elif each is not None:
            yield each
