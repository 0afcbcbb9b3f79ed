"""A frame and what is compared in it, checked once, for many answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_
from types import MappingProxyType
from typing import Any, cast

import polars as pl

from polars_fairness.api.clashes import NEEDS, Case, refuse_clashes, refuse_missing_needs
from polars_fairness.api.requested import metrics_requested, one_by_one
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame, Rows, rows_of
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import OF_COLUMNS, Question, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, AuditQuestion
from polars_fairness.question.own_cells import refuse_own_cells
from polars_fairness.question.policy import Policy, are_same, policy_of, refuse_contradiction
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, is_several
from polars_fairness.values.formula_checks import reads_all_labels


@dataclass(frozen=True, eq=False)
class CheckedQuestion:
    """A frame and a question about it, checked against its schema."""

    frame: AnyFrame
    given: Question
    rows: Rows
    roles: Roles
    policy: Policy | None = None

    @property
    def has_plans(self) -> bool:
        """Whether its answers are lazy plans; answers from counted rows are collected."""
        return isinstance(self.frame, pl.LazyFrame) and not isinstance(self.rows, CountedRows)


def unbound(frame: AnyFrame | CheckedQuestion) -> AnyFrame:
    """The frame itself, given as a frame, a question about it, or its counted rows."""
    return frame.frame if isinstance(frame, CheckedQuestion | CountedRows) else frame


def collected_here(frame: AnyFrame | CheckedQuestion) -> Any:
    """The frame, with its plans collected here, so that errors can quote values of the data."""
    rows = unbound(frame)
    return CountedRows.of(rows, PolarsRows(rows)) if isinstance(rows, pl.LazyFrame) else rows


def read(
    frame: AnyFrame | CheckedQuestion,
    question: Question,
    answer: str = "",
    own: Mapping[str, Any] = MappingProxyType({}),
) -> CheckedQuestion:
    """The question, checked against the frame's schema; one that is bound already is kept.

    It is refused if the function ``answer``, with its ``own`` arguments, cannot answer it.
    """
    case = Case(answer, {**question, **own})
    refuse_clashes(case)
    bound = _read(frame, question)
    if question.get("count") is None:
        given = [question.get(each.name) for each in OF_COLUMNS]
        refuse_own_cells(bound.frame, [given, *own.values()])
    refuse_clashes(replace(case, read=bound.roles))
    refuse_missing_needs(bound.roles, answer, NEEDS.get(answer, ()))
    return bound


def _read(frame: AnyFrame | CheckedQuestion, question: Question) -> CheckedQuestion:
    if isinstance(frame, CheckedQuestion):
        is_same = len(question) == len(frame.given) and all(
            map(is_, map(frame.given.get, question), question.values())
        )
        # A DataFrame may have other rows by now, and even other columns.
        rows = rows_of(frame.frame, question)
        if is_same and rows.schema == frame.rows.schema:
            return replace(frame, rows=rows)
        return _read(frame.frame, question)
    if isinstance(frame, CountedRows):
        return CheckedQuestion(frame.frame, question, frame, find_roles(frame.schema, question))
    rows = rows_of(frame, question)
    return CheckedQuestion(frame, question, rows, find_roles(rows.schema, question))


def read_candidates(
    frame: AnyFrame, question: Question, answer: str, own: Mapping[str, Any]
) -> CheckedQuestion:
    """The question about several models, thresholds, or both; by default, about each threshold.

    Several models that decide need no threshold.
    """
    if isinstance(question.get("predicted"), Mapping):
        bound = read(frame, question, answer, own)
        if bound.roles.predicted is not None:
            return bound
    given = question.get("threshold")
    several = EVERY if given is None else given if is_several(given) else [given]
    return read(frame, cast("Question", {**question, "threshold": several}), answer, own)


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
    _, own = parted(given, OF_AUDIT)
    question = question_under(policy, frame, cast("Question", own))
    known = [CATALOGUE[each] if isinstance(each, str) else each for each in one_by_one(metrics)]
    named = [*(name for name in policy.metrics if CATALOGUE[name] not in known), *metrics]
    named_metrics = metrics_requested(named, read(frame, question).roles)
    rule, bands = given.get("rule", {}), policy.bands
    rules = dict.fromkeys(named_metrics, rule) if isinstance(rule, str) else dict(rule)
    rules_decided = {name: policy.rule_of(metric.name) for name, metric in named_metrics.items()}
    decided = ["confidence", "minimum_count", "p_values"]
    if any(map(reads_all_labels, named_metrics.values())):
        decided += ["unlabelled", "unlabelled_by"]
    filled_in = {
        "policy": policy,
        **_agreed(policy, given, *decided),
        "equivalence": True if policy.maximum_within_p_value is not None else None,
        "hide_below": policy.hides_below(given.get("hide_below")),
        "bands": _together(
            *(policy, "bands", given.get("bands") or {}),
            {name: bands[each.name] for name, each in named_metrics.items() if each.name in bands},
        ),
        "rule": _together(
            policy, "rule", rules, {name: each for name, each in rules_decided.items() if each}
        ),
    }
    stated = {name: value for name, value in given.items() if name not in own}
    return named, cast("AuditQuestion", {**stated, **question, **_decided(filled_in)})


def question_under(policy: Policy, frame: AnyFrame, given: Question) -> Question:
    """The question, with what the policy decides about it."""
    stated: dict[str, Any] = {**given}
    for name, decided in policy.question.items():
        stated[name] = _joined(policy, name, given.get(name), decided)
    if stated.get("facet") is None and (facet := policy.decided_question.get("facet")) is not None:
        stated["facet"] = facet
    question = cast("Question", stated)
    facets = [facet.name for facet in read(frame, question).roles.facets]
    if missing := [name for name in policy.facets if name not in facets]:
        raise FairnessError(
            f"facet: the policy {policy} requires {listed(missing)}; add {listed(missing)} to facet"
        )
    filled_in = _agreed(policy, given, "favorable")
    if favored := {facet: policy.favored[facet] for facet in facets if facet in policy.favored}:
        sides = given.get("favored")
        of_call = sides if isinstance(sides, Mapping) else dict.fromkeys(facets, sides)
        of_call = {facet: side for facet, side in of_call.items() if side is not None}
        filled_in["favored"] = _together(policy, "favored", of_call, favored)
    return cast("Question", {**question, **_decided(filled_in)})


def _decided(filled_in: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in filled_in.items() if value not in (None, {})}


def _together(
    policy: Policy, argument: str, given: Mapping[str, Any], decided: Mapping[str, Any]
) -> dict[str, Any]:
    """What a call and the policy say by key; raise if they differ."""
    for key, value in decided.items():
        if key in given:
            refuse_contradiction(policy, f"{argument}: {key!r}", given[key], value)
    return {**given, **decided}


def _joined(policy: Policy, argument: str, given: Any, decided: Any) -> Any:
    """What a call and the policy say about an argument of the question; raise if they differ."""
    if given is None:
        return decided
    if isinstance(given, Mapping) and isinstance(decided, Mapping):
        return _together(policy, argument, given, decided)
    one, other = (
        [*each.values()] if isinstance(each, Mapping) else [each] for each in (given, decided)
    )
    if not all(are_same(each, value) for each in one for value in other):
        refuse_contradiction(policy, argument, given, decided)
    return given


def _agreed(policy: Policy, given: Mapping[str, Any], *arguments: str) -> dict[str, Any]:
    """What the policy decides about arguments; None for those that it leaves to the call."""
    decisions = {argument: getattr(policy, argument) for argument in arguments}
    for argument, decided in decisions.items():
        # None as a confidence means no intervals; otherwise it means that nothing was given.
        is_given = given.get(argument) is not None or argument == "confidence" in given
        if decided is not None and is_given:
            refuse_contradiction(policy, argument, given.get(argument), decided)
    return decisions
