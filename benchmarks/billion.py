"""A billion rows: in one query, as the sum of the cells of shards, and by score."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from contestants import QUESTION
from growth import STORED, scanned
from markdown_tables import figure, table
from measure import Job, Result, in_turn
from scores import METRICS, RESOLUTION, at_thresholds, of_scores

import polars_fairness as pf

ROWS = 1_000_000_000


def one_query(data: Path) -> float:
    return summed(pf.metrics(scanned("rows", ROWS, data), **QUESTION).collect())


def shard_by_shard(data: Path) -> float:
    shards = (scanned("rows", STORED, data) for _ in range(ROWS // STORED))
    cells = pl.concat(pf.cells(shard, **QUESTION).collect() for shard in shards)
    return summed(pf.metrics(cells, count="n", **QUESTION))


def thresholds(data: Path) -> float:
    return at_thresholds(scanned("rows", ROWS, data))


def scores(data: Path) -> float:
    return of_scores(scanned("rows", ROWS, data), METRICS, RESOLUTION)


def summed(metrics: pl.DataFrame) -> float:
    """Return the sum of all values; equal results have equal sums."""
    return float(metrics.select(pl.col(pl.Float64).fill_null(-1)).sum_horizontal().item())


SAME = {
    "one query": Job(Path, one_query),
    "the cells of fifty shards, added up": Job(Path, shard_by_shard),
}
JOBS = SAME | {
    "all metrics at 99 thresholds": Job(Path, thresholds),
    "metrics of scores, resolution 0.001": Job(Path, scores),
}


def results(data: Path) -> dict[str, Result]:
    got = in_turn("billion", JOBS, data)
    values = {got[name].get("value") for name in SAME}
    if len(values) > 1:
        raise ValueError(f"one query and the shards give different values: {values}")
    return got


def tables(results: dict[str, Result]) -> str:
    lines = [
        [name, figure(result["seconds"]), figure(result["megabytes"])]
        for name, result in results.items()
    ]
    return table(f"{ROWS:,} rows", ("what", "seconds", "peak MB"), lines)
