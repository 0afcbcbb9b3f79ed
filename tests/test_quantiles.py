"""Quantiles of numbers: by hand, by brute force, and the same from every kind of frame."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests import reference
from tests.frames import fairness
from tests.reference.quantiles import quantile

STAFF = pl.DataFrame(
    {
        "sex": ["F"] * 5 + ["M"] * 6,
        "pay": [1.0, 2.0, 2.0, 8.0, 9.0, 1.0, 3.0, 4.0, 4.0, 6.0, 90.0],
        "wish": [5, 5, 5, 5, 7, 4, 6, 6, 6, 8, 8],
    }
)
BY_SEX: dict[str, Any] = {"facet": "sex", "disfavored": "F", "observed": "pay"}
MEDIANS = ("observed_median_difference", "observed_median_ratio")


def values(frame: Any, *names: Any, **question: Any) -> list[float | None]:
    answer = pf.metrics(frame, *names, **{**BY_SEX, **question})
    answer = answer.collect() if isinstance(answer, pl.LazyFrame) else answer
    return [*answer[[getattr(name, "name", name) for name in names]].row(0)]


def test_medians_by_hand() -> None:
    names = ("estimate_median_difference", "estimate_median_ratio")
    found = values(STAFF, *MEDIANS, *names, estimated="wish")
    assert found == [4.0 - 2.0, 2.0 / 4.0, 6.0 - 5.0, 5.0 / 6.0]
    # Half of four men earn 3 or less: the middle of 3 and the next pay counts.
    assert values(STAFF.head(9), *MEDIANS) == [3.5 - 2.0, 2.0 / 3.5]


def test_quantiles_follow_a_convention_of_numpy() -> None:
    def of(sex: str, at: float) -> Any:
        own = STAFF.filter(sex=sex)["pay"].to_numpy()
        return np.quantile(own, at, method="averaged_inverted_cdf")

    for at in (0.05, 0.2, 1 / 3, 0.5, 0.6, 0.75, 0.8, 0.9, 0.99):
        found = values(STAFF, pf.entry("observed_quantile_difference", at=at))
        assert found == [of("M", at) - of("F", at)]


def test_quantiles_of_random_rows_with_ties_and_weights_are_those_of_the_brute_force() -> None:
    draw = Random(7)
    rows = [
        (set_, ("F", "M")[i % 2], float(draw.randint(-1, 5)), draw.randint(0, 3) / 4)
        for set_ in range(60)
        for i in range(draw.randint(2, 25))
    ]
    frame = pl.DataFrame(rows, ["set", "sex", "pay", "w"], orient="row")
    kinds = ("difference", "ratio")
    for at in (0.1, 0.25, 0.5, 0.9):
        entries = [pf.entry(f"observed_quantile_{kind}", at=at).named(kind) for kind in kinds]
        found = pf.metrics(frame, entries, by="set", weight="w", **BY_SEX)
        expected = {each: by_brute_force(rows, each, Fraction(str(at))) for each in range(60)}
        assert {place: pair for place, *pair in found.select("set", *kinds).rows()} == expected


def by_brute_force(rows: list[Any], own: int, at: Fraction) -> list[float | None]:
    """The difference and the ratio of the quantiles of a set of rows."""
    both = [
        quantile(
            [
                reference.Row(sex, True, True, observed=Fraction(pay), weight=Fraction(w))
                for each, sex, pay, w in rows
                if (each, sex) == (own, side)
            ],
            lambda row: row.observed,
            at,
        )
        for side in "FM"
    ]
    d, a = (None if each is None else float(each) for each in both)
    if d is None or a is None:
        return [None, None]
    return [a - d, d / a if min(d, a) > 0 else None]


@pytest.mark.extras
def test_every_kind_of_frame_has_the_same_quantiles() -> None:
    import duckdb

    names: list[str | pf.Metric] = [*MEDIANS, pf.entry("observed_quantile_ratio", at=0.75)]
    by_value = STAFF.group_by("sex", "pay").len("n")
    expected = values(STAFF, *names)
    assert None not in expected
    assert values(STAFF.lazy(), *names) == expected
    assert values(duckdb.from_arrow(STAFF.to_arrow()), *names) == expected
    assert values(STAFF.to_arrow(), *names) == expected
    assert values(by_value, *names, count="n") == expected
    assert values(pf.cells(STAFF, facet="sex", score="pay"), *names, count="n") == expected
    assert values(pl.concat([STAFF, STAFF]).lazy(), *names) == expected
    assert values(STAFF.with_columns(w=pl.lit(0.3)), *names, weight="w") == expected
    lacking = pl.concat([STAFF, STAFF.with_columns(pay=pl.lit(None, pl.Float64))])
    assert values(lacking, *names, nulls="drop") == expected
    alone = pf.audit(STAFF, *names, confidence=None, **BY_SEX)
    assert alone["value"].to_list() == expected
    assert fairness(STAFF).observed_median_ratio(**BY_SEX).item(0, -1) == expected[1]


def test_each_model_has_quantiles_of_its_own_estimates() -> None:
    models = STAFF.with_columns(offered=pl.col("wish") + 1)
    answer = pf.metrics(
        models,
        *(*MEDIANS, "estimate_median_difference", "estimate_difference"),
        **{**BY_SEX, "estimated": {"one": "wish", "two": "offered"}},
    )
    assert answer["estimate_median_difference"].to_list() == [1.0, 1.0]
    assert answer["observed_median_difference"].to_list() == [2.0, 2.0]
