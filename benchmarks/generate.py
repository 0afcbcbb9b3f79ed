"""Simulate decision logs: ``python benchmarks/generate.py FOLDER ROWS``, the same on every run.

A log is a folder of parquet files by month. A billion rows would take 45 GB. Instead,
`growth` scans a smaller log repeatedly, which costs a query the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from growth import MANY_VALUED, SIZES
from models import CANDIDATES, MODELS, NUMBERS, boolean, number

MONTHS = [f"2025-{month:02d}" for month in range(1, 13)]
ROWS_PER_FILE = 2_000_000
ROWS_PER_GROUP = 250_000
FEATURES = 8
BRANCHES = [f"branch {i:02d}" for i in range(40)]
RACES: Mapping[str | None, float] = {"White": 0.42, "Black": 0.16, "Asian": 0.12, None: 0.3}
AGE_BANDS: Mapping[str | None, float] = {"18-29": 0.2, "30-44": 0.3, "45-64": 0.35, "65+": 0.15}

Indices = np.ndarray[Any, np.dtype[Any]]


def decisions(rows: int, seed: list[int]) -> pl.DataFrame:
    """Simulate decisions; women score lower, and some branches are stricter."""
    random = np.random.default_rng(seed)
    female = random.random(rows) < 0.5
    branch = random.integers(len(BRANCHES), size=rows)
    score = random.random(rows) ** (0.8 + 0.2 * female + branch / 100)
    return pl.DataFrame(
        {
            "sex": _named(["M", "F"], female),
            "race": _picked(random, rows, RACES),
            "age_band": _picked(random, rows, AGE_BANDS),
            "branch": _named(BRANCHES, branch),
            "label": random.random(rows) < 0.2 + 0.6 * score,
            "predicted": score >= 0.5,
            "score": score,
            "weight": 0.5 + random.random(rows),
            **{f"feature_{i}": random.random(rows, np.float32) for i in range(FEATURES)},
        }
    )


def decisions_of_models(rows: int, seed: list[int]) -> pl.DataFrame:
    """Simulate decisions of many models on the same rows, whose scores differ by chance."""
    table, random = decisions(rows, seed), np.random.default_rng([*seed, 0])
    score = table["score"].to_numpy()
    decided = [
        score + 0.1 * random.standard_normal(rows, np.float32) >= 0.5 for _ in range(CANDIDATES)
    ]
    return table.select(
        *("sex", "branch", "label"),
        *(pl.Series(boolean(model), each) for model, each in enumerate(decided)),
        *(
            pl.Series(number(model), each.astype(np.int8))
            for model, each in enumerate(decided[:NUMBERS])
        ),
    )


def many_valued(rows: int) -> pl.DataFrame:
    """Simulate outcomes beside a column of every size that `growth` measures.

    The columns are stored, not computed from one integer by an expression: so the measured time
    includes reading them, and no arithmetic that a real query would not have.
    """
    random = np.random.default_rng(rows)

    def of_size(size: int) -> pl.Series:
        return _named([f"value {i:06d}" for i in range(size)], random.integers(size, size=rows))

    months = pl.date_range(date(2016, 1, 1), date(2025, 12, 1), "1mo", eager=True)
    return pl.DataFrame(
        {
            "sex": _named(["F", "M"], random.integers(2, size=rows)),
            "label": random.random(rows) < 0.6,
            "predicted": random.random(rows) < 0.55,
            **{f"facet_{i}": of_size(50) for i in range(max(SIZES["facets"]))},
            **{f"values_{size}": of_size(size) for size in SIZES["facet values"]},
            **{f"subgroups_{size}": of_size(size) for size in SIZES["subgroups"]},
            **{
                f"windows_{size}": months.gather(random.integers(size, size=rows))
                for size in SIZES["windows"]
            },
        }
    )


def _named(values: Sequence[str | None], index: Indices) -> pl.Series:
    return pl.Series(values, dtype=pl.String).gather(index.astype(np.uint32))


def _picked(
    random: np.random.Generator, rows: int, shares: Mapping[str | None, float]
) -> pl.Series:
    index = np.searchsorted(np.cumsum([*shares.values()])[:-1], random.random(rows), "right")
    return _named([*shares], index)


def write_log(folder: Path, rows: int, simulated: Callable[[int, list[int]], pl.DataFrame]) -> None:
    """Write a log file by file, by month, so that memory does not grow with the rows."""
    for place, month in enumerate(MONTHS):
        of_month = rows * (place + 1) // len(MONTHS) - rows * place // len(MONTHS)
        part = folder / f"month={month}"
        part.mkdir(parents=True, exist_ok=True)
        for file, start in enumerate(range(0, of_month, ROWS_PER_FILE)):
            frame = simulated(min(ROWS_PER_FILE, of_month - start), [rows, place, file])
            frame.write_parquet(part / f"{file:04d}.parquet", row_group_size=ROWS_PER_GROUP)


def write_many_valued(path: Path, rows: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    many_valued(rows).write_parquet(path, row_group_size=ROWS_PER_GROUP)


def main(target: Path, rows: int) -> None:
    """Write under a temporary name first, so that an interrupted log is not taken as complete."""
    unfinished = target.with_name(f"{target.name}.unfinished")
    if target.name == MANY_VALUED:
        write_many_valued(unfinished, rows)
    else:
        write_log(unfinished, rows, decisions_of_models if target.name == MODELS else decisions)
    unfinished.rename(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(float(sys.argv[2])))
