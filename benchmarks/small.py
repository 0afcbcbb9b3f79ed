"""The cost of a call on ten rows, where counting takes no time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from contestants import QUESTION, metric_frame
from markdown_tables import figure, table
from measure import Job, Result, in_turn

import polars_fairness as pf

TEN_ROWS = pl.DataFrame(
    {
        "sex": ["F", "M"] * 5,
        "branch": ["branch 00"] * 5 + ["branch 01"] * 5,
        "label": [True, True, False, True, False] * 2,
        "predicted": [True, False, True, True, False] * 2,
    }
)


CALLS = {
    "one metric": lambda rows: pf.metrics(rows, "dppl", **QUESTION),
    "all metrics": lambda rows: pf.metrics(rows, **QUESTION),
    "rates": lambda rows: pf.rates(rows, **QUESTION),
    "cells": lambda rows: pf.cells(rows, **QUESTION),
}


def eager(call: Callable[[Any], Any], rows: pl.DataFrame) -> None:
    call(rows)


def lazy(call: Callable[[Any], Any], rows: pl.DataFrame) -> None:
    call(rows.lazy()).collect()


def planned(call: Callable[[Any], Any], rows: pl.DataFrame) -> None:
    call(rows.lazy())


def ten_rows(_: Path) -> pl.DataFrame:
    return TEN_ROWS


def ten_rows_of_pandas(_: Path) -> Any:
    return TEN_ROWS.to_pandas()


def eight_metrics(rows: Any) -> None:
    metric_frame(rows)


JOBS = {
    **{
        f"polars-fairness: {name}, {how.__name__}": Job(ten_rows, partial(how, call))
        for how in (eager, lazy, planned)
        for name, call in CALLS.items()
    },
    "Fairlearn: eight metrics": Job(ten_rows_of_pandas, eight_metrics, ("fairlearn.metrics",)),
}


def results(data: Path) -> dict[str, Result]:
    return in_turn("small", JOBS, data)


def tables(results: dict[str, Result]) -> str:
    fairlearn = results["Fairlearn: eight metrics"]
    lines = [line(name, result, fairlearn) for name, result in results.items()]
    return table("Ten rows", ("call", "milliseconds", "times faster than Fairlearn"), lines)


def line(name: str, result: Result, fairlearn: Result) -> list[str]:
    if "gave_up" in result:
        return [name, result["gave_up"], ""]
    times = fairlearn["seconds"] / result["seconds"] if "seconds" in fairlearn else None
    return [name, figure(1e3 * result["seconds"]), "" if times is None else figure(times)]
