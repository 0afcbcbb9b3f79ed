"""The numbers of rows that are left out, as metrics and rates report them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared

DROP: dict[str, Any] = {"predicted": "p", "nulls": "drop"}


@pytest.mark.parametrize("names", [["dppl"], ["ad", "dppl"], ["ge_between", "dppl"]], ids=str)
@pytest.mark.parametrize("zero_division", [None, 0.0])
def test_a_window_whose_rows_are_all_dropped_has_a_row_without_sides(
    names: list[str], zero_division: float | None
) -> None:
    frame = pl.DataFrame(
        {"month": [1, 1, 2, 2], "sex": ["F", "M"] * 2, "p": [0, 1, None, None], "y": [1] * 4}
    )
    question = {**DROP, "label": "y", "facet": "sex", "disfavored": "F", "by": "month"}
    answer = shared(pf.metrics, frame, *names, zero_division=zero_division, **question)
    shown = answer.select(
        "month", "facet", "disfavored", "n_disfavored", "n_unknown", "rows_dropped"
    )
    assert shown.rows() == [(1, "sex", "F", 1, 0, 0), (2, "sex", None, None, 0, 2)]
    assert answer.select(names).row(1) == (None,) * len(names)
    rates = shared(pf.rates, frame, **question).filter(month=2)
    assert rates.select("value", "n", "rows_dropped").rows() == [
        ("F", 0, 1),
        ("M", 0, 1),
        (None, 0, 2),
    ]


@pytest.mark.parametrize("zero_division", [None, 0.0])
def test_without_metrics_of_sides_a_window_has_one_row(zero_division: float | None) -> None:
    """Of month 1, F is not accepted and M is; all rows of month 2 lack a prediction."""
    frame = pl.DataFrame(
        {"month": [1, 1, 2, 2], "sex": ["F", "M"] * 2, "p": [0, 1, None, None], "y": [1] * 4}
    ).with_columns(race=pl.lit("b"))
    question = {**DROP, "facet": ["sex", "race"], "favored": {"sex": "M"}, "by": "month"}
    names = ["selection_rate_gap", "demographic_parity_ratio"]
    answer = shared(pf.metrics, frame, *names, zero_division=zero_division, **question)
    sides = ("disfavored", "favored", "n_disfavored", "n_favored")
    assert {value for row in answer.select(sides).rows() for value in row} == {None}
    shown = answer.select("month", "facet", "n_unknown", "rows_dropped", "selection_rate_gap")
    assert [row[:4] for row in shown.rows()] == [
        (1, "sex", 0, 0),
        (1, "race", 0, 0),
        (2, "sex", 0, 2),
        (2, "race", 0, 2),
    ]
    assert shown["selection_rate_gap"][0] == 1.0
    # Beside a metric with sides, each comparison has the value; the schema is the same.
    beside = pf.metrics(frame, *names, "dppl", zero_division=zero_division, **question)
    assert beside.drop("dppl").schema == answer.schema
    repeated = beside.filter(month=1, facet="sex")
    assert repeated.select("disfavored", names[0]).rows() == [("F", 1.0)]
