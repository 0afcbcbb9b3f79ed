"""Cells added up over a key, and cells without one group of clusters after the other."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.polars_rows import LOWEST, is_tally, sums_of_tallies
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.question.windows import ESTIMATOR, LINEAR, REPLICATE

_OF_GROUP = "of group\x1f"  # after the name of a tally


def without_key(cells: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """The cells added up over a key, if they have it."""
    cells = unlisted(cells)
    keys, tallies = _keys_and_tallies(cells)
    if key not in keys:
        return cells
    keys.remove(key)
    return cells.group_by(keys, maintain_order=True).agg(**sums_of_tallies(tallies))


def leaving_out(cells: pl.DataFrame, groups: Sequence[int]) -> pl.DataFrame:
    """The cells of all groups of clusters but one, for each of these, numbered by the group."""
    keys, tallies = _keys_and_tallies(cells.lazy().drop(LOWEST, strict=False))
    numbers = pl.LazyFrame({REPLICATE: groups}, {REPLICATE: pl.UInt8})
    all_groups = without_key(cells.lazy().select(*keys, *tallies), CLUSTER).join(
        numbers, how="cross"
    )
    of_group = cells.lazy().select(*keys, *tallies).rename({CLUSTER: REPLICATE})
    keys = [REPLICATE if key == CLUSTER else key for key in keys]
    both = all_groups.join(
        of_group, on=keys, how="left", nulls_equal=True, maintain_order="left", suffix=_OF_GROUP
    )
    rest = both.select(
        *keys, *(pl.col(each) - pl.col(f"{each}{_OF_GROUP}").fill_null(0) for each in tallies)
    )
    has_rows = pl.col("n") > 0
    if ESTIMATOR in keys:
        # A regression counts a group among rows that are certainly of another one.
        has_rows |= (pl.col(ESTIMATOR) == LINEAR) & pl.any_horizontal(pl.col(tallies) != 0)
    return rest.filter(has_rows).collect()


def _keys_and_tallies(cells: pl.LazyFrame) -> tuple[list[str], list[str]]:
    names = cells.collect_schema().names()
    return [name for name in names if not is_tally(name)], [n for n in names if is_tally(n)]
