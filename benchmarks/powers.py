"""Print what intervals of numbers add to the count: sums of powers beside those of the values.

Run ``.venv/bin/python benchmarks/powers.py``: two million rows, in half a minute.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
import polars as pl

import polars_fairness as pf

ROWS, TIMES = 2_000_000, 3


def least_seconds(frame: pl.DataFrame, confidence: float | None, weight: str | None) -> float:
    """The seconds of an audit, the least of some times."""
    took = []
    for _ in range(TIMES):
        started = perf_counter()
        pf.audit(
            frame,
            "adjusted_observed_difference",
            facet="sex",
            disfavored="F",
            observed="pay",
            controls="grade",
            weight=weight,
            confidence=confidence,
        )
        took.append(perf_counter() - started)
    return min(took)


if __name__ == "__main__":
    draw = np.random.default_rng(3)
    people = pl.DataFrame(
        {
            "sex": draw.choice(["F", "M"], ROWS),
            "grade": draw.integers(0, 30, ROWS).astype(str),
            "pay": draw.lognormal(8, 0.6, ROWS),
            "w": draw.random(ROWS) + 0.5,
        }
    )
    for weight in (None, "w"):
        values, ends = (least_seconds(people, confidence, weight) for confidence in (None, 0.95))
        print(f"weight={weight}: {values:.2f} s without intervals, {ends:.2f} s with")
