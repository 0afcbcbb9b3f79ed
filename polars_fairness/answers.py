"""How a question is answered: one plan of a lazy one, at once an eager one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.rows import AnyFrame

# All metrics of 1,000 cells take 13 ms, and 16 with an optimised plan; of 20,000 34 and 31; of a
# million 1.1 s and 0.4.
WORTH_OPTIMISING: Final = 20_000

PolarsFrame = pl.LazyFrame | pl.DataFrame


def answered(
    frame: AnyFrame,
    cells: pl.LazyFrame,
    answer: Callable[[pl.LazyFrame], pl.LazyFrame],
    schema: pl.Schema,
) -> PolarsFrame:
    """Leave a lazy question one plan; answer an eager one.

    What follows the cells is one step of the plan that runs by itself. In the open, polars plans
    it with the rest and streams it, which takes longer than the work: of ten rows, all metrics
    took 24 ms, and take 14.
    """
    step = partial(_answer, answer)
    if not isinstance(frame, pl.LazyFrame):
        # Inside a plan the step has one core; a hundred thousand strata take half the time outside.
        return step(cells.collect(engine="streaming"))
    return cells.map_batches(
        step,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=schema,
    )


def like(frame: AnyFrame, lazy: pl.LazyFrame) -> PolarsFrame:
    """Leave lazy what was asked of a LazyFrame; rows are counted four times faster by streaming."""
    return lazy if isinstance(frame, pl.LazyFrame) else lazy.collect(engine="streaming")


def _answer(answer: Callable[[pl.LazyFrame], pl.LazyFrame], cells: pl.DataFrame) -> pl.DataFrame:
    is_cheap = cells.height < WORTH_OPTIMISING
    optimizations = pl.QueryOptFlags.none() if is_cheap else pl.QueryOptFlags()
    return answer(cells.lazy()).collect(engine="in-memory", optimizations=optimizations)
