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

from polars_fairness import datasets, hiring, lending, terms
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.namespace import FUNCTIONS, Fairness
from polars_fairness.question.policy import Policy
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL
from polars_fairness.reporting.explore import Exploration
from polars_fairness.reporting.report import Report
from polars_fairness.reporting.shown.answers import chart, table

__version__ = "0.1.0"

globals().update(FUNCTIONS)

__all__ = [  # noqa: PLE0604 - the functions' names are strings, which ruff cannot see
    "CATALOGUE",
    "HIGHEST",
    "LARGEST",
    "OVERALL",
    "Exploration",
    "Fairness",
    "FairnessError",
    "Metric",
    "Policy",
    "Report",
    "chart",
    "datasets",
    "hiring",
    "lending",
    "table",
    "terms",
    *FUNCTIONS,
]


def __dir__() -> list[str]:
    # Without the subpackages, which completion would offer beside the functions.
    return [name for name in globals() if name in __all__ or name.startswith("__")]
