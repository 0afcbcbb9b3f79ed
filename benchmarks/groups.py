"""Measure all groups of eight attributes: ``python benchmarks/groups.py FOLDER [ROWS]``.

Every way of counting runs in a separate process: as chosen by polars-fairness, all attributes at
once, and each combination of attributes separately. The data is simulated and kept in the folder.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import polars as pl
from markdown_tables import table
from measure import Job, in_own_process

import polars_fairness as pf
from polars_fairness.answers import worst_groups
from polars_fairness.counting.polars_rows import MOST_CELLS as CHOSEN

ATTRIBUTES = [f"attribute_{i}" for i in range(8)]
VALUES = 6
PEOPLE = "people.parquet"
MOST_CELLS = {"as chosen": CHOSEN, "all at once": 10**9, "one by one": 0}


def invent(folder: Path, rows: int) -> None:
    """Write rows whose attributes are uniform, so that as many cells as possible occur."""
    random = np.random.default_rng(0)
    values = pl.Series([f"value {i}" for i in range(VALUES)])
    columns = {name: values.gather(random.integers(0, VALUES, rows)) for name in ATTRIBUTES}
    outcomes = {name: random.random(rows) < share for name, share in (("y", 0.7), ("p", 0.5))}
    folder.mkdir(parents=True, exist_ok=True)
    pl.DataFrame({**columns, **outcomes}).write_parquet(folder / PEOPLE, row_group_size=10**6)


def answered(people: pl.LazyFrame, depth: int, most_cells: int) -> float:
    with patch.object(worst_groups, "MOST_CELLS", most_cells):
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
    f"{way}, {depth}": Job(
        lambda folder: pl.scan_parquet(folder / PEOPLE),
        partial(answered, depth=depth, most_cells=most_cells),
    )
    for depth in (1, 2, 3, 4, 8)
    for way, most_cells in MOST_CELLS.items()
    if way == "as chosen" or depth in (2, 3)
}


def main(folder: Path, rows: int = 10_000_000) -> None:
    if not (folder / PEOPLE).exists():
        invent(folder, rows)
    lines = []
    for name in JOBS:
        way, depth = name.split(", ")
        result = in_own_process("groups", name, folder)
        if "gave_up" in result:
            lines.append([depth, way, result["gave_up"], ""])
        else:
            lines.append([depth, way, f"{result['seconds']:.1f}", f"{result['megabytes']:,.0f}"])
    columns = ["largest depth", "counted", "seconds", "MB"]
    print(table(f"All groups of {len(ATTRIBUTES)} attributes of {VALUES} values", columns, lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
