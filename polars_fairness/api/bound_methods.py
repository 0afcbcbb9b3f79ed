"""The methods of a bound question; type checkers read them in the stub, `make generated`'s."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.functions import ANSWERS, Function, Verbs, add_methods, as_method
from polars_fairness.question.arguments import DEFAULTS

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class BoundMethods(Verbs, Generic[Frame]):
    """Each function and each metric as a method that takes its own options only."""


def _method_of(function: Function) -> Function:
    def method(self: object, *arguments: Any, **options: Any) -> Any:
        return function(self, *arguments, **options)

    return as_method(function, method, without=DEFAULTS)


add_methods(BoundMethods, ANSWERS, _method_of)
