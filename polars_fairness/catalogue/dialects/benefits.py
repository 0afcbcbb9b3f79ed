"""The inequality of the benefits of rows, b = y' − y + 1, as AIF360 and tools after it have it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import add

from polars_fairness.errors import require_number
from polars_fairness.formula.formulas import Formula, across, population
from polars_fairness.formula.levels import AMONG_ALL
from polars_fairness.formula.sides import Side, a, both, d, g, neither
from polars_fairness.formula.tree import Expression, choose, literal


def _benefits(side: Side) -> Expression:
    return side.tp + side.tn + 2 * side.fp


def _part(relative: Expression, mean: Expression, alpha: float) -> Expression:
    """The part of a benefit over the mean: AIF360 divides the order 0 by the mean once more."""
    if alpha == 1:
        return choose(relative > 0, relative * relative.log(), 0.0)
    if alpha == 0:
        return -relative.log() / mean
    return (relative**alpha - 1) / (alpha * (alpha - 1))


def _entropy(shares: list[tuple[Expression, Expression]], alpha: float) -> Expression:
    """The entropy of benefits, each with its share of the rows."""
    alpha = require_number("alpha", alpha)
    mean = reduce(add, (share * benefit for share, benefit in shares))
    parts = (
        choose(share > 0, share * _part(benefit / mean, mean, alpha), 0.0)
        for share, benefit in shares
    )
    return choose(mean > 0, reduce(add, parts))


def entropy_of_rows(alpha: float = 2) -> Formula:
    """The generalized entropy of the benefits of rows."""
    counts = ((g.fn, 0.0), (g.tp + g.tn, 1.0), (g.fp, 2.0))
    shares = [(rows.sum() / g.n.sum(), literal(benefit)) for rows, benefit in counts]
    return population(_entropy(shares, alpha))


def entropy_of_sides(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of both sides; of rows on neither, 0."""
    n = both.n + neither.n
    shares = [(side.n / n, _benefits(side) / side.n) for side in (d, a)]
    return Formula(AMONG_ALL, _entropy([*shares, (neither.n / n, literal(0.0))], alpha))


def entropy_of_groups(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of all groups."""
    alpha = require_number("alpha", alpha)
    mean = _benefits(g).sum() / g.n.sum()
    value = (g.n * _part(_benefits(g) / g.n / mean, mean, alpha)).sum() / g.n.sum()
    return across(choose((mean > 0) & (g.n.sum() > 0), value), may_overlap=False)


def coefficient_of_variation(formula: Callable[[], Formula]) -> Formula:
    """The coefficient of variation: the root of twice the entropy of order 2."""
    found = formula()
    return replace(found, expression=(2 * found.expression).clip(lower=0).sqrt())
