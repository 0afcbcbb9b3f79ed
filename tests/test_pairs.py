"""A facet of two values and no side named: one comparison, of the first value with the other."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given

import polars_fairness as pf
from tests.frames import fairness
from tests.strategies import EVERYTHING, examples, frames

TWO = ("F", "M", None)


@pytest.mark.parametrize(
    ("values", "first", "other"),
    [
        (pl.Series([1, 0]), "0", "1"),
        (pl.Series([10, 9], dtype=pl.UInt8), "9", "10"),
        (pl.Series([-3, -10]), "-10", "-3"),
        (pl.Series([10.0, 9.5]), "9.5", "10.0"),
        (pl.Series([0.5, 1e-7]), "1e-7", "0.5"),
        (pl.Series([float("inf"), 3.0, float("nan")]), "3.0", "inf"),
        (pl.Series([Decimal("10.00"), Decimal("9.50")]), "9.50", "10.00"),
        (pl.Series([True, False, None]), "false", "true"),
        (pl.Series(["M", "F"]), "F", "M"),
        (pl.Series(["10", "9"]), "10", "9"),
        (pl.Series(["M", "F"], dtype=pl.Categorical()), "F", "M"),
        (pl.Series(["F", "M"], dtype=pl.Enum(["M", "X", "F"])), "M", "F"),
        (pl.Series([dt.date(2025, 10, 1), dt.date(2025, 9, 30)]), "2025-09-30", "2025-10-01"),
        (pl.Series([dt.time(10), dt.time(9, 59)]), "09:59:00", "10:00:00"),
        (pl.Series(["b\x1fa", "a\x1fb"]), "a\x1fb", "b\x1fa"),
    ],
)
def test_the_first_value_is_d_in_the_order_of_its_type(
    values: pl.Series, first: str, other: str
) -> None:
    for rows in (values, values.reverse()):
        answer = fairness(pl.DataFrame({"v": rows})).ci(facet="v")
        assert answer.select("disfavored", "favored").rows() == [(first, other)]


def test_structs_are_ordered_attribute_by_attribute() -> None:
    frame = pl.DataFrame({"sex": ["M", "M"], "age": [10, 9]})
    answer = fairness(frame).ci(facet=pl.struct("sex", "age"))
    assert answer.select("disfavored", "favored").rows() == [("M & 9", "M & 10")]
    frame = pl.DataFrame({"sex": ["F", "M"], "age": [10, 9]})
    answer = fairness(frame).ci(facet=pl.struct("sex", "age"))
    assert answer.select("disfavored", "favored").rows() == [("F & 10", "M & 9")]


@given(frames(TWO))
@examples(4)
def test_a_pair_is_answered_as_if_both_sides_were_named(frame: pl.DataFrame) -> None:
    named: dict[str, Any] = {"disfavored": "F", "favored": "M"}
    for windows in ({}, {"by": "k"}):
        question = {**EVERYTHING, **windows}
        answer = pf.metrics(frame.lazy(), **question).collect()
        assert answer.equals(pf.metrics(frame, **question, **named))
        parts = pf.decompose(frame, "cddpl", **question)
        assert parts.equals(pf.decompose(frame, "cddpl", **question, **named))
        audit = pf.audit(frame, "di", "cddpl", "tvd", "ge", replicates=20, weight="w", **question)
        assert audit.equals(
            pf.audit(
                frame, "di", "cddpl", "tvd", "ge", replicates=20, weight="w", **question, **named
            )
        )
