"""The methods of a bound question; type checkers read them in the stub, `make generated`'s."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.call import Call
from polars_fairness.api.functions import ANSWERS, Function, Verbs, add_methods, as_method
from polars_fairness.api.policies import hidden_under
from polars_fairness.api.unknown_arguments import UnknownArgumentError
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import DEFAULTS
from polars_fairness.question.audit_arguments import POLICY_GIVEN
from polars_fairness.question.policy import Policy

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class BoundMethods(Verbs, Generic[Frame]):
    """Each function and each metric as a method that takes its own options only."""

    def __init__(self, call: Call, policy: Policy | None = None) -> None:
        self._call = call
        self._under: Mapping[str, Policy] = {} if policy is None else {POLICY_GIVEN.name: policy}


def _hidden_under(policy: Policy, function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Below how many people a function hides groups; an error if it hides none."""
    if "hide_below" not in signature(function).parameters:
        raise FairnessError(
            f"hide_below: the policy {policy} hides small groups, and {function.__name__} shows "
            "all; call rates, audit, report, cells or worst_groups"
        )
    return {"hide_below": hidden_under(policy, options.get("hide_below"))}


def _method_of(function: Function) -> Function:
    def method(self: BoundMethods[Any], *arguments: Any, **options: Any) -> Any:
        for name in options:
            if name in DEFAULTS or name in self._under:
                raise UnknownArgumentError(
                    f"{name}: is an argument of the question, and {function.__name__} of a bound "
                    f"question takes its own options only; use replace({name}=...) first"
                )
        under = self._under if takes_policy else {}
        for policy in self._under.values():
            if policy.hide_below is not None and not takes_policy:
                options |= _hidden_under(policy, function, options)
        return function(self._call, *arguments, **self._call.question, **under, **options)

    takes_policy = POLICY_GIVEN.name in signature(function).parameters
    return as_method(function, method, without=DEFAULTS)


add_methods(BoundMethods, ANSWERS, _method_of)
