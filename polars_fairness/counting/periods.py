"""Cells of windows of time: each window has the rows of a period up to its end."""

from __future__ import annotations

from functools import partial

import polars as pl

from polars_fairness.counting.polars_rows import LOWEST, is_tally, sums_of_tallies
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, keyword
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import Period

# Days of 270 years, or minutes of 70 days.
_MOST = 100_000


def of_periods(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of windows that reach back over their period, from those of single blocks.

    A block without rows between two others is a window too: it has the cells of the one before it,
    all of them empty.
    """
    period = roles.windows.period
    if period is None:
        return cells
    cells = unlisted(cells)
    return cells.map_batches(
        partial(_of_periods, roles=roles, period=period),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=cells.collect_schema(),
    )


def _of_periods(cells: pl.DataFrame, roles: Roles, period: Period) -> pl.DataFrame:
    time, tallies = period.key, [name for name in cells.columns if is_tally(name)]
    others = [key for key in roles.windows.keys if key in cells.columns and key != time]
    blocks = cells.select(time, *others).unique()
    windows = _windows_between(blocks[time].drop_nulls().unique().sort(), roles, period)
    block = pl.col("block")
    following = block.shift(-1).over(others) if others else block.shift(-1)
    reached = pl.min_horizontal(block + period.blocks, windows.height)
    # Where the date is unknown, `block` is null, and so is the one window.
    held = (
        blocks.join(windows.select(time, block="window"), on=time, how="left")
        .sort("block")
        .with_columns(reached=pl.when(block.is_not_null()).then(reached), following=following)
        .with_columns(
            window=pl.int_ranges(block, pl.max_horizontal("reached", "following")), following=None
        )
        .explode("window")
    )
    is_empty = pl.col("window") >= pl.col("reached")
    added_up = sums_of_tallies(tallies)
    return (
        cells.join(held, on=[time, *others], nulls_equal=True, maintain_order="left")
        .with_columns(
            pl.when(is_empty)
            .then(pl.lit(None if name in LOWEST else 0))
            .otherwise(name)
            .cast(cells.schema[name])
            .alias(name)
            for name in tallies
        )
        .drop(time)
        .join(windows, on="window", how="left", maintain_order="left")
        .sort(time, maintain_order=True, nulls_last=True)
        .group_by((name for name in cells.columns if name not in tallies), maintain_order=True)
        .agg(**added_up)
        .select(cells.columns)
        .cast(cells.schema)
    )


def _windows_between(blocks: pl.Series, roles: Roles, period: Period) -> pl.DataFrame:
    """The windows from the first block to the last, numbered in order."""
    dtype, found = blocks.dtype, blocks
    if len(blocks) > 1:
        ends = blocks.gather([0, -1])
        if isinstance(dtype, pl.Datetime):
            # A day may have 23 hours, and the next one still begins at midnight.
            local = ends.dt.replace_time_zone(None)
            _refuse_too_many(local, roles, period)
            between = (
                local.to_frame("end")
                .select(pl.datetime_range(pl.min("end"), pl.max("end"), period.every))
                .to_series()
                .dt.replace_time_zone(dtype.time_zone, ambiguous="earliest", non_existent="null")
            )
        else:
            _refuse_too_many(ends, roles, period)
            between = (
                ends.to_frame("end")
                .select(pl.date_range(pl.min("end"), pl.max("end"), period.every))
                .to_series()
            )
        found = pl.concat([blocks, between.drop_nulls().rename(blocks.name)]).unique().sort()
    return pl.DataFrame({period.key: found}).with_row_index("window").cast({"window": pl.Int64})


def _refuse_too_many(ends: pl.Series, roles: Roles, period: Period) -> None:
    first, last = ends.cast(pl.Datetime("ms")).to_physical()
    if (last - first) / (1_000 * period.seconds) > _MOST:
        name, written = roles.windows.by_key[period.key].name, ends.cast(pl.String)
        raise FairnessError(
            f"every: there are more than {_MOST:,} windows of {period.every} from {written[0]} to "
            f"{written[1]}, the first and the last of {name!r}; give a longer {keyword('every')}, "
            "or leave out rows of wrong dates"
        )
