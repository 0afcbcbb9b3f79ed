"""Measure an audit of 200 million rows in Spark and DuckDB: ``python benchmarks/scale.py FOLDER``.

Ten facets of text, scores rounded to hundredths and three months are one question. The number of
jobs and of scans is counted from the engine's own plan. This needs the extra ``servers``, and Java
for Spark. The first run writes 20 million rows to the folder, which are read ten times.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import polars as pl
from markdown_tables import table
from pyspark.sql import SparkSession

import polars_fairness as pf
from polars_fairness.counting.engine_rows import Table

STORED = 20_000_000
TIMES = 10
FACETS = {f"facet_{i}": 30 + 2 * i for i in range(10)}
QUESTION: dict[str, Any] = {
    "facet": [*FACETS],
    "label": "label",
    "score": "score",
    "threshold": 0.5,
    "resolution": 0.01,
    "by": "month",
}


def invent(target: Path) -> None:
    random = np.random.default_rng(STORED)
    score = random.beta(2, 2, STORED)
    months = pl.Series([date(2026, month, 1) for month in (1, 2, 3)])
    columns = {
        name: pl.Series([f"group {i:02}" for i in range(values)]).gather(
            random.integers(values, size=STORED).astype(np.uint32)
        )
        for name, values in FACETS.items()
    }
    rows = pl.DataFrame(
        {
            **columns,
            "month": months.gather(random.integers(3, size=STORED).astype(np.uint32)),
            "label": random.random(STORED) < score,
            "score": score,
        }
    )
    rows.write_parquet(target)


def of_spark(files: list[str]) -> tuple[Any, Callable[[], int]]:
    builder = SparkSession.builder.master("local[*]").config("spark.driver.memory", "8g")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    store = session.sparkContext._jsc.sc().statusStore()

    def jobs() -> int:
        return int(store.jobsList(None).size())

    return session.read.parquet(*files), jobs


def of_duckdb(files: list[str]) -> tuple[Any, Callable[[], int]]:
    return duckdb.connect().read_parquet(files), lambda: 0


ENGINES = {"Spark": of_spark, "DuckDB": of_duckdb}


def main(folder: Path, *engines: str) -> None:
    target = folder / "ten_facets.parquet"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        invent(target)
    plans: list[str] = []
    answered = Table.answered

    def noted(rows: Table, sql: str, names: list[str]) -> pl.DataFrame:
        plans.append(str(rows.ask(f"EXPLAIN {sql}").rows()))
        return answered(rows, sql, names)

    lines = []
    for engine in engines or ENGINES:
        rows, jobs = ENGINES[engine]([str(target)] * TIMES)
        plans.clear()
        with patch.object(Table, "answered", noted):
            before, start = jobs(), time.perf_counter()
            answer = pf.audit(rows, "di", "auc_difference", **QUESTION)
            seconds = time.perf_counter() - start
        scans = (len(re.findall("FileScan parquet|PARQUET_SCAN", plan)) for plan in plans)
        count = [len(plans), jobs() - before or "", sum(scans)]
        lines.append([engine, f"{seconds:.0f}", *map(str, count), f"{answer.height:,}"])
    columns = ("engine", "seconds", "queries", "jobs", "scans", "rows of the audit")
    print(table(f"{STORED * TIMES:,} rows, ten facets, three months", columns, lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
