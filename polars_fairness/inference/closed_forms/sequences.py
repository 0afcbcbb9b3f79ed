"""Confidence sequences: an interval at each look, which hold at all looks together.

An ordinary interval of 95 % is right in 95 of 100 audits. Of 100 streams without any difference,
looked at 52 times, about 30 have a look at which it is wrong; if each look has rows of its own, up
to 94 (`benchmarks/looks.py`). A confidence sequence is right at every look of 95 of 100 streams,
however often and for whatever reason one looks (Waudby-Smith et al. 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import Final

from polars_fairness.formula.arithmetic import ratio, total
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.levels import POPULATION
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import PROPORTIONS, RATES
from polars_fairness.formula.sides import g
from polars_fairness.formula.tree import Expression, choose, term
from polars_fairness.inference.closed_forms.rates import (
    Proportion,
    differences,
    rates_compared,
    ratios,
)

# At this number of rows the interval is tightest. It is fixed in advance: chosen by the data, no
# guarantee would be left. From 100 to 100,000 rows the interval is at most 22 % wider than if it
# were tightest at the very number of rows; below it widens fast, at 10 rows to 2.7 times as much.
TIGHTEST_AT: Final = 1_000


def sequence_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it is no rate, nor compares two rates.

    Of two rates, each has half of the chance to be ever wrong. So the bounds hold together, even
    if the sides share rows.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [sequence_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("rd", "di", "cddpl")]
    [False, False, True]
    """
    alpha = 1 - confidence
    if rates := rates_compared(metric, differences):
        (low, high), (other_low, other_high) = (_bounds(rate, alpha / 2) for rate in rates)
        limits = low - other_high, high - other_low
    elif rates := rates_compared(metric, ratios):
        (low, high), (other_low, other_high) = (_bounds(rate, alpha / 2) for rate in rates)
        limits = low / other_high, high / other_low
    elif rates := rates_compared(metric, _alone):
        limits = _bounds(rates[0], alpha)
    elif of_all := _rate_of_all_rows(metric):
        limits = _bounds(of_all, alpha)
    else:
        return None
    level = metric.parsed.level
    lower, upper = (replace(metric, formula=Formula(level, limit)) for limit in limits)
    return lower, upper


def _alone(one: Expression, _: Expression) -> Sequence[Expression]:
    return [one]


def _rate_of_all_rows(metric: Metric) -> Proportion | None:
    """The rate that a formula is for all rows as one group; None if it is none."""
    for name in PROPORTIONS if metric.parsed.level == POPULATION else ():
        above, below = (part.sum() for part in RATES[name].sums(g.name))
        for written in (ratio(above, below), total(term(f"{g.name}.{name}"))):
            if metric.parsed.expression is written:
                return Proportion(above, below)
    return None


def _bounds(proportion: Proportion, alpha: float) -> tuple[Expression, Expression]:
    """Bounds of a rate that hold at every number of rows, but for a chance of ``alpha``.

    The deviation is estimated from the rows and from -2·ln(alpha) more, half of them positive. The
    deviation of the rows alone is 0 until both outcomes were seen, and too small as long as one is
    rare: with it, intervals of 2.5 % were ever wrong in up to 96 of 100 streams of 52 looks, and
    with these rows in at most 2.
    """
    rows, rate = proportion.of, proportion.count / proportion.of
    start = -2 * log(alpha)
    share = (proportion.count + start / 2) / (rows + start)
    spread = rows * (start + log(start) + 1) / TIGHTEST_AT  # t·rho² of the paper
    factor = 2 * (spread + 1) / (rows * spread)
    reach = (share * (1 - share) * factor * ((spread + 1).sqrt() / alpha).log()).sqrt()
    # A rate of no rows may be anything from 0 to 1.
    lower = choose(rows > 0, (rate - reach).clip(lower=0), 0.0)
    upper = choose(rows > 0, (rate + reach).clip(upper=1), 1.0)
    return lower, upper
