"""`lf.fairness` and `df.fairness`: every function as a method of the frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Final, Generic, TypeVar

import polars as pl

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


class Fairness(Generic[Frame]):
    """Fairness metrics of a frame; each method is the function of the same name.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1]})
    >>> hired.fairness.dppl(facet="sex", disfavored="F", predicted="hired")["dppl"].item()
    0.5
    """

    def __init__(self, frame: Frame) -> None:
        # polars keeps this object on the frame. A reference to the frame itself would close a
        # cycle, and keep the data alive until the garbage collector runs.
        self._frame: Frame = frame.clone()


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def method(self: Fairness[Any], *arguments: Any, **question: Any) -> Any:
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


for _name, _function in FUNCTIONS.items():
    setattr(Fairness, _name, _method(_function))

pl.api.register_lazyframe_namespace("fairness")(Fairness)
pl.api.register_dataframe_namespace("fairness")(Fairness)
