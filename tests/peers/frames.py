"""The frames that are compared with every peer, each drawn from a seed of its own.

A frame has a facet ``group``, strata ``branch``, two outcomes ``label`` and ``predicted``, a
real number ``weight``, and a ``score`` from 0 to 1 in hundredths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl

TWO_GROUPS: Final = {"a": 0.5, "d": 0.5}


def generated(
    seed: int,
    rows: int,
    *,
    groups: Mapping[str, float] = TWO_GROUPS,
    branches: int = 4,
    accuracy: float = 0.75,
) -> pl.DataFrame:
    """Draw rows of groups that differ in their base rates and error rates."""
    draw = np.random.default_rng(seed)
    names = np.array(list(groups))
    # The first row of every group is certain: a side without rows makes no comparison.
    others = draw.choice(len(names), rows - len(names), p=list(groups.values()))
    group = np.concatenate([np.arange(len(names)), others])
    label = draw.random(rows) < 0.7 - 0.1 * group
    is_right = draw.random(rows) < accuracy - 0.1 * group
    return pl.DataFrame(
        {
            "group": names[group],
            "branch": [f"branch {i}" for i in draw.integers(branches, size=rows)],
            "label": label.astype(int),
            "predicted": np.where(is_right, label, ~label).astype(int),
            "weight": draw.uniform(0.1, 10, rows),
            "score": draw.normal(0.4 + 0.25 * label, 0.2).clip(0, 1).round(2),
        }
    )


def _where(condition: pl.Expr, frame: pl.DataFrame, **outcomes: pl.Expr | int) -> pl.DataFrame:
    """Replace outcomes in the rows that meet a condition."""
    return frame.with_columns(
        pl.when(condition).then(value).otherwise(pl.col(name)).alias(name)
        for name, value in outcomes.items()
    )


_ALWAYS: Final = pl.lit(True)
_IN_D: Final = pl.col("group") == "d"
_RIGHT: Final = pl.col("label")
_WRONG: Final = 1 - pl.col("label")


def _in(branch: int) -> pl.Expr:
    return pl.col("branch") == f"branch {branch}"


# Every rate of every group is defined, and none is 0.
REGULAR: Final = {
    "balanced": generated(1, 400),
    "large": generated(2, 3000, branches=12),
    "minority of 5 %": generated(3, 800, groups={"a": 0.95, "d": 0.05}),
    "three groups": generated(4, 300, groups={"a": 0.5, "b": 0.3, "d": 0.2}),
    "five groups": generated(
        5, 900, groups={"a": 0.4, "b": 0.25, "c": 0.15, "d": 0.1, "e": 0.1}, accuracy=0.9
    ),
    "sparse strata": generated(6, 120, branches=40),
    "no rejection in a stratum": _where(_in(1), generated(7, 200), predicted=1),
    "no acceptance in a stratum": _where(_in(2), generated(8, 200), predicted=0),
    "one side missing in a stratum": generated(9, 200).filter(~_in(3) | ~_IN_D),
}

# Some rate of some group has numerator 0 or denominator 0.
ODD: Final = {
    "perfect predictions": _where(_ALWAYS, generated(10, 150), predicted=_RIGHT),
    "perfect for one side": _where(_IN_D, generated(11, 150), predicted=_RIGHT),
    "always wrong": _where(_ALWAYS, generated(12, 120), predicted=_WRONG),
    "all accepted": _where(_ALWAYS, generated(13, 120), predicted=1),
    "all rejected": _where(_ALWAYS, generated(14, 120), predicted=0),
    "d all accepted": _where(_IN_D, generated(15, 120), predicted=1),
    "d all rejected": _where(_IN_D, generated(16, 120), predicted=0),
    "only a accepted": _where(_ALWAYS, generated(17, 120), predicted=(~_IN_D).cast(pl.Int64)),
    "no positive label in d": _where(_IN_D, generated(18, 120), label=0),
    "no negative label in d": _where(_IN_D, generated(19, 120), label=1),
    "no positive label": _where(_ALWAYS, generated(20, 120), label=0),
    "no negative label": _where(_ALWAYS, generated(21, 120), label=1),
}

TINY: Final = {
    **{f"ten rows, seed {seed}": generated(seed, 10, branches=2) for seed in (30, 31)},
    **{
        f"ten rows of three groups, seed {seed}": generated(
            seed, 10, groups={"a": 0.4, "b": 0.3, "d": 0.3}, branches=3, accuracy=0.9
        )
        for seed in (36, 37)
    },
}

FRAMES: Final = {**REGULAR, **ODD, **TINY}
