"""Several models on the same rows, beside one model: Booleans, numbers 0 and 1, and candidates."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import polars as pl
from contestants import QUESTION
from markdown_tables import figure, table
from measure import Job, Result, in_turn
from side_by_side import TOLERANCE, Promise, table_of_promises

import polars_fairness as pf

MODELS = "models"
ROWS = 20_000_000
CANDIDATES = 50
NUMBERS = 5  # so many models decide by 0 and 1 as well

FLOOR = "floor: count by sex and branch"
ONE, FIVE = "one model", "five models"
ONE_NUMBER, FIVE_NUMBERS = "one model, 0 and 1", "five models, 0 and 1"
SWITCHES, CHOOSE = "switches of five models", f"choose among {CANDIDATES} models"

Results = dict[str, dict[str, Result]]


def boolean(model: int) -> str:
    return f"decision_{model:02d}"


def number(model: int) -> str:
    return f"number_{model:02d}"


def named(columns: list[str]) -> dict[str, str]:
    """The models of these columns; the first is called a."""
    return {"a" if i == 0 else f"b{i:02d}": column for i, column in enumerate(columns)}


def scanned(folder: Path) -> pl.LazyFrame:
    return pl.scan_parquet(folder, hive_partitioning=True)


def floor_count(rows: pl.LazyFrame) -> None:
    rows.group_by("sex", "branch").agg(pl.len()).collect()


def all_metrics(rows: pl.LazyFrame, predicted: str | dict[str, str]) -> float:
    return float(pf.metrics(rows, **QUESTION | {"predicted": predicted}).collect()["dppl"][0])


def switches(rows: pl.LazyFrame, predicted: dict[str, str]) -> None:
    q = pf.of(rows, **QUESTION | {"predicted": predicted})
    q.switches(champion="a").collect()


def choose(rows: pl.LazyFrame, predicted: dict[str, str]) -> float:
    q = pf.of(rows, **QUESTION | {"predicted": predicted})
    return float(q.choose("dppl").collect()["dppl"][0])


JOBS = {
    FLOOR: Job(scanned, floor_count, ()),
    ONE: Job(scanned, partial(all_metrics, predicted=boolean(0))),
    FIVE: Job(scanned, partial(all_metrics, predicted=named([*map(boolean, range(5))]))),
    ONE_NUMBER: Job(scanned, partial(all_metrics, predicted=number(0))),
    FIVE_NUMBERS: Job(scanned, partial(all_metrics, predicted=named([*map(number, range(5))]))),
    SWITCHES: Job(scanned, partial(switches, predicted=named([*map(boolean, range(5))]))),
    CHOOSE: Job(scanned, partial(choose, predicted=named([*map(boolean, range(CANDIDATES))]))),
}

PROMISES = (
    Promise(ROWS, FIVE, ONE, 2.0, at_least=False),
    Promise(ROWS, FIVE_NUMBERS, ONE_NUMBER, 2.0, at_least=False),
)


def results(data: Path, most_rows: int) -> Results:
    """Measure every job; the first model has the same value in all answers."""
    if most_rows < ROWS:
        return {}
    got = in_turn("models", JOBS, data / MODELS)
    values = [result["value"] for result in got.values() if result.get("value") is not None]
    if max(values) - min(values) > TOLERANCE:
        raise ValueError(f"the first model has different values: {values}")
    return {str(ROWS): got}


def tables(results: Results) -> str:
    columns = ("what", "seconds", "times one model", "peak MB")
    of_rows = [
        table(f"{int(rows):,} rows", columns, [line(name, all_) for name in all_])
        for rows, all_ in results.items()
    ]
    return "\n".join([*of_rows, table_of_promises(PROMISES, results)])


def line(name: str, results: dict[str, Result]) -> list[str]:
    result = results[name]
    if "gave_up" in result:
        return [name, result["gave_up"], "", ""]
    seconds = result["seconds"]
    return [name, *map(figure, (seconds, seconds / results[ONE]["seconds"], result["megabytes"]))]
