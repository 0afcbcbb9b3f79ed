"""`lf.fairness` and `df.fairness`: every function as a method of the frame."""

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


class Hiring(Methods[Frame]):
    """The tables of `polars_fairness.hiring` as methods of a frame."""


class Lending(Methods[Frame]):
    """The tables of `polars_fairness.lending` as methods of a frame."""


class Fairness(Verbs, Methods[Frame]):
    """Fairness metrics of a frame: each function of the package, and each metric, as a method.

    The functions of `hiring` and `lending` are methods of ``fairness.hiring`` and
    ``fairness.lending``. Editors complete the functions; ``metric_names()`` lists the metrics.

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


def _method_of(function: Function) -> Function:
    def method(self: Methods[Any], *arguments: Any, **question: Any) -> Any:
        return function(self._frame, *arguments, **question)

    return as_method(function, method)


add_methods(Fairness, METHODS, _method_of)
add_methods(Hiring, PRESCRIBED["hiring"], _method_of)
add_methods(Lending, PRESCRIBED["lending"], _method_of)
