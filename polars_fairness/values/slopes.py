"""The difference of rates that strata have in common, by regressions inside the strata.

The regression of the decision on the probability of a group, with a constant for each stratum, has
one slope: that of each stratum, weighted by T·Var(p), its rows times the variance of the
probability in it. Where groups are known, that is n_a·n_d/n, the weight by Mantel and Haenszel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.catalogue.strata import COMMON_DIFFERENCE
from polars_fairness.counting.counts import with_finest_counts
from polars_fairness.counting.polars_rows import SPREAD, is_tally
from polars_fairness.counting.sides import with_sides
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.in_polars import reduced
from polars_fairness.formula.levels import ACROSS_STRATA
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_i, both_i, d_i
from polars_fairness.formula.tree import choose, term
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import counted, with_level_terms

SLOPE: Final = "slope\x1f"

_COMMON: Final = Metric("common difference", "", across_strata(COMMON_DIFFERENCE))
_HARDLY: Final = 1e-9  # of a stratum: a smaller part is what sums of floats leave
_ALL, _REST, _TOGETHER = "all\x1f", "rest\x1f", "together\x1f"


def is_common_difference(metric: Metric) -> bool:
    """Whether a metric is the difference of rates that all strata have in common."""
    formula = metric.parsed
    return formula.level == ACROSS_STRATA and formula.expression is COMMON_DIFFERENCE


def common_slopes(linear: pl.LazyFrame, roles: Roles, keys: Sequence[str]) -> pl.LazyFrame:
    """The slope of each comparison of two groups that are all rows; null for others.

    ``linear`` has the cells by the linear estimator. Their counts of both groups add up to the rows
    of a cell, and Σp² of each group gives back Σp of a cell: Σp_d·p_a = (rows - Σp_d² - Σp_a²)/2.
    The covariance of decision and probability is that of these sums, and so is the variance if
    p were 0 or 1; Σp_d·p_a is what uncertain groups take from it.
    """
    pairs = [facet.name for facet in roles.uncertain_facets if len(facet.probabilities) == 2]
    cells = linear.filter(pl.col("facet").is_in(pairs))
    of_cell = [name for name in cells.collect_schema() if not is_tally(name) and name != "value"]
    is_known = pl.col("value").is_not_null()
    together = (pl.col("weight").sum() - pl.col(SPREAD).sum()) / 2
    stratum = [key for key in keys if key in of_cell] + roles.strata.keys
    of_strata = cells.group_by(stratum).agg(
        pl.col("weight").sum().alias(_ALL),
        pl.col("weight").filter(~is_known).abs().sum().alias(_REST),
        together.alias(_TOGETHER),
    )
    sums = cells.filter(is_known).with_columns(weight=pl.col(SPREAD) + together.over(of_cell))
    sided = with_sides(with_finest_counts(sums, roles), roles)
    table = with_level_terms(
        counted(sided, roles, ACROSS_STRATA), roles, ACROSS_STRATA, _COMMON.terms, keys
    ).join(of_strata, on=stratum, how="left", nulls_equal=True, maintain_order="left")
    if_known = choose(both_i.n > 0, a_i.n * d_i.n / both_i.n, 0.0)
    variance = if_known - term(_TOGETHER)
    varies = variance > _HARDLY * if_known
    others = (both_i.n - term(_ALL)).abs().sum() + term(_REST).sum()
    slope = COMMON_DIFFERENCE * if_known.sum() / choose(varies, variance).sum()
    is_of_two = (others <= _HARDLY * term(_ALL).sum()) & varies.any()
    return reduced(table, {SLOPE: choose(is_of_two, slope)}, roles.zero_division, keys)
