"""Cells added up over a key."""

from __future__ import annotations

import polars as pl

from polars_fairness.counting.polars_rows import is_tally, sums_of_tallies
from polars_fairness.counting.score_lists import unlisted


def without_key(cells: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """The cells added up over a key, if they have it."""
    cells = unlisted(cells)
    names = cells.collect_schema().names()
    keys, tallies = [n for n in names if not is_tally(n)], [n for n in names if is_tally(n)]
    if key not in keys:
        return cells
    keys.remove(key)
    return cells.group_by(keys, maintain_order=True).agg(**sums_of_tallies(tallies))
