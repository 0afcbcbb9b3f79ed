"""`lf.fairness` and `df.fairness`: every function as a method of the frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Final, Generic, TypeVar

import polars as pl

from polars_fairness import hiring, lending
from polars_fairness.api.audit import audit
from polars_fairness.api.calibration import calibration
from polars_fairness.api.cells import cells
from polars_fairness.api.choose import choose
from polars_fairness.api.cutoffs_by_group import cutoffs_by_group
from polars_fairness.api.decompose import decompose
from polars_fairness.api.metrics import metrics
from polars_fairness.api.one_metric import ONE_METRIC, Function
from polars_fairness.api.rates import rates
from polars_fairness.api.reweighing import reweigh, reweighed
from polars_fairness.api.subgroups import subgroups
from polars_fairness.api.switches import switches
from polars_fairness.reporting.explore import explore
from polars_fairness.reporting.report import report

Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)

FUNCTIONS: Final[dict[str, Function]] = {
    **{
        function.__name__: function
        for function in (
            *(cells, rates, metrics, audit, decompose, subgroups, report),
            *(switches, calibration, choose, cutoffs_by_group, explore, reweigh, reweighed),
        )
    },
    **ONE_METRIC,
}
"""The functions that users call, by name."""


PRESCRIBED: Final[dict[str, dict[str, Function]]] = {
    "hiring": {name: getattr(hiring, name) for name in hiring.__all__},
    "lending": {name: getattr(lending, name) for name in lending.__all__},
}
"""The functions of the public modules, by module and name."""


class Methods(Generic[Frame]):
    """The functions of a module as methods of a frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame = frame


class Hiring(Methods[Frame]):
    """The tables of `polars_fairness.hiring` as methods of a frame."""


class Lending(Methods[Frame]):
    """The tables of `polars_fairness.lending` as methods of a frame."""


class Fairness(Methods[Frame]):
    """Fairness metrics of a frame; each method is the function of the same name.

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


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
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
    (Fairness, FUNCTIONS),
    (Hiring, PRESCRIBED["hiring"]),
    (Lending, PRESCRIBED["lending"]),
):
    for _name, _function in _functions.items():
        setattr(_methods, _name, _method(_function))


class _MadeAtEachUse:
    """The namespace, made anew at each use of a frame.

    The accessor of polars would keep the first one on the frame: a cycle that keeps the data alive
    until the garbage collector runs, or, with a copy of the frame, answers about the data of then.
    """

    def __get__(self, frame: Frame | None, _: type[Frame]) -> Fairness[Frame] | type[Fairness[Any]]:
        return Fairness if frame is None else Fairness(frame)


_NAME: Final = "fairness"

pl.api.register_lazyframe_namespace(_NAME)(Fairness)
pl.api.register_dataframe_namespace(_NAME)(Fairness)
for _frames in (pl.LazyFrame, pl.DataFrame):
    setattr(_frames, _NAME, _MadeAtEachUse())
