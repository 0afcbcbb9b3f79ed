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

import polars as pl

from polars_fairness.catalogue import CATALOGUE
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
from polars_fairness.inference.closed_forms.strata import student

# The effective number of one row may be above 1, by a last digit.
_ONE_ROW: Final = 1 + 1e-6


@dataclass(frozen=True)
class _Mean:
    """A mean over the rows of a side: as formulas write it, and the number that each row has.

    ``numbers`` has a function of the score for each count of rows that the mean is taken over.
    """

    formula: Callable[[Side], pl.Expr]
    numbers: Mapping[str, Callable[[pl.Expr], pl.Expr]]
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

    weight: pl.Expr
    variance: pl.Expr
    squares: Sequence[pl.Expr]

    @property
    def effective(self) -> pl.Expr:
        """The effective number of rows (Kish)."""
        return self.weight**2 / self.squares[0]

    def variance_of_mean(self, squares: pl.Expr) -> pl.Expr:
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
    if formula.expression.meta.eq(_SMD):
        sides = [_sums(side, _MEAN_SCORE) for side in (a_s, d_s)]
        return _bounds(metric, [*_variances_of_smd(*sides)], sides, z)
    for mean in _MEANS:
        for one, other in permutations((a_s, d_s)):
            difference = mean.formula(one) - mean.formula(other)
            written = over_scores(difference, of_probabilities=mean.of_probabilities)
            if formula.expression.meta.eq(written.expression):
                sides = [_sums(side, mean) for side in (one, other)]
                variances = [each.variance_of_mean(each.squares[2]) for each in sides]
                return _bounds(metric, variances, sides, z)
    return None


def _bounds(
    metric: Metric, variances: Sequence[pl.Expr], sides: Sequence[_Sums], z: float
) -> tuple[Metric, Metric]:
    """The bounds of a metric, given what the rows of each side add to its variance."""
    formula, (lowest, highest) = metric.parsed, metric.range
    parts = [formula.expression, *variances, *(each.effective for each in sides)]

    def bound(sign: int, limit: float) -> Metric:
        def end(
            value: pl.Expr, one: pl.Expr, other: pl.Expr, rows: pl.Expr, other_rows: pl.Expr
        ) -> pl.Expr:
            # Welch's and Satterthwaite's degrees of freedom.
            total = one + other
            freedom = total**2 / (one**2 / (rows - 1) + other**2 / (other_rows - 1))
            reach = pl.when(total > 0).then(student(z, freedom) * total.sqrt()).otherwise(0.0)
            # The variance of a single row is not known.
            is_known = pl.min_horizontal(rows, other_rows) > _ONE_ROW
            return (
                pl.when(is_known)
                .then((value + sign * reach).clip(lowest, highest))
                .otherwise(limit)
            )

        return replace(metric, formula=replace(formula, expression=_computed_once(parts, end)))

    return bound(-1, lowest), bound(1, highest)


def _computed_once(values: Sequence[pl.Expr], function: Callable[..., pl.Expr]) -> pl.Expr:
    """Evaluate a function of aggregates, and compute each aggregate once.

    Polars computes an aggregate as often as a formula has it, and Student's quantile has each sum a
    dozen times: six intervals of 50,000 scores took 12.6 s of a processor, and take 0.8 s so.
    """
    elements = [pl.element().get(i) for i in range(len(values))]
    return pl.concat_list(values).list.eval(function(*elements)).list.first()


def _variances_of_smd(*sides: _Sums) -> Iterator[pl.Expr]:
    """The variances that the rows of each side add, by the delta method.

    A row moves the mean by its distance from it, and the pooled variance by its squared distance
    less the variance.
    """
    pooling = [part for each in sides for part in (each.effective, each.variance)]
    for i, sign in enumerate((1, -1)):

        def of_side(smd: pl.Expr, *parts: pl.Expr, i: int = i, sign: int = sign) -> pl.Expr:
            (rows, variances), q = (parts[j:4:2] for j in range(2)), parts[4:]
            freedom = _sum(rows) - 2
            shares = [each / freedom for each in rows]
            pooled = _sum(share * v for share, v in zip(shares, variances, strict=True))
            linear, squared, v = sign / pooled.sqrt(), smd * shares[i] / (2 * pooled), variances[i]
            squares = (
                linear**2 * q[2]
                - 2 * linear * squared * (q[3] - v * q[1])
                + squared**2 * (q[4] - 2 * v * q[2] + v**2 * q[0])
            )
            return pl.when(pooled > 0).then(squares)

        own = _computed_once([_SMD, *pooling, *sides[i].squares], of_side)
        yield sides[i].variance_of_mean(own)


def _sums(side: Side, mean: _Mean) -> _Sums:
    """The sums over the rows of a side.

    Rounded scores count as the mean of those at their multiple: so they vary between the multiples,
    and not within them.
    """
    weights, squares, numbers = [], [], []
    for count, number in mean.numbers.items():
        weight, scores, rows = (
            pl.col(f"{side.name}.{word}")
            for word in (
                count,
                "scores" if count == "n" else f"{count}_scores",
                f"effective_{count}",
            )
        )
        has_rows = weight > 0
        weights.append(weight)
        squares.append(pl.when(has_rows).then(weight**2 / rows).otherwise(0.0))
        numbers.append(pl.when(has_rows).then(number(scores / weight)).otherwise(0.0))
    total = _sum(weights).sum()
    average = _products(weights, numbers) / total
    distances = [number - average for number in numbers]
    return _Sums(
        weight=total,
        variance=_products(weights, (each**2 for each in distances)) / total,
        squares=[_products(squares, (each**power for each in distances)) for power in range(5)],
    )


def _products(weights: Iterable[pl.Expr], numbers: Iterable[pl.Expr]) -> pl.Expr:
    return _sum(weight * number for weight, number in zip(weights, numbers, strict=True)).sum()


def _sum(values: Iterable[pl.Expr]) -> pl.Expr:
    return reduce(add, values)
