"""Compare `fliptest` with the flip test of Clarify: ``python benchmarks/neighbours.py``.

This needs the extras ``neighbours`` and ``peers``, and faiss-cpu for many dimensions.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.selectors as cs
from scipy.spatial import cKDTree
from smclarify.bias.metrics import FT

import polars_fairness as pf

FEATURES = cs.starts_with("x")
QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p"}


def people(rows: int, dimensions: int, decimals: int = 15) -> pl.DataFrame:
    """Simulate rows, half of each sex; with few decimals, many rows have the same point."""
    random = np.random.default_rng(0)
    places = random.normal(size=(rows, dimensions)).round(decimals)
    return pl.DataFrame(
        {
            "sex": np.where(np.arange(rows) % 2, "F", "M"),
            "p": random.random(rows) < 0.5,
            **{f"x{i}": places[:, i] for i in range(dimensions)},
        }
    )


def seconds(ask: Callable[[], object], times: int) -> float:
    """Return the shortest time of several runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - start)
    return min(taken)


def beside_clarify() -> None:
    """Run both on 20,000 rows; the time of the search alone is the floor."""
    print("\n20,000 rows, seconds\n")
    print("| features | `fliptest`, seconds | search only | smclarify | ratio |")
    print("|---|---|---|---|---|")
    kinds = ((2, 15), (5, 15), (10, 15), (20, 15), (5, 0))
    for dimensions, decimals in kinds:
        frame = people(20_000, dimensions, decimals)
        features = pd.DataFrame(frame.select(FEATURES).to_dict(as_series=False))
        sides, outcomes = (pd.Series(s.to_list()) for s in (frame["sex"] == "F", frame["p"]))
        points = features.to_numpy()
        ours = seconds(lambda: pf.fliptest(frame, features=FEATURES, **QUESTION), 7)  # noqa: B023
        alone = seconds(lambda: cKDTree(points[::2]).query(points[1::2], 6, workers=-1), 3)  # noqa: B023
        theirs = seconds(lambda: FT(features, sides, outcomes), 2)  # noqa: B023
        kind = f"{dimensions}{', many rows on the same point' if decimals == 0 else ''}"
        print(
            f"| {kind} | {ours:.3f} | {alone:.3f} | {theirs:.2f} | {theirs / ours:.0f} |",
            flush=True,
        )


def growth() -> None:
    """Measure growing numbers of rows and dimensions."""
    print(
        "\n| rows of d and of a | features | function | seconds | peak MB |\n|---|---|---|---|---|"
    )
    for rows, dimensions in ((100_000, 5), (1_000_000, 5), (10_000, 20), (50_000, 20)):
        frame = people(2 * rows, dimensions)
        for name, function in (("fliptest", pf.fliptest), ("consistency", pf.consistency)):
            taken = seconds(lambda: function(frame, features=FEATURES, **QUESTION), 2)  # noqa: B023
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"| {rows:,} | {dimensions} | {name} | {taken:.2f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    beside_clarify()
    growth()
