"""Scores of some rows, of two sides, and across all groups; every pair and threshold in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, root, size
from tests.reference.rows import Row

Rows = Sequence[Row]
Measure = Callable[[Case, Rows], Value]
Point = tuple[Fraction, Fraction]

BINS = 10


def positive(rows: Rows) -> list[Row]:
    """The rows whose label is positive."""
    return [row for row in rows if row.label]


def negative(rows: Rows) -> list[Row]:
    """The rows whose label is negative."""
    return [row for row in rows if not row.label]


def mass(rows: Rows) -> Fraction:
    """The sum of the weights."""
    return sum((Fraction(row.weight) for row in rows), Fraction(0))


def mean(c: Case, rows: Rows, value: Callable[[Row], Fraction]) -> Value:
    """The weighted mean of a number of each row."""
    total = sum((Fraction(row.weight) * value(row) for row in rows), Fraction(0))
    return c.ratio(total, mass(rows))


def mean_score(c: Case, rows: Rows) -> Value:
    """The mean of the scores."""
    return mean(c, rows, lambda row: row.score)


def base_rate(c: Case, rows: Rows) -> Value:
    """The share of positive labels."""
    return mean(c, rows, lambda row: Fraction(row.label))


def auc_of(c: Case, rows: Rows, others: Rows) -> Value:
    """The chance that a positive of some rows is above a negative of others, or half if level."""
    above = Fraction(0)
    for one in positive(rows):
        for other in negative(others):
            weight = Fraction(one.weight) * Fraction(other.weight)
            if one.step > other.step:
                above += weight
            elif one.step == other.step:
                above += weight / 2
    return c.ratio(above, mass(positive(rows)) * mass(negative(others)))


def auc(c: Case, rows: Rows) -> Value:
    """The area under the ROC curve."""
    return auc_of(c, rows, rows)


def auc_error(c: Case, rows: Rows) -> Value:
    """Half of the chance that rounding made a positive and a negative level."""
    level = Fraction(0)
    for one in positive(rows):
        for other in negative(rows):
            if c.resolution is not None and one.step == other.step:
                level += Fraction(one.weight) * Fraction(other.weight) / 2
    return c.ratio(level, mass(positive(rows)) * mass(negative(rows)))


def brier(c: Case, rows: Rows) -> Value:
    """The mean squared distance of the score from the label."""
    return mean(c, rows, lambda row: (row.score - row.label) ** 2)


def ece(c: Case, rows: Rows) -> Value:
    """The mean distance of the base rate from the mean score of a bin; a bin begins at its edge.

    A multiple that lies in two bins has rows of both, which are not known apart.
    """
    if c.resolution is not None and (1 / (BINS * c.resolution)).denominator > 1:
        return None
    total = Fraction(0)
    for number in range(BINS):
        inside = [row for row in rows if min(row.step * BINS // 1, BINS - 1) == number]
        total += abs(
            mass(positive(inside)) - sum(Fraction(row.weight) * row.score for row in inside)
        )
    return c.ratio(total, mass(rows))


def ecce(c: Case, rows: Rows) -> Value:
    """The range of the sums of labels less scores, of all rows up to each score."""
    sums = [Fraction(0)]
    for step in sorted({row.step for row in rows}):
        upto = [row for row in rows if row.step <= step]
        sums.append(
            sum((Fraction(row.weight) * (row.label - row.score) for row in upto), Fraction(0))
        )
    return c.ratio(max(sums) - min(sums), mass(rows))


def ecce_sigma(c: Case, rows: Rows) -> Value:
    """The same in standard errors of the mean label, if each score is a true probability."""
    variance_of_sum = Fraction(0)
    for step in {row.step for row in rows}:
        level = [row for row in rows if row.step == step]
        # Of rounded scores, how they go with the weights of single rows is not known.
        spread = sum(Fraction(row.weight) * row.score * (1 - row.score) for row in level)
        variance_of_sum += sum(Fraction(row.weight) ** 2 for row in level) * spread / mass(level)
    return c.ratio(ecce(c, rows), c.ratio(root(variance_of_sum), mass(rows)))


def quantile(share: Fraction) -> Measure:
    """The lowest score that this share of the rows do not exceed."""

    def of(_: Case, rows: Rows) -> Value:
        for step in sorted({row.step for row in rows}):
            if mass([row for row in rows if row.step <= step]) >= share * mass(rows):
                return step
        return None

    return of


MEASURES: dict[str, Measure] = {
    measure.__name__: measure
    for measure in (mean_score, auc, auc_error, brier, ece, ecce, ecce_sigma)
} | {
    name: quantile(Fraction(tenths, 10))
    for name, tenths in (("score_p10", 1), ("median_score", 5), ("score_p90", 9))
}


def a_less_d(c: Case, measure: Measure, among: Callable[[Rows], Rows] = list) -> Value:
    """A number of the favored less the same number of the disfavored."""
    return c.minus(measure(c, among(c.rows_a)), measure(c, among(c.rows_d)))


def auc_difference(c: Case) -> Value:
    """Area under the ROC curve, a less d."""
    return a_less_d(c, auc)


def xauc_difference(c: Case) -> Value:
    """Positives of a above negatives of d, less positives of d above negatives of a."""
    return c.minus(auc_of(c, c.rows_a, c.rows_d), auc_of(c, c.rows_d, c.rows_a))


def bpsn_auc(c: Case) -> Value:
    """Positives of a above negatives of d."""
    return auc_of(c, c.rows_a, c.rows_d)


def bnsp_auc(c: Case) -> Value:
    """Positives of d above negatives of a."""
    return auc_of(c, c.rows_d, c.rows_a)


def roc(rows: Rows) -> list[Point]:
    """The points of the ROC curve of rows of both labels, from no row accepted to all."""
    points = [(Fraction(0), Fraction(0))]
    for step in sorted({row.step for row in rows}, reverse=True):
        accepted = [row for row in rows if row.step >= step]
        fpr = mass(negative(accepted)) / mass(negative(rows))
        points.append((fpr, mass(positive(accepted)) / mass(positive(rows))))
    return points


def height(points: Sequence[Point], x: Fraction, left: Fraction, right: Fraction) -> Fraction:
    """The curve at x, on the straight line that it is from left to right."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= left and right <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError(points)


def abroca(c: Case) -> Value:
    """The area between the ROC curves, triangle by triangle where they cross."""
    for rows in (c.rows_a, c.rows_d):
        if not positive(rows) or not negative(rows):
            return c.zero
    a, d = roc(c.rows_a), roc(c.rows_d)
    area = Fraction(0)
    for left, right in pairwise(sorted({x for x, _ in [*a, *d]})):
        first, last = (height(a, x, left, right) - height(d, x, left, right) for x in (left, right))
        if first * last >= 0:
            area += (right - left) * abs(first + last) / 2
        else:
            area += (right - left) * (first**2 + last**2) / abs(first - last) / 2
    return area


def score_difference(c: Case) -> Value:
    """Mean score, a less d."""
    return a_less_d(c, mean_score)


def variance(c: Case, rows: Rows) -> Value:
    """The mean squared distance of the scores from their mean."""
    middle = mean_score(c, rows)
    if middle is None:
        return None
    return mean(c, rows, lambda row: (row.score - Fraction(middle)) ** 2)


def smd(c: Case) -> Value:
    """Difference of mean scores in pooled standard deviations, each side of its own people."""
    squares: Fraction | float = 0
    freedom = Fraction(0)
    for rows in (c.rows_a, c.rows_d):
        of_side = variance(c, rows)
        if of_side is None:
            return None
        of_weights = sum(Fraction(row.weight) ** 2 for row in rows)
        people = mass(rows) ** 2 / of_weights if rows else Fraction(0)
        squares, freedom = squares + people * of_side, freedom + people
    if freedom <= 2:
        return c.ratio(score_difference(c), Fraction(0))
    # 0.3 and 0.1 + 0.2 are two floats, and one score.
    pooled = Fraction(0) if squares < Fraction(1, 10**24) else c.ratio(squares, freedom - 2)
    return c.ratio(score_difference(c), root(pooled))


def apart(c: Case, among: Callable[[Rows], Rows]) -> list[tuple[Fraction, Value]]:
    """Each score that occurs, in order, with the distance of the shares of rows up to it."""
    a, d = among(c.rows_a), among(c.rows_d)
    found = []
    for step in sorted({row.step for row in [*a, *d]}):
        of_a, of_d = (
            c.ratio(mass([row for row in side if row.step <= step]), mass(side)) for side in (a, d)
        )
        found.append((step, size(c.minus(of_a, of_d))))
    return found


def score_ks(c: Case) -> Value:
    """The largest distance of the two distributions at any threshold."""
    found = [value for _, value in apart(c, list)]
    return None if None in found else max((x for x in found if x is not None), default=c.zero)


def wasserstein(c: Case, among: Callable[[Rows], Rows]) -> Value:
    """The area between the two distributions."""
    if not among(c.rows_a) or not among(c.rows_d):
        return c.zero
    area: Fraction | float = Fraction(0)
    for (step, value), (following, _) in pairwise(apart(c, among)):
        assert value is not None
        area += value * (following - step)
    return area


def score_wasserstein(c: Case) -> Value:
    """The area between the distributions of all scores."""
    return wasserstein(c, list)


def score_wasserstein_positive(c: Case) -> Value:
    """The area between the distributions of the positives."""
    return wasserstein(c, positive)


def score_wasserstein_negative(c: Case) -> Value:
    """The area between the distributions of the negatives."""
    return wasserstein(c, negative)


def balance_positive(c: Case) -> Value:
    """Mean score of the positives, a less d."""
    return a_less_d(c, mean_score, positive)


def balance_negative(c: Case) -> Value:
    """Mean score of the negatives, a less d."""
    return a_less_d(c, mean_score, negative)


def calibration_difference(c: Case) -> Value:
    """What the base rate is above the mean score, d less a."""
    d = c.minus(base_rate(c, c.rows_d), mean_score(c, c.rows_d))
    return c.minus(d, c.minus(base_rate(c, c.rows_a), mean_score(c, c.rows_a)))


def brier_difference(c: Case) -> Value:
    """Brier score, d less a."""
    return c.minus(brier(c, c.rows_d), brier(c, c.rows_a))


def gap(c: Case, measure: Measure) -> Value:
    """The largest less the smallest number that a group has."""
    every = [measure(c, group) for group in c.rows_of_groups]
    found = [value for value in every if value is not None]
    return c.minus(max(found), min(found)) if len(found) > 1 else None


def auc_gap(c: Case) -> Value:
    """Range of the areas under the ROC curve."""
    return gap(c, auc)


def brier_gap(c: Case) -> Value:
    """Range of the Brier scores."""
    return gap(c, brier)


def ece_gap(c: Case) -> Value:
    """Range of the expected calibration errors."""
    return gap(c, ece)


def miscalibration(c: Case) -> Value:
    """Largest cumulative calibration error, times the group's share."""
    found = []
    for group in c.rows_of_groups:
        share, error = c.ratio(mass(group), c.all.n), ecce(c, group)
        if share is not None and error is not None:
            found.append(share * error)
    return max(found, default=None)


FORMULAS: tuple[Formula, ...] = (
    auc_difference,
    xauc_difference,
    bpsn_auc,
    bnsp_auc,
    abroca,
    score_difference,
    smd,
    score_ks,
    score_wasserstein,
    score_wasserstein_positive,
    score_wasserstein_negative,
    balance_positive,
    balance_negative,
    calibration_difference,
    brier_difference,
    auc_gap,
    brier_gap,
    ece_gap,
    miscalibration,
)
