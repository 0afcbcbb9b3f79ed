"""Fairness metrics native to polars.

Importing this package gives every LazyFrame and DataFrame a ``fairness`` namespace. Its methods,
except those of single metrics, are also functions here that take the frame first.

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
from typing import TYPE_CHECKING, Any, Final

import polars as pl

if TYPE_CHECKING:
    from polars_fairness import datasets as datasets
    from polars_fairness import expr as expr
    from polars_fairness import hiring as hiring
    from polars_fairness import lending as lending
    from polars_fairness import pay as pay
    from polars_fairness import terms as terms
    from polars_fairness.answers.audit import audit as audit
    from polars_fairness.answers.bounds import bounds as bounds
    from polars_fairness.answers.calibration import calibration as calibration
    from polars_fairness.answers.cells import cells as cells
    from polars_fairness.answers.choose import choose as choose
    from polars_fairness.answers.confusions import confusions as confusions
    from polars_fairness.answers.decompose import decompose as decompose
    from polars_fairness.answers.drivers import drivers as drivers
    from polars_fairness.answers.individuals import consistency as consistency
    from polars_fairness.answers.individuals import fliptest as fliptest
    from polars_fairness.answers.intake import intake as intake
    from polars_fairness.answers.metrics import metrics as metrics
    from polars_fairness.answers.one_metric import entry as entry
    from polars_fairness.answers.pairs import pairs as pairs
    from polars_fairness.answers.plan import plan as plan
    from polars_fairness.answers.plan import plan_sizes as plan_sizes
    from polars_fairness.answers.rates import rates as rates
    from polars_fairness.answers.representation import representation as representation
    from polars_fairness.answers.reweighing import reweigh as reweigh
    from polars_fairness.answers.reweighing import reweighed as reweighed
    from polars_fairness.answers.scorer import scorer as scorer
    from polars_fairness.answers.sql import sql as sql
    from polars_fairness.answers.switches import switches as switches
    from polars_fairness.answers.worst_groups import worst_groups as worst_groups
    from polars_fairness.catalogue import CATALOGUE as CATALOGUE
    from polars_fairness.counting.connections import from_sql as from_sql
    from polars_fairness.elsewhere.compare import compare as compare
    from polars_fairness.errors import FairnessError as FairnessError
    from polars_fairness.errors import OutsideBandError as OutsideBandError
    from polars_fairness.explorer import Exploration as Exploration
    from polars_fairness.explorer import explore as explore
    from polars_fairness.facade.bound import BoundQuestion as BoundQuestion
    from polars_fairness.facade.bound import of as of
    from polars_fairness.facade.namespace import Fairness as Fairness
    from polars_fairness.formula.metric import Metric as Metric
    from polars_fairness.question.facets import HIGHEST as HIGHEST
    from polars_fairness.question.facets import LARGEST as LARGEST
    from polars_fairness.question.facets import OVERALL as OVERALL
    from polars_fairness.question.policy import Policy as Policy
    from polars_fairness.question.probabilities import probabilities as probabilities
    from polars_fairness.question.scores import best as best
    from polars_fairness.reporting.gate import check as check
    from polars_fairness.reporting.report import Report as Report
    from polars_fairness.reporting.report import report as report
    from polars_fairness.reporting.shown import chart as chart
    from polars_fairness.reporting.shown import show as show
    from polars_fairness.reporting.shown import table as table

__version__ = "0.1.0"

# Everything is loaded when it is first used: to load all of it takes as long as to load polars.
_PLACES: Final = {
    "BoundQuestion": "facade.bound",
    "CATALOGUE": "catalogue",
    "HIGHEST": "question.facets",
    "LARGEST": "question.facets",
    "OVERALL": "question.facets",
    "Exploration": "explorer",
    "Fairness": "facade.namespace",
    "FairnessError": "errors",
    "Metric": "formula.metric",
    "Policy": "question.policy",
    "Report": "reporting.report",
    "OutsideBandError": "errors",
    "best": "question.scores",
    "chart": "reporting.shown",
    "entry": "answers.one_metric",
    "from_sql": "counting.connections",
    "plan_sizes": "answers.plan",
    "probabilities": "question.probabilities",
    "scorer": "answers.scorer",
    "show": "reporting.shown",
    "sql": "answers.sql",
    "table": "reporting.shown",
}
_MODULES: Final = ("datasets", "expr", "hiring", "lending", "pay", "terms")


if TYPE_CHECKING:
    __all__: list[str]
else:
    # Type checkers read the imports above, and find names that do not exist.
    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return sorted({*_PLACES, *_MODULES, *_functions()})
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name in _PLACES:
            return _kept(name, getattr(import_module(f"{__name__}.{_PLACES[name]}"), name))
        if name.startswith("_") or name not in _functions():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _kept(name, _functions()[name])


def _kept(name: str, value: Any) -> Any:
    globals()[name] = value
    return value


def _functions() -> Any:
    return import_module(f"{__name__}.api.functions").FUNCTIONS


def __dir__() -> list[str]:
    # Without the subpackages, which completion would offer beside the functions.
    public = {*_PLACES, *_MODULES, *_functions()}
    return [*public, "__all__", *filter(_is_special, globals())]


def _is_special(name: str) -> bool:
    return name.startswith("__")


class _MadeAtEachUse:
    """The namespace, created at each use of a frame.

    The accessor of polars would keep the first one on the frame: a cycle that keeps the data alive
    until the garbage collector runs or, with a copy of the frame, answers about outdated data.
    """

    def __get__(self, frame: Any, _: Any) -> Any:
        fairness = import_module(f"{__name__}.facade.namespace").Fairness
        return fairness if frame is None else fairness(frame)


for _register, _frames in (
    (pl.api.register_lazyframe_namespace, pl.LazyFrame),
    (pl.api.register_dataframe_namespace, pl.DataFrame),
):
    _register("fairness")(_MadeAtEachUse)
    setattr(_frames, "fairness", _MadeAtEachUse())  # noqa: B010 - no type checker knows it
