"""Measure all groups of eight attributes: ``python benchmarks/groups.py FOLDER [ROWS]``.

Each depth runs in a separate process. The data is simulated and kept in the folder.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from markdown_tables import table
from measure import Job, in_own_process

import polars_fairness as pf

ATTRIBUTES = [f"attribute_{i}" for i in range(8)]
VALUES = 6
PEOPLE = "people.parquet"


def invent(folder: Path, rows: int) -> None:
    """Write rows whose attributes are uniform, so that as many cells as possible occur."""
    random = np.random.default_rng(0)
    values = pl.Series([f"value {i}" for i in range(VALUES)])
    columns = {name: values.gather(random.integers(0, VALUES, rows)) for name in ATTRIBUTES}
    outcomes = {name: random.random(rows) < share for name, share in (("y", 0.7), ("p", 0.5))}
    folder.mkdir(parents=True, exist_ok=True)
    pl.DataFrame({**columns, **outcomes}).write_parquet(folder / PEOPLE, row_group_size=10**6)


def answered(people: pl.LazyFrame, depth: int) -> float:
    groups = pf.worst_groups(
        people,
        "fpsf",
        depth=depth,
        facet=ATTRIBUTES,
        label="y",
        predicted="p",
        minimum_count=100,
        harm="both",
    ).collect()
    return float(groups["weighted_gap"][0])


JOBS = {
    f"{depth}": Job(lambda folder: pl.scan_parquet(folder / PEOPLE), partial(answered, depth=depth))
    for depth in (1, 2, 3, 4, 8)
}


def main(folder: Path, rows: int = 10_000_000) -> None:
    if not (folder / PEOPLE).exists():
        invent(folder, rows)
    lines = []
    for depth in JOBS:
        result = in_own_process("groups", depth, folder)
        if "gave_up" in result:
            lines.append([depth, result["gave_up"], ""])
        else:
            lines.append([depth, f"{result['seconds']:.1f}", f"{result['megabytes']:,.0f}"])
    columns = ["largest depth", "seconds", "MB"]
    print(table(f"All groups of {len(ATTRIBUTES)} attributes of {VALUES} values", columns, lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
