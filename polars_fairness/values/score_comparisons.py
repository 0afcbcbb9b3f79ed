"""Cells by score to the counts of sides or groups at each score, and the values of metrics."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import added_up, tallied, with_finest_counts
from polars_fairness.counting.score_lists import are_listed
from polars_fairness.counting.sides import COMPARISON_KEY, members, with_sides
from polars_fairness.formula.in_polars import reduced
from polars_fairness.formula.levels import GROUP_BY_SCORE, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import Measure
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import (
    formulas_of_measures,
    measured,
    measured_by,
    measures_of,
    values_of_measures,
)
from polars_fairness.values.levels import computed, counted, keys_of, valued
from polars_fairness.values.score_spans import FINE, Table, counts_by_span, with_sums

# A comparison of two million scores takes 0.9 s with keys, and 0.2 s by itself; a thousand small
# ones take 2 s one by one, and 0.1 s together.
_TOGETHER: Final = 100_000

# Of 20 million scores, all metrics at once take 13.8 s and 6.4 GB; of two million a quarter less
# than one by one.
_MOST_SCORES: Final = 5_000_000

# Inner columns: no key of cells has such a name.
_CELL, _ROWS, _NUMBER, _PART = "cell\x1f", "rows\x1f", "number\x1f", "part\x1f"


def tables_by_score(cells: pl.LazyFrame, roles: Roles, level: Level) -> Iterator[Table]:
    """The counts of sides or groups at each score, some of them at a time."""
    whole = _counted_one_by_one(cells, roles)
    yield from _tables(whole, _belonging(whole.lazy(), roles, level), roles, level)


def values_by_score(
    cells: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[Level, Mapping[str, Metric]],
    bounds: Container[str],
) -> Iterator[tuple[list[str], pl.LazyFrame]]:
    """The values of metrics of scores, from cells by score: key columns, and a row for each key.

    The levels that compare two sides have their counts in common. The metrics named as bounds are
    computed from spans of scores, where there are many.
    """
    if roles.in_plan:
        yield from _values_in_plan(cells, roles, metrics)
        return
    whole = _counted_one_by_one(cells, roles)
    of_sides = {level: each for level, each in metrics.items() if level.has_sides}
    if of_sides:
        level = next(iter(of_sides))
        values = pl.concat(
            table.with_keys(*_values(table, roles, of_sides, bounds))
            for table in _tables(whole, _belonging(whole.lazy(), roles, level), roles, level)
        )
        yield keys_of(level, roles), values.lazy()
    for level in metrics.keys() - of_sides.keys():
        keys, measures = keys_of(level, roles), measures_of(metrics[level])
        of_groups = pl.concat(
            table.with_keys(*_measures(table, roles, measures))
            for table in _tables(whole, _belonging(whole.lazy(), roles, level), roles, level)
        )
        yield keys, values_of_measures(of_groups, roles, metrics[level], keys).lazy()


def _values_in_plan(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[Level, Mapping[str, Metric]]
) -> Iterator[tuple[list[str], pl.LazyFrame]]:
    sided = with_sides(with_finest_counts(cells, roles), roles)
    for level, of_level in metrics.items():
        keys, counts = keys_of(level, roles), counted(sided, roles, level)
        if level.has_sides:
            yield keys, valued(counts.sort(*keys, "score"), roles, level, of_level, keys)
            continue
        of_groups = measured_in_plan(counts, roles, measures_of(of_level), [*keys, "value"])
        formulas = formulas_of_measures(roles, of_level)
        yield keys, reduced(of_groups, formulas, roles.zero_division, keys)


def measured_in_plan(
    counts: pl.LazyFrame, roles: Roles, measures: Collection[Measure], keys: list[str]
) -> pl.LazyFrame:
    """The measures and counts of each group, as columns of the plan."""
    table = counts.sort(*keys, "score")
    return reduced(table, measured_by(roles, measures), roles.zero_division, keys)


def _values(
    table: Table,
    roles: Roles,
    metrics: Mapping[Level, Mapping[str, Metric]],
    bounds: Container[str],
) -> Iterator[pl.DataFrame]:
    of_bounds = {
        level: {name: each for name, each in of_level.items() if name in bounds}
        for level, of_level in metrics.items()
    }
    rounded = roles
    spans = table.counts
    if any(of_bounds.values()) and spans.height > FINE:
        rounded = with_sums(roles)
        spans = counts_by_span(table, roles, rounded, next(iter(metrics)), (), FINE, FINE)
    for level, of_level in metrics.items():
        values = {name: each for name, each in of_level.items() if name not in of_bounds[level]}
        for counts, question, own in (
            (table.counts, roles, values),
            (spans, rounded, of_bounds[level]),
        ):
            for some in _batches(own, counts.height):
                yield computed(counts, question, level, some, table.numbers)


def _batches(metrics: Mapping[str, Metric], scores: int) -> Iterator[Mapping[str, Metric]]:
    """The metrics that are computed together: of very many scores one, for the sake of memory."""
    if scores <= _MOST_SCORES:
        if metrics:
            yield metrics
        return
    for name, metric in metrics.items():
        yield {name: metric}


def _measures(table: Table, roles: Roles, measures: Collection[Measure]) -> Iterator[pl.DataFrame]:
    """The measures of each group, and its counts; of very many scores one measure at a time."""
    counts, numbers = table.counts, table.numbers
    if counts.height <= _MOST_SCORES:
        yield measured(counts, roles, measures, numbers)
        return
    for place, measure in enumerate(measures):
        values = measured(counts, roles, [measure], numbers)
        yield values.select(*numbers, measure.column) if place else values


def measures_by_group(
    cells: pl.LazyFrame, roles: Roles, measures: Collection[Measure]
) -> tuple[pl.LazyFrame, list[str]]:
    """The measures of the scores of each group, unknown ones too, with the key columns."""
    complete, roles = complete_cells(cells, roles, by_score=True), roles.counting_scores
    keys = [*roles.windows.keys, "facet", "value"]
    names = [measure.column for measure in measures]
    if roles.in_plan:
        [group], finest = GROUP_BY_SCORE.counted, with_finest_counts(complete, roles)
        counts = added_up(finest, [*keys, "score"], group.name, roles)
        return measured_in_plan(counts, roles, measures, keys).select(*keys, *names), keys
    whole = _counted_one_by_one(complete, roles)
    tables = _tables(whole, whole.select(*keys, _CELL, _ROWS), roles, GROUP_BY_SCORE)
    values = pl.concat(
        table.with_keys(measured(table.counts, roles, measures, table.numbers)).select(
            *keys, *names
        )
        for table in tables
    )
    return values.lazy(), keys


def _counted_one_by_one(cells: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The cells with their finest counts; where scores are in lists, with those of one row."""
    rows = pl.lit(1, pl.Int64)
    if are_listed(cells):
        cells = cells.with_columns(pl.col("score").list.len().alias(_ROWS), n=rows)
    else:
        cells = cells.with_columns(rows.alias(_ROWS))
    return collected(with_finest_counts(cells, roles).with_row_index(_CELL))


def _belonging(cells: pl.LazyFrame, roles: Roles, level: Level) -> pl.DataFrame:
    """The numbers of the cells of each comparison or group, with the keys and the sides."""
    keys = keys_of(level, roles)
    if level.has_sides:
        places = [name for name in keys if name != COMPARISON_KEY]
        sided = with_sides(cells.select(*places, "value", _CELL, _ROWS), roles).drop("value")
        comparisons = sided.select(keys).drop_nulls(COMPARISON_KEY).unique(maintain_order=True)
        return collected(members(comparisons, sided, roles))
    known = cells.filter(pl.col("value").is_not_null())
    if roles.reference_keys:
        # Thresholds at which another group is the reference have cells of their own.
        reference, places = pl.col("reference"), [*roles.windows.keys, "facet"]
        known = known.filter(reference.eq_missing(reference.first().over(places)))
    return collected(known.select(*keys, "value", _CELL, _ROWS))


def _tables(
    cells: pl.DataFrame, belonging: pl.DataFrame, roles: Roles, level: Level
) -> Iterator[Table]:
    """The counts by score of all keys, of many small ones at a time."""
    keys = [name for name in belonging.columns if name not in (_CELL, _ROWS, "in_d", "in_a")]
    small, number = pl.col(_ROWS) < _TOGETHER, pl.col(_NUMBER).cast(pl.Int64)
    rows_so_far = pl.when(small).then(_ROWS).otherwise(0).cum_sum()
    numbered = (
        belonging.group_by(keys, maintain_order=True)
        .agg(pl.col(_ROWS).cast(pl.Int64).sum())
        .with_row_index(_NUMBER)
        .with_columns(
            pl.when(small).then(rows_so_far // _TOGETHER).otherwise(-1 - number).alias(_PART)
        )
    )
    parts = numbered.partition_by(_PART, maintain_order=True) or [numbered]
    for part in parts:
        own = part.select(_NUMBER, *keys)
        of_own = belonging
        if len(own) == 1:
            own = own.with_columns(pl.lit(0, pl.UInt32).alias(_NUMBER))
        if len(parts) > 1 or len(own) != 1:
            of_own = belonging.join(own, on=keys, nulls_equal=True, maintain_order="left")
        numbers = [_NUMBER] if len(own) != 1 else []
        yield Table(own, _counts(cells, of_own, numbers, roles, level))


def _counts(
    cells: pl.DataFrame, belonging: pl.DataFrame, numbers: list[str], roles: Roles, level: Level
) -> pl.DataFrame:
    """The counts of each side or group at each score."""
    held = cells[belonging[_CELL]]
    if level.has_sides:
        held = held.with_columns(belonging["in_a", "in_d"])
    flags = map(pl.col, ("in_a", "in_d")) if level.has_sides else [pl.lit(value=True)]
    counts = held.select(
        pl.when(flag).then(count).otherwise(0.0).alias(f"{side}.{count}")
        for side, flag in zip(level.counted_names, flags, strict=True)
        for count in tallied(roles)
    )
    row = pl.int_range(pl.len(), dtype=pl.UInt32).alias(_CELL)
    scores = held.select(row, *(belonging[name] for name in numbers), "score")
    if are_listed(scores):
        scores = scores.explode("score")
    # Equal scores keep the order of cells: sums of weights are the same in every run.
    scores = scores.sort(*numbers, "score", maintain_order=roles.is_weighted)
    of_scores = counts.select(pl.all().gather(scores[_CELL]))
    table = scores.drop(_CELL).hstack(of_scores)
    at = pl.struct(*numbers, "score") if numbers else pl.col("score")
    if not table.select((at == at.shift()).any()).item():
        return table
    return table.group_by(*numbers, "score", maintain_order=True).agg(pl.all().sum())
