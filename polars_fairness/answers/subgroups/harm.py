"""The side of the overall rate on which groups fare worse."""

from __future__ import annotations

from typing import Final

from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.rates import Rate
from polars_fairness.formula.sides import a, d
from polars_fairness.question.audit_arguments import Harm
from polars_fairness.values.formula_checks import if_unfavorable, sign_of

_OF_SIGNS: Final[dict[Sign | None, Harm]] = {1: "below", -1: "above", 0: "both", None: "both"}


def harm_of(rate: Rate, *, favorable: bool = True) -> Harm:
    """The side of the overall rate on which groups fare worse, by what a positive outcome is.

    It is the sign of a comparison of two sides by this rate; both sides, if there is no sign.

    Examples
    --------
    >>> from polars_fairness.formula.rates import RATES
    >>> {name: harm_of(RATES[name]) for name in ("selection_rate", "fpr", "fnr", "accuracy")}
    {'selection_rate': 'below', 'fpr': 'below', 'fnr': 'above', 'accuracy': 'below'}
    >>> {name: harm_of(RATES[name], favorable=False) for name in ("selection_rate", "accuracy")}
    {'selection_rate': 'above', 'accuracy': 'below'}
    """
    of_a, of_d = (above / below for above, below in map(rate.sums, (a.name, d.name)))
    difference = Metric(name=rate.name, title=rate.title, formula=of_a - of_d)
    return _OF_SIGNS[sign_of(difference if favorable else if_unfavorable(difference))]
