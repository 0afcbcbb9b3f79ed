"""Spans: neighbouring scores that are drawn as one, where there are too many to draw each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import lcm
from typing import Final

import polars as pl

from polars_fairness.counting.counts import endings_of_scores, finest, tallied
from polars_fairness.formula.levels import Level
from polars_fairness.formula.scores import SCORE, bin_of
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import keys_of

# What a draw costs grows with its scores: 400 audits of 400 scores each did not end within three
# minutes, and take a quarter as long in 100 spans. Of 400 and of 1,600 scores, 100 spans gave
# intervals as wide as all scores did, but for 2 % that another seed changes as well; those of
# `score_ks` were 3 % narrower for 1,600 scores. In 50 spans they were 5 % narrower.
SPANS: Final = 100

# So the multiples of a hundredth between 0 and 1 are drawn one by one.
MOST_SCORES: Final = 150

_SPAN, _BIN = "span\x1f", "bin\x1f"


def in_spans(
    counts: pl.DataFrame,
    roles: Roles,
    level: Level,
    bins: Collection[int],
    terms: Collection[str],
) -> tuple[pl.DataFrame, Roles]:
    """Counts by span in place of counts by score, and the question about these.

    Places and groups of few scores keep each of their scores. A span has the lowest of its scores,
    and their sums if formulas mention these terms; it lies in one bin, for each of these numbers of
    bins.
    """
    parts = keys_of(level, roles) + (["value"] if level.keeps_groups_apart else [])
    are_many = pl.len().over(parts) > MOST_SCORES
    if not counts.select(are_many.any()).item():
        return counts, roles
    rounded = roles
    needs_sums = any(term.endswith("scores") for term in terms)
    if needs_sums and not roles.sums_scores and roles.score is not None:
        # Spans are no multiples of a resolution, but divide the same bins as multiples of this one.
        rounded = replace(roles, score=replace(roles.score, resolution=1 / lcm(*bins)))
        counts = counts.with_columns(
            (pl.col(f"{side.name}.{count}") * SCORE**power).alias(f"{side.name}.{count}{ending}")
            for side in level.counted
            for power, ending in enumerate(endings_of_scores(rounded), 1)
            for count in finest(roles)
        )
    counted = [f"{side.name}.{count}" for side in level.counted for count in finest(roles)]
    span = pl.when(are_many).then(_span(counted).over(parts)).otherwise(pl.int_range(pl.len()))
    in_bins = [bin_of(each).alias(f"{_BIN}{each}") for each in bins]
    keys = [*parts, span.alias(_SPAN), *in_bins]
    sums = [f"{side.name}.{count}" for side in level.counted for count in tallied(rounded)]
    spans = counts.group_by(keys, maintain_order=True).agg(SCORE.first(), pl.col(sums).sum())
    return spans, rounded


def _span(counted: Collection[str]) -> pl.Expr:
    """The number of the span of each score, in the order of scores.

    A span has an equal part of the rows of each count, and of their squared distances from the mean
    score: so a few scores far from all others, which move a mean most, are spans of their own.
    """
    parts = []
    for count in map(pl.col, counted):
        distance = SCORE - (count * SCORE).sum() / count.sum()
        squares = count * distance**2
        parts += [count / count.sum(), squares / squares.sum()]
    part = pl.sum_horizontal(each.fill_nan(0.0) for each in parts) / len(parts)
    # The middle of a score decides, so that a score with many rows is a span of its own. Rounded,
    # as the order in which sides are added up moves the last digits.
    return ((part.cum_sum() - part / 2) * SPANS).round(9).floor().cast(pl.Int64)
