"""Count how often intervals hold the truth: ``python benchmarks/intervals.py``.

People are invented whose true metrics are known, many data sets of them; an interval of 95 % is
what it says if it holds the truth in 95 of 100.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product

import numpy as np
import polars as pl
from markdown import table

import polars_fairness as pf

METRICS = ("dppl", "di", "rd", "cddpl")
QUESTION = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "predicted": "p",
    "subgroup": "branch",
    "count": "n",
}
# How many are in a branch; how many there deserve it, get it who deserve it, and who do not.
BRANCHES = {"north": 0.4, "south": 0.3, "east": 0.2, "west": 0.1}
CHANCES = {"F": (0.50, 0.65, 0.30), "M": (0.60, 0.75, 0.35)}


def probabilities(minority: float) -> pl.DataFrame:
    """Say how likely each kind of person is; later branches are stricter."""
    rows = []
    for (sex, share), (i, (branch, size)) in product(
        (("F", minority), ("M", 1 - minority)), enumerate(BRANCHES.items())
    ):
        base, right, wrong = (chance - 0.05 * i for chance in CHANCES[sex])
        for y, p in product((True, False), repeat=2):
            accepted = right if y else wrong
            chance = (base if y else 1 - base) * (accepted if p else 1 - accepted)
            rows.append((sex, branch, y, p, share * size * chance))
    return pl.DataFrame(rows, schema=["sex", "branch", "y", "p", "probability"], orient="row")


def truth(kinds: pl.DataFrame) -> dict[str, float]:
    """The metrics of so many people that they have no interval to speak of."""
    everybody = kinds.with_columns(n=(pl.col("probability") * 1e12).round().cast(pl.Int64))
    return pf.metrics(everybody, *METRICS, **QUESTION).select(METRICS).row(0, named=True)


def samples(
    kinds: pl.DataFrame, people: int, sets: int, seed: int, at_once: int = 100
) -> Iterator[pl.DataFrame]:
    """Draw data sets, some at a time, as counts."""
    random = np.random.default_rng(seed)
    for first in range(0, sets, at_once):
        numbers = pl.Series("sample", range(first, min(first + at_once, sets)))
        drawn = random.multinomial(people, kinds["probability"].to_numpy(), size=len(numbers))
        yield (
            numbers.to_frame()
            .join(kinds, how="cross", maintain_order="left_right")
            .with_columns(n=pl.Series(drawn.ravel()))
        )


def covered(
    minority: float, people: int, sets: int, method: str, seed: int = 0
) -> dict[str, float]:
    """How often the interval of each metric held the truth."""
    kinds = probabilities(minority)
    known = truth(kinds)
    held = [
        pf.audit(counts, *METRICS, by="sample", method=method, **QUESTION).select(
            "metric",
            held=pl.col("metric")
            .replace_strict(known, return_dtype=pl.Float64)
            .is_between("lower", "upper"),
        )
        for counts in samples(kinds, people, sets, seed)
    ]
    shares = pl.concat(held).group_by("metric").agg(pl.col("held").mean())
    return dict(shares.iter_rows())


def seconds() -> float:
    """How long the whole catalogue takes: 1,000 draws of 160 cells."""
    kinds = probabilities(0.5).with_columns(n=pl.lit(50))
    cells = pl.concat(
        kinds.with_columns(branch=pl.format("{} {}", "branch", pl.lit(i))) for i in range(5)
    )
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        pf.audit(cells, **QUESTION)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main(sets: int = 2_000) -> None:
    print(f"All metrics of 160 cells, 1,000 draws: {seconds():.2f} s")
    lines = []
    for method, minority, people in product(
        ("bootstrap", "newcombe", "log"), (0.5, 0.05), (500, 5_000)
    ):
        shares = covered(minority, people, sets, method)
        measured = [f"{100 * shares[name]:.1f} %" for name in METRICS]
        lines.append([method, f"{people:,}", f"{100 * minority:g} %", *measured])
    columns = ["method", "people", "minority", *(f"`{name}`" for name in METRICS)]
    print(table(f"Intervals of 95 % that held the truth, {sets:,} data sets each", columns, lines))


if __name__ == "__main__":
    main()
