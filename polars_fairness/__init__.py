"""Fairness metrics native to polars.

Importing this package gives every LazyFrame and DataFrame a ``fairness`` namespace; each of its
methods is also a function here that takes the frame first.

Examples
--------
>>> import polars as pl
>>> import polars_fairness as pf
>>> applicants = pf.datasets.berkeley()
>>> applicants.fairness.ddpl(
...     facet="sex", disfavored="Female", predicted="admitted", count="n"
... )["ddpl"].round(3).item()
0.144
"""

from importlib import import_module
from typing import Any, Final

import polars as pl

__version__ = "0.1.0"

# Everything is loaded when it is first used: to load all of it takes as long as to load polars.
_PLACES: Final = {
    "CATALOGUE": "catalogue",
    "HIGHEST": "question.references",
    "LARGEST": "question.references",
    "OVERALL": "question.references",
    "Exploration": "reporting.explore",
    "Fairness": "namespace",
    "FairnessError": "errors",
    "Metric": "formula.metric",
    "Policy": "question.policy",
    "Report": "reporting.report",
    "chart": "reporting.shown.answers",
    "table": "reporting.shown.answers",
}
_MODULES: Final = ("datasets", "hiring", "lending", "terms")


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({*_PLACES, *_MODULES, *_functions()})
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _PLACES:
        return _kept(name, getattr(import_module(f"{__name__}.{_PLACES[name]}"), name))
    if name.startswith("_") or name not in _functions():
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return _kept(name, _functions()[name])


def _kept(name: str, value: Any) -> Any:
    globals()[name] = value
    return value


def _functions() -> Any:
    return import_module(f"{__name__}.api.functions").FUNCTIONS


def __dir__() -> list[str]:
    # Without the subpackages, which completion would offer beside the functions.
    return [*__getattr__("__all__"), "__all__", *filter(_is_special, globals())]


def _is_special(name: str) -> bool:
    return name.startswith("__")


class _MadeAtEachUse:
    """The namespace, made anew at each use of a frame.

    The accessor of polars would keep the first one on the frame: a cycle that keeps the data alive
    until the garbage collector runs, or, with a copy of the frame, answers about the data of then.
    """

    def __get__(self, frame: Any, _: Any) -> Any:
        fairness = import_module(f"{__name__}.namespace").Fairness
        return fairness if frame is None else fairness(frame)


for _register, _frames in (
    (pl.api.register_lazyframe_namespace, pl.LazyFrame),
    (pl.api.register_dataframe_namespace, pl.DataFrame),
):
    _register("fairness")(_MadeAtEachUse)
    setattr(_frames, "fairness", _MadeAtEachUse())  # noqa: B010 - no type checker knows it
