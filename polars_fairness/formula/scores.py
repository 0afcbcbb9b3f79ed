"""What scores say of groups, as expressions over a table with a row for each score, in order.

The terms of a side, such as ``d_s.positive``, are counts and sums over its rows of one score.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.formula.arithmetic import UNDEFINED, ratio, ratio_of_totals, total
from polars_fairness.formula.sides import Side

SCORE: Final = pl.col("score")
"""The score of a row of the table; of rounded scores, the multiple that they were rounded to."""

RESOLUTION: Final = pl.col("resolution")
"""The number to whose multiples scores were rounded, in a column with one value.

The call decides it: null if scores are not rounded, NaN if it is not known.
"""

ARE_PROBABILITIES: Final = pl.col("are_probabilities")
"""Whether all scores that a value is computed from lie between 0 and 1."""

WIDTH: Final = pl.col("width")
"""The width of an interval of false positive rates."""

# Larger than the rounding errors of a sum, of all rows or up to a score.
_LAST_DIGITS: Final = 1e-12

# Larger than the rounding errors of a quotient.
_NEAR: Final = 1e-9

# Of the sum of squares: less is what rounding leaves, of equal scores and of a difference of sums.
_LEAST_VARIANCE: Final = 1e-24
_LEAST_DIFFERENCE: Final = 1e-12


def auc(positives: Side, negatives: Side) -> pl.Expr:
    """The chance that a positive row of one side has a higher score than a negative of another.

    Equal scores count half.

    Examples
    --------
    >>> from polars_fairness.terms import a_s, auc, d_s, over_scores
    >>> over_scores(auc(a_s, d_s)).level.name
    'score'
    """
    below = negatives.negative.cum_sum() - negatives.negative / 2
    pairs = positives.positive.sum() * negatives.negative.sum()
    return ratio_of_totals((positives.positive * below).sum(), pairs)


def auc_error(side: Side) -> pl.Expr:
    """How far rounded scores may move the AUC of a side; 0 if they are not rounded."""
    within = (
        pl.when(RESOLUTION.is_not_null()).then(side.positive * side.negative / 2).otherwise(0.0)
    )
    return ratio_of_totals(within.sum(), side.positive.sum() * side.negative.sum())


def mean_score(side: Side) -> pl.Expr:
    """The mean score of a side."""
    return ratio_of_totals(side.scores.sum(), side.n.sum())


def quantile_of_scores(side: Side, share: float) -> pl.Expr:
    """The lowest score that at least this share of the rows of a side does not exceed."""
    rows = side.n.sum()
    is_reached = side.n.cum_sum() >= share * rows * (1 - _LAST_DIGITS)
    return pl.when(rows.first() > 0).then(pl.when(is_reached).then(SCORE).min())


def mean_score_of_positive(side: Side) -> pl.Expr:
    """The mean score of the rows of a side whose label is positive."""
    return ratio_of_totals(side.positive_scores.sum(), side.positive.sum())


def mean_score_of_negative(side: Side) -> pl.Expr:
    """The mean score of the rows of a side whose label is negative."""
    return ratio_of_totals(side.negative_scores.sum(), side.negative.sum())


def variance(side: Side) -> pl.Expr:
    """The variance of the scores of a side, divided by its rows and not by one row less.

    Scores that are not rounded are squared as distances from their mean. The mean square less the
    squared mean would lose the variance of scores such as 1,000,000.2 and 1,000,000.6.
    """
    rows, squares, has_rows = side.n.sum(), side.squared_scores.sum(), side.n > 0
    mean, at_score = side.scores.sum() / rows, side.scores / side.n
    between = pl.when(has_rows).then(side.n * (at_score - mean) ** 2).sum()
    inside = squares - pl.when(has_rows).then(side.scores * at_score).sum()
    is_rounded = RESOLUTION.is_not_null().first() & (inside > _LEAST_DIFFERENCE * squares)
    found = between + pl.when(is_rounded).then(inside).otherwise(0.0)
    return pl.when(found > _LEAST_VARIANCE * squares).then(found / rows).otherwise(0.0)


def deviation(side: Side) -> pl.Expr:
    """The standard deviation of the scores of a side, whose squares are divided by one row less.

    With weights, by one effective row less (Kish). Of one row, and of equal scores, it is 0.
    """
    effective = side.n.sum() ** 2 / side.squared_weights.sum()
    squared = variance(side) * effective / (effective - 1)
    return pl.when(effective > 1).then(squared.sqrt()).otherwise(0.0)


def share_up_to(count: pl.Expr) -> pl.Expr:
    """The share of the rows of a count that have this score or a lower one."""
    return ratio(count.cum_sum(), count.sum())


def kolmogorov_smirnov(one: pl.Expr, other: pl.Expr) -> pl.Expr:
    """The largest distance between the distributions of two counts over the scores."""
    return (share_up_to(one) - share_up_to(other)).abs().max()


def wasserstein(one: pl.Expr, other: pl.Expr) -> pl.Expr:
    """The area between the distributions of two counts over the scores, in units of the score."""
    distance = (one.cum_sum() / one.sum() - other.cum_sum() / other.sum()).abs()
    step = (SCORE.shift(-1) - SCORE).fill_null(0.0)
    have_rows = (one.sum() > 0) & (other.sum() > 0)
    return pl.when(have_rows).then((distance * step).sum()).otherwise(UNDEFINED.first())


def overshoot(side: Side) -> pl.Expr:
    """The share of a side that is positive, less its mean score."""
    return ratio_of_totals(side.positive.sum() - side.scores.sum(), side.n.sum())


def brier(side: Side) -> pl.Expr:
    """The mean squared distance between score and label."""
    squares = side.squared_scores - 2 * side.positive_scores + side.positive
    return ratio_of_totals(squares.sum().clip(lower_bound=0), side.n.sum())


def ece(side: Side, bins: int) -> pl.Expr:
    """The expected calibration error over bins of equal width.

    It is the mean distance between the base rate and the mean score of a row's bin.
    """
    is_last = (bin_of(bins) != bin_of(bins).shift(-1)).fill_null(value=True)
    up_to_bin = (side.positive - side.scores).cum_sum().filter(is_last)
    in_bin = up_to_bin - up_to_bin.shift(1, fill_value=0.0)
    # Multiples that lie in two bins have rows of both.
    steps = (1 / (bins * RESOLUTION)).first()
    is_exact = steps.is_null() | ((steps - steps.round()).abs() < _NEAR)
    rows = side.n.sum()
    # A quotient tested for NaN is computed three times, which took half of the time of a draw.
    mean = pl.when(rows == 0).then(UNDEFINED.first()).otherwise(in_bin.abs().sum() / rows)
    return pl.when(is_exact).then(mean)


def bin_of(bins: int) -> pl.Expr:
    """The bin of a score; its ends are the nearest floats, such as 29/100 and not 29 * 0.01."""
    guess = (SCORE * bins).floor()
    # By one number polars does not divide, but multiplies by its inverse: 3/10 would not be 0.3.
    divisor = guess * 0.0 + bins
    over, under = (guess + 1) / divisor <= SCORE, guess / divisor > SCORE
    return (guess + over.cast(pl.Float64) - under.cast(pl.Float64)).clip(0, bins - 1)


def ecce(side: Side) -> pl.Expr:
    """The range of the cumulative differences between labels and scores, by rising score."""
    return ratio_of_totals(_range_of_differences(side), side.n.sum())


def ecce_sigma(side: Side) -> pl.Expr:
    """How many standard errors the `ecce` of a side is, if its scores were true probabilities."""
    uncertainty = (side.scores - side.squared_scores) / side.n * side.squared_weights
    of_all = pl.when(side.n > 0).then(uncertainty).otherwise(0.0).sum()
    return ratio_of_totals(_range_of_differences(side), of_all.clip(lower_bound=0).sqrt())


def _range_of_differences(side: Side) -> pl.Expr:
    differences = (side.positive - side.scores).cum_sum()
    return differences.max().clip(lower_bound=0) - differences.min().clip(upper_bound=0)


def area_between(one: Side, other: Side) -> pl.Expr:
    """The area between two ROC curves, which are straight lines on each interval."""
    start, end = one.start - other.start, one.end - other.end
    ends = start.abs() + end.abs()
    # Where the lines cross, the area is two triangles.
    crossed = (start**2 + end**2) / (2 * ends)
    area = WIDTH * pl.when(start * end < 0).then(crossed).otherwise(ends / 2)
    return total(area).fill_null(UNDEFINED.first())


def only_of_probabilities(value: pl.Expr) -> pl.Expr:
    """A value that is defined only if all scores lie between 0 and 1."""
    return pl.when(ARE_PROBABILITIES.first()).then(value)
