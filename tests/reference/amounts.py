"""Numbers as outcomes: what happened and what was estimated, of two sides and across all groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, root
from tests.reference.rows import Row
from tests.reference.strata import conditional

Rows = Sequence[Row]
Number = Callable[[Row], Fraction]


def observed(row: Row) -> Fraction:
    """What happened."""
    return row.observed


def estimated(row: Row) -> Fraction:
    """What was estimated."""
    return row.estimated


def residual(row: Row) -> Fraction:
    """Estimated less observed."""
    return row.estimated - row.observed


def total(rows: Rows, number: Number) -> Fraction:
    """The weighted sum."""
    return sum((Fraction(row.weight) * number(row) for row in rows), Fraction(0))


def mass(rows: Rows) -> Fraction:
    """The sum of the weights."""
    return total(rows, lambda _: Fraction(1))


def mean(c: Case, rows: Rows, number: Number) -> Value:
    """The weighted mean."""
    return c.ratio(total(rows, number), mass(rows))


def squares(rows: Rows, number: Number) -> Fraction:
    """The weighted sum of squared distances from the mean."""
    middle = total(rows, number) / mass(rows) if rows else Fraction(0)
    return total(rows, lambda row: (number(row) - middle) ** 2)


def people(rows: Rows) -> Fraction:
    """So many rows of equal weight are as precise."""
    weights = [Fraction(row.weight) for row in rows]
    return sum(weights, Fraction(0)) ** 2 / sum(w**2 for w in weights) if rows else Fraction(0)


def sample_variance(rows: Rows, number: Number) -> Fraction:
    """The sample variance; of one row it is 0."""
    n = people(rows)
    return squares(rows, number) / mass(rows) * n / (n - 1) if n > 1 else Fraction(0)


def apart(c: Case, number: Number) -> Value:
    """The mean of a less that of d."""
    return c.minus(mean(c, c.rows_a, number), mean(c, c.rows_d, number))


def divided(c: Case, of_d: Value, of_a: Value, *numbers: Number) -> Value:
    """A number of d over that of a: both above 0, and none of the numbers below it."""
    if of_d is None or of_a is None or of_d <= 0 or of_a <= 0:
        return None
    if any(number(row) < 0 for number in numbers for row in (*c.rows_a, *c.rows_d)):
        return None
    return of_d / of_a


def standardized(c: Case, number: Number) -> Value:
    """The difference of means over the pooled deviation."""
    n_a, n_d = people(c.rows_a), people(c.rows_d)
    if n_a + n_d <= 2:
        return c.ratio(apart(c, number), 0)
    pooled = (n_a - 1) * sample_variance(c.rows_a, number)
    pooled += (n_d - 1) * sample_variance(c.rows_d, number)
    return c.ratio(apart(c, number), root(pooled / (n_a + n_d - 2)))


def estimate_difference(c: Case) -> Value:
    """The difference of mean estimated."""
    return apart(c, estimated)


def estimate_ratio(c: Case) -> Value:
    """The ratio of mean estimated."""
    means = mean(c, c.rows_d, estimated), mean(c, c.rows_a, estimated)
    return divided(c, *means, estimated)


def estimate_smd(c: Case) -> Value:
    """The standardized difference of estimated."""
    return standardized(c, estimated)


def observed_difference(c: Case) -> Value:
    """The difference of mean observed."""
    return apart(c, observed)


def apart_where_both_have_rows(c: Case, number: Number) -> Value:
    """The difference of means; without rows on a side there is none, whatever 0/0 is."""
    return apart(c, number) if mass(c.rows_a) and mass(c.rows_d) else None


def conditional_observed_difference(c: Case) -> Value:
    """The differences of mean observed inside the strata."""
    return conditional(c, lambda part: apart_where_both_have_rows(part, observed))


def conditional_estimate_difference(c: Case) -> Value:
    """The differences of mean estimated inside the strata."""
    return conditional(c, lambda part: apart_where_both_have_rows(part, estimated))


def observed_ratio(c: Case) -> Value:
    """The ratio of mean observed."""
    return divided(c, mean(c, c.rows_d, observed), mean(c, c.rows_a, observed), observed)


def observed_smd(c: Case) -> Value:
    """The standardized difference of observed."""
    return standardized(c, observed)


def residual_difference(c: Case) -> Value:
    """The mean residual of d less that of a."""
    return c.minus(mean(c, c.rows_d, residual), mean(c, c.rows_a, residual))


def actual_to_expected_ratio(c: Case) -> Value:
    """Observed over estimated, of d over that of a."""
    d, a = (c.ratio(total(rows, observed), total(rows, estimated)) for rows in (c.rows_d, c.rows_a))
    return divided(c, d, a, observed, estimated)


def mae(c: Case, rows: Rows) -> Value:
    """The mean absolute error."""
    return mean(c, rows, lambda row: abs(residual(row)))


def mse(c: Case, rows: Rows) -> Value:
    """The mean squared error."""
    return mean(c, rows, lambda row: residual(row) ** 2)


def rmse(c: Case, rows: Rows) -> Value:
    """The root of the mean squared error."""
    return root(mse(c, rows))


def mae_difference(c: Case) -> Value:
    """The difference of mean absolute errors."""
    return c.minus(mae(c, c.rows_d), mae(c, c.rows_a))


def mae_ratio(c: Case) -> Value:
    """The ratio of mean absolute errors."""
    return divided(c, mae(c, c.rows_d), mae(c, c.rows_a))


def rmse_difference(c: Case) -> Value:
    """The difference of root mean squared errors."""
    return c.minus(rmse(c, c.rows_d), rmse(c, c.rows_a))


def rmse_ratio(c: Case) -> Value:
    """The ratio of root mean squared errors."""
    return divided(c, rmse(c, c.rows_d), rmse(c, c.rows_a))


def correlation(c: Case, rows: Rows) -> Value:
    """Pearson's correlation."""
    middle = [
        total(rows, number) / mass(rows) if rows else Fraction(0)
        for number in (observed, estimated)
    ]
    products = total(rows, lambda row: (row.observed - middle[0]) * (row.estimated - middle[1]))
    return c.ratio(products, root(squares(rows, observed) * squares(rows, estimated)))


def fit(c: Case, rows: Rows) -> Value:
    """1 less the squared errors over the squared distances of observed from its mean."""
    return c.minus(1, c.ratio(total(rows, lambda row: residual(row) ** 2), squares(rows, observed)))


def correlation_difference(c: Case) -> Value:
    """The correlation of a less that of d."""
    return c.minus(correlation(c, c.rows_a), correlation(c, c.rows_d))


def r2_difference(c: Case) -> Value:
    """R² of a less that of d."""
    return c.minus(fit(c, c.rows_a), fit(c, c.rows_d))


def largest_less_smallest(c: Case, of: Callable[[Case, Rows], Value]) -> Value:
    """The range of a number over the groups."""
    found = [value for group in c.rows_of_groups if (value := of(c, group)) is not None]
    return max(found) - min(found) if len(found) > 1 else None


def estimate_gap(c: Case) -> Value:
    """The range of mean estimated."""
    return largest_less_smallest(c, lambda c, rows: mean(c, rows, estimated))


def mae_gap(c: Case) -> Value:
    """The range of mean absolute errors."""
    return largest_less_smallest(c, mae)


def rmse_gap(c: Case) -> Value:
    """The range of root mean squared errors."""
    return largest_less_smallest(c, rmse)


def worst_mse(c: Case) -> Value:
    """The largest mean squared error of a group."""
    found = [value for group in c.rows_of_groups if (value := mse(c, group)) is not None]
    return max(found) if found else None


def explained_by_group(c: Case) -> Value:
    """1 − (1 − η²)(n − 1)/(n − K)."""
    n, groups = people(c.known), len(c.rows_of_groups)
    if n <= groups:
        return None
    within = sum((squares(group, estimated) for group in c.rows_of_groups), Fraction(0))
    left = c.ratio(within, squares(c.known, estimated))
    return None if left is None else 1 - left * (n - 1) / (n - groups)


FORMULAS: tuple[Formula, ...] = (
    *(estimate_difference, estimate_ratio, estimate_smd),
    *(observed_difference, observed_ratio, observed_smd),
    *(conditional_estimate_difference, conditional_observed_difference),
    *(residual_difference, actual_to_expected_ratio),
    *(mae_difference, mae_ratio, rmse_difference, rmse_ratio),
    *(correlation_difference, r2_difference),
    *(estimate_gap, mae_gap, rmse_gap, worst_mse, explained_by_group),
)
