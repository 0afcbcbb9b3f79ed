"""A part of a plan that several others read has the same rows for each of them, in any polars."""

from __future__ import annotations

from random import Random
from typing import Any

import polars as pl
import pytest

from polars_fairness.counting.counts import shared

ROWS = pl.DataFrame({"a": [1, 2, 3, 4] * 3, "b": range(12)})
PLANS = 100


def plan(random: Random) -> pl.LazyFrame:
    """Queries of shared counts, below each other; some share more than the counts."""
    counts = shared(ROWS.lazy().group_by("a", "b").agg(n=pl.len().cast(pl.Int64)))
    some = counts.filter(pl.col("b") > random.randint(0, 3)) if random.random() < 0.6 else counts
    others = shared(some.with_columns(m=pl.col("n") + 1))
    keys = ["a", "b"]
    parts = []
    for _ in range(random.randint(1, 3)):
        number = random.randint(0, 3)
        chosen = random.choice([pl.col("a") == number, pl.col("b") > number, pl.col("n") > 0])
        source = random.choice([counts, others])
        rows = source.filter(chosen) if random.random() < 0.7 else source
        query = random.choice(["columns", "sums", "join"])
        if query == "sums":
            rows = rows.group_by("a").agg(pl.col("b").sum())
        elif query == "join":
            rows = rows.join(others.select(keys).unique(), on=keys, how="inner")
        parts.append(rows.select(keys))
    together = pl.concat(parts)
    return together.filter(pl.col("a") > 1) if random.random() < 0.4 else together


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_no_query_changes_what_another_reads(engine: Any) -> None:
    """With plain caches polars 1.44 panics in 15 % of these plans, and polars 2.0 loses rows."""
    for seed in range(PLANS):
        found = plan(Random(seed)).collect(engine=engine)
        expected = plan(Random(seed)).collect(optimizations=pl.QueryOptFlags.none())
        assert found.sort("a", "b").equals(expected.sort("a", "b")), seed
