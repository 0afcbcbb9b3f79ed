"""Draws at best cuts: the rows behind counts, which each draw ranks anew.

One row is accepted in place of another, so that a cut that stays where it is in all draws makes
intervals a third too wide.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import squared
from polars_fairness.counting.decisions import (
    ABOVE,
    AT,
    PART,
    TOTAL,
    mass_of_ranks,
    parts_accepted,
)
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.counting.sides import COMPARISON_KEY, members, with_sides
from polars_fairness.formula.levels import Level
from polars_fairness.inference.draws import (
    PLACE,
    ROW,
    Draws,
    RankedRows,
    windows_of_rows,
)
from polars_fairness.question.roles import Roles
from polars_fairness.values.levels import index_of, keys_of

# In no draw is the cut farther from where it is in the data than so many standard deviations.
# Scores beyond are one span, and those within are spans of a part of a deviation.
_REACH: Final = 8
_SPANS_PER_DEVIATION: Final = 25

# Inner columns: no key of cells has such a name.
_SPAN, _SHARE, _CELL, _SIDE, _SIZE, _SQUARES, _MASS, _IS_POSITIVE, _FIRST = (
    f"{name}\x1f"
    for name in ("span", "share", "cell", "side", "size", "squares", "mass", "positive", "first")
)


def ranked_anew(
    counts: Draws,
    cells: pl.DataFrame,
    by_rank: pl.LazyFrame,
    level: Level,
    roles: Roles,
) -> Draws:
    """The counts, drawn by the rows behind them, beside half rows of absent outcomes.

    ``cells`` are the decided cells that they are made of, ``by_rank`` those of all rows by score.
    """
    apart = roles.against_the_rest()
    place = [*roles.windows.keys, "facet"]
    ranked = _cells_by_span(by_rank, cells, level, roles)
    places, numbered, ends = counts.places, counts.table, counts.ends
    held = _held(ranked, numbered, level, apart).partition_by(PLACE, as_dict=True)
    of_places = ranked.partition_by(place, as_dict=True)
    streams = zip(windows_of_rows(places, roles), places["facet"], strict=True)
    of_rows = [
        _rows(repr((*stream, "by rank")), of_places[key], held[number,], ends[number], roles)
        for number, (key, stream) in enumerate(
            zip(places.select(place).rows(), streams, strict=True)
        )
    ]
    halves = [
        replace(
            side, shape=np.where(numbered.select(side.columns).to_numpy() == 0, side.shape, 0.0)
        )
        for side in counts.sides
    ]
    return replace(counts, sides=halves, ranked=of_rows)


def _cells_by_span(
    by_rank: pl.LazyFrame, cells: pl.DataFrame, level: Level, roles: Roles
) -> pl.DataFrame:
    """The cells of each place, in spans of falling scores."""
    place, windows = (
        [*roles.windows.keys, "facet"],
        [*roles.windows.without_thresholds.keys, "facet"],
    )
    scored = unlisted(by_rank).filter(pl.col("score").is_not_null(), pl.col("n") > 0)
    if roles.reference_keys:
        # Cuts at which another group is the reference have cells of their own.
        reference = pl.col("reference")
        scored = scored.filter(reference.eq_missing(reference.first().over(windows)))
        scored = scored.drop("reference")
    size, squares = roles.mass, roles.squares
    mass = mass_of_ranks(roles)
    accepted = (pl.col(PART) * pl.col(mass)).sum() / pl.col(TOTAL).first()
    share = pl.col(_SHARE)
    of_all = pl.col(squares if mass == size else mass).sum().over(place)
    # At least the average row, in whatever unit weights are.
    deviation = pl.max_horizontal(
        (of_all * share * (1 - share)).sqrt(), of_all / pl.col(mass).sum().over(place)
    )
    from_cut = pl.col(ABOVE) + pl.col(AT) / 2 - pl.col(TOTAL) * share
    span = (from_cut / deviation).clip(-_REACH, _REACH) * _SPANS_PER_DEVIATION
    keys = [*index_of(level, roles), *(["label"] if roles.label else [])]
    sums = {_SIZE: size, _SQUARES: squares, _MASS: mass}
    spans = collected(
        parts_accepted(scored, roles)
        .with_columns(accepted.over(place).alias(_SHARE))
        .with_columns(span.floor().alias(_SPAN))
        .group_by(*place, _SPAN, "value", *keys)
        .agg(pl.col(_SHARE).first(), **{name: pl.col(of).sum() for name, of in sums.items()})
        .sort(*place, _SPAN, "value", *keys, nulls_last=True)
        .with_columns(
            pl.int_range(pl.len()).over(place).alias(_CELL),
            (pl.col(_SPAN).rle_id().cast(pl.Int64)).over(place).alias(_SPAN),
            pl.col(*sums).cast(pl.Float64),
        )
    )
    if not roles.reference_keys:
        return spans
    groups = cells.select(*place, "reference").unique()
    return spans.join(groups, on=place, how="left", nulls_equal=True, maintain_order="left")


def _held(ranked: pl.DataFrame, numbered: pl.DataFrame, level: Level, roles: Roles) -> pl.DataFrame:
    """The cells behind each count of each place: the side, and the row of the table."""
    index = index_of(level, roles)
    keys = keys_of(level, roles)
    if level.has_sides:
        sided = with_sides(ranked.lazy(), roles)
        places = [*roles.windows.keys, "facet", *roles.reference_keys, COMPARISON_KEY]
        comparisons = sided.select(places).drop_nulls(COMPARISON_KEY).unique()
        belonging = collected(members(comparisons, sided, roles))
        flags = dict(zip(level.counted_names, ("in_a", "in_d"), strict=True))
        held = pl.concat(
            belonging.filter(flag).with_columns(pl.lit(side).alias(_SIDE))
            for side, flag in flags.items()
        )
    else:
        [side] = level.counted_names
        held = ranked.with_columns(pl.lit(side).alias(_SIDE))
        index = [*(["value"] if level.keeps_groups_apart else []), *index]
    rows = numbered.select(PLACE, ROW, *keys, *index)
    is_positive = roles.label.positive_of(pl.col("label")) if roles.label else pl.lit(value=True)
    return (
        held.join(rows, on=[*keys, *index], nulls_equal=True)
        .with_columns(is_positive.alias(_IS_POSITIVE))
        .drop_nulls(_IS_POSITIVE)
        .sort(PLACE, ROW, _SIDE, _IS_POSITIVE, _CELL)
        .select(PLACE, ROW, _SIDE, _IS_POSITIVE, _CELL)
    )


def _rows(
    stream_name: str, cells: pl.DataFrame, held: pl.DataFrame, start: int, roles: Roles
) -> RankedRows:
    """The rows of one place; ``start`` is its first row in the table of counts."""
    size, squares, mass = (cells[name].to_numpy() for name in (_SIZE, _SQUARES, _MASS))
    counted = (
        held.with_row_index(_FIRST).group_by(ROW, _SIDE, _IS_POSITIVE, maintain_order=True).first()
    )
    of_label = {
        True: ("tp", "fn") if roles.label else ("accepted", "rejected"),
        False: ("fp", "tn"),
    }
    sides = counted.select(_SIDE, _IS_POSITIVE).rows()
    return RankedRows(
        stream_name,
        shape=size**2 / squares,
        sizes={"": size, squared(""): squares} if roles.is_weighted else {"": size},
        mass=mass,
        span=cells[_SPAN].cast(pl.Int64).to_numpy(),
        share=cells[_SHARE][0],
        held=held[_CELL].to_numpy(),
        first=counted[_FIRST].cast(pl.Int64).to_numpy(),
        rows=(counted[ROW].cast(pl.Int64) - start).to_list(),
        columns=[
            [f"{side}.{of_label[is_positive][part]}" for side, is_positive in sides]
            for part in (0, 1)
        ],
    )
