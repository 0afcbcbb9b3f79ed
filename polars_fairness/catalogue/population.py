"""Inequality of benefits in the whole population: no sides.

The benefit of a row is y' − y + 1: 2 for a false positive, 0 for a false negative, else 1.
"""

from __future__ import annotations

from math import log
from typing import Final

import polars as pl

from polars_fairness.catalogue.sources import AIF360, CLARIFY
from polars_fairness.errors import require_number
from polars_fairness.formula.arithmetic import INFINITY, total
from polars_fairness.formula.formulas import partition, population
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import g

UNEQUAL: Final = "errors benefit some and cost others"
IMPOSSIBLE: Final = "impossible"

_benefit: Final = g.tp + g.tn + 2 * g.fp
_mean: Final = _benefit.sum() / g.n.sum()
_none, _single, _double = (rows.sum() / g.n.sum() for rows in (g.fn, g.tp + g.tn, g.fp))

_DEFINITIONS: Final[dict[float, str]] = {0: "−mean(ln(b/µ))", 1: "mean((b/µ)·ln(b/µ))"}
_IN_LATEX: Final[dict[float, str]] = {
    0: r"-\frac{1}{n} \sum_j \ln \frac{b_j}{\mu}",
    1: r"\frac{1}{n} \sum_j \frac{b_j}{\mu} \cdot \ln \frac{b_j}{\mu}",
}
_BENEFIT: Final = r", \quad b_j = y'_j - y_j + 1"


def _entropy(alpha: float) -> pl.Expr:
    """The generalised entropy index; Undefined (NaN) if all benefits, and so their mean, are 0."""
    if alpha == 0:
        value = _mean.log() - _double * log(2)
    elif alpha == 1:
        value = 2 * _double / _mean * log(2) - _mean.log()
    else:
        value = ((_single + _double * 2**alpha) / _mean**alpha - 1) / (alpha * (alpha - 1))
    # Rounding may leave -1e-17 where all benefits are equal.
    value = value.clip(lower_bound=0)
    return value if alpha > 0 else pl.when(_none == 0).then(value).otherwise(None)


def ge(alpha: float = 2) -> Metric:
    """The inequality of benefits, as the generalised entropy index.

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
    >>> pf.metrics(tests, pf.ge(alpha=2), label="ill", predicted="positive")["ge"].round(2).item()
    0.06
    """
    alpha = require_number("alpha", alpha)
    definition = _DEFINITIONS.get(alpha, f"mean((b/µ)^α − 1) / (α(α−1)), α = {alpha:g}")
    sum_of_powers = r"\frac{1}{n \alpha (\alpha - 1)} \sum_j ((b_j / \mu)^\alpha - 1)"
    latex = _IN_LATEX.get(alpha, rf"{sum_of_powers}, \quad \alpha = {alpha:g}")
    return Metric(
        name="ge",
        title=f"Generalised entropy index of order {alpha:g}",
        formula=population(_entropy(alpha)),
        definition=f"{definition}, b = y' − y + 1",
        latex=latex + _BENEFIT,
        range=(0, INFINITY),
        above=UNEQUAL,
        below=IMPOSSIBLE,
        source=f"{CLARIFY}, {AIF360}",
    )


METRICS: Final = (
    ge(),
    Metric(
        name="theil",
        title="Theil index",
        formula=population(_entropy(1)),
        definition="mean((b/µ)·ln(b/µ)), b = y' − y + 1",
        latex=_IN_LATEX[1] + _BENEFIT,
        range=(0, INFINITY),
        above=UNEQUAL,
        below=IMPOSSIBLE,
        source=AIF360,
    ),
    Metric(
        name="coefficient_of_variation",
        title="Coefficient of variation of the benefits",
        formula=population((2 * _entropy(2)).sqrt()),
        definition="√(2·GE₂)",
        latex=r"\sqrt{2 \cdot \mathrm{GE}_2}",
        range=(0, INFINITY),
        above=UNEQUAL,
        below=IMPOSSIBLE,
        source=AIF360,
    ),
    Metric(
        name="ge_between",
        title="Generalised entropy between groups",
        formula=partition(total(g.n / g.n.sum() * (_benefit / g.n / _mean - 1) ** 2) / 2),
        definition="GE₂ after each row's benefit is replaced by its group's mean benefit",
        latex=r"\frac{1}{2 n} \sum_g n_g ((\bar{b}_g / \mu)^2 - 1)",
        range=(0, INFINITY),
        above="some groups benefit from errors and others pay for them",
        below=IMPOSSIBLE,
        source=AIF360,
    ),
)

PARAMETRISED: Final = (ge,)
