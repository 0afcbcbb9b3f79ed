"""Functions as methods of a class; each is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from inspect import signature
from typing import Any

from polars_fairness.api.functions import FUNCTIONS, Function, Functions
from polars_fairness.catalogue import CATALOGUE


def add_methods(
    owner: type[Any], functions: Functions, made_of: Callable[[Function], Function]
) -> None:
    """Give a class a method for each function, made when the method is first used."""
    for name in functions:
        setattr(owner, name, _Method(functions, name, made_of))


def as_method(function: Function, call: Function, without: Collection[str] = ()) -> Function:
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


class Verbs:
    """What completes after the dot: what answers a question, and not each metric by name."""

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__()} - ({*CATALOGUE.names} - {*FUNCTIONS}))

    @staticmethod
    def metric_names() -> list[str]:
        """The names of metrics; each is a method too.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> pl.DataFrame().fairness.metric_names()[:3]
        ['dppl', 'statistical_parity', 'di']
        """
        return [*CATALOGUE]


class _Method:
    """A function as a method, which is loaded when it is first used."""

    def __init__(
        self, functions: Functions, name: str, made_of: Callable[[Function], Function]
    ) -> None:
        self._functions = functions
        self._name = name
        self._made_of = made_of

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        method = self._made_of(self._functions[self._name])
        # On the class that has this descriptor: a subclass would keep a copy of its own.
        holder = next(each for each in owner.__mro__ if vars(each).get(self._name) is self)
        setattr(holder, self._name, method)
        return getattr(owner if instance is None else instance, self._name)
