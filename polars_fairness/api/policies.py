"""Calls under a policy: what the policy decides is filled in, and contradictions are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import polars as pl

from polars_fairness.answers.options import options_and_question
from polars_fairness.api.call import Call, one_by_one
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import AuditQuestion
from polars_fairness.question.policy import Policy


def under_policy(
    frame: AnyFrame, metrics: Sequence[Any], given: AuditQuestion
) -> tuple[Sequence[Any], AuditQuestion]:
    """The metrics and arguments of an audit, with those of its policy; unchanged without one.

    The metrics of the policy are always among them. An argument that says the same as the policy
    is fine, so that the result can be passed on under the same policy.
    """
    if given.get("policy") is None:
        return metrics, given
    policy = policy_of(given["policy"])
    _, own = options_and_question(given)
    question = question_under(policy, frame, own)
    known = [CATALOGUE[each] if isinstance(each, str) else each for each in one_by_one(metrics)]
    named = [*(name for name in policy.metrics if CATALOGUE[name] not in known), *metrics]
    found = Call.of(frame, question).with_metrics(named).metrics
    filled_in = {
        "policy": policy,
        "confidence": _agreed(policy, "confidence", given),
        "minimum_count": _agreed(policy, "minimum_count", given),
        "p_values": _agreed(policy, "p_values", given),
        "hide_below": hidden_under(policy, given.get("hide_below")),
        "bands": _bands(policy, found, given.get("bands") or {}),
        "rule": _rules(policy, found, given.get("rule", {})),
    }
    decided = {name: value for name, value in filled_in.items() if value not in (None, {})}
    stated = {name: value for name, value in given.items() if name not in own}
    return named, cast("AuditQuestion", {**stated, **question, **decided})


def question_under(policy: Policy, frame: AnyFrame, given: Question) -> Question:
    """The question, with what the policy decides about it."""
    stated: dict[str, Any] = {**given}
    for name, decided in policy.question.items():
        stated[name] = _joined(policy, name, given.get(name), decided)
    if stated.get("facet") is None and (facet := policy.decided_question.get("facet")) is not None:
        stated["facet"] = facet
    question = cast("Question", stated)
    facets = [facet.name for facet in Call.of(frame, question).roles.facets]
    if missing := [name for name in policy.facets if name not in facets]:
        raise FairnessError(
            f"facet: the policy {policy} requires {listed(missing)}; add {listed(missing)} to facet"
        )
    filled_in = {
        "favorable": _agreed(policy, "favorable", given),
        "favored": _favored(policy, facets, given.get("favored")),
    }
    decided = {name: value for name, value in filled_in.items() if value not in (None, {})}
    return cast("Question", {**question, **decided})


def _joined(policy: Policy, argument: str, given: Any, decided: Any) -> Any:
    """What a call and the policy say together: each key of a dictionary is decided by one."""
    if given is None:
        return decided
    by_key = (given, decided)
    if all(isinstance(each, Mapping) for each in by_key):
        for key in given.keys() & decided.keys():
            _refuse_contradiction(policy, f"{argument}: {key!r}", given[key], decided[key])
        return {**decided, **given}
    one, other = ([*each.values()] if isinstance(each, Mapping) else [each] for each in by_key)
    if not all(_are_same(each, value) for each in one for value in other):
        _refuse_contradiction(policy, argument, given, decided)
    return given


def policy_of(given: object) -> Policy:
    """The policy, read from its file if a path is given."""
    if isinstance(given, Policy):
        return given
    if isinstance(given, str | Path):
        return Policy.read(given)
    raise FairnessError(
        f"policy: takes a Policy or the path of its file, such as 'fairness.toml', got {given!r}"
    )


def _agreed(policy: Policy, argument: str, given: Mapping[str, Any]) -> Any:
    """What the policy decides about an argument; None if it decides nothing."""
    decided = getattr(policy, argument)
    # None as a confidence means no intervals; otherwise it means that nothing was given.
    is_given = given.get(argument) is not None or argument == "confidence" in given
    if decided is not None and is_given:
        _refuse_contradiction(policy, argument, given[argument], decided)
    return decided


def hidden_under(policy: Policy, given: Any) -> int | None:
    """Below how many people groups are hidden: the policy's number, or a larger one."""
    if given is None or policy.hide_below is None:
        return policy.hide_below
    if given < policy.hide_below:
        _refuse_contradiction(policy, "hide_below", given, policy.hide_below)
    return int(given)


def _favored(policy: Policy, facets: Sequence[str], given: Any) -> dict[str, Any]:
    """The favored values of each facet; empty if the policy decides nothing about these facets."""
    decided = {facet: policy.favored[facet] for facet in facets if facet in policy.favored}
    if not decided:
        return {}
    by_facet = {} if given is None else dict.fromkeys(facets, given)
    stated = dict(given) if isinstance(given, Mapping) else by_facet
    for facet, values in decided.items():
        if stated.get(facet) is not None:
            _refuse_contradiction(policy, f"favored: {facet!r}", stated[facet], values)
    return stated | decided


def _bands(
    policy: Policy, metrics: Mapping[str, Metric], given: Mapping[str, Any]
) -> dict[str, Any]:
    decided = {
        name: policy.bands[metric.name]
        for name, metric in metrics.items()
        if metric.name in policy.bands
    }
    for name, band in decided.items():
        if name in given:
            _refuse_contradiction(policy, f"bands: {name!r}", given[name], band)
    return {**given, **decided}


def _rules(policy: Policy, metrics: Mapping[str, Metric], given: Any) -> dict[str, Any]:
    stated = dict.fromkeys(metrics, given) if isinstance(given, str) else dict(given)
    decided = {name: policy.rule_of(metric.name) for name, metric in metrics.items()}
    for name, rule in decided.items():
        if rule is not None:
            _refuse_contradiction(policy, f"rule: {name!r}", stated.get(name, rule), rule)
            stated[name] = rule
    return stated


def _refuse_contradiction(policy: Policy, argument: str, given: object, decided: object) -> None:
    if not _are_same(given, decided):
        raise FairnessError(
            f"{argument}: {given!r} contradicts {decided!r} of the policy {policy}; leave it out, "
            "or change the policy"
        )


def _are_same(given: object, decided: object) -> bool:
    """Whether both name the same values, in any order."""
    kinds = (pl.Series, set, frozenset, list, tuple)
    one, other = (
        [_name(each) for each in (values if isinstance(values, kinds) else [values])]
        for values in (given, decided)
    )
    return all(value in other for value in one) and all(value in one for value in other)


def _name(value: object) -> object:
    """The name of a column that is given as an expression; other expressions as text."""
    if not isinstance(value, pl.Expr):
        return value
    name = value.meta.output_name(raise_if_undetermined=False)
    return name if name is not None and value.meta.eq(pl.col(name)) else str(value)
