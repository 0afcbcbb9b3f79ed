"""Cells of repeated looks: each window has all rows up to its time."""

from __future__ import annotations

from functools import partial

import polars as pl

from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.counting.polars_rows import TALLIES_OF_CHECKS, is_tally
from polars_fairness.counting.rows import Rows
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, either, keyword
from polars_fairness.question.roles import Roles


def cells_up_to_each_time(rows: Rows, roles: Roles, time: str) -> pl.LazyFrame:
    """The cells of all rows, added up over the windows up to each one, in the order of this key.

    A window that differs in another key, such as the branch, has looks of its own.
    """
    cells = unlisted(cells_of_all_rows(rows, roles))
    add_up = partial(_added_up, time=time)
    empty = add_up(pl.DataFrame(schema=cells.collect_schema()), roles)
    return cells.map_batches(
        partial(add_up, roles=roles),
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=empty.schema,
    )


def _added_up(cells: pl.DataFrame, roles: Roles, time: str) -> pl.DataFrame:
    _refuse_rows_without_time(cells, roles, time)
    tallies = [name for name in cells.columns if is_tally(name)]
    kept = [name for name in tallies if name not in TALLIES_OF_CHECKS]
    windows = [key for key in roles.windows.keys if key in cells.columns]
    kind = [name for name in cells.columns if name not in (time, *tallies)]
    others = [key for key in windows if key != time]
    looks, kinds = (cells[names].unique().lazy() for names in (windows, kind))
    # Every kind of cell at every look: one that has no row there still has its rows before.
    if others:
        pairs = looks.join(kinds, on=others, nulls_equal=True)
    else:
        pairs = looks.join(kinds, how="cross")
    so_far = (pl.col(name).fill_null(0).cum_sum().over(kind) for name in kept)
    return collected(
        pairs.join(cells.lazy(), on=[time, *kind], how="left", nulls_equal=True)
        .sort(time)
        .select(time, *kind, *so_far)
        .filter(pl.col("rows" if "rows" in kept else "n") > 0)
    )


def _refuse_rows_without_time(cells: pl.DataFrame, roles: Roles, time: str) -> None:
    column = roles.windows.by_key[time]
    value = pl.col(time)
    is_missing = value.is_null() | (value.is_nan() if column.dtype.is_float() else False)
    # Every facet counts the same rows.
    of_one_facet = pl.col("facet").eq_missing(pl.col("facet").first())
    missing = cells.filter(of_one_facet & is_missing).select(rows_seen(roles).sum()).item()
    if missing:
        raise FairnessError(
            f"by: {column.name!r} has {missing:,} rows without a value, and with "
            f"{keyword('sequential', True)} every row needs its time; fill it, or leave these rows "
            f"out {either('with .filter()', 'with --where')}"
        )
