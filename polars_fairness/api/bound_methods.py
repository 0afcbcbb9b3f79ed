"""The methods of a bound question; type checkers read them in the stub, `make generated`'s."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.call import Call
from polars_fairness.api.functions import ANSWERS, Function
from polars_fairness.api.methods import add_methods, as_method
from polars_fairness.api.unknown_arguments import UnknownArgumentError
from polars_fairness.question.arguments import DEFAULTS
from polars_fairness.question.audit_arguments import POLICY_GIVEN
from polars_fairness.question.policy import Policy

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class BoundMethods(Generic[Frame]):
    """Each function and each metric as a method that takes its own options only."""

    def __init__(self, call: Call, policy: Policy | None = None) -> None:
        self._call = call
        self._under: Mapping[str, Policy] = {} if policy is None else {POLICY_GIVEN.name: policy}


def _method_of(function: Function) -> Function:
    def method(self: BoundMethods[Any], *arguments: Any, **options: Any) -> Any:
        for name in options:
            if name in DEFAULTS or name in self._under:
                raise UnknownArgumentError(
                    f"{name}: is an argument of the question, and {function.__name__} of a bound "
                    f"question takes its own options only; use replace({name}=...) first"
                )
        under = self._under if takes_policy else {}
        return function(self._call, *arguments, **self._call.question, **under, **options)

    takes_policy = POLICY_GIVEN.name in signature(function).parameters
    return as_method(function, method, without=DEFAULTS)


add_methods(BoundMethods, ANSWERS, _method_of)
