"""Closed-form intervals of differences of two means over scores: Welch's, also with weights.

The bounds are metrics themselves, evaluated together with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from operator import add
from statistics import NormalDist
from typing import Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.arithmetic import least
from polars_fairness.formula.formulas import over_scores
from polars_fairness.formula.levels import SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import (
    brier,
    mean_score,
    mean_score_of_negative,
    mean_score_of_positive,
    overshoot,
)
from polars_fairness.formula.sides import Side, a_s, d_s
from polars_fairness.formula.tree import Expression, choose, term
from polars_fairness.inference.closed_forms.rates import student

# The effective number of one row may be above 1, by a last digit.
_ONE_ROW: Final = 1 + 1e-6


@dataclass(frozen=True)
class _Mean:
    """A mean over the rows of a side: as formulas write it, and the number that each row has.

    ``numbers`` has a function of the score for each count of rows that the mean is taken over.
    """

    formula: Callable[[Side], Expression]
    numbers: Mapping[str, Callable[[Expression], Expression]]
    of_probabilities: bool = False


_MEAN_SCORE: Final = _Mean(mean_score, {"n": lambda s: s})

_MEANS: Final = (
    _MEAN_SCORE,
    _Mean(mean_score_of_positive, {"positive": lambda s: s}),
    _Mean(mean_score_of_negative, {"negative": lambda s: s}),
    _Mean(overshoot, {"positive": lambda s: 1 - s, "negative": lambda s: -s}, True),
    _Mean(brier, {"positive": lambda s: (1 - s) ** 2, "negative": lambda s: s**2}, True),
)

_SMD: Final = CATALOGUE["smd"].parsed.expression


@dataclass(frozen=True)
class _Sums:
    """Sums over the rows of a side, of powers of their distances from the mean.

    ``squares[k]`` is the sum of squared weights times the kth power of the distance.
    """

    weight: Expression
    variance: Expression
    squares: Sequence[Expression]

    @property
    def effective(self) -> Expression:
        """The effective number of rows (Kish)."""
        return self.weight**2 / self.squares[0]

    def variance_of_mean(self, squares: Expression) -> Expression:
        """The variance of a mean, from the sum of the squares of what rows add to it."""
        return squares / self.weight**2 * self.effective / (self.effective - 1)


def mean_bounds(metric: Metric, confidence: float) -> tuple[Metric, Metric] | None:
    """The bounds of a metric as metrics, or None if it compares no two means over scores.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [mean_bounds(pf.CATALOGUE[name], 0.95) is None for name in ("smd", "score_ks")]
    [False, True]
    """
    formula, z = metric.parsed, NormalDist().inv_cdf((1 + confidence) / 2)
    if formula.level != SCORE:
        return None
    if formula.expression is _SMD:
        sides = [_sums(side, _MEAN_SCORE) for side in (a_s, d_s)]
        return _bounds(metric, [*_variances_of_smd(*sides)], sides, z)
    for mean in _MEANS:
        for one, other in permutations((a_s, d_s)):
            difference = mean.formula(one) - mean.formula(other)
            written = over_scores(difference, of_probabilities=mean.of_probabilities)
            if formula.expression is written.expression:
                sides = [_sums(side, mean) for side in (one, other)]
                variances = [each.variance_of_mean(each.squares[2]) for each in sides]
                return _bounds(metric, variances, sides, z)
    return None


def _bounds(
    metric: Metric, variances: Sequence[Expression], sides: Sequence[_Sums], z: float
) -> tuple[Metric, Metric]:
    """The bounds of a metric, given what the rows of each side add to its variance."""
    formula, (lowest, highest) = metric.parsed, metric.range
    (one, other), (rows, other_rows) = variances, (each.effective for each in sides)
    # Welch's and Satterthwaite's degrees of freedom.
    together = one + other
    freedom = together**2 / (one**2 / (rows - 1) + other**2 / (other_rows - 1))
    reach = choose(together > 0, student(z, freedom) * together.sqrt(), 0.0)
    # The variance of a single row is not known.
    is_known = least(rows, other_rows) > _ONE_ROW
    lower, upper = (
        choose(is_known, (formula.expression + sign * reach).clip(lowest, highest), limit)
        for sign, limit in ((-1, lowest), (1, highest))
    )
    return (
        replace(metric, formula=replace(formula, expression=lower)),
        replace(metric, formula=replace(formula, expression=upper)),
    )


def _variances_of_smd(*sides: _Sums) -> Iterator[Expression]:
    """The variances that the rows of each side add, by the delta method.

    A row moves the mean by its distance from it, and the pooled variance by its squared distance
    less the variance.
    """
    freedom = _sum(each.effective for each in sides) - 2
    shares = [each.effective / freedom for each in sides]
    pooled = _sum(share * each.variance for share, each in zip(shares, sides, strict=True))
    for side, share, sign in zip(sides, shares, (1, -1), strict=True):
        linear, squared = sign / pooled.sqrt(), _SMD * share / (2 * pooled)
        q, v = side.squares, side.variance
        squares = (
            linear**2 * q[2]
            - 2 * linear * squared * (q[3] - v * q[1])
            + squared**2 * (q[4] - 2 * v * q[2] + v**2 * q[0])
        )
        yield side.variance_of_mean(choose(pooled > 0, squares))


def _sums(side: Side, mean: _Mean) -> _Sums:
    """The sums over the rows of a side.

    Rounded scores count as the mean of those at their multiple: so they vary between the multiples,
    and not within them.
    """
    weights, squares, numbers = [], [], []
    for count, number in mean.numbers.items():
        weight, scores, rows = (
            term(f"{side.name}.{word}")
            for word in (
                count,
                "scores" if count == "n" else f"{count}_scores",
                f"effective_{count}",
            )
        )
        has_rows = weight > 0
        weights.append(weight)
        squares.append(choose(has_rows, weight**2 / rows, 0.0))
        numbers.append(choose(has_rows, number(scores / weight), 0.0))
    total = _sum(weights).sum()
    average = _products(weights, numbers) / total
    distances = [number - average for number in numbers]
    return _Sums(
        weight=total,
        variance=_products(weights, (each**2 for each in distances)) / total,
        squares=[_products(squares, (each**power for each in distances)) for power in range(5)],
    )


def _products(weights: Iterable[Expression], numbers: Iterable[Expression]) -> Expression:
    return _sum(weight * number for weight, number in zip(weights, numbers, strict=True)).sum()


def _sum(values: Iterable[Expression]) -> Expression:
    return reduce(add, values)
