"""Made-up counts by score, on which formulas of scores are tried."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

import polars as pl

from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.question.reading import find_roles
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import measures_of, terms_of, valued, with_level_terms

_SCORES: Final = (0.2, 0.5, 0.8)
_LABELS: Final = ("positive", "negative")

# Of each score, how many rows of d, and of a, are positive and how many negative.
_COUNTS_OF_D: Final = tuple(
    (one, 4.0, other, 8 - other, third, 8 - one)
    for one, other, third in product((3.0, 5.0), repeat=3)
)
_COUNTS_OF_A: Final = (
    (4.0, 4.0, 4.0, 4.0, 4.0, 4.0),
    (2.0, 6.0, 4.0, 4.0, 6.0, 2.0),
    (6.0, 2.0, 4.0, 4.0, 2.0, 6.0),
)

Counts = tuple[float, ...]

# Rows of d with this label get the next score, above or below.
Moves = tuple[tuple[str, int], ...]

HIGHER: Final[Moves] = (("positive", 1), ("negative", 1))
NEARER_LABEL: Final[Moves] = (("positive", 1), ("negative", -1))


@cache
def label_and_score() -> Roles:
    """The roles of made-up counts by score: a label and a score, nothing else."""
    types = {"label": pl.Boolean(), "score": pl.Float64()}
    return find_roles(pl.Schema(types), {"label": "label", "score": "score"}).of_scores


@cache
def few_counts(level: Level) -> pl.DataFrame:
    """The counts of one comparison, or of three groups, at three scores."""
    names = [f"{side.name}.{label}" for side in level.counted for label in _LABELS]
    groups = ["x"] if level.has_sides else ["x", "y", "z"]
    rows = [
        ("few", group, score, *(float((5 * i + 3 * j + 7 * k) % 11 + 2) for k in range(len(names))))
        for i, group in enumerate(groups)
        for j, score in enumerate(_SCORES)
    ]
    return pl.DataFrame(rows, ["key", "value", "score", *names], orient="row")


def few_rows(metric: Metric) -> pl.DataFrame:
    """A few rows of the table of a metric, with the terms of its formula."""
    level, metrics = metric.parsed.level, {"": metric}
    counts = few_counts(level).lazy()
    terms, measures = terms_of(metrics), measures_of(metrics)
    return with_level_terms(counts, label_and_score(), level, terms, measures, ["key"]).collect()


def values_by_score(counts: pl.DataFrame, metric: Metric, keys: list[str]) -> pl.Series:
    """The value of a metric for each of the keys."""
    values = valued(counts.lazy(), label_and_score(), metric.parsed.level, {"": metric}, keys)
    return values.collect()["metric."]


def steps_by_score(metric: Metric, moves: Moves) -> pl.Series:
    """The changes of a value as one row of d after the other gets another score."""
    counts, keys = _paths(metric.parsed.level, moves), ["pair", "move", "step"]
    values = counts.select(keys).unique(maintain_order=True)
    values = values.with_columns(values_by_score(counts, metric, keys).alias("value"))
    return values.select(pl.when(pl.col("step") > 0).then(pl.col("value").diff())).to_series()


@cache
def _paths(level: Level, moves: Moves) -> pl.DataFrame:
    """The counts of pairs of small sides, before and after one and two rows of d moved."""
    a, d = (side.name for side in level.counted)
    rows = [
        (pair, move, step, score, *_at(of_a, i), *_at(_moved(of_d, step, label, start, by), i))
        for pair, (of_d, of_a) in enumerate(product(_COUNTS_OF_D, _COUNTS_OF_A))
        for move, ((label, by), start) in enumerate(product(moves, (0, 1)))
        for step in range(3)
        for i, score in enumerate(_SCORES)
    ]
    names = [f"{side}.{label}" for side in (a, d) for label in _LABELS]
    table = pl.DataFrame(rows, ["pair", "move", "step", "score", *names], orient="row")
    return table.sort("pair", "move", "step", "score")


def _at(counts: Counts, place: int) -> Counts:
    """The counts of one score, a number for each label."""
    return counts[len(_LABELS) * place : len(_LABELS) * (place + 1)]


def _moved(counts: Counts, rows: int, label: str, start: int, by: int) -> Counts:
    """The counts after rows with a label moved to the score after the start, or from it back."""
    low, high = (len(_LABELS) * (start + place) + _LABELS.index(label) for place in (0, 1))
    change = {low: -by * rows, high: by * rows}
    return tuple(count + change.get(i, 0) for i, count in enumerate(counts))
