"""Comparisons of groups with a reference, exactly: shares, tests and whole people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.answers.audit import Counted, values_and_bounds
from polars_fairness.answers.audit_rows import SMALLER
from polars_fairness.answers.options import AuditOptions
from polars_fairness.api.columns import Columns, names_of
from polars_fairness.counting.counts import with_columns_of
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, d
from polars_fairness.inference.significance import (
    adjust_for_all_pairs,
    adjusted,
    families_of,
    normal_p,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import as_written
from polars_fairness.question.windows import Windows
from polars_fairness.values.evaluate import group_by_needs, place_keys
from polars_fairness.values.lines import BOUNDS, LOWER, P_VALUE, UPPER, VALUE, Lines, ends

FOUR_FIFTHS: Final = Fraction(4, 5)

# Sums of weights differ in their last digits.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class ExactComparison:
    """A group's and its reference's ``accepted`` of ``n`` rows; sums of weights are floats."""

    accepted: Fraction
    n: Fraction
    reference_accepted: Fraction
    reference_n: Fraction
    is_weighted: bool = field(kw_only=True)

    @property
    def is_defined(self) -> bool:
        return self.n > 0 and self.reference_n > 0

    def shortfall(self, part: Fraction = Fraction(1)) -> float | int | None:
        """How many more rows would have to be accepted to reach this part of the reference's rate.

        The reference's rate is unchanged. Rows are whole; sums of weights are not rounded.

        Examples
        --------
        >>> group = ExactComparison(*map(Fraction, (0, 5, 3, 4)), is_weighted=False)
        >>> group.shortfall(), group.shortfall(FOUR_FIFTHS)
        (4, 3)
        """
        if not self.is_defined:
            return None
        needed = part * self.reference_accepted * self.n / self.reference_n
        return self._missing(needed - self.accepted)

    def excess(self, part: Fraction = Fraction(1)) -> float | int | None:
        """How many fewer rows would have to be affected to reach the reference's rate over a part.

        Examples
        --------
        >>> group = ExactComparison(*map(Fraction, (4, 5, 1, 4)), is_weighted=False)
        >>> group.excess(), group.excess(FOUR_FIFTHS)
        (3, 3)
        """
        if not self.is_defined:
            return None
        allowed = self.reference_accepted * self.n / self.reference_n / part
        return self._missing(self.accepted - allowed)

    def _missing(self, rows: Fraction) -> float | int:
        if not self.is_weighted:
            return max(0, ceil(rows))
        return float(rows) if float(rows) > _ROUNDING * float(self.n) else 0.0

    @property
    def turned(self) -> ExactComparison:
        """The reference compared with the group."""
        counts = (self.reference_accepted, self.reference_n, self.accepted, self.n)
        return ExactComparison(*counts, is_weighted=self.is_weighted)

    def is_below(self, ratio: float) -> bool | None:
        """Whether the group's rate is below this part of its reference's rate."""
        if not self.is_defined or not self.reference_accepted:
            return None
        missing = self.shortfall(as_written(ratio))
        return missing is not None and missing > 0

    def is_lower_by_more(self, points: float) -> bool | None:
        """Whether the group's rate is lower by more percentage points than these."""
        if not self.is_defined:
            return None
        less = self.reference_accepted / self.reference_n - self.accepted / self.n
        return less - as_written(points) / 100 > (_ROUNDING if self.is_weighted else 0)

    def differs_by_more(self, deviations: int) -> bool | None:
        """Whether the rates differ by more standard deviations than these, as in `two_sd`."""
        if not self.is_defined:
            return None
        less = self.reference_accepted / self.reference_n - self.accepted / self.n
        pooled = (self.accepted + self.reference_accepted) / (self.n + self.reference_n)
        variance = pooled * (1 - pooled) * (1 / self.n + 1 / self.reference_n)
        return less**2 > deviations**2 * variance


_ACCEPTED, _REFERENCE_ACCEPTED = "accepted\x1f", "reference_accepted\x1f"

RATES: Final = {
    "rate": Metric("rate", "", d.selection_rate, has_interval=False),
    "reference_rate": Metric("reference_rate", "", a.selection_rate, has_interval=False),
}
"""The selection rates of both sides."""

_COUNTS: Final = {
    _ACCEPTED: Metric(_ACCEPTED, "", d.accepted, has_interval=False),
    _REFERENCE_ACCEPTED: Metric(_REFERENCE_ACCEPTED, "", a.accepted, has_interval=False),
}


def comparisons_of(
    seen: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    options: AuditOptions,
    *,
    as_if_named: bool = False,
) -> pl.DataFrame:
    """One row per comparison, with the values, bounds and p-values of metrics.

    Windows have their keys for names. A missing bound or p-value is null. With
    ``as_if_named``, bounds and p-values do not take into account that the data chose the sides.
    """
    wanted = {**metrics, **RATES, **_COUNTS} if roles.predicted else metrics
    counted = Counted.of(seen, roles.with_inner_names, as_if_named=as_if_named)
    first, *others = (
        _wide(values_and_bounds(counted, counting, alike, options), alike)
        for counting, alike in group_by_needs(wanted, counted.whole)
    )
    keys = [*place_keys(roles), COMPARISON_KEY]
    for table in others:
        more = table.select(*keys, pl.exclude(first.columns))
        first = with_columns_of(first, more, keys)
    return first


def end_names(name: str) -> tuple[str, str]:
    """The columns with the bounds of a metric."""
    return f"{name}{LOWER}\x1f", f"{name}{UPPER}\x1f"


def p_value_name(name: str) -> str:
    """The column with the p-value of a metric."""
    return f"{name}{P_VALUE}\x1f"


def _wide(lines: Lines, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """A row for each line, with the value, the bounds and the p-value of each metric."""
    columns: list[pl.Series] = []
    for name, metric in metrics.items():
        value, low, high, p_value = (lines.array(e, name) for e in (VALUE, *BOUNDS, P_VALUE))
        has_rows = (lines.array(SMALLER, "") > 0) | (not metric.has_sides)
        bounds = ends(value, low, high, ~np.isnan(value) & has_rows)
        names = (name, *end_names(name), p_value_name(name))
        columns += [
            pl.Series(each, values, nan_to_null=True)
            for each, values in zip(names, (value, *bounds, p_value), strict=True)
        ]
    return lines.table.with_columns(columns)


def p_values_of_rates(table: pl.DataFrame, roles: Roles, options: AuditOptions) -> pl.Series:
    """The p-values of equal selection rates: Fisher's; with weights, normal ones of `two_sd`."""
    p_values = table[p_value_name("di")]
    are_independent = roles.left_out != "clusters"
    if roles.is_weighted and "two_sd" in table.columns and are_independent:
        p_values = adjust_for_all_pairs(normal_p(table["two_sd"]), table[GROUPS_CHOSEN_FROM])
    if roles.uncertain_facets:
        # No test is known for groups that are known only as probabilities.
        is_known = ~table["facet"].is_in([facet.name for facet in roles.uncertain_facets])
        p_values = table.select(pl.when(is_known).then(p_values)).to_series()
    families = families_of(table, place_keys(roles))
    return adjusted(p_values, options.p_values, families).alias("p_value")


def exactly(
    table: pl.DataFrame,
    roles: Roles,
    columns: Mapping[str, tuple[pl.DataType, Callable[[ExactComparison], Any]]],
) -> pl.DataFrame:
    """Add columns computed from the counts of each comparison in whole numbers."""
    counts = table.select(_ACCEPTED, "n_disfavored", _REFERENCE_ACCEPTED, "n_favored").rows()
    is_weighted = roles.is_weighted
    compared = [
        None if None in row else ExactComparison(*map(Fraction, row), is_weighted=is_weighted)
        for row in counts
    ]
    return table.with_columns(
        pl.Series(name, [None if each is None else find(each) for each in compared], dtype)
        for name, (dtype, find) in columns.items()
    )


def as_answer(table: pl.DataFrame, windows: Windows, columns: Columns) -> pl.LazyFrame:
    """The columns of an answer, with the names of the windows in place of their keys."""
    return table.lazy().select(*windows.as_named(), *names_of(columns))
