"""Measure memory and time of several facets: ``python benchmarks/memory.py FOLDER [ROWS]``.

Every question runs in a separate process, on Parquet and CSV, after a filter and other operations.
Ten facets have 30 to 48 values each, as text and as Enum. 20 million decisions are simulated and
kept in the folder; for more rows, the same files are scanned repeatedly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from markdown_tables import figure, table
from measure import Job, Result, in_own_process

import polars_fairness as pf

FACETS = {f"facet_{i}": [f"value {j:02d}" for j in range(30 + 2 * i)] for i in range(10)}
FEW: dict[Any, pl.DataType] = {name: pl.Enum(values) for name, values in FACETS.items()}
YEARS = range(2020, 2026)
STORED, OF_CSV, ROWS_PER_FILE = 20_000_000, 4_000_000, 2_000_000
CSV = "decisions.csv"

BEFORE: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
    "nothing": lambda rows: rows,
    "a filter": lambda rows: rows.filter(pl.col("year") > YEARS[0]),
    "a new column": lambda rows: rows.with_columns(age=2026 - pl.col("year")).filter(
        pl.col("age") < 6
    ),
    "a join": lambda rows: rows.join(pl.LazyFrame({"year": YEARS}), on="year"),
}


def invent(folder: Path) -> None:
    """Write decisions file by file, with the facets as text and as Enum."""
    for file, start in enumerate(range(0, STORED, ROWS_PER_FILE)):
        rows = decisions(ROWS_PER_FILE, file)
        for kind, written in (("text", rows), ("Enum", rows.cast(FEW))):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            path = folder / kind / f"{file:03d}.parquet"
            written.write_parquet(path, row_group_size=250_000)
        if start < OF_CSV:
            with (folder / CSV).open("ab") as target:
                rows.write_csv(target, include_header=not start)


def decisions(rows: int, seed: int) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    facets = {
        name: pl.Series(values).gather(random.integers(len(values), size=rows))
        for name, values in FACETS.items()
    }
    outcomes = {name: random.random(rows) < share for name, share in (("y", 0.6), ("p", 0.5))}
    return pl.DataFrame({**facets, **outcomes, "year": random.integers(2020, 2026, size=rows)})


def scanned(folder: Path, source: str, rows: int) -> pl.LazyFrame:
    if source.startswith("CSV"):
        types = FEW if source.endswith("Enum") else {}
        return pl.scan_csv(folder / CSV, schema_overrides=types)
    files = sorted((folder / source.rpartition(" ")[2]).glob("*.parquet"))
    return pl.scan_parquet(files * max(1, rows // STORED))


def answered(rows: pl.LazyFrame, facets: int, before: str) -> float:
    question: dict[str, Any] = {"facet": [*FACETS][:facets], "label": "y", "predicted": "p"}
    values = pf.of(BEFORE[before](rows), **question).metrics("dppl").collect()
    return float(values["dppl"].abs().sum())


def points() -> Iterator[tuple[str, int, str, int]]:
    """Yield every source, number of rows, operation before the question, and number of facets."""
    for kind in ("text", "Enum"):
        for facets in (1, 2, 10):
            for before in BEFORE:
                yield f"Parquet, {kind}", STORED, before, facets
            yield f"Parquet, {kind}", 10 * STORED, "a filter", facets
            for before in ("nothing", "a join"):
                yield f"CSV, {kind}", OF_CSV, before, facets


JOBS = {
    f"{source}; {rows}; {before}; {facets}": Job(
        partial(scanned, source=source, rows=rows),
        partial(answered, facets=facets, before=before),
    )
    for source, rows, before, facets in points()
}


def main(folder: Path, most_rows: int = 10 * STORED) -> None:
    if not (folder / CSV).exists():
        invent(folder)
    lines, of_one = [], {}
    for name in sorted(JOBS, key=lambda name: name.split("; ")[:3]):
        source, rows, before, facets = name.split("; ")
        if int(rows) > most_rows:
            continue
        print(f"  memory: {name}", file=sys.stderr, flush=True)
        result = in_own_process("memory", name, folder)
        if facets == "1":
            of_one = result
        lines.append([source, f"{int(rows):,}", before, facets, *figures(result, of_one)])
    columns = ["source", "rows", "after", "facets", "processor s", "ratio to one", "peak MB"]
    print(table("Several facets", columns, lines))


def figures(result: Result, of_one: Result) -> list[str]:
    """Return processor time, which other work on the machine hardly changes, and memory."""
    if "gave_up" in result:
        return [result["gave_up"], "", ""]
    work = result["processor_seconds"]
    ratio = figure(work / of_one["processor_seconds"]) if "seconds" in of_one else ""
    return [figure(work), ratio, figure(result["megabytes"])]


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
