"""Errors in the data are raised when the query runs, with their own type."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.raising import Faults, whole, worded_if_raised
from tests.frames import fairness

GOOD: dict[str, list[Any]] = {
    "sex": ["F", "F", "M", None],
    "y": [1, 0, 1, 0],
    "p": [1, 1, 0, 0],
    "decision": ["yes", "no", "yes", "no"],
    "score": [0.2, 0.4, 0.6, 0.8],
    "w": [1.0, 2.0, 1.0, 0.5],
    "k": [1, 2, 3, 4],
}


@pytest.mark.parametrize(
    ("drop", "question"),
    [
        ({"w": [1.0, None, 1.0, 0.5]}, {"weight": "w"}),
        ({"k": [1, None, 3, 4]}, {"count": "k"}),
        ({"w": [1.0, None, 1.0, 0.5]}, {"weight": "w", "count": "k"}),
        ({"k": [1, None, 3, 4]}, {"weight": "w", "count": "k"}),
    ],
)
def test_dropping_is_as_if_the_row_were_not_there(
    drop: dict[str, list[Any]], question: dict[str, Any]
) -> None:
    frame = pl.DataFrame({**GOOD, **drop})
    arguments = {"facet": "sex", "label": "y", "predicted": "p", **question}
    without = frame.filter(pl.int_range(pl.len()) != 1)
    for function in (pf.metrics, pf.rates):
        dropped, absent = (
            function(rows, nulls="drop", **arguments).drop("rows_dropped", strict=False)
            for rows in (frame, without)
        )
        assert_frame_equal(dropped, absent)


@pytest.mark.parametrize("zero_division", [None, 0.0])
@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_no_comparison_is_no_error(
    engine: Literal["streaming", "in-memory"], zero_division: float | None
) -> None:
    """Every level of formula is computed without rows, or without rows on one side."""
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    question |= {"subgroup": "decision"}
    for frame in (pl.DataFrame(GOOD).clear(), pl.DataFrame({**GOOD, "sex": ["M"] * 4})):
        for arguments in (question, {**question, "favored": "M"}):
            if not frame.is_empty() and "favored" not in arguments:
                continue
            lazy = pf.metrics(frame.lazy(), zero_division=zero_division, **arguments)
            answer = lazy.collect(engine=engine)
            # If there are rows, metrics without sides are on a row without sides.
            assert answer["disfavored"].to_list() == [None] * (not frame.is_empty())
            sided = [name for name in pf.CATALOGUE if pf.CATALOGUE[name].has_sides]
            sided = [name for name in sided if name in answer.columns]
            assert sided
            assert answer.select(sided).count().row(0) == (0,) * len(sided)


def test_without_a_facet_there_are_windows_all_the_same() -> None:
    frame = pl.DataFrame({"y": [1, 0, 1], "p": [1, 1, 1], "month": [1, 2, 2]})
    answer = fairness(frame).ge(label="y", predicted="p", by="month")
    assert answer.select("month", "facet", "n_unknown").rows() == [(1, None, 1), (2, None, 2)]
    rates = pf.rates(frame, label="y", predicted="p", by="month")
    assert rates.select("month", "facet", "n").rows() == [(1, "(all)", 1), (2, "(all)", 2)]
    assert fairness(frame.clear()).ge(label="y", predicted="p").height == 0


def test_texts_of_errors_are_made_only_where_an_error_is_raised() -> None:
    are_brief: list[bool] = []

    def answer(number: int) -> int:
        faults = Faults()
        are_brief.append(faults.are_brief)
        faults.add(pl.col("n") > 1, "n: ", whole(pl.col("n").max()), " is above 1")
        return int(faults.raised(pl.LazyFrame({"n": [number]})).collect()["n"][0])

    def answer_in_another(number: int) -> int:
        return worded_if_raised(lambda: answer(number))

    for ask in (answer, answer_in_another):
        assert worded_if_raised(partial(ask, 1)) == 1
        with pytest.raises(pf.FairnessError, match=r"^n: 2 is above 1$"):
            worded_if_raised(partial(ask, 2))
        assert are_brief == [True, True, False]
        are_brief.clear()
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        worded_if_raised(lambda: pl.LazyFrame().select("n").collect())
