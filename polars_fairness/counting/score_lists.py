"""Cells whose scores stand in one list, in order, in place of a cell for each score.

Distinct scores are sorted faster than they are hashed: two million take 0.08 s so, and all that is
known of a cell besides is said once for all of its scores.
"""

from __future__ import annotations

from typing import Final, TypeVar

import polars as pl

from polars_fairness.counting.models import Count
from polars_fairness.formula.rates import SUMS_OF_RANKS
from polars_fairness.question.columns import with_one_zero
from polars_fairness.question.scores import Unrounded

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)

# Of 20 million scores of four digits, counts by hashing take 0.2 s and lists 0.9; of distinct
# scores 2.2 and 1.3.
_MOST_REPEATED: Final = 0.1

SAMPLE: Final = 10_000
"""The number of rows that show whether scores repeat."""


def may_be_listed(count: Count) -> bool:
    """Whether a count is by raw scores alone: each row of a cell then has one score and no more."""
    score, roles = count.score, count.roles
    return (
        score is not None
        and isinstance(score.rounding, Unrounded)
        and not score.has_sums
        and score.column.dtype.is_float()
        and not count.models
        and not roles.numbers
        and not roles.points
        and not roles.uncertain_facets
        and not roles.is_weighted
        and roles.count is None
    )


def mostly_differ(scores: pl.Series) -> bool:
    """Whether few scores of a sample repeat."""
    known = scores.drop_nulls()
    return len(known) - known.n_unique() <= _MOST_REPEATED * len(known)


# Fewer cells are sorted as they are in some milliseconds.
_LEAST: Final = 20_000


def listed(cells: pl.DataFrame) -> pl.DataFrame:
    """The cells with their scores in lists, if they are many and each is the score of one row."""
    # Weights, and the sums of rounded scores, stand after the number of rows.
    *keys, last = (name for name in cells.columns if name not in ("score", *SUMS_OF_RANKS))
    if cells.height < _LEAST or cells.schema.get("score") != pl.Float64 or last != "n":
        return cells
    known = cells.drop_nulls("score")
    if (known["n"] > 1).any():
        return cells
    sums = [name for name in ("n", *SUMS_OF_RANKS) if name in cells.columns]
    lists = known.group_by(keys).agg(pl.col("score").sort(), pl.col(sums).sum())
    unknown = cells.filter(pl.col("score").is_null()).cast({"score": pl.List(pl.Float64)})
    return pl.concat([lists, unknown.select(lists.columns)]).select(cells.columns)


def are_listed(cells: pl.DataFrame | pl.LazyFrame) -> bool:
    """Whether the scores of these cells stand in lists."""
    return isinstance(cells.collect_schema().get("score"), pl.List)


def unlisted(cells: Frame) -> Frame:
    """The cells with a row for each score, one after the other, in place of lists.

    What the ranks of a cell add up to is divided evenly: only its sum over a group has a meaning.
    """
    if not are_listed(cells):
        return cells
    n = pl.when(pl.col("score").is_null()).then("n").otherwise(1)
    sums = [name for name in SUMS_OF_RANKS if name in cells.collect_schema()]
    parts = (pl.col(name) / pl.col("score").list.len().fill_null(1) for name in sums)
    spread = cells.with_columns(*parts, n=n).explode("score")
    return spread.with_columns(with_one_zero(pl.col("score")))
