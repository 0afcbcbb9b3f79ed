"""The cost of small calls, where counting takes no time.

``benchmarks/run.py`` compares ten rows with Fairlearn. ``python benchmarks/small.py`` measures
calls beside a bare group-by of the same rows, all in one process and in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
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


# What a call does not use is refused.
OF_DECISIONS = {name: QUESTION[name] for name in ("facet", "disfavored", "predicted")}
OF_ROWS = {name: QUESTION[name] for name in ("facet", "label", "predicted")}

CALLS = {
    "one metric": lambda rows: pf.metrics(rows, "dppl", **OF_DECISIONS),
    "all metrics": lambda rows: pf.metrics(rows, **QUESTION),
    "rates": lambda rows: pf.rates(rows, **OF_ROWS),
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


def _cells(**keys: int) -> pl.DataFrame:
    """Counts of each combination of sex, label, predicted and further columns of so many values."""
    frame = pl.DataFrame({"sex": ["F", "M"]})
    for name, values in {"label": 2, "predicted": 2, **keys}.items():
        frame = frame.join(pl.DataFrame({name: range(values)}), how="cross")
    return frame.with_columns(n=np.random.default_rng(1).integers(1, 50, frame.height))


OF_CELLS: Final = {**QUESTION, "count": "n"}
OF_STRATA: Final = {**OF_DECISIONS, "subgroup": "branch", "count": "n"}
OF_WINDOWS: Final = {**{k: v for k, v in OF_CELLS.items() if k != "subgroup"}, "by": "window"}
STRATA: Final = _cells(branch=40)
CELLS: Final = _cells(branch=20)  # 160
WINDOWS: Final = _cells(window=1_000)
FOUR: Final = ("di", "dppl", "rd", "ad")

BESIDE_A_GROUP_BY: Final[dict[str, tuple[Callable[[Any], Any], pl.DataFrame]]] = {
    "ten rows: di": (lambda rows: pf.metrics(rows, "di", **OF_DECISIONS), TEN_ROWS),
    "ten rows: all metrics": (lambda rows: pf.metrics(rows, **QUESTION), TEN_ROWS),
    "ten rows: an audit of di": (lambda rows: pf.audit(rows, "di", **OF_DECISIONS), TEN_ROWS),
    "ten rows: an audit of all": (lambda rows: pf.audit(rows, **QUESTION), TEN_ROWS),
    "40 strata: cddpl": (lambda rows: pf.metrics(rows, "cddpl", **OF_STRATA), STRATA),
    "160 cells: all metrics": (lambda rows: pf.metrics(rows, **OF_CELLS), CELLS),
    "1,000 windows: an audit of four": (
        lambda rows: pf.audit(rows, *FOUR, **OF_WINDOWS),
        WINDOWS,
    ),
}
"""Each call with its rows; the group-by has the keys of the rows."""

ROUNDS: Final = 5


def group_by(rows: pl.DataFrame) -> None:
    rows.group_by([name for name in rows.columns if name != "n"]).len()


def seconds(call: Callable[[Any], Any], rows: pl.DataFrame) -> float:
    start = perf_counter()
    call(rows)
    return perf_counter() - start


def beside_a_group_by() -> str:
    """Measure all calls in turn, in rounds; the shortest time has the least interference."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in BESIDE_A_GROUP_BY}
    for _ in range(ROUNDS):
        for name, (call, rows) in BESIDE_A_GROUP_BY.items():
            taken[name].append((seconds(call, rows), seconds(group_by, rows)))
    lines = []
    for name, pairs in taken.items():
        ours, bare = (min(each) for each in zip(*pairs, strict=True))
        lines.append([name, figure(1e3 * ours), figure(1e3 * bare), figure(ours / bare)])
    heads = ("call", "milliseconds", "a bare group-by", "times as long")
    return table(f"Small calls, the best of {ROUNDS}", heads, lines)


if __name__ == "__main__":
    print(beside_a_group_by())
