"""Notes of an audit: what a reader would not expect of a row, in words.

What notes need is evaluated as metrics of inner names, beside the metrics that they are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.formulas import Formula, across_strata
from polars_fairness.formula.levels import ACROSS_STRATA, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a, a_i, both_i, d, d_i
from polars_fairness.inference.bound_names import REASON
from polars_fairness.question.roles import Roles

# Inner names: no column of a caller and no metric has such a name.
_RATES, _STRATA, _SKIPPED, _ROWS = (
    f"{name}\x1f" for name in ("rates", "strata", "skipped", "rows skipped")
)
_OF_OUTCOMES: Final[Mapping[str, Metric]] = {
    role: Metric(f"{_RATES}{role}", "", pl.col(f"{a.name}.{rate}") + pl.col(f"{d.name}.{rate}"))
    for role, rate in (("predicted", "selection_rate"), ("label", "base_rate"))
}
"""The rates of both sides together: 0 if no row is positive, 2 if every one is."""
MOST_GROUPS: Final = 50
"""So many groups are compared one by one without a note."""


def noted(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, Metric]:
    """What the notes on these metrics need, by inner names."""
    rates = [_OF_OUTCOMES[role] for role in roles.binary_roles] if roles.facets else []
    strata = {
        f"{name}{kind}": replace(metric, formula=formula)
        for name, metric in metrics.items()
        for kind, formula in _of_strata(metric)
    }
    return {each.name: each for each in rates} | strata


def _of_strata(metric: Metric) -> Iterator[tuple[str, Formula]]:
    """How many strata there are, how many of them a metric leaves out, and the rows of these."""
    level = metric.parsed.level
    if level not in (STRATUM, ACROSS_STRATA):
        return
    # What is aggregated over strata takes nothing from a stratum with one side only.
    is_left_out = metric.value.fill_nan(None).is_null() if level is STRATUM else a_i.n * d_i.n == 0
    for kind, value in (
        (_STRATA, pl.len()),
        (_SKIPPED, is_left_out.sum()),
        (_ROWS, pl.when(is_left_out).then(both_i.n).sum()),
    ):
        yield kind, across_strata(value.cast(pl.Float64))


def note_of(
    name: str,
    metric: Metric,
    table: pl.DataFrame,
    roles: Roles,
    places: Sequence[str],
    *,
    are_tested: bool,
) -> pl.Expr:
    """The note on a metric in a table of values; null where there is nothing to say."""
    found = [*_of_one_outcome(metric, table), *_of_strata_left_out(name, table)]
    if metric.has_sides:
        groups = pl.col(COMPARISON_KEY).n_unique().over(places) if places else pl.len()
        words = pl.format("facet: {} groups are compared one by one", groups)
        found.append(pl.when(groups > MOST_GROUPS).then(words))
    if f"{name}{REASON}" in table.columns:
        found.append(pl.col(f"{name}{REASON}"))
    elif roles.cluster is not None and not metric.has_interval:
        found.append(pl.lit("cluster: a test of independent rows has no verdict"))
    if roles.cluster is not None and are_tested:
        found.append(pl.lit("cluster: a p-value would be that of independent rows"))
    words = pl.concat_str(found, separator="; ", ignore_nulls=True) if found else pl.lit("")
    return pl.when(words != "").then(words)


def _of_one_outcome(metric: Metric, table: pl.DataFrame) -> Iterator[pl.Expr]:
    for role, rates in _OF_OUTCOMES.items():
        if metric.has_sides and role in metric.needs and rates.name in table.columns:
            both = pl.col(rates.name)
            none, every = (
                pl.lit(f"{role}: {which} row of both sides is positive")
                for which in ("no", "every")
            )
            yield pl.when(both == 0).then(none).when(both == 2).then(every)


def _of_strata_left_out(name: str, table: pl.DataFrame) -> Iterator[pl.Expr]:
    if f"{name}{_STRATA}" in table.columns:
        skipped, strata, rows = (
            pl.col(f"{name}{kind}").round().cast(pl.Int64) for kind in (_SKIPPED, _STRATA, _ROWS)
        )
        words = "subgroup: {} of {} strata, with {} rows, allow no comparison and are left out"
        yield pl.when(skipped > 0).then(pl.format(words, skipped, strata, rows))
