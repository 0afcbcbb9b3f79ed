"""`lf.fairness` and `df.fairness`: every function as a method of the frame."""

from __future__ import annotations

from functools import wraps
from inspect import signature
from typing import Any, Generic, TypeVar

import polars as pl

from polars_fairness.api.functions import METHODS, PRESCRIBED, Function, Functions

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)


class Methods(Generic[Frame]):
    """The functions of a module as methods of a frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame = frame


class Hiring(Methods[Frame]):
    """The tables of `polars_fairness.hiring` as methods of a frame."""


class Lending(Methods[Frame]):
    """The tables of `polars_fairness.lending` as methods of a frame."""


class Fairness(Methods[Frame]):
    """Fairness metrics of a frame: each function of the package, and each metric, as a method.

    The functions of `hiring` and `lending` are methods of ``fairness.hiring`` and
    ``fairness.lending``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1]})
    >>> hired.fairness.dppl(facet="sex", disfavored="F", predicted="hired")["dppl"].item()
    0.5
    """

    @property
    def hiring(self) -> Hiring[Frame]:
        """Tables about hiring that a rule prescribes."""
        return Hiring(self._frame)

    @property
    def lending(self) -> Lending[Frame]:
        """Tables that fair lending prescribes by practice."""
        return Lending(self._frame)


class _Method:
    """A function as a method, which is loaded when it is first used."""

    def __init__(self, functions: Functions, name: str) -> None:
        self._functions = functions
        self._name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        method = _method_of(self._functions[self._name])
        setattr(owner, self._name, method)
        return getattr(owner if instance is None else instance, self._name)


def _method_of(function: Function) -> Function:
    @wraps(function)
    def method(self: Methods[Any], *arguments: Any, **question: Any) -> Any:
        return function(self._frame, *arguments, **question)

    of_function = signature(function)
    frame, *others = of_function.parameters.values()
    vars(method)["__signature__"] = of_function.replace(
        parameters=[
            frame.replace(name="self", annotation=frame.empty, default=frame.empty),
            *others,
        ]
    )
    return method


for _methods, _functions in (
    (Fairness, METHODS),
    (Hiring, PRESCRIBED["hiring"]),
    (Lending, PRESCRIBED["lending"]),
):
    for _name in _functions:
        setattr(_methods, _name, _Method(_functions, _name))
