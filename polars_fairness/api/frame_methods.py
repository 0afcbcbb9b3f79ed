"""The methods of a frame; editors and type checkers read them in the stub, `make generated`'s."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.functions import (
    METHODS,
    PRESCRIBED,
    Function,
    Verbs,
    add_methods,
    as_method,
)

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class Methods(Generic[Frame]):
    """The functions of a module as methods of a frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame = frame


class HiringMethods(Methods[Frame]):
    """The tables of `polars_fairness.hiring` as methods of a frame."""


class LendingMethods(Methods[Frame]):
    """The tables of `polars_fairness.lending` as methods of a frame."""


class FrameMethods(Verbs, Methods[Frame]):
    """Each function of the package and each metric as a method of a frame."""


def _method_of(function: Function) -> Function:
    def method(self: Methods[Any], *arguments: Any, **question: Any) -> Any:
        return function(self._frame, *arguments, **question)

    return as_method(function, method)


add_methods(FrameMethods, METHODS, _method_of)
add_methods(HiringMethods, PRESCRIBED["hiring"], _method_of)
add_methods(LendingMethods, PRESCRIBED["lending"], _method_of)
