"""Inequality of benefits in the whole population: no sides.

The benefit of a row is y' − y + 1: 2 for a false positive, 0 for a false negative, else 1. Where a
positive outcome is bad for the person, it is y − y' + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any, Final

from polars_fairness.catalogue.wording import AIF360, CLARIFY, IMPOSSIBLE
from polars_fairness.errors import require_number
from polars_fairness.formula.formulas import Formula, partition, population
from polars_fairness.formula.metric import Metric, Unfavorable
from polars_fairness.formula.sides import g
from polars_fairness.formula.tree import INFINITY, Expression, choose, total

UNEQUAL: Final = "errors benefit some and cost others"


@dataclass(frozen=True)
class _Benefits:
    """The benefits of rows: ``double`` are the rows that benefit from an error."""

    formula: str
    none: Expression
    double: Expression

    @property
    def sum(self) -> Expression:
        """The benefits of each group."""
        return g.tp + g.tn + 2 * self.double

    @property
    def mean(self) -> Expression:
        """The mean benefit of all rows."""
        return self.sum.sum() / g.n.sum()


_OF_GOOD: Final = _Benefits("b = y' − y + 1", g.fn, g.fp)
_OF_BAD: Final = _Benefits("b = y − y' + 1", g.fp, g.fn)

_DEFINITIONS: Final[dict[float, str]] = {0: "−mean(ln(b/µ))", 1: "mean((b/µ)·ln(b/µ))"}


def _entropy(alpha: float, of: _Benefits) -> Expression:
    """The generalized entropy index; Undefined (NaN) if all benefits, and so their mean, are 0."""
    none, single, double = (rows.sum() / g.n.sum() for rows in (of.none, g.tp + g.tn, of.double))
    if alpha == 0:
        value = of.mean.log() - double * log(2)
    elif alpha == 1:
        value = 2 * double / of.mean * log(2) - of.mean.log()
    else:
        value = ((single + double * 2**alpha) / of.mean**alpha - 1) / (alpha * (alpha - 1))
    # Rounding may leave -1e-17 where all benefits are equal.
    value = value.clip(lower=0)
    return value if alpha > 0 else choose(none == 0, value)


def _benefit_formulas(formula: Callable[[_Benefits], Formula], definition: str) -> dict[str, Any]:
    """The formula of a metric of benefits, which change if a positive outcome is bad."""
    good, bad = (
        Unfavorable(formula=formula(each), definition=definition.format(benefit=each.formula))
        for each in (_OF_GOOD, _OF_BAD)
    )
    return {**good, "unfavorable": bad}


def ge(alpha: float = 2) -> Metric:
    """The inequality of benefits, as the generalized entropy index.

    Parameters
    ----------
    alpha
        How much weight large benefits get: 2 is half the squared coefficient of variation, 1
        the Theil index, 0 the mean log deviation. If the benefit of any row is 0, orders of 0 and
        below are undefined.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> tests = pl.DataFrame({"ill": [1, 0, 0, 0], "positive": [1, 1, 0, 0]})
    >>> tests.fairness.ge(alpha=2, label="ill", predicted="positive")["ge"].round(2).item()
    0.06
    """
    alpha = require_number("alpha", alpha)
    definition = _DEFINITIONS.get(alpha, f"mean((b/µ)^α − 1) / (α(α−1)), α = {alpha:g}")
    return Metric(name="ge", title=f"Generalized entropy index of order {alpha:g}",
        **_benefit_formulas(
            lambda of: population(_entropy(alpha, of)), f"{definition}, {{benefit}}"),
        range=(0, INFINITY), above=UNEQUAL, below=IMPOSSIBLE,
        source=f"{CLARIFY}, {AIF360}")  # fmt: skip


METRICS: Final = (
    ge(),
    Metric(name="theil", title="Theil index",
        **_benefit_formulas(
            lambda of: population(_entropy(1, of)), "mean((b/µ)·ln(b/µ)), {benefit}"),
        range=(0, INFINITY), above=UNEQUAL, below=IMPOSSIBLE, source=AIF360),
    Metric(name="coefficient_of_variation", title="Coefficient of variation of the benefits",
        **_benefit_formulas(lambda of: population((2 * _entropy(2, of)).sqrt()), "√(2·GE₂)"),
        range=(0, INFINITY), above=UNEQUAL, below=IMPOSSIBLE, source=AIF360),
    Metric(name="ge_between", title="Generalized entropy between groups",
        **_benefit_formulas(
            lambda of: partition(total(g.n / g.n.sum() * (of.sum / g.n / of.mean - 1) ** 2) / 2),
            "GE₂ after each row's benefit is replaced by its group's mean benefit",
        ),
        range=(0, INFINITY), above="some groups benefit from errors and others pay for them",
        below=IMPOSSIBLE, source=AIF360),
)  # fmt: skip

PARAMETRISED: Final = (ge,)
