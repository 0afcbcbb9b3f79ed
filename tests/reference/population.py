"""The whole population."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import mul

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, root
from tests.reference.rows import Row, split

Benefits = Sequence[tuple[Fraction, Fraction]]


def benefits(rows: Iterable[Row]) -> Benefits:
    """The weight and the benefit of every row."""
    return [(Fraction(row.weight), Fraction(row.predicted - row.label + 1)) for row in rows]


def mean(values: Iterable[tuple[Fraction, Fraction | float]]) -> Fraction | float | None:
    """The weighted mean."""
    parts = list(values)
    total = sum(weight for weight, _ in parts)
    return sum(weight * value for weight, value in parts) / total if total else None


def entropy(c: Case, parts: Benefits, alpha: float) -> Value:
    """Generalized entropy of the benefits."""
    present = [(weight, benefit) for weight, benefit in parts if weight]
    middle = mean(present)
    scaled = [(weight, c.ratio(benefit, middle)) for weight, benefit in present]
    known = [(weight, x) for weight, x in scaled if x is not None]
    if not known or len(known) < len(scaled):
        return None
    if alpha == 1:
        return mean((weight, x * math.log(x) if x else 0.0) for weight, x in known)
    if alpha <= 0 and any(x == 0 for _, x in known):
        return None
    if alpha == 0:
        return mean((weight, -math.log(x)) for weight, x in known)
    return c.ratio(mean((weight, x**alpha - 1) for weight, x in known), alpha * (alpha - 1))


def ge(c: Case, alpha: float = 2) -> Value:
    """Generalized entropy."""
    return entropy(c, benefits(c.rows), alpha)


def theil(c: Case) -> Value:
    """Theil's index."""
    return ge(c, alpha=1)


def coefficient_of_variation(c: Case) -> Value:
    """Standard deviation of the benefits over their mean."""
    value = ge(c)
    return None if value is None else root(2 * value)


def ge_between(c: Case) -> Value:
    """Generalized entropy of the groups' mean benefits."""
    parts: list[tuple[Fraction, Fraction]] = []
    for group in split(c.rows, lambda row: row.facet):
        middle = mean(benefits(group))
        parts += [(Fraction(row.weight), Fraction(middle)) for row in group if middle is not None]
    return entropy(c, parts, 2)


def mean_of_rows(c: Case, worth: Callable[[Row], float]) -> Value:
    """What all rows are worth, over their weight."""
    weights = [Fraction(row.weight) for row in c.rows]
    values = [Fraction(worth(row)) for row in c.rows]
    return c.ratio(sum(map(mul, weights, values), Fraction()), sum(weights, Fraction()))


def accuracy(c: Case) -> Value:
    """The share of rows whose prediction is the label."""
    return mean_of_rows(c, lambda row: row.predicted == row.label)


def selection_rate(c: Case) -> Value:
    """The share of rows predicted positive."""
    return mean_of_rows(c, lambda row: row.predicted)


def utility(c: Case) -> Value:
    """What accepted rows bring: 1 where the label is positive, else −1."""
    return mean_of_rows(c, lambda row: row.predicted * (1 if row.label else -1))


FORMULAS: tuple[Formula, ...] = (
    *(ge, theil, coefficient_of_variation, ge_between),
    *(accuracy, selection_rate, utility),
)
