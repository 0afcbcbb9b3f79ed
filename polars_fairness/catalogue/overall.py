"""Overall performance, to compare with disparities: one value for all rows, no sides."""

from __future__ import annotations

from math import isinf
from typing import Final

from polars_fairness.catalogue.wording import FAIRLEARN
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.formulas import population
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import g
from polars_fairness.formula.tree import ratio, total


def utility(tp: float = 1, fp: float = -1, fn: float = 0, tn: float = 0) -> Metric:
    """The mean utility of the outcomes of all rows.

    It has no ideal, and is computed only if it is named, since only the caller knows what outcomes
    are worth. By default, a true positive gains as much as a false positive loses.

    Parameters
    ----------
    tp, fp, fn, tn
        The worth of a true positive, a false positive, a false negative and a true negative.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"repaid": [1, 1, 0, 0], "approved": [1, 1, 1, 0]})
    >>> loans.fairness.utility(tp=1, fp=-5, label="repaid", predicted="approved")["utility"].item()
    -0.75
    """
    takes = "a finite number, the worth of such a row"
    worth = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    for name, value in worth.items():
        worth[name] = require_number(name, value, takes)
        if isinf(worth[name]):
            raise FairnessError(f"{name}: takes {takes}, got {value!r}")
    values = worth.values()
    worths = ", ".join(f"{value:g} for each {name}" for name, value in worth.items())
    gained = g.tp * worth["tp"] + g.fp * worth["fp"] + g.fn * worth["fn"] + g.tn * worth["tn"]
    return Metric(name="utility", title="Utility",
        formula=population(ratio(gained.sum(), g.n.sum())),
        definition=f"mean over all rows of {worths}", range=(min(values), max(values)), ideal=None,
        only_named=True, source="Elkan 2001")  # fmt: skip


METRICS: Final = (
    Metric(name="accuracy", title="Accuracy", formula=population(total(g.accuracy)),
        definition="(tp + tn) / n of all rows", range=(0, 1), ideal=1, above="impossible",
        below="some predictions differ from their labels", source="scikit-learn"),
    Metric(name="selection_rate", title="Selection rate",
        formula=population(ratio(g.accepted.sum(), g.n.sum())),
        definition="accepted / n of all rows", range=(0, 1), ideal=None, source=FAIRLEARN),
    utility(),
)  # fmt: skip

PARAMETRISED: Final = (utility,)
