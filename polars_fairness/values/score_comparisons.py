"""Cells by score to the counts of sides or groups at each score, and the values of metrics."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import (
    added_up,
    are_listed,
    endings_of_scores,
    finest,
    tallied,
    with_finest_counts,
)
from polars_fairness.counting.polars_rows import is_tally, sums_of_tallies
from polars_fairness.counting.sides import COMPARISON_KEY, members, with_sides
from polars_fairness.formula.in_polars import reduced, rendered
from polars_fairness.formula.levels import GROUP_BY_SCORE, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import Measure, bin_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.values.by_key import (
    formulas_of_measures,
    measured,
    measured_by,
    measures_of,
    values_of_measures,
)
from polars_fairness.values.levels import computed, counted, keys_of, valued

_SPAN, _KEY_NUMBER = "span\x1f", "number\x1f"


@dataclass(frozen=True)
class Table:
    """The counts at each score of some comparisons or groups, and the keys of these.

    Counts stand key after key, in the order of scores. A column numbers the keys, unless there is
    only one.
    """

    keys: pl.DataFrame
    counts: pl.DataFrame

    @property
    def numbers(self) -> list[str]:
        """The column that numbers the keys, if there is one."""
        return [_KEY_NUMBER] if _KEY_NUMBER in self.counts.columns else []

    def with_keys(self, *tables: pl.DataFrame) -> pl.DataFrame:
        """The keys beside what was found for each of them."""
        beside = self.keys
        number = [] if self.numbers else [pl.lit(0, pl.UInt32).alias(_KEY_NUMBER)]
        for each in tables:
            numbered = each.with_columns(number)
            beside = beside.join(numbered, on=_KEY_NUMBER, maintain_order="left_right")
        return beside.drop(_KEY_NUMBER)


def with_sums(roles: Roles, bins: Iterable[int] = ()) -> Roles:
    """The question about spans, which keep the sums of their scores."""
    if roles.sums_scores or roles.score is None:
        return roles
    # Spans are no multiples of a resolution, but divide the same bins as multiples of this one.
    return roles.with_scores(lambda each: replace(each, resolution=1 / lcm(*bins)))


def sums_of_scores(roles: Roles, rounded: Roles, level: Level) -> list[pl.Expr]:
    """The sums of scores, and of their squares, over the rows of each count."""
    if rounded is roles:
        return []
    return [
        (pl.col(f"{side.name}.{count}") * pl.col("score") ** power).alias(
            f"{side.name}.{count}{ending}"
        )
        for side in level.counted
        for power, ending in enumerate(endings_of_scores(rounded), 1)
        for count in finest(roles)
    ]


FINE: Final = 10_000
"""So many spans make an interval as wide as all scores do, but for a hundred-thousandth."""


def counts_by_span(
    table: Table,
    roles: Roles,
    rounded: Roles,
    level: Level,
    bins: Sequence[int],
    spans: int,
    most_scores: int,
) -> pl.DataFrame:
    """The counts of a table by span, for each key with more scores than these.

    A span has the lowest of its scores; it lies in one bin, for each number of bins. ``rounded`` is
    the question about spans.
    """
    numbers = table.numbers
    counts = table.counts.lazy().with_columns(sums_of_scores(roles, rounded, level))
    sums = [f"{side.name}.{count}" for side in level.counted for count in tallied(rounded)]
    counted = [pl.col(f"{side.name}.{count}") for side in level.counted for count in finest(roles)]
    if table.counts.height > FINE:
        # By all rows first: of two million scores, the parts of each count took ten times as long.
        counts = _merged(counts, numbers, [pl.sum_horizontal(counted)], sums, bins, FINE, FINE)
    if spans < FINE:
        counts = _merged(counts, numbers, counted, sums, bins, spans, most_scores)
    return collected(counts)


def _merged(
    counts: pl.LazyFrame,
    numbers: Sequence[str],
    sizes: Sequence[pl.Expr],
    sums: Sequence[str],
    bins: Sequence[int],
    spans: int,
    most_scores: int,
) -> pl.LazyFrame:
    """The counts by span, of the keys that have more scores than these."""
    span, rows = _span(sizes, spans), pl.len()
    if numbers:
        span, rows = span.over(numbers), rows.over(numbers)
    place = pl.when(rows > most_scores).then(span).otherwise(pl.int_range(pl.len()))
    # Spans and bins rise with the score: their sum rises wherever one of them does.
    number = pl.sum_horizontal(place, *(rendered(bin_of(each)).cast(pl.Int64) for each in bins))
    by_span = counts.with_columns(number.alias(_SPAN)).group_by(
        *numbers, _SPAN, maintain_order=True
    )
    return by_span.agg(pl.col("score").first(), pl.col(sums).sum()).drop(_SPAN)


def _span(sizes: Sequence[pl.Expr], spans: int) -> pl.Expr:
    """The number of the span of each score, in the order of scores.

    A span has an equal part of the rows of each size, and of their squared distances from the mean
    score: so a few scores far from all others, which move a mean most, are spans of their own.
    """
    parts = []
    for size in sizes:
        distance = pl.col("score") - (size * pl.col("score")).sum() / size.sum()
        squares = size * distance * distance
        parts += [size / size.sum(), squares / squares.sum()]
    part = pl.sum_horizontal(each.fill_nan(0.0) for each in parts) / len(parts)
    # The middle of a score decides, so that a score with many rows is a span of its own. Rounded,
    # as the order in which sides are added up moves the last digits.
    return ((part.cum_sum() - part / 2) * spans).round(9).floor().cast(pl.Int64)


SPANS_OF_CLUSTERS: Final = 1_000
"""So many spans of scores are counted by cluster."""


def cells_in_spans(
    cells: pl.DataFrame, roles: Roles, bins: Iterable[int], spans: int = SPANS_OF_CLUSTERS
) -> tuple[pl.DataFrame, Roles]:
    """Cells by span in place of cells by score, if there are many scores, and the question of it.

    Spans have an equal part of all rows, so that they are the same for all groups and clusters.
    """
    scores = cells.drop_nulls("score").group_by("score").agg(pl.col("n").sum()).sort("score")
    if scores.height <= spans:
        return cells, roles
    rounded = with_sums(roles, bins)
    n = pl.col("n").cum_sum() - pl.col("n") / 2
    place = (n / pl.col("n").sum() * spans).floor().cast(pl.Int64)
    span = pl.sum_horizontal(place, *(rendered(bin_of(each)).cast(pl.Int64) for each in bins))
    lowest = scores.select("score", pl.col("score").first().over(span).alias(_SPAN))
    mass = pl.col(roles.mass).cast(pl.Float64)
    sums = (
        []
        if rounded is roles
        else [(pl.col("score") ** i * mass).alias(each) for i, each in enumerate(SUMS, 1)]
    )
    placed = cells.with_columns(sums).join(lowest, on="score", how="left", maintain_order="left")
    tallies = [name for name in placed.columns if is_tally(name)]
    keys = [name for name in placed.columns if name not in ("score", _SPAN, *tallies)]
    return placed.group_by(*keys, pl.col(_SPAN).alias("score")).agg(
        **sums_of_tallies(tallies)
    ), rounded


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
    roles = roles.counting_scores
    complete = complete_cells(cells, roles)
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
        scores = scores.explode("score", empty_as_null=False)
    # Equal scores keep the order of cells: sums of weights are the same in every run.
    scores = scores.sort(*numbers, "score", maintain_order=roles.is_weighted)
    of_scores = counts.select(pl.all().gather(scores[_CELL]))
    table = scores.drop(_CELL).hstack(of_scores)
    at = pl.struct(*numbers, "score") if numbers else pl.col("score")
    if not table.select((at == at.shift()).any()).item():
        return table
    return table.group_by(*numbers, "score", maintain_order=True).agg(pl.all().sum())
