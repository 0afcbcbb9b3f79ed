"""The range of each entry is no wider than its values are."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.strategies import OF_COUNTS, WITH_SCORES

# What a row may be by its label and its prediction; and sets of one or two kinds of rows.
OUTCOMES: Final = [(y, p) for y in (True, False) for p in (True, False)]
ALONE: Final = [(kind,) for kind in OUTCOMES]
ONE_OR_TWO: Final = [*ALONE, *combinations(OUTCOMES, 2)]

# The ends of ranges that no value here comes near, with the reason.
ENDS_NOT_REACHED: Final[dict[tuple[str, float], str]] = {
    # A group with the share s of the rows is at most 1 - s from all of them: s(1 - s) <= 1/4.
    ("fpsf", 1): "at most a quarter",
    ("fnsf", 1): "at most a quarter",
    ("spsf", 1): "at most a quarter",
    ("spread", -0.5): "takes weights that make the effective rows of a group hardly more than 1",
    ("breslow_day", 0): "takes two strata",
    ("exposure_ratio", 0): "the last place has some exposure too",
}


def every_contrast() -> pl.DataFrame:
    """In a window for each pair of sides, F and M with rows of one or two kinds."""
    windows = [
        *product(ONE_OR_TWO, ONE_OR_TWO, [(5, 5)]),
        *product(ALONE, ALONE, [(5, 5000), (5000, 5)]),
    ]
    rows = [
        (window, sex, *kind, n)
        for window, (*sides, numbers) in enumerate(windows)
        for sex, kinds, n in zip("FM", sides, numbers, strict=True)
        for kind in kinds
    ]
    frame = pl.DataFrame(rows, schema=["window", "sex", "y", "p", "n"], orient="row")
    score = pl.col("p").cast(pl.Float64)
    return frame.with_columns(score.alias("s"), branch=pl.lit("n"))


@pytest.mark.extras
def test_values_reach_the_finite_ends_of_their_range() -> None:
    question: dict[str, Any] = {"disfavored": "F", "favored": "M", "by": "window", "count": "n"}
    question |= {**WITH_SCORES}
    values = pf.metrics(every_contrast(), *OF_COUNTS, **question)
    far = {
        (name, end)
        for name, metric in ((each, pf.CATALOGUE[each]) for each in OF_COUNTS)
        for end, extreme in zip(metric.range, (values[name].min(), values[name].max()), strict=True)
        if math.isfinite(end) and extreme != pytest.approx(end, abs=0.01)
    }
    assert far == {*ENDS_NOT_REACHED}
