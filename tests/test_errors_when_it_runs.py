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
    "column",
    [
        pl.col("score").head(9),
        pl.col("score").rank(),
        pl.col("score") > pl.col("score").median(),
        pl.col("score").mean().over("sex"),
        pl.int_range(pl.len()),
        pl.lit(pl.Series([1, 2, 1, 2])),
        pl.col("score").map_batches(
            lambda score: pl.Series([each > 0.3 for each in score]), return_dtype=pl.Boolean
        ),
    ],
    ids=str,
)
def test_an_expression_with_a_value_for_each_row_is_a_column(column: pl.Expr) -> None:
    frame = pl.DataFrame(GOOD)
    made = frame.with_columns(made=column)
    by_hand = pf.metrics(made, "dppl", facet="sex", predicted="p", by="made")
    answer = pf.metrics(frame, "dppl", facet="sex", predicted="p", by=column.alias("made"))
    assert_frame_equal(answer, by_hand)


def test_rates_check_the_data_too_and_cells_keep_what_is_missing_as_a_key() -> None:
    frame = pl.DataFrame({**GOOD, "p": [1, None, 0, 0]})
    message = r"^predicted: missing values: 'p' has 1 \(25.0 %\);"
    with pytest.raises(pf.FairnessError, match=message):
        pf.rates(frame, facet="sex", predicted="p")
    cells = pf.cells(frame, facet="sex", predicted="p")
    assert cells.rows() == [("F", 1, 1), ("F", None, 1), ("M", 0, 1), (None, 0, 1)]
    # Whoever asks the cells reads what is said of the rows.
    with pytest.raises(pf.FairnessError, match=message):
        pf.rates(cells, facet="sex", predicted="p", count="n")


def test_numbers_are_only_taken_for_outcomes_where_they_must_be() -> None:
    """Five grades are not binary, but their distributions can be compared."""
    grades = pl.DataFrame({"sex": ["F", "F", "M", "M"], "grade": [1, 5, 5, 3]})
    assert fairness(grades).tvd(facet="sex", disfavored="F", label="grade")["tvd"].item() == 0.5
    assert pf.cells(grades, label="grade")["grade"].to_list() == [1, 3, 5]
    with pytest.raises(pf.FairnessError, match="other than 0 and 1: 3 and 5"):
        pf.metrics(grades, facet="sex", label="grade")


def test_a_positive_value_of_a_list_need_occur_in_only_one_outcome() -> None:
    frame = pl.DataFrame({"sex": ["F", "M"], "y": ["good", "bad"], "p": ["no", "yes"]})
    answer = pf.rates(frame, facet="sex", label="y", predicted="p", positive=["good", "yes"])
    assert answer.row(-1, named=True)["base_rate"] == 0.5


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
