"""Spans of scores: an interval needs fewer points than there are scores, and no fewer digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import endings_of_scores, finest, tallied
from polars_fairness.counting.polars_rows import is_tally, sums_of_tallies
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.levels import Level
from polars_fairness.formula.scores import bin_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS

_SPAN, _NUMBER = "span\x1f", "number\x1f"


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
        return [_NUMBER] if _NUMBER in self.counts.columns else []

    def with_keys(self, *tables: pl.DataFrame) -> pl.DataFrame:
        """The keys beside what was found for each of them."""
        beside = self.keys
        number = [] if self.numbers else [pl.lit(0, pl.UInt32).alias(_NUMBER)]
        for each in tables:
            numbered = each.with_columns(number)
            beside = beside.join(numbered, on=_NUMBER, maintain_order="left_right")
        return beside.drop(_NUMBER)


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
