"""Numbers about scores, as expressions over a table with a row for each score, in order.

The terms of a side, such as ``d_s.positive``, are counts and sums over its rows of one score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from polars_fairness.formula.sides import Side, g, g_s, outcomes_of
from polars_fairness.formula.tree import UNDEFINED, Expression, choose, ratio, term, total

BINS: Final = 10


SCORE: Final = term("score")
"""The score of a row of the table; of rounded scores, the multiple that they were rounded to."""

RESOLUTION: Final = term("resolution")
"""The number to whose multiples scores were rounded, in a column with one value.

The call decides it: null if scores are not rounded, NaN if it is not known.
"""

ARE_PROBABILITIES: Final = term("are_probabilities")
"""1 if all scores that a value is computed from lie between 0 and 1, else 0."""

WIDTH: Final = term("width")
"""The width of an interval of false positive rates."""

# Larger than the rounding errors of a sum, of all rows or up to a score.
_LAST_DIGITS: Final = 1e-12

# Larger than the rounding errors of a quotient.
_NEAR: Final = 1e-9

# Of the sum of squares: less is what rounding leaves, of equal scores and of a difference of sums.
_LEAST_VARIANCE: Final = 1e-24
_LEAST_DIFFERENCE: Final = 1e-12


def auc(positives: Side, negatives: Side) -> Expression:
    """The probability that a positive row of one side scores higher than a negative of another.

    Equal scores count half.

    Examples
    --------
    >>> from polars_fairness.terms import a_s, auc, d_s, over_scores
    >>> over_scores(auc(a_s, d_s)).level.name
    'score'
    """
    below = negatives.negative.running_sum() - negatives.negative / 2
    pairs = positives.positive.sum() * negatives.negative.sum()
    return ratio((positives.positive * below).sum(), pairs)


def auc_error(side: Side) -> Expression:
    """The largest error of the AUC of a side from rounded scores; 0 if they are not rounded."""
    within = choose(RESOLUTION.is_null(), 0.0, side.positive * side.negative / 2)
    return ratio(within.sum(), side.positive.sum() * side.negative.sum())


def mean_score(side: Side) -> Expression:
    """The mean score of a side."""
    return ratio(side.scores.sum(), side.n.sum())


def quantile_of_scores(side: Side, share: float) -> Expression:
    """The lowest score that at least this share of the rows of a side does not exceed."""
    rows = side.n.sum()
    is_reached = side.n.running_sum() >= share * rows * (1 - _LAST_DIGITS)
    return choose(rows.first() > 0, choose(is_reached, SCORE).min())


def quantile(side: Side, at: float) -> Expression:
    """The smallest score of a side below which lies more than a share of its rows, by weight.

    Where a score ends exactly at the share, it is the mean of this score and the next one.
    """
    up_to, rows = side.n.running_sum(), side.n.sum()
    first, last = (
        choose(is_reached, SCORE).min()
        for is_reached in (
            up_to >= at * rows * (1 - _LAST_DIGITS),
            up_to > at * rows * (1 + _LAST_DIGITS),
        )
    )
    return choose(rows > 0, (first + last) / 2)


def mean_score_of_positive(side: Side) -> Expression:
    """The mean score of the rows of a side whose label is positive."""
    return ratio(side.positive_scores.sum(), side.positive.sum())


def mean_score_of_negative(side: Side) -> Expression:
    """The mean score of the rows of a side whose label is negative."""
    return ratio(side.negative_scores.sum(), side.negative.sum())


def variance(side: Side) -> Expression:
    """The variance of the scores of a side, divided by its rows and not by one row less.

    Scores that are not rounded are squared as distances from their mean. The mean square less the
    squared mean would lose the variance of scores such as 1,000,000.2 and 1,000,000.6.
    """
    rows, squares, has_rows = side.n.sum(), side.squared_scores.sum(), side.n > 0
    mean, at_score = side.scores.sum() / rows, side.scores / side.n
    between = choose(has_rows, side.n * (at_score - mean) ** 2).sum()
    inside = squares - choose(has_rows, side.scores * at_score).sum()
    is_rounded = ~RESOLUTION.is_null() & (inside > _LEAST_DIFFERENCE * squares)
    estimate = between + choose(is_rounded, inside, 0.0)
    return choose(estimate > _LEAST_VARIANCE * squares, estimate / rows, 0.0)


def deviation(side: Side) -> Expression:
    """The standard deviation of the scores of a side, whose squares are divided by one row less.

    With weights, by one effective row less (Kish). For one row, and for equal scores, it is 0.
    """
    effective = side.n.sum() ** 2 / side.squared_weights.sum()
    squared = variance(side) * effective / (effective - 1)
    return choose(effective > 1, squared.sqrt(), 0.0)


def share_up_to(count: Expression) -> Expression:
    """The share of the rows of a count that have this score or a lower one."""
    return ratio(count.running_sum(), count.sum())


def kolmogorov_smirnov(one: Expression, other: Expression) -> Expression:
    """The largest distance between the distributions of two counts over the scores."""
    return (share_up_to(one) - share_up_to(other)).abs().max()


def wasserstein(one: Expression, other: Expression) -> Expression:
    """The area between the distributions of two counts over the scores, in units of the score."""
    distance = (one.running_sum() / one.sum() - other.running_sum() / other.sum()).abs()
    step = choose(SCORE.next().is_null(), 0.0, SCORE.next() - SCORE)
    have_rows = (one.sum() > 0) & (other.sum() > 0)
    return choose(have_rows, (distance * step).sum(), UNDEFINED)


def overshoot(side: Side) -> Expression:
    """The share of a side that is positive, minus its mean score."""
    return ratio(side.positive.sum() - side.scores.sum(), side.n.sum())


def brier(side: Side) -> Expression:
    """The mean squared distance between score and label."""
    squares = side.squared_scores - 2 * side.positive_scores + side.positive
    return ratio(squares.sum().clip(lower=0), side.n.sum())


def ece(side: Side, bins: int) -> Expression:
    """The expected calibration error over bins of equal width.

    It is the mean distance between the base rate and the mean score of a row's bin.
    """
    own, up_to = bin_of(bins), (side.positive - side.scores).running_sum()
    is_first = own.previous().is_null() | (own != own.previous())
    before = choose(own.previous().is_null(), 0.0, up_to.previous())
    is_last = own.next().is_null() | (own != own.next())
    in_bin = choose(is_last, up_to - choose(is_first, before).carried())
    # Multiples that lie in two bins have rows of both.
    steps = (1 / (bins * RESOLUTION)).first()
    is_exact = steps.is_null() | ((steps - steps.round()).abs() < _NEAR)
    rows = side.n.sum()
    mean = choose(rows == 0, UNDEFINED, in_bin.abs().sum() / rows)
    return choose(is_exact, mean)


def bin_of(bins: int) -> Expression:
    """The bin of a score; its ends are the nearest floats, such as 29/100 and not 29 * 0.01."""
    guess = (SCORE * bins).floor()
    # By one number polars does not divide, but multiplies by its inverse: 3/10 would not be 0.3.
    divisor = guess * 0.0 + bins
    over, under = (guess + 1) / divisor <= SCORE, guess / divisor > SCORE
    return (guess + over - under).clip(0, bins - 1)


def ecce(side: Side) -> Expression:
    """The range of the cumulative differences between labels and scores, by rising score."""
    return ratio(_range_of_differences(side), side.n.sum())


def ecce_sigma(side: Side) -> Expression:
    """How many standard errors the `ecce` of a side is, if its scores were true probabilities."""
    uncertainty = (side.scores - side.squared_scores) / side.n * side.squared_weights
    of_all = choose(side.n > 0, uncertainty, 0.0).sum()
    return ratio(_range_of_differences(side), of_all.clip(lower=0).sqrt())


def _range_of_differences(side: Side) -> Expression:
    differences = (side.positive - side.scores).running_sum()
    return differences.max().clip(lower=0) - differences.min().clip(upper=0)


def area_between(one: Side, other: Side) -> Expression:
    """The area between two ROC curves, which are straight lines on each interval."""
    start, end = one.start - other.start, one.end - other.end
    ends = start.abs() + end.abs()
    # Where the lines cross, the area is two triangles.
    crossed = (start**2 + end**2) / (2 * ends)
    area = WIDTH * choose(start * end < 0, crossed, ends / 2)
    return choose(total(area).is_null(), UNDEFINED, total(area))


def only_of_probabilities(value: Expression) -> Expression:
    """A value that is defined only if all scores lie between 0 and 1."""
    return choose(ARE_PROBABILITIES == 1, value)


@dataclass(frozen=True)
class Measure:
    """A number that the scores of a group have, with all that the package knows about it.

    Examples
    --------
    >>> sorted(MEASURES["auc"].needs), MEASURES["auc"].term
    (['label'], g.auc)
    """

    name: str  # the word for it in formulas and in columns
    formula: Expression = field(compare=False, repr=False)  # over the scores, of terms of g_s
    title: str
    meaning: str  # its explanation in a report
    is_about_probabilities: bool = False  # whether only scores between 0 and 1 have it
    bins: int | None = None  # of scores between 0 and 1, if it divides them

    @property
    def column(self) -> str:
        """The name of its term."""
        return f"{g.name}.{self.name}"

    @property
    def term(self) -> Expression:
        """The measure of a group, as a formula across groups mentions it."""
        return term(self.column)

    @property
    def value(self) -> Expression:
        """The measure of one group, a single value over its scores."""
        return only_of_probabilities(self.formula) if self.is_about_probabilities else self.formula

    @property
    def terms(self) -> frozenset[str]:
        """The terms of each score that it is made of."""
        return frozenset(name for name in self.formula.terms if "." in name)

    @property
    def needs(self) -> frozenset[str]:
        """The outcomes without which it has no value."""
        return frozenset(
            outcome for term in self.terms for outcome in outcomes_of(term.partition(".")[2])
        )


def calibration_error(bins: int = BINS) -> Measure:
    """The expected calibration error over so many bins of equal width."""
    return Measure(
        name="ece" if bins == BINS else f"ece_{bins}",
        formula=ece(g_s, bins),
        title="Expected calibration error",
        meaning=f"the mean distance between base rate and mean score over {bins} bins of scores",
        is_about_probabilities=True,
        bins=bins,
    )


QUANTILES: Final = {
    "score_p10": (10, "10th percentile of scores"),
    "median_score": (50, "Median score"),
    "score_p90": (90, "90th percentile of scores"),
}
"""The quantiles of scores, with their percentages and titles."""

_ALL: Final = (
    Measure("mean_score", mean_score(g_s), "Mean score", "the mean score"),
    *(
        Measure(
            name=name,
            formula=quantile_of_scores(g_s, percent / 100),
            title=title,
            meaning=f"the lowest score that {percent} % of the rows do not exceed",
        )
        for name, (percent, title) in QUANTILES.items()
    ),
    Measure("auc", auc(g_s, g_s), "Area under the ROC curve",
            "the probability that a positive row has a higher score than a negative row"),
    Measure("auc_error", auc_error(g_s), "Error of the AUC",
            "the largest error of the AUC from rounding the scores"),
    Measure("brier", brier(g_s), "Brier score", "the mean squared distance between score and label",
            is_about_probabilities=True),
    calibration_error(),
    Measure("ecce", ecce(g_s), "Cumulative calibration error",
            "the range of the cumulative differences between labels and scores, by rising score",
            is_about_probabilities=True),
    Measure("ecce_sigma", ecce_sigma(g_s), "Cumulative calibration error in standard errors",
            "the cumulative calibration error, in standard errors under perfect calibration",
            is_about_probabilities=True),
)  # fmt: skip

MEASURES: Final = {measure.name: measure for measure in _ALL}
"""Every measure by its name, in the order of the columns of `rates`."""
