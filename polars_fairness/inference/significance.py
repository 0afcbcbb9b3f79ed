"""How likely chance alone is: p-values of metrics, and what many of them at once are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import erfc, sqrt
from typing import Final, Literal

import polars as pl

from polars_fairness.catalogue.selection import excess_and_variance
from polars_fairness.counting.counts import with_terms
from polars_fairness.formula.formulas import Formula, across_strata
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import COUNTS, EFFECTIVE, PROPORTIONS, RATES
from polars_fairness.formula.sides import Side, a, d
from polars_fairness.question.roles import Roles, find_roles

# Up to here scipy's own products fit into 64 bits. Beyond, a normal approximation would be wrong
# by a factor of 10,000 where 3 of 10^9 are set against 0 of 10^10.
MOST_COUNTED: Final = 1e9


def fisher(
    d_yes: Iterable[float], d_no: Iterable[float], a_yes: Iterable[float], a_no: Iterable[float]
) -> pl.Series:
    """Test exactly whether two sides have the same rate: Fisher's two-sided p-values.

    Null where a side has nobody; 1 where the rate is 0, or 1, of everybody.

    Examples
    --------
    >>> from polars_fairness.inference.significance import fisher
    >>> fisher([3], [1], [1], [3]).round(4).item()
    0.4857
    """
    once = cache(_fisher)  # metrics and windows ask about the same counts again and again
    tables = zip(d_yes, d_no, a_yes, a_no, strict=True)
    return pl.Series("p_value", [once(*table) for table in tables], pl.Float64)


def cmh_p(z: Iterable[float | None]) -> pl.Series:
    """Two-sided p-values of normal scores, as `cmh` is one.

    Examples
    --------
    >>> from polars_fairness.inference.significance import cmh_p
    >>> cmh_p([1.959964, None]).round(6).to_list()
    [0.05, None]
    """
    return pl.Series("p_value", [None if each is None else _normal(each) for each in z], pl.Float64)


def holm(p_values: pl.Series) -> pl.Series:
    """Adjust p-values for being many, by Holm's method; a null stays null and does not count.

    Rejecting where the adjusted value is at most 0.05, the chance of rejecting anything that is
    true stays at most 0.05, whatever depends on what.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.inference.significance import holm
    >>> holm(pl.Series([0.01, 0.04, None, 0.03])).to_list()
    [0.03, 0.06, None, 0.06]
    """
    rank = p_values.rank("ordinal").cast(pl.Int64)
    stricter = p_values * (p_values.count() + 1 - rank)
    rising = stricter.gather(p_values.arg_sort(nulls_last=True)).cum_max().clip(upper_bound=1)
    return rising.gather(rank - 1)


@dataclass(frozen=True)
class RateTest:
    """The test of whether two sides have the same rate, within strata or over all."""

    kind: Literal["fisher", "cmh"]
    rate: str

    @property
    def parts(self) -> tuple[Metric, ...]:
        """What it is computed of, to be evaluated beside the metrics."""
        if self.kind == "cmh":
            formulas = map(across_strata, excess_and_variance(self._yes, self._no))
            return self._named(zip(("excess", "variance"), formulas, strict=True))
        return self._named(
            (f"{side.name}.{name}", count(side))
            for side in (d, a)
            for name, count in (("yes", self._yes), ("no", self._no))
        )

    def p_values(self, table: pl.DataFrame) -> pl.Series:
        """Compute its p-values from a table of its parts."""
        # Of all facets together there are no sides: nobody on either.
        parts = [table[part.name].fill_null(0.0) for part in self.parts]
        if self.kind == "fisher":
            return fisher(*parts)
        excess, variance = parts
        # Where every stratum is all of one kind there is nothing to test: 0/0.
        return cmh_p((excess / variance.sqrt()).fill_nan(None))

    def _yes(self, side: Side) -> pl.Expr:
        yes, _ = RATES[self.rate].sums(side.name)
        return yes

    def _no(self, side: Side) -> pl.Expr:
        yes, all_ = RATES[self.rate].sums(side.name)
        return all_ - yes

    def _named(self, formulas: Iterable[tuple[str, pl.Expr | Formula]]) -> tuple[Metric, ...]:
        names = ((f"{self.kind}.{self.rate}.{name}", formula) for name, formula in formulas)
        return tuple(Metric(name, name, formula) for name, formula in names)


def find_test(metric: Metric) -> RateTest | None:
    """Find the test that speaks of a metric, if there is one.

    A metric compares the two sides' rates where it is at its ideal whenever these are the same,
    and only then. Which rate that is, the formula is asked: on every pair of small sides.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> from polars_fairness.inference.significance import find_test
    >>> find_test(pf.CATALOGUE["ddpl"])
    RateTest(kind='fisher', rate='selection_rate')
    >>> find_test(pf.CATALOGUE["cddl"])
    RateTest(kind='cmh', rate='base_rate')
    >>> find_test(pf.CATALOGUE["te"])
    """
    level, value = metric.parsed.level, metric.value.first()
    words = {term.partition(".")[2] for term in metric.terms}
    if level.test is None or not words <= {*COUNTS, *RATES, *EFFECTIVE}:
        return None
    pairs = _small_pairs(level)
    is_ideal = ((value - metric.ideal).abs() < 1e-9).fill_null(value=False)
    found = pairs.group_by("pair", maintain_order=True).agg(is_ideal=is_ideal)["is_ideal"]
    for rate in PROPORTIONS:
        if (found == pairs[f"alike.{rate}"]).all():
            return RateTest(level.test, rate)
    return None


def find_tests(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, RateTest]:
    """Find the tests of metrics, by the names these go by; weights are no counts to test."""
    if roles.weight:
        return {}
    found = {name: find_test(metric) for name, metric in metrics.items()}
    return {name: test for name, test in found.items() if test is not None}


def parts_of(tests: Mapping[str, RateTest]) -> dict[str, Metric]:
    """What tests are computed of, each part once, to be evaluated beside the metrics."""
    return {part.name: part for test in tests.values() for part in test.parts}


def exact_p_values(table: pl.DataFrame, tests: Mapping[str, RateTest]) -> pl.DataFrame:
    """Compute p-values, row by row, from a table of the tests' parts: a column per metric.

    Whether the metric itself has a value is all one: a ratio may be undefined where the rates can
    be told apart.
    """
    p_values = {test: test.p_values(table) for test in set(tests.values())}
    return pl.DataFrame({name: p_values[test] for name, test in tests.items()})


@cache
def _small_pairs(level: Level) -> pl.DataFrame:
    """Every pair of sides with one to three of each kind, and the rates in which they are alike."""
    a, d, both = (side.name for side in level.sides)
    kinds = ("tp", "fp", "fn", "tn")
    columns = [f"{side}.{kind}" for side in (d, a) for kind in kinds]
    counts = pl.LazyFrame(product([1.0, 2.0, 3.0], repeat=8), columns, orient="row")
    counts = counts.with_columns(
        (pl.col(f"{d}.{kind}") + pl.col(f"{a}.{kind}")).alias(f"{both}.{kind}") for kind in kinds
    )
    outcomes = {"label": pl.Boolean(), "predicted": pl.Boolean()}
    roles = find_roles(pl.Schema(outcomes), {"label": "label", "predicted": "predicted"})
    terms = [f"{side}.{word}" for side in (d, a, both) for word in (*COUNTS, *RATES, *EFFECTIVE)]
    alike = {f"alike.{x}": pl.col(f"{d}.{x}") == pl.col(f"{a}.{x}") for x in PROPORTIONS}
    return with_terms(counts, terms, roles).with_columns(**alike).with_row_index("pair").collect()


def _fisher(d_yes: float, d_no: float, a_yes: float, a_no: float) -> float | None:
    from scipy.stats import fisher_exact  # brought by an extra

    from polars_fairness.inference.hypergeometric import (
        Table,  # numpy takes longer to load than the rest
    )

    n_d, n_a, yes, no = d_yes + d_no, a_yes + a_no, d_yes + a_yes, d_no + a_no
    n = n_d + n_a
    if 0 in (n_d, n_a):
        return None
    if n > MOST_COUNTED and yes and no:
        return Table(int(d_yes), int(d_no), int(a_yes), int(a_no)).p_value()
    table = [[int(d_yes), int(d_no)], [int(a_yes), int(a_no)]]
    return float(fisher_exact(table).pvalue)


def _normal(z: float) -> float:
    return erfc(abs(z) / sqrt(2))
