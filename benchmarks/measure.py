"""Measure one thing in a process of its own: ``measure.py NAME PATH...`` prints JSON.

``run.py`` starts it once for each line of its tables, so that peak memory is that line's.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import polars as pl

import polars_fairness as pf

KEYS = ["sex", "branch"]
OUTCOMES: dict[str, Any] = {"label": "label", "predicted": "predicted"}
TEN = [f"facet_{i}" for i in range(10)]


def floor(rows: pl.LazyFrame) -> pl.LazyFrame:
    return rows.group_by(KEYS).agg(pl.len())


def everything(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.metrics(rows, facet="sex", subgroup="branch", **OUTCOMES)


def one_metric(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.cddpl(rows, facet="sex", subgroup="branch", **OUTCOMES)


def of_score(rows: pl.LazyFrame) -> pl.LazyFrame:
    question = {**OUTCOMES, "predicted": "score", "threshold": 0.5}
    return pf.metrics(rows, facet="sex", subgroup="branch", **question)


def weighted(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.metrics(rows, facet="sex", subgroup="branch", weight="weight", **OUTCOMES)


def monthly(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.metrics(rows, facet="sex", subgroup="branch", by="month", **OUTCOMES)


def one_facet(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.metrics(rows, facet=TEN[0], **OUTCOMES)


def ten_facets(rows: pl.LazyFrame) -> pl.LazyFrame:
    return pf.metrics(rows, facet=TEN, **OUTCOMES)


QUESTIONS: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
    question.__name__: question
    for question in (
        floor,
        one_metric,
        everything,
        of_score,
        weighted,
        monthly,
        one_facet,
        ten_facets,
    )
}


def smallest(ask: Callable[[], object], times: int) -> float:
    """Take the smallest of several runs: what the work costs when nothing else interferes."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        ask()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main(name: str, engine: Any, times: int, paths: list[str]) -> None:
    """Print seconds and peak megabytes."""
    rows = pl.scan_parquet(paths)
    seconds = smallest(lambda: QUESTIONS[name](rows).collect(engine=engine), times)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
