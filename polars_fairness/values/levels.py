"""The tables of counts that formulas range over, and the values of formulas on them.

A table has a row for each comparison, stratum, label value, group or point, as its level says. On a
table, formulas are plain arithmetic. A bootstrap draws the counts of a table again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import Counts, added_up
from polars_fairness.counting.sides import COMPARISON_KEY, two_sided
from polars_fairness.formula.in_polars import reduced, rendered, with_values
from polars_fairness.formula.levels import COMPARISON, GROUP_BY_SCORE, ROC, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import Expression, or_undefined, term
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import (
    computed_by_key,
    formulas_of,
    measured,
    measures_of,
    values_of_measures,
    write_in_columns,
)


def keys_of(level: Level, roles: Roles) -> list[str]:
    """The key columns of values at a level: each combination has one value per metric.

    Scores are the same at each threshold, except that another group may be the reference.
    """
    windows = roles.windows.without_thresholds if level.is_by_score else roles.windows
    comparison = [COMPARISON_KEY] if level.has_sides else []
    reference = roles.reference_keys if level.is_by_score and level.has_sides else []
    return [*windows.keys, "facet", *comparison, *reference]


def counted(
    cells: pl.LazyFrame, roles: Roles, level: Level, more: Sequence[str] = ()
) -> pl.LazyFrame:
    """The table of counts of a level, from cells with their finest counts and sides.

    That of a level by score is made by `polars_fairness.values.score_comparisons`. More keys of
    cells divide its rows further.
    """
    index = [*index_of(level, roles), *more]
    if level.divides_values and roles.windows.has_classes:
        cells = cells.filter(pl.col(roles.windows.class_key).is_null())
    if level.table == "sides":
        return two_sided(cells, roles, level, index)
    if level.compares_groups:
        cells = cells.filter(pl.col("value").is_not_null())
    group = ["value"] if level.keeps_groups_apart else []
    [side] = level.counted
    keys = [*keys_of(level, roles), *group, *index]
    return added_up(cells, keys, side.name, roles)


def index_of(level: Level, roles: Roles) -> list[str]:
    """The columns that divide a comparison or a group into rows."""
    label, predicted = roles.value_keys
    index = {
        "subgroup": roles.strata.keys,
        "controls": roles.controls.keys,
        "label values": [label],
        "predicted values": [predicted],
        "both values": [label, predicted],
        "score": ["score"],
    }
    return index[level.divided_by] if level.divided_by else []


def valued(
    parts: pl.LazyFrame,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """The values of formulas on the table of their level, a row for each of the keys.

    The values of a comparison are beside its counts.
    """
    formulas = formulas_of(metrics, level, roles)
    table = _with_sums(parts, roles, level, formulas.values(), keys)
    if level == COMPARISON:
        return with_values(table, formulas, roles.zero_division)
    return reduced(table, formulas, roles.zero_division, keys)


def strata_values(
    counts: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    level: Level,
    keys: Sequence[str],
) -> pl.LazyFrame:
    """The values of conditional metrics in each stratum, before they are averaged, and its rows."""
    # A value of infinity minus infinity is undefined, and left out of the average.
    in_columns = write_in_columns(level, roles)
    formulas = {
        f"metric.{name}": in_columns(or_undefined(metric.parsed.expression))
        for name, metric in metrics.items()
    }
    names = (level.size, *(f"{side.name}.n" for side in level.counted))
    formulas |= {name: in_columns(term(name)) for name in names}
    table = _with_sums(counts, roles, level, formulas.values(), keys)
    return with_values(table, formulas, roles.zero_division, keys)


def computed(
    parts: pl.DataFrame,
    roles: Roles,
    level: Level,
    metrics: Mapping[str, Metric],
    keys: Sequence[str],
) -> pl.DataFrame:
    """The values of formulas as `valued` has them, at once and in the order of rows."""
    if not parts.height and not keys:
        return collected(valued(parts.lazy(), roles, level, metrics, keys))
    if level == GROUP_BY_SCORE:
        of_groups = measured(parts, roles, measures_of(metrics), [*keys, "value"])
        return values_of_measures(of_groups, roles, metrics, keys)
    apart = [*keys, roles.value_keys[0]] if level.is_within_labels else []
    formulas, ready = formulas_of(metrics, level, roles), None
    if level == ROC or level.is_within_labels:
        from polars_fairness.values.replicates import made_ready  # it needs numpy

        ready = partial(made_ready, roles=roles, level=level)
    values = computed_by_key(parts, formulas, level, keys, roles.zero_division, apart, ready)
    if level != COMPARISON:
        return values
    return parts[[name for name in parts.columns if name not in formulas]].hstack(
        [values[name] for name in formulas]
    )


def _with_sums(
    table: pl.LazyFrame,
    roles: Roles,
    level: Level,
    formulas: Iterable[Expression],
    keys: Sequence[str],
) -> pl.LazyFrame:
    """Add the sums of both sides or of all groups that formulas are written in."""
    sums = {side.name for side in level.sums}
    names = sorted({name for each in formulas for name in each.terms})
    made: dict[str, pl.Expr] = {}
    for name in names:
        side, _, word = name.partition(".")
        counted = [pl.col(f"{each}.{word}") for each in level.counted_names]
        if word == "share":
            rows = rendered(Counts.of(roles).term(f"{side}.n"))
            total = rows.sum().over(*keys, roles.value_keys[0])
            made[name] = pl.when(total > 0).then(rows / total)
        elif side in sums and level.has_sides:
            made[name] = counted[0] + counted[1]
        elif side in sums:
            made[name] = counted[0].sum().over(keys) if keys else counted[0].sum()
    return table.with_columns(**made) if made else table


def summed_up(parts: pl.LazyFrame, keys: Sequence[str], values: Sequence[pl.Expr]) -> pl.LazyFrame:
    """Aggregate by keys, in the order of rows; without keys the result is one row."""
    return parts.group_by(keys, maintain_order=True).agg(values) if keys else parts.select(values)
