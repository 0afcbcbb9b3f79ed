"""Collect small frames: what follows from the cells in memory and in order, cells by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from polars_fairness.counting.faults import errors_of_users

# All metrics take 13 ms for 1,000 cells, and 16 ms with an optimised plan; for 20,000 cells 34 and
# 31 ms; for a million cells 1.1 and 0.4 s.
WORTH_OPTIMISING: Final = 20_000


# Optimising a cheap plan takes longer than it saves. By default polars gives up the order of rows
# where it finds no use of it. The order changes the last digits of sums of floats, so it is kept.
_OPTIMIZATIONS: Final = {
    True: pl.QueryOptFlags.none(),
    False: pl.QueryOptFlags(check_order_observe=False),
}


def collected(plan: pl.LazyFrame, *, is_cheap: bool = False) -> pl.DataFrame:
    """Run a plan of small frames, as it stands if it is cheap."""
    with errors_of_users():
        return plan.collect(engine="in-memory", optimizations=_OPTIMIZATIONS[is_cheap])


def collected_together(
    plans: Iterable[pl.LazyFrame], *, is_cheap: bool = True
) -> list[pl.DataFrame]:
    """Run plans at once: seven cheap ones take a third of what they take one after the other."""
    with errors_of_users():
        return pl.collect_all(plans, engine="in-memory", optimizations=_OPTIMIZATIONS[is_cheap])


def streamed(plan: pl.LazyFrame) -> pl.DataFrame:
    """Run the plan of an answer, streaming, with its faults as errors of users."""
    with errors_of_users():
        return plan.collect(engine="streaming")
