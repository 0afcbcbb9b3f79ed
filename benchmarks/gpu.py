"""Answers on an NVIDIA GPU beside the CPU: ``python benchmarks/gpu.py --rows 100_000_000``.

This needs a release of cudf-polars that reads the plans of the polars installed. Where there is
none, the table has no time of the GPU, and the JSON below it says why.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
from markdown_tables import figure, table

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {"facet": ["sex", "race"], "label": "y", "predicted": "p"}
ANSWERS: Final[dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]]] = {
    "cells": lambda rows: pf.cells(rows, **QUESTION),
    "metrics": lambda rows: pf.metrics(rows, "di", "rd", "ad", **QUESTION),
    "rates": lambda rows: pf.rates(rows, **QUESTION),
}
ENGINES: Final[dict[str, Any]] = {
    "streaming": "streaming",
    "in-memory": "in-memory",
    "gpu": pl.GPUEngine(raise_on_fail=True),
}
TIMES: Final = 3


def write_rows(path: Path, rows: int) -> None:
    """Write random people of two facets of text, with a label and a prediction."""
    number = pl.int_range(rows, eager=False)

    def drawn(values: int, seed: int) -> pl.Expr:
        return (number.hash(seed) % values).cast(pl.UInt32)

    pl.LazyFrame().select(
        sex=pl.lit(pl.Series(["F", "M"])).gather(drawn(2, 1)),
        race=pl.lit(pl.Series(["Asian", "Black", "Hispanic", "White"])).gather(drawn(4, 2)),
        y=drawn(10, 3) < 6,
        p=drawn(10, 4) < 5,
    ).sink_parquet(path)


def nodes_of(plan: pl.LazyFrame) -> dict[str, int]:
    """Count the nodes of the optimised plan by their kinds."""
    kinds = "[A-Za-z]+ SCAN|DF|FILTER|SELECT|AGGREGATE|[A-Z]+ JOIN|UNION|CACHE|SORT|UNIQUE|UNNEST"
    found = re.findall(rf"^\s*({kinds}|.*PYTHON)\b", plan.explain(), re.MULTILINE)
    return dict(Counter(map(str.strip, found)).most_common())


def measured(plan: pl.LazyFrame, engine: Any) -> dict[str, Any]:
    """The shortest time of several runs, or why there is none."""
    seconds = []
    for _ in range(TIMES):
        start = time.perf_counter()
        try:
            plan.collect(engine=engine)
        except Exception as error:  # noqa: BLE001 - what an engine lacks, it says in any way
            return {"seconds": None, "why": f"{type(error).__name__}: {error}"[:300]}
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds)}


def main(path: Path, rows: int) -> None:
    """Measure each answer on each engine, and print a table and the same as JSON."""
    if not path.exists():
        write_rows(path, rows)
    scan = pl.scan_parquet(path)
    found: dict[str, Any] = {
        "polars": pl.__version__,
        "rows": scan.select(pl.len()).collect().item(),
    }
    lines = []
    for name, answer in ANSWERS.items():
        plan = answer(scan)
        times = {engine: measured(plan, given) for engine, given in ENGINES.items()}
        found[name] = {"nodes": nodes_of(plan), **times}
        known = (each["seconds"] for each in times.values())
        lines.append([name, *("none" if each is None else figure(each) for each in known)])
    print(table(f"Seconds, {found['rows']:,} rows", ["answer", *ENGINES], lines))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--path", type=Path, default=Path("gpu-rows.parquet"))
    given = parser.parse_args()
    main(given.path, given.rows)
