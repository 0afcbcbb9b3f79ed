"""Invent decision logs: ``python benchmarks/generate.py FOLDER ROWS``, the same on every run."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

ROWS_PER_FILE = 2_000_000
FACETS_OF_FIFTY = 10


def decisions(rows: int, seed: int) -> pl.DataFrame:
    """Invent so many decisions; race is unknown for a third, ten facets have fifty values."""
    random = np.random.default_rng(seed)

    def pick(values: list[str | None], shares: list[float] | None = None) -> pl.Series:
        index = random.choice(len(values), rows, p=shares).astype(np.uint32)
        return pl.Series(values, dtype=pl.String).gather(index)

    fifty: list[str | None] = [f"value {i:02d}" for i in range(50)]
    return pl.DataFrame(
        {
            "sex": pick(["F", "M"]),
            "race": pick(["White", "Black", "Asian", None], [0.4, 0.15, 0.12, 0.33]),
            "branch": pick([f"branch {i:02d}" for i in range(40)]),
            "month": random.integers(1, 13, rows, dtype=np.int8),
            "label": random.random(rows) < 0.6,
            "predicted": random.random(rows) < 0.55,
            "score": random.random(rows),
            "weight": random.random(rows) * 2,
            **{f"facet_{i}": pick(fifty) for i in range(FACETS_OF_FIFTY)},
        }
    )


def generate(folder: Path, rows: int) -> None:
    """Write them as parquet, file by file."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, start in enumerate(range(0, rows, ROWS_PER_FILE)):
        frame = decisions(min(ROWS_PER_FILE, rows - start), seed=part)
        frame.write_parquet(folder / f"{part:04d}.parquet", row_group_size=250_000)


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(float(sys.argv[2])))
