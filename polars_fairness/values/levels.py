"""What formulas range over, counted from the cells, and the values they have there.

A level is a comparison, a stratum, a label value or a group. Its counts are a small table, a row
for each, on which formulas are plain arithmetic; a bootstrap draws that table again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.counts import added_up, tallied, with_terms
from polars_fairness.counting.sides import COMPARISON, sides_at, two_sided, with_terms_of_sides
from polars_fairness.formula.arithmetic import UNDEFINED, unbounded_ratio
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import all_, g
from polars_fairness.question.roles import Roles

STRATUM_SIZE: Final = "both_i.n"

OF_SIDES: Final[tuple[Level, ...]] = ("comparison", "stratum", "across strata", "label value")
OF_GROUPS: Final[tuple[Level, ...]] = ("group", "population", "partition")


def keys_of(level: Level, roles: Roles) -> list[str]:
    """The columns that tell apart what has one value each at this level."""
    facet_keys = [*roles.windows.keys, "facet"]
    return [*facet_keys, COMPARISON] if level in OF_SIDES else facet_keys


def names_at(level: Level) -> tuple[str, ...]:
    """What the sides, or the groups, of a level are called in formulas."""
    return sides_at(level) if level in OF_SIDES else (g.name,)


def counted(cells: pl.LazyFrame, roles: Roles, level: Level) -> pl.LazyFrame:
    """Count what a level ranges over, from prepared cells with their sides."""
    if level in OF_SIDES:
        index: dict[Level, list[str]] = {
            "stratum": roles.strata,
            "across strata": roles.strata,
            "label value": ["label"],
        }
        return two_sided(cells, roles, level, index.get(level, []))
    facet_keys = keys_of(level, roles)
    if level == "group":
        cells = cells.filter(pl.col("value").is_not_null())
    keys = facet_keys if level == "population" else [*facet_keys, "value"]
    return added_up(cells, keys, g.name, roles)


def with_level_terms(
    parts: pl.LazyFrame, roles: Roles, level: Level, terms: Collection[str], keys: Sequence[str]
) -> pl.LazyFrame:
    """Add to the counts of a level whatever formulas mention."""
    if level in OF_SIDES:
        size = {STRATUM_SIZE} if level == "stratum" else set[str]()
        return with_terms_of_sides(parts, size.union(terms), roles, level, keys)
    if any(term.startswith(f"{all_.name}.") for term in terms):
        parts = parts.with_columns(
            pl.col(f"{g.name}.{count}").sum().over(keys).alias(f"{all_.name}.{count}")
            for count in tallied(roles)
        )
    return with_terms(parts, terms, roles)


def valued(
    parts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """Evaluate formulas on the counts of their level: a row for each of the keys."""
    if level == "stratum":
        return summed_up(in_strata(parts, roles, metrics, keys), keys, _averages(metrics))
    table = with_level_terms(parts, roles, level, terms_of(metrics), keys)
    if level == "comparison":
        return table.with_columns(_values(metrics))
    return summed_up(table, keys, aggregated(metrics))


def in_strata(
    parts: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], keys: Sequence[str]
) -> pl.LazyFrame:
    """Evaluate conditional metrics inside every stratum, before they are averaged."""
    table = with_level_terms(parts, roles, "stratum", terms_of(metrics), keys)
    # A stratum whose value is infinity less infinity has none, and stays out of the average.
    return table.with_columns(value.fill_nan(UNDEFINED) for value in _values(metrics))


def summed_up(parts: pl.LazyFrame, keys: Sequence[str], values: Sequence[pl.Expr]) -> pl.LazyFrame:
    """Aggregate values by keys, in the order of the parts; without keys there is one row."""
    return parts.group_by(keys, maintain_order=True).agg(values) if keys else parts.select(values)


def terms_of(metrics: Mapping[str, Metric]) -> set[str]:
    """The columns that formulas mention."""
    return {term for metric in metrics.values() for term in metric.terms}


def _values(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    return [
        metric.parsed.expression.cast(pl.Float64).alias(f"metric.{name}")
        for name, metric in metrics.items()
    ]


def aggregated(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    """The formulas that are aggregates, as one value each."""
    # What 0/0 is stands in a column, so a value may come out once per row of its group.
    return [value.first() for value in _values(metrics)]


def _averages(metrics: Mapping[str, Metric]) -> list[pl.Expr]:
    """Average over strata by their size; those without a value stay out."""
    size = pl.col(STRATUM_SIZE)
    return [
        unbounded_ratio((value * size).sum(), pl.when(value.is_not_null()).then(size).sum())
        .first()
        .alias(value.meta.output_name())
        for value in (pl.col(f"metric.{name}") for name in metrics)
    ]
