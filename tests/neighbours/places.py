"""People at places on a line or in space, and a question about their neighbours."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import polars as pl

import polars_fairness as pf
from tests.frames import shared
from tests.reference import number
from tests.reference.cases import Case
from tests.reference.neighbours import consistency, fliptest
from tests.reference.rows import Row

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
    """The flip test of each comparison, and the consistency of all rows beside it."""
    given = {"facet": "sex", "predicted": "p", "features": ["u", "v"], **question}
    of_all = shared(pf.consistency, frame, **given)
    return pf.fliptest(frame, **given).with_columns(
        consistency=pl.lit(of_all["consistency"].item(), pl.Float64)
    )


def expected(
    rows: list[Row], d: set[Hashable], a: set[Hashable] | None, zero: float | None = None
) -> tuple[float | None, float | None]:
    """The flip test and the consistency by the brute force."""
    case = Case(rows, d, a, zero)
    no_side = zero is None and not (case.rows_d and case.rows_a)
    return None if no_side else number(fliptest(case)), number(consistency(case))
