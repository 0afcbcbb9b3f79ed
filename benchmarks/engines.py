"""Measure the cell query in other engines: ``python benchmarks/engines.py logs/20000000``.

The same group-by runs beside it, written by hand for each engine. This needs the extra
``servers``, Java for Spark, and a log made by ``python benchmarks/generate.py``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from contestants import COLUMNS, QUESTION, scanned
from markdown_tables import table
from pyspark.sql import SparkSession

import polars_fairness as pf

KEYS = list(COLUMNS)


def of_spark(folder: Path) -> tuple[Any, Callable[[], object]]:
    session = SparkSession.builder.master("local[2]").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = session.read.parquet(str(folder))
    return rows, lambda: rows.groupBy(KEYS).count().toArrow()


def of_duckdb(folder: Path) -> tuple[Any, Callable[[], object]]:
    rows = duckdb.connect().read_parquet(f"{folder}/*/*.parquet", hive_partitioning=True)
    by_hand = f"SELECT {', '.join(KEYS)}, count(*) FROM rows GROUP BY ALL"
    return rows, lambda: rows.query("rows", by_hand).pl()


def of_polars(folder: Path) -> tuple[Any, Callable[[], object]]:
    rows = scanned(folder)
    return rows, lambda: rows.group_by(KEYS).len().collect(engine="streaming")


ENGINES = {"Spark": of_spark, "DuckDB": of_duckdb, "polars": of_polars}


def measured(jobs: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """Return the shortest time of each job; the jobs take turns."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(times + 1):  # the first run warms up
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            taken[name].append(time.perf_counter() - start)
    return {name: min(runs[1:]) for name, runs in taken.items()}


def counted_by(ask: Callable[..., Any], rows: Any) -> object:
    return pl.DataFrame(ask(rows, **QUESTION).lazy().collect(engine="streaming"))


def main(folder: Path, times: int = 7) -> None:
    lines = []
    for engine, opened in ENGINES.items():
        rows, by_hand = opened(folder)
        took = measured(
            {
                "by hand": by_hand,
                "cells": partial(counted_by, pf.cells, rows),
                "metrics": partial(counted_by, pf.metrics, rows),
            },
            times,
        )
        ratios = [f"{took[name] / took['by hand']:.2f}" for name in ("cells", "metrics")]
        lines.append([engine, *(f"{seconds:.3f}" for seconds in took.values()), *ratios])
    columns = ["engine", "by hand", "`cells`", "all metrics"]
    columns += ["`cells` / by hand", "all metrics / by hand"]
    print(table(f"{folder.name} rows, seconds", columns, lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
