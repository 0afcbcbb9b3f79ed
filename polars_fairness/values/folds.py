"""Distances: values that chance only moves away from the ideal, and counts without a difference.

A distance, such as a largest or an absolute difference, folds what chance does: with equal sides it
is above its ideal in every sample. A formula folds if its values on made-up counts all lie on one
side of the ideal, and are the ideal once the sides or groups have the same profile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final, Literal, get_args

import numpy as np
import polars as pl

from polars_fairness.counting.counts import (
    endings_of_scores,
    finest,
    squared,
    tallied,
    with_columns_of,
)
from polars_fairness.formula.arrays import Floats, Ints
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import numbers_of_parts
from polars_fairness.values.formula_checks import (
    both_outcomes,
    label_and_score,
    made_up,
    once_for_entries,
)
from polars_fairness.values.levels import computed

Common = Literal["within labels", "within decisions", "of all rows", "calibrated"]
"""What sides or groups have in common where there is no difference between them.

They have one profile: for each label, for each decision, or over all their rows. Or each score is
the chance to be positive.
"""

_NEAR: Final = 1e-9

# How far chance moves a distance of scores is known from few of them: with all of 500 scores, the
# draws of `abroca` took three times as long.
MOST_SPANS: Final = 100

_LOWEST, _SPAN = "lowest\x1f", "span\x1f"

# Half way from no difference, a distance is twice what it is a quarter of the way, a square four
# times: the geometric mean of 2 and 4 lies between.
_BETWEEN_DISTANCE_AND_SQUARE: Final = 8**0.5


@dataclass(frozen=True)
class Fold:
    """What sides or groups have in common where a distance is 0, and how it grows from there.

    It rises above its ideal, or falls below it. ``power`` is 1 for a distance that grows in
    proportion to the difference, 2 for one that grows with its square.
    """

    common: Common
    rises: bool
    power: Literal[1, 2]


@once_for_entries
def find_fold(metric: Metric) -> Fold | None:
    """How a metric folds what chance does; None if it has values on both sides of its ideal.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [fold and fold.power for fold in map(find_fold, map(pf.CATALOGUE.get, ("tvd", "js", "rd")))]
    [1, 2, None]
    """
    level = metric.parsed.level
    is_of_counts = not (metric.is_about_numbers or metric.is_about_ranks)
    if metric.ideal is None or not level.is_redrawn or level.is_one_group or not is_of_counts:
        return None
    roles = label_and_score() if level.is_by_score else both_outcomes()
    counts = made_up(level)
    offsets = _offsets(counts, metric, roles)
    if offsets.is_empty() or (offsets > _NEAR).any() == (offsets < -_NEAR).any():
        return None
    index = {"score": ["score"], "subgroup": ["stratum"], "both values": ["label"]}
    names = [f"{side.name}.{count}" for side in level.counted for count in finest(roles)]
    for common in get_args(Common):
        is_divided = len(blocks_of(finest(roles), common)) > 1
        is_of_scores = common == "calibrated" and level.is_by_score and not level.has_sides
        if not (common == "of all rows" or is_divided or is_of_scores):
            continue
        by = index.get(level.divided_by or "", [])
        alike = with_common_profile(counts, common, level, roles, ["key"], by)
        # On the way from the same profile to the given one.
        of_alike, of_quarter, of_half = (
            _offsets(
                alike.with_columns(
                    (1 - part) * alike[name] + part * counts[name] for name in names
                ),
                metric,
                roles,
            ).abs()
            for part in (0.0, 0.25, 0.5)
        )
        if len(of_alike) == len(offsets) and (of_alike < _NEAR).all():
            is_square = (of_half > of_quarter * _BETWEEN_DISTANCE_AND_SQUARE).all()
            return Fold(common, bool((offsets > _NEAR).any()), 2 if is_square else 1)
    return None


def _offsets(counts: pl.DataFrame, metric: Metric, roles: Roles) -> pl.Series:
    """By how much the value of each key is above its ideal, on the scale of distances."""
    values = computed(counts, roles, metric.parsed.level, {"": metric}, ["key"])
    offset = metric.offset(pl.col("metric."))
    return values.select(offset.fill_nan(None)).to_series().drop_nulls()


def with_common_profile(
    counts: pl.DataFrame,
    common: Common,
    level: Level,
    roles: Roles,
    keys: Sequence[str],
    index: Sequence[str],
) -> pl.DataFrame:
    """Counts of a level as they would be without a difference between sides or groups.

    ``keys`` tell comparisons or facets apart, and ``index`` has the columns that divide these into
    rows.
    """
    if level.is_by_score:
        counts = _share_few_spans(counts, level, roles, keys)
    if common == "calibrated":
        return _calibrated(counts, level, roles)
    # A comparison has a profile in each stratum, and one over all label values or scores; over
    # pairs of values, one for each value of the label.
    unit = [*keys, *index] if level.divided_by == "subgroup" else [*keys]
    if level.is_within_labels:
        unit.append(index[0])
    own = unit if level.has_sides else [*keys, "value"]
    of_rows = (numbers_of_parts(counts, each) for each in (own, unit, [*keys, *index]))
    names = [f"{side.name}.{count}" for side in level.counted for count in tallied(roles)]
    columns = {name: counts[name].to_numpy() for name in names if name in counts.columns}
    changed = profiled(columns, common, level, roles, *of_rows)
    return counts.with_columns(pl.Series(name, each) for name, each in changed.items())


def profiled(
    columns: Mapping[str, Floats],
    common: Common,
    level: Level,
    roles: Roles,
    own: Ints,
    unit: Ints,
    together: Ints,
) -> dict[str, Floats]:
    """The counts that a common profile changes; each side or group keeps its number of rows.

    Rows have the number of the ``own`` side or group, that of the ``unit`` whose sides have one
    profile, and that of the groups ``together`` on whose rows it stands.
    """
    changed: dict[str, Floats] = {}
    sides = level.counted_names
    for block in blocks_of(finest(roles), common):
        rows = {side: _summed(columns, [f"{side}.{count}" for count in block]) for side in sides}
        sizes = {side: _over(of_side, own) for side, of_side in rows.items()}
        whole = reduce(add, (_over(of_side, unit) for of_side in rows.values()))
        for name in counts_beside(block, roles):
            count = _summed(columns, [f"{side}.{name}" for side in sides])
            of_all = count if level.has_sides else _over(count, together)
            for side, size in sizes.items():
                with np.errstate(divide="ignore", invalid="ignore"):
                    changed[f"{side}.{name}"] = size / whole * of_all
        for side, size in sizes.items() if roles.is_weighted else ():
            squares = _over(_summed(columns, [f"{side}.{squared(each)}" for each in block]), own)
            for name in (f"{side}.{count}" for count in block):
                with np.errstate(divide="ignore", invalid="ignore"):
                    changed[squared(name)] = changed[name] * (squares / size)
    return {name: np.where(np.isnan(each), 0.0, each) for name, each in changed.items()}


def _summed(columns: Mapping[str, Floats], names: Sequence[str]) -> Floats:
    return reduce(add, (columns[name] for name in names))


def _over(values: Floats, numbers: Ints) -> Floats:
    return np.bincount(numbers, values).astype(np.float64)[numbers]


def blocks_of(counts: Sequence[str], common: Common) -> list[Sequence[str]]:
    """The counts over which a profile goes: those of one label, of one decision, or all."""
    given = {
        "within labels": ({"tp", "fn", "positive"}, {"fp", "tn", "negative"}),
        "within decisions": ({"tp", "fp", "accepted"}, {"fn", "tn", "rejected"}),
    }
    divided = [[count for count in counts if count in part] for part in given.get(common, ())]
    return [*filter(None, divided)] or [counts]


def counts_beside(block: Sequence[str], roles: Roles) -> list[str]:
    """The counts of a block, and the sums of scores beside them."""
    endings = ["", *endings_of_scores(roles)]
    return [f"{count}{ending}" for ending in endings for count in block]


def _share_few_spans(
    counts: pl.DataFrame, level: Level, roles: Roles, keys: Sequence[str]
) -> pl.DataFrame:
    """Counts by score in which all groups have rows for the same few spans of scores."""
    sums = [f"{side.name}.{count}" for side in level.counted for count in tallied(roles)]
    size = pl.sum_horizontal(
        f"{side.name}.{count}" for side in level.counted for count in finest(roles)
    )
    own = [*keys] if level.has_sides else [*keys, "value"]
    groups = counts.select(own).unique(maintain_order=True)
    share = (pl.col("size").cum_sum() - pl.col("size") / 2) / pl.col("size").sum()
    spans = (
        counts.group_by(*keys, "score")
        .agg(size=size.sum())
        .sort(*keys, "score")
        .with_columns(
            pl.when(pl.len().over(keys) > MOST_SPANS)
            .then((share.over(keys) * MOST_SPANS).floor())
            .otherwise(pl.int_range(pl.len()))
            .alias(_SPAN)
        )
        .select(*keys, "score", pl.col("score").first().over([*keys, _SPAN]).alias(_LOWEST))
    )
    merged = (
        counts.join(spans, on=[*keys, "score"], nulls_equal=True)
        .group_by(*own, _LOWEST)
        .agg(pl.col(sums).sum())
    )
    lowest = spans.select(*keys, _LOWEST).unique(maintain_order=True)
    grid = groups.join(lowest, on=keys, nulls_equal=True, maintain_order="left_right")
    whole = with_columns_of(grid, merged, [*own, _LOWEST])
    return whole.with_columns(pl.col(sums).fill_null(0.0)).rename({_LOWEST: "score"})


def _calibrated(counts: pl.DataFrame, level: Level, roles: Roles) -> pl.DataFrame:
    """Counts of groups by score in which each score is the chance to be positive."""
    [side] = level.counted
    positive, negative = "positive", "negative"

    def both(ending: str) -> pl.Expr:
        return pl.col(f"{side.name}.{positive}{ending}") + pl.col(f"{side.name}.{negative}{ending}")

    rows = both("")
    powers = [both(ending) for ending in endings_of_scores(roles)] or [
        rows * pl.col("score"),
        rows * pl.col("score") ** 2,
    ]
    moments = [rows, *powers, powers[1] * powers[0] / rows]
    changed = {}
    for i, ending in enumerate(["", *endings_of_scores(roles)]):
        changed[f"{positive}{ending}"] = moments[i + 1]
        changed[f"{negative}{ending}"] = moments[i] - moments[i + 1]
    if roles.is_weighted:
        per_weight = both(squared("")) / rows
        changed |= {squared(label): changed[label] * per_weight for label in (positive, negative)}
    return counts.with_columns(
        value.fill_nan(0.0).clip(lower_bound=0).alias(f"{side.name}.{name}")
        for name, value in changed.items()
    )
