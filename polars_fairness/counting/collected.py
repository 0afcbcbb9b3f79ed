"""How the small frames behind the cells are collected: in memory, and with their rows in order."""

from __future__ import annotations

from typing import Final

import polars as pl

# All metrics of 1,000 cells take 13 ms, and 16 with an optimised plan; of 20,000 34 and 31; of a
# million 1.1 s and 0.4.
WORTH_OPTIMISING: Final = 20_000


def collected(plan: pl.LazyFrame, *, is_cheap: bool = False) -> pl.DataFrame:
    """Run a plan of small frames; to optimise a cheap one takes longer than it saves.

    Optimised, polars lets go of an order that it believes is not observed. The last digits of sums
    of floats observe it.
    """
    if is_cheap:
        return plan.collect(engine="in-memory", optimizations=pl.QueryOptFlags.none())
    in_order = pl.QueryOptFlags(check_order_observe=False)
    return plan.collect(engine="in-memory", optimizations=in_order)
