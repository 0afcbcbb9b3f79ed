"""Functions as methods; editors and type checkers read them in the stub, `make generated`'s."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from inspect import signature
from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.functions import (
    ANSWERS,
    FUNCTIONS,
    METHODS,
    PRESCRIBED,
    Function,
    Functions,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.question.arguments import DEFAULTS

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class Verbs:
    """What completes after the dot: what answers a question, no fields, and no metric by name."""

    def __dir__(self) -> list[str]:
        hidden = {*vars(self), *CATALOGUE.names} - {*FUNCTIONS}
        return sorted({*super().__dir__()} - hidden)

    @staticmethod
    def metric_names() -> list[str]:
        """The names of metrics; each is also a method.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> pl.DataFrame().fairness.metric_names()[:3]
        ['dppl', 'statistical_parity', 'di']
        """
        return [*CATALOGUE]


class Methods(Generic[Frame]):
    """The functions of a module as methods of a frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame = frame


class HiringMethods(Methods[Frame]):
    """The tables of `polars_fairness.hiring` as methods of a frame."""


class LendingMethods(Methods[Frame]):
    """The tables of `polars_fairness.lending` as methods of a frame."""


class PayMethods(Methods[Frame]):
    """The table and the page of `polars_fairness.pay` as methods of a frame."""


class FrameMethods(Verbs, Methods[Frame]):
    """Each function of the package and each metric as a method of a frame."""


class BoundMethods(Verbs, Generic[Frame]):
    """Each function and each metric as a method that takes its own options only."""


class _Method:
    """A function as a method, which is loaded when it is first used."""

    def __init__(
        self,
        holder: type[Any],
        functions: Mapping[str, Function],
        name: str,
        made_of: Callable[[Function], Function],
    ) -> None:
        self._holder = holder
        self._functions = functions
        self._name = name
        self._made_of = made_of

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        # Several threads may make it at once: the last one stays, and all of them are alike.
        method = self._made_of(self._functions[self._name])
        # On the class that has this descriptor: a subclass would keep a copy of its own.
        setattr(self._holder, self._name, method)
        return getattr(owner if instance is None else instance, self._name)


def _add_methods(
    owner: type[Any], functions: Functions, made_of: Callable[[Function], Function]
) -> None:
    """Give a class a method for each function, made when the method is first used."""
    for name in functions:
        setattr(owner, name, _Method(owner, functions, name, made_of))


def _as_method(function: Function, call: Function, without: Collection[str] = ()) -> Function:
    """A method that shows what the function takes after its frame, but for some arguments."""
    method = wraps(function)(call)
    of_function = signature(function)
    frame, *others = of_function.parameters.values()
    vars(method)["__signature__"] = of_function.replace(
        parameters=[
            frame.replace(name="self", annotation=frame.empty, default=frame.empty),
            *(each for each in others if each.name not in without),
        ]
    )
    return method


def _frame_method(function: Function) -> Function:
    def method(self: Methods[Any], *arguments: Any, **question: Any) -> Any:
        return function(self._frame, *arguments, **question)

    return _as_method(function, method)


def _question_method(function: Function) -> Function:
    def method(self: object, *arguments: Any, **options: Any) -> Any:
        return function(self, *arguments, **options)

    return _as_method(function, method, without=DEFAULTS)


_add_methods(FrameMethods, METHODS, _frame_method)
_add_methods(HiringMethods, PRESCRIBED["hiring"], _frame_method)
_add_methods(LendingMethods, PRESCRIBED["lending"], _frame_method)
_add_methods(PayMethods, PRESCRIBED["pay"], _frame_method)
_add_methods(BoundMethods, ANSWERS, _question_method)
