"""P-values of metrics, and their adjustment for multiple testing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from math import erfc, exp, inf, isnan, lgamma, log, nan, sqrt
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.counts import with_terms
from polars_fairness.counting.sides import GROUPS_CHOSEN_FROM
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.formulas import Formula, across_strata
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import (
    COUNTS,
    EFFECTIVE,
    PROPORTIONS,
    RATES,
    Side,
    a,
    a_i,
    both_i,
    d,
    d_i,
)
from polars_fairness.formula.tree import Expression, applied, choose, known, mapped
from polars_fairness.question.judging import PValues
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import both_outcomes, once_for_entries
from polars_fairness.values.levels import computed

# From this variance of the sum on, the normal distribution with a correction for continuity takes
# the place of the exact one. It is too small before: with 50 windows of two strata, 30 rows beside
# 3,000, 2 % accepted, some p-value by Holm was below 0.05 in 25 of 100 families.
MOST_VARIANCE: Final = 500

# Counts that are products of effective numbers of rows are whole up to their last digits.
_ROUNDING_OF_COUNTS: Final = 1e-12

# Sums that are as likely as the observed one differ from it in the last digits.
_AS_LIKELY: Final = 1 + 1e-10

_LEAST: Final = 1e-300


def conditional_p(d_yes: Floats, d_no: Floats, a_yes: Floats, a_no: Floats) -> float | None:
    """The two-sided p-value that both sides have the same rate in every stratum.

    It adds up the probabilities of all sums over the strata that are no likelier than the observed
    one; of one stratum that is Fisher's exact test. Null where no stratum has rows of both sides
    and of both outcomes. Counts that are not whole, such as effective numbers of rows, have the
    normal distribution with a correction for continuity.

    Examples
    --------
    >>> strata = ([3, 3], [1, 1], [1, 1], [3, 3])
    >>> round(conditional_p(*(np.array(each, dtype=float) for each in strata)), 4)
    0.1473
    """
    n_d, n_a, yes, no = d_yes + d_no, a_yes + a_no, d_yes + a_yes, d_no + a_no
    rows = n_d + n_a
    says = (np.minimum(n_d, n_a) > 0) & (np.minimum(yes, no) > 0) & (rows > 1)
    if not says.any():
        return None
    d_yes, n_d, n_a, yes, no, rows = (each[says] for each in (d_yes, n_d, n_a, yes, no, rows))
    variance = float((n_d / rows * n_a / rows * yes * no / (rows - 1)).sum())
    counts = np.array([d_yes, n_d, n_a, yes])
    whole = np.rint(counts)
    if variance >= MOST_VARIANCE or (abs(counts - whole) > _ROUNDING_OF_COUNTS * rows).any():
        distance = abs(float((d_yes - n_d * yes / rows).sum()))
        return erfc(max(distance - 0.5, 0.0) / sqrt(2 * variance))
    sums = [_hypergeometric(*each) for each in whole[1:].T]
    while len(sums) > 1:
        odd = sums[len(sums) // 2 * 2 :]
        sums = [*map(_convolved, sums[::2], sums[1::2]), *odd]
    [(first, chances)] = sums
    at = int(whole[0].sum()) - first
    observed = chances[at] if 0 <= at < len(chances) else 0.0
    return float(chances[chances <= observed * _AS_LIKELY].sum() / chances.sum())


def _hypergeometric(n_d: float, n_a: float, yes: float) -> tuple[int, Floats]:
    """The least count of yes in d, and the probability of each count from there on, up to a factor.

    Both ends are cut where a probability would be below 1e-300, by Bernstein's inequality.
    """
    rows = n_d + n_a
    mode = np.floor((n_d + 1) * (yes + 1) / (rows + 2))
    variance = n_d / rows * n_a / rows * yes * (rows - yes) / (rows - 1)
    reach = np.ceil(240 + sqrt(240**2 + 1400 * variance))
    lowest = max(0.0, yes - n_a, mode - reach)
    highest = min(n_d, yes, mode + reach)
    up, down = np.arange(mode, highest), np.arange(mode, lowest, -1)
    above = (n_d - up) * (yes - up) / ((up + 1) * (n_a - yes + up + 1))
    below = down * (n_a - yes + down) / ((n_d - down + 1) * (yes - down + 1))
    chances = np.concatenate([below.cumprod()[::-1], [1.0], above.cumprod()])
    return _cut(int(lowest), chances)


def _convolved(one: tuple[int, Floats], other: tuple[int, Floats]) -> tuple[int, Floats]:
    chances = np.convolve(one[1], other[1])
    return _cut(one[0] + other[0], chances / chances.max())


def _cut(first: int, chances: Floats) -> tuple[int, Floats]:
    """Without the ends whose products with others would be too small for a float."""
    kept = np.flatnonzero(chances > _LEAST)
    return first + int(kept[0]), chances[kept[0] : kept[-1] + 1]


# Up to this many rows scipy's products fit into 64 bits. Beyond, a normal approximation would be
# wrong by a factor of 10,000 where 3 of 10^9 rows are compared with 0 of 10^10.
MOST_COUNTED: Final = 1e9

# Parts of rows that add up to a whole one differ from it in the last digits.
_ROUNDING: Final = 1e-12

_ROW: Final = "row\x1f"


@lru_cache(maxsize=4096)  # several windows have the same counts
def fisher(d_yes: float, d_no: float, a_yes: float, a_no: float) -> float:
    """The two-sided p-value of Fisher's exact test that two sides have the same rate.

    NaN where a side has no rows, or both together more than 10^9, or rows count in part; 1 where
    all rows of both sides have the same outcome.

    Examples
    --------
    >>> round(fisher(3, 1, 1, 3), 4)
    0.4857
    """
    from scipy.stats import fisher_exact  # brought by an extra

    n_d, n_a = d_yes + d_no, a_yes + a_no
    if 0 in (n_d, n_a) or not n_d + n_a <= MOST_COUNTED:
        return nan
    table = [[round(d_yes), round(d_no)], [round(a_yes), round(a_no)]]
    if abs(d_yes - table[0][0]) + abs(a_yes - table[1][0]) > _ROUNDING * (n_d + n_a):
        return nan
    return float(fisher_exact(table).pvalue)


def normal_p(z: Iterable[float | None]) -> pl.Series:
    """Two-sided p-values of standard normal scores, such as the values of `two_sd`.

    Examples
    --------
    >>> normal_p([1.959964, None]).round(6).to_list()
    [0.05, None]
    """
    tails = [None if each is None else erfc(abs(each) / sqrt(2)) for each in z]
    return pl.Series("p_value", tails, pl.Float64)


def chi_squared(value: float, freedom: float) -> float:
    """How often a chi-squared number of so many degrees, whole or not, is larger; NaN without any.

    Examples
    --------
    >>> [round(chi_squared(*each), 4) for each in ((3.8415, 1), (11.0705, 5), (30.0, 20.5))]
    [0.05, 0.05, 0.0804]
    """
    if isnan(value) or not freedom > 0:
        return nan
    if value <= 0 or value == inf:
        return float(value <= 0)
    a, h = freedom / 2, value / 2
    start = exp(a * log(h) - h - lgamma(a))
    if h < a + 1:
        term = total = 1 / a
        while term > _NEGLIGIBLE * total:
            a += 1
            term *= h / a
            total += term
        return max(1 - start * total, 0.0)
    # Lentz's continued fraction of the upper incomplete gamma function.
    b = h + 1 - a
    c, d = inf, 1 / b
    fraction = d
    for i in range(1, _MOST_TERMS):
        step = i * (a - i)
        b += 2
        d, c = 1 / (b + step * d), b + step / c
        fraction *= d * c
        if abs(d * c - 1) < _NEGLIGIBLE:
            break
    return min(start * fraction, 1.0)


_NEGLIGIBLE: Final = 1e-16
_MOST_TERMS: Final = 10_000


def chi_squared_p(values: pl.Series, freedoms: pl.Series) -> pl.Series:
    """P-values of chi-squared statistics with these degrees of freedom; null if there are none."""
    numbers = (each.cast(pl.Float64).to_numpy() for each in (values, freedoms))
    return pl.Series("p_value", _CHI_SQUARED(*numbers), pl.Float64, nan_to_null=True)


def adjusted(
    p_values: pl.Series, requested: PValues | None, families: pl.Series | None = None
) -> pl.Series:
    """P-values adjusted for multiple testing as an argument requests it, or as they are.

    Nulls stay null, and do not count as tests. P-values of one family, which hold together already,
    count as one test. If all hypotheses with adjusted p-values of at most 0.05 are rejected, then
    by "holm" the probability that a true one is among them is at most 0.05, however the tests
    depend on each other. By "bh" (Benjamini and Hochberg; of families, Benjamini and Bogomolov
    2014) the expected share of true ones among them, the false discovery rate, is at most 0.05, if
    the tests are independent or depend on each other positively.

    Examples
    --------
    >>> p_values = pl.Series([0.01, 0.04, None, 0.03])
    >>> [adjusted(p_values, each).to_list() for each in ("holm", "bh")]
    [[0.03, 0.06, None, 0.06], [0.03, 0.04, None, 0.04]]
    >>> adjusted(pl.Series([0.01, 0.04, 0.03]), "holm", pl.Series(["a", "a", "b"])).to_list()
    [0.02, 0.06, 0.06]
    """
    if requested not in ("holm", "bh"):
        return p_values
    if families is None:
        families = pl.int_range(len(p_values), eager=True)
    order = p_values.arg_sort(nulls_last=True).head(p_values.count())
    p, family = p_values.gather(order), families.gather(order)
    if requested == "holm":
        # The families that have a p-value at this place or after it.
        steps = (p * family.is_last_distinct().cum_sum(reverse=True)).cum_max()
    else:
        # The number of families, by that of the families up to this place. The quotient first: the
        # largest p-value is multiplied by 1 exactly.
        of_each = family.n_unique() / family.is_first_distinct().cum_sum()
        steps = (p * of_each).cum_min(reverse=True)
    return steps.clip(upper_bound=1).gather(p_values.rank("ordinal").cast(pl.Int64) - 1)


def adjust_for_all_pairs(p_values: pl.Series, groups: pl.Series) -> pl.Series:
    """P-values of the pairs that were chosen among some groups, valid for all pairs of these.

    For a pair that was not chosen the number of groups is null, and the p-value stays.

    Examples
    --------
    >>> adjust_for_all_pairs(pl.Series([0.01, 0.5, 0.01]), pl.Series([4, 4, None])).to_list()
    [0.06, 1.0, 0.01]
    """
    pairs = (groups * (groups - 1) / 2).fill_null(1.0)
    return (p_values * pairs).clip(upper_bound=1).alias(p_values.name)


def families_of(table: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """The family of each row: the pairs that were chosen among the same groups are one.

    Any other row is a family by itself.
    """
    row, is_chosen = pl.col(_ROW), pl.col(GROUPS_CHOSEN_FROM).is_not_null()
    first = pl.when(is_chosen).then(row.first().over(keys)).otherwise(row)
    return table.with_row_index(_ROW).select(first).to_series()


@once_for_entries
def find_test(metric: Metric) -> Metric | None:
    """The p-value of the test that fits a metric, as a metric to evaluate with others, or None.

    A metric that has degrees of freedom is a test itself: by chance alone its value is chi-squared.
    Any other compares a rate of the two sides if it has its ideal value exactly where both sides
    have the same rate: by Fisher's test over all rows, or by CMH over strata. To find the rate, the
    formula is evaluated on every pair of small sides.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [find_test(pf.CATALOGUE[name]).name for name in ("ddpl", "cddl", "breslow_day")]
    ['fisher.selection_rate', 'cmh.base_rate', 'chi_squared.breslow_day']
    >>> find_test(pf.CATALOGUE["te"])
    """
    level, freedom = metric.parsed.level, metric.degrees_of_freedom
    if freedom is not None:
        p_value = mapped(_CHI_SQUARED, metric.parsed.expression, freedom.expression)
        return _as_metric(f"chi_squared.{metric.name}", replace(metric.parsed, expression=p_value))
    words = {term.partition(".")[2] for term in metric.terms}
    if level.test is None or metric.ideal is None or not words <= {*COUNTS, *RATES, *EFFECTIVE}:
        return None
    pairs = _small_pairs(level)
    values = computed(pairs, both_outcomes(), level, {"": metric}, ["pair"])["metric."]
    ideal = ((values - metric.ideal).abs() < 1e-9).fill_null(value=False)
    for rate in PROPORTIONS:
        if (ideal == pairs[f"equal.{rate}"]).all():
            name = f"{level.test}.{rate}"
            if level.test == "fisher":
                return _as_metric(name, Formula(level, mapped(_FISHER, *_tested((d, a), rate))))
            # A stratum has as many people as its effective number of rows; without rows, none.
            people = both_i.effective_n / both_i.n
            counts = (each * people for each in _tested((d_i, a_i), rate))
            held = (choose(known(each).is_null(), 0.0, each) for each in counts)
            return _as_metric(name, across_strata(applied(conditional_p, *held)))
    return None


_FISHER: Final = np.vectorize(fisher, otypes=[float])
_CHI_SQUARED: Final = np.vectorize(chi_squared, otypes=[float])


def _tested(sides: Sequence[Side], rate: str) -> Iterator[Expression]:
    """The rows of each side that a rate counts, and the others that it is a share of."""
    for side in sides:
        yes, all_ = RATES[rate].sums(side.name)
        yield from (yes, all_ - yes)


def _as_metric(name: str, p_value: Formula) -> Metric:
    value = replace(p_value, expression=known(p_value.expression))
    return Metric(name, name, value, has_interval=False)


def find_tests(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, Metric]:
    """The p-values of metrics, by the metrics' names; none with weights, as these are no counts.

    At a best cut strata may have parts of rows, which their sums do not show.
    """
    if roles.is_weighted:
        return {}
    tests = {
        name: find_test(metric)
        for name, metric in metrics.items()
        if not (roles.best and "predicted" in metric.needs and metric.parsed.level.divided_by)
    }
    return {name: test for name, test in tests.items() if test is not None}


@cache
def _small_pairs(level: Level) -> pl.DataFrame:
    """Every pair of sides with 1 to 3 rows of each kind, and which of their rates are equal."""
    a, d = (side.name for side in level.counted)
    kinds = ("tp", "fp", "fn", "tn")
    columns = [f"{side}.{kind}" for side in (d, a) for kind in kinds]
    counts = pl.LazyFrame(product([1.0, 2.0, 3.0], repeat=8), columns, orient="row")
    terms = [f"{side}.{rate}" for side in (a, d) for rate in PROPORTIONS]
    equal = {f"equal.{x}": pl.col(f"{d}.{x}") == pl.col(f"{a}.{x}") for x in PROPORTIONS}
    return (
        with_terms(counts, terms, both_outcomes())
        .with_columns(**equal)
        .with_row_index("pair")
        .collect()
    )
