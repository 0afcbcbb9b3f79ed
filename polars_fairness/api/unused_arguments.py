"""Arguments that are given and that nothing in an answer uses, by names alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from inspect import signature
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric, rate_of_all_rows
from polars_fairness.formula.sides import RATES
from polars_fairness.question.arguments import DEFAULTS
from polars_fairness.question.facets import Highest
from polars_fairness.question.policy import policy_of
from polars_fairness.question.probabilities import has_probabilities
from polars_fairness.question.scores import is_several
from polars_fairness.values.formula_checks import if_unfavorable

_OF_ROWS: Final = ("facet", "unknown", "by", "every", "period", "weight", "count", "nulls")
"""The arguments that decide which rows count, how often, and in which row of any answer."""

_UNUSED: Final[Mapping[str, Set[str]]] = {
    "calibration": {"resolution"},  # a score is in one of its bins in any case
    "confusions": {"classes"},  # it has every class in any case
    "consistency": {"facet", "unknown", "estimator"},
}
"""The arguments that similar functions use and these do not."""

_ALLOWING: Final = ("metrics", "audit", "check", "report", "bounds", "plan", "choose", "explore")
"""The functions that without named metrics compute all that the arguments allow."""

_JUDGING: Final = ("audit", "bounds", "check")
"""The functions whose verdicts depend on what is good for the person."""

_USED: Final[Mapping[str, str]] = {
    **dict.fromkeys((*CATALOGUE.names, *_ALLOWING), "zero_division"),
    "calibration": "label score",
    "choose": "predicted score zero_division",
    "compare": "label subgroup zero_division",
    "confusions": "label predicted zero_division",
    "consistency": "predicted zero_division",
    "decompose": "zero_division",
    "drivers": "",
    "explore": "label predicted score favorable zero_division",
    "fliptest": "predicted favored zero_division",
    "hiring.adverse_impact": "positive",
    "hiring.impact_ratios": "positive score",
    "hiring.report": "positive score",
    "intake": "label predicted score observed estimated subgroup controls",
    "lending.quantiles": "predicted score favored subgroup",
    "lending.report": "predicted score favored favorable subgroup zero_division",
    "lending.segments": "predicted favored subgroup zero_division",
    "lending.table": "predicted score favored favorable subgroup zero_division",
    "pairs": "predicted favored subgroup cluster",
    "pay.report": "favored controls",
    "pay.table": "favored controls",
    "rates": "label predicted score observed estimated zero_division",
    "report": "cluster label predicted score observed estimated favorable zero_division",
    "representation": "",
    "reweigh": "label",
    "reweighed": "label",
    "switches": "predicted zero_division",
    "worst_groups": "controls favorable zero_division",
}
"""What the answer of a function uses besides the needs of its metrics; some of it is refused.

`cells` and `of` use every argument, since their results are questioned later.
"""

_READING: Final[Mapping[str, str]] = {
    "label": "positive classes label_threshold",
    "predicted": "positive classes threshold",
    "score": "resolution",
    "favored": "disfavored",
}
"""The arguments that say how the column of another argument is read."""

_PURPOSES: Final[Mapping[str, str]] = {
    "cluster": "intervals and p-values",
    "estimator": "facets whose groups are known only as probabilities",
    "facet": "comparisons of groups",
    "unknown": "comparisons of groups",
    "favorable": "verdicts, worst groups and reports",
    "zero_division": "metrics and rates",
}
"""The purposes of the arguments that no metric uses by itself."""

_UNUSED_HERE: ContextVar[str | None] = ContextVar("_UNUSED_HERE", default=None)


@contextmanager
def calls_of_ours(unused: str = "") -> Iterator[None]:
    """A context in which functions may be called with arguments that they do not use.

    ``unused`` names an argument of the user's call that its answer does not use.
    """
    before = _UNUSED_HERE.set(unused)
    try:
        yield
        refuse_unused_arguments()
    finally:
        _UNUSED_HERE.reset(before)


def refuse_unused_arguments() -> None:
    """Raise if a user's call has an argument that nothing in its answer uses.

    It is called when all else that the schema shows is right, and no row has been read.
    """
    if name := _UNUSED_HERE.get():
        raise FairnessError(f"{unused_in_words(name)}; leave {name} out, or name such a metric")


def unused_arguments(
    function: str, metrics: Sequence[object], call: Mapping[str, Any]
) -> list[str]:
    """The given arguments that neither these metrics nor the answer of a function uses.

    Without metrics these are all that the arguments allow.
    """
    if function not in _USED:
        return []
    given = [
        name
        for name, default in DEFAULTS.items()
        if (value := call.get(name)) is not None and value is not default
    ]
    chosen: Sequence[object] = [
        CATALOGUE[each] if isinstance(each, str) else each for each in metrics
    ]
    if not chosen and function in _ALLOWING:
        chosen = _allowed_by({*given})
    used = _used(function, [each for each in chosen if isinstance(each, Metric)], call)
    return [name for name in given if name not in used]


def unused_argument(function: str, by_place: Sequence[object], call: Mapping[str, Any]) -> str:
    """The first argument of a call that nothing in its answer uses; a call of ours may have any."""
    if _UNUSED_HERE.get() is not None:
        return ""
    metrics = [*_one_by_one(by_place[1:])] or [*_one_by_one([call.get("metric")])]
    if not metrics and isinstance(reported := call.get("reported"), Mapping):
        metrics = [*reported]
    maximised = call.get("maximise")
    try:
        if function in CATALOGUE:
            metrics = [_with_parameters(CATALOGUE[function], call)]
        if (policy := call.get("policy")) is not None:
            metrics += policy_of(policy).metrics
        if metrics and maximised is not None:
            metrics.append(rate_of_all_rows(maximised) if maximised in RATES else maximised)
        return next(iter(unused_arguments(function, metrics, call)), "")
    except FairnessError:
        return ""  # the function itself says what is wrong with its metrics or its policy


def _with_parameters(metric: Metric, call: Mapping[str, Any]) -> Metric:
    """The metric of a call, which may give it parameters that decide what it is about."""
    if (factory := PARAMETRISED.get(metric.name)) is None:
        return metric
    return factory(**{name: call[name] for name in signature(factory).parameters if name in call})


def unused_in_words(argument: str) -> str:
    """That an argument changes nothing, and what it is for."""
    users = [name for name, metric in CATALOGUE.items() if argument in _uses(metric)]
    purpose = _PURPOSES.get(argument) or listed(users, most=4)
    return f"{argument}: nothing in this answer uses it; it is for {purpose}"


def _used(function: str, metrics: Sequence[Metric], call: Mapping[str, Any]) -> set[str]:
    """The arguments of a question that these metrics or the answer of a function use."""
    used = {*_OF_ROWS, *_with_reading((*_USED[function].split(),))}.union(*map(_uses, metrics))
    used.update(_used_settings(function, metrics, call))
    threshold = call.get("threshold")
    favored = call.get("favored")
    sides = favored.values() if isinstance(favored, Mapping) else [favored]
    if "favored" in used and any(isinstance(side, Highest) for side in sides):
        decides = call.get("predicted") is not None or threshold is not None
        used |= {"favorable", "predicted" if decides else "label"}
    if call.get("nulls") == "drop" and "label" in used:
        used.add("predicted")  # it shows whose labels are missing
    # One column may be the score and the decision.
    if "score" in used and call.get("score") is None:
        used.add("predicted")
    if "predicted" in used and call.get("predicted") is None and threshold is not None:
        used.add("score")
    if is_several(threshold) and metrics:
        used |= {"threshold", "score", "resolution"}
    used -= _UNUSED.get(function, set())
    if "score" in used and call.get("count") is not None:
        used.add("resolution")  # it is that of the cells
    return used


def _used_settings(
    function: str, metrics: Sequence[Metric], call: Mapping[str, Any]
) -> Iterator[str]:
    """What is used by the groups, the intervals and the verdicts of a call."""
    if has_probabilities(call.get("facet")):
        yield "estimator"
    if (
        call.get("confidence") is not None
        or call.get("p_values") is not None
        or any(metric.is_test for metric in metrics)
    ):
        yield "cluster"
    if call.get("favorable") is False:
        turned = ((metric, if_unfavorable(metric)) for metric in metrics)
        if any(
            other != metric if function in _JUDGING else other.formula is not metric.formula
            for metric, other in turned
        ):
            yield "favorable"


def _allowed_by(given: Set[str]) -> list[Metric]:
    """The metrics that the arguments allow, as far as their names show it."""
    allowing = {*given, *({"predicted"} if "threshold" in given else ())}
    allowing |= {"score"} if "predicted" in given else set()
    return [
        metric
        for metric in CATALOGUE.values()
        if not metric.only_named and {need.partition(" ")[0] for need in metric.needs} <= allowing
    ]


def _uses(metric: Metric) -> frozenset[str]:
    """The arguments that a metric uses, which its formula shows."""
    return _with_reading((*metric.needs, "favored") if metric.has_sides else metric.needs)


@cache
def _with_reading(needs: tuple[str, ...]) -> frozenset[str]:
    columns = {need.partition(" ")[0] for need in needs}
    return frozenset(columns).union(*(_READING.get(name, "").split() for name in columns))


def _one_by_one(metrics: Iterable[object]) -> Iterator[object]:
    for each in metrics:
        if isinstance(each, list | tuple):
            yield from _one_by_one(each)
        elif each is not None:
            yield each
