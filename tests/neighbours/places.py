"""People at places on a line or in space, and a question about their neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import polars_fairness as pf
from tests.strategies import WITH_FEATURES

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "features": "x"}


def at(**places: dict[float, int] | list[tuple[float, int]]) -> pl.DataFrame:
    """People of each sex at places on a line, accepted or not."""
    rows = [
        (sex, float(x), bool(p))
        for sex, people in places.items()
        for x, p in (people.items() if isinstance(people, dict) else people)
    ]
    return pl.DataFrame(
        rows, schema={"sex": pl.String, "x": pl.Float64, "p": pl.Boolean}, orient="row"
    )


def crowd(rows: int, dimensions: int, *, coarse: bool = False, seed: int = 0) -> pl.DataFrame:
    """Random people anywhere in space, or with `coarse` at few places."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(rows, dimensions))
    if coarse:
        places = places.round()
    return pl.DataFrame(
        {
            "sex": np.where(random.random(rows) < 0.4, "F", "M"),
            "p": random.random(rows) < 0.5,
            **{f"x{i}": places[:, i] for i in range(dimensions)},
        }
    )


def both(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    given = {**WITH_FEATURES, "score": None, "controls": None, **question}
    return pf.metrics(frame, "fliptest", "consistency", **given)
