"""Errors in the data are raised when the query runs, with their own type."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.raising import Faults, errors_of_users, whole, worded_if_raised
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

ALIKE: dict[str, list[Any]] = {"sex": ["F"] * 4, "y": [1] * 4, "p": [1] * 4}

Case = tuple[dict[str, list[Any]], dict[str, Any], str]

CASES: list[Case] = [
    # a side's value that never occurs
    ({}, {"disfavored": "f"}, r"^disfavored: 'f' never occurs in 'sex', which has 'F' and 'M'"),
    ({}, {"favored": ["M", "X"]}, r"^favored: 'X' never occurs in 'sex', which has 'F' and 'M'"),
    (
        {"sex": [None] * 4},
        {"facet": pl.col("sex").cast(pl.String), "disfavored": "F"},
        r"^disfavored: 'F' never occurs in 'sex', which has no known value at all",
    ),
    # nulls
    (
        {"y": [1, None, 1, None]},
        {},
        r"^label: missing values: 'y' has 2 \(50.0 %\); .*nulls='drop'",
    ),
    ({"p": [1, None, 1, 0]}, {}, r"^predicted: missing values: 'p' has 1 \(25.0 %\);"),
    (
        {"y": [1, None, 1, 0]},
        {"facet": ["sex", "decision"]},
        r"^label: missing values: 'y' has 1 \(25.0 %\);",
    ),
    (
        {"y": [True, None, True, False], "p": [None, None, True, False]},
        {},
        r"^label, predicted: missing values: 'y' has 1 \(25.0 %\); 'p' has 2 \(50.0 %\);",
    ),
    (
        {"score": [0.1, math.nan, None, 0.9]},
        {"predicted": "score", "threshold": 0.5},
        r"^predicted: missing values: 'score' has 2 \(50.0 %\), null or NaN; fill them, or leave",
    ),
    (
        {"y": [1, None, 1, 0], "score": [0.1, math.nan, 0.3, 0.9]},
        {"predicted": "score", "positive": [0.1, 0.3]},
        r"^label, predicted: missing values: 'y' has 1 .*; 'score' has 1 .*, null or NaN; fill",
    ),
    (
        {"w": [1.0, None, 1.0, 1.0]},
        {"weight": "w"},
        r"^weight: missing values: 'w' has 1 \(25.0 %\);",
    ),
    ({"k": [1, None, None, 1]}, {"count": "k"}, r"^count: missing values: 'k' has 2 \(50.0 %\);"),
    (
        {"y": [1, None, 1, 0], "p": [None, None, 1, 0]},
        {},
        r"^label, predicted: missing values: 'y' has 1 \(25.0 %\); 'p' has 2 \(50.0 %\);",
    ),
    (
        {"y": [1, None, None, 0], "w": [1.0, None, 1.0, 1.0]},
        {"weight": "w"},
        r"^label, weight: missing values: 'y' has 2 \(50.0 %\); 'w' has 1 \(25.0 %\);",
    ),
    # weights and counts
    ({"w": [1.0, -2.0, 1.0, 1.0]}, {"weight": "w"}, r"^weight: 'w' has negative values;"),
    ({"w": [1.0, math.nan, 1.0, 1.0]}, {"weight": "w"}, r"^weight: 'w' has NaN or infinite"),
    ({"w": [1.0, math.inf, 1.0, 1.0]}, {"weight": "w"}, r"^weight: 'w' has NaN or infinite"),
    ({**ALIKE, "w": [1e308] * 4}, {"weight": "w"}, r"^weight: 'w' has .* values whose sum is"),
    *(
        (
            {"w": [weight] * 4},
            {"weight": "w"},
            "^weight: 'w' has values such as " + r"\d(\.0)?e",
        )
        for weight in (1e308, 1e200, 1e-200, 1e-300)
    ),
    ({"k": [1, -2, 3, 4]}, {"count": "k"}, r"^count: 'k' has negative values;"),
    ({"k": [1, 2.5, 3, 4.5]}, {"count": "k"}, r"^count: 'k' has 2 values .*not whole numbers"),
    ({"k": [1, math.nan, 3, 4.0]}, {"count": "k"}, r"^count: 'k' has 1 values .*not whole numbers"),
    ({"k": [1, math.inf, 3, 4.0]}, {"count": "k"}, r"^count: 'k' has 1 values .*not whole numbers"),
    (
        {"k": [2**62, 2**62, 2**62, 2**62]},
        {"count": "k"},
        r"^count: 'k' adds up to 1\.84e\+?19 rows, and 9\.22e\+18 are too many to be counted; corr",
    ),
    ({"k": [2**62, 1, 2**62, 1]}, {"count": "k", "weight": "w"}, r"^count: 'k' adds up to 9\.22e"),
    ({"k": [2.0**62] * 4}, {"count": "k"}, r"^count: 'k' adds up to 1\.84e\+?19 rows"),
    # weights and counts of rows that are alike but for these, counted in one cell
    ({**ALIKE, "w": [-2.0, 3.0, -1.0, 3.0]}, {"weight": "w"}, r"^weight: .* has negative values;"),
    ({**ALIKE, "k": [-2, 3, -1, 3]}, {"count": "k"}, r"^count: .* negative values;"),
    ({**ALIKE, "k": [1.5, 2.5, 3, 4]}, {"count": "k"}, r"^count: 'k' has 2 values .*not whole num"),
    ({**ALIKE, "k": [2**62] * 4}, {"count": "k"}, r"^count: 'k' adds up to 1\.84e\+?19 rows"),
    # in cells of two facets that are counted together, or each alone
    (
        {**ALIKE, "left": [True, True, False, False], "w": [-2.0, 3.0, 1.0, 3.0]},
        {"facet": [pl.col("sex") == "F", "left"], "weight": "w"},
        r"^weight: 'w' has negative values;",
    ),
    (
        {"w": [1.0, None, 1.0, 1.0]},
        {"facet": ["sex", "decision"], "weight": "w"},
        r": 'w' has 1 \(25.0 %\);",
    ),
    # outcomes
    (
        {},
        {"label": "decision", "predicted": None, "positive": "Yes"},
        r"^positive: 'Yes' never occurs in 'decision', which has 'no' and 'yes'; name one",
    ),
    ({}, {"positive": 3}, r"^positive: 3 never occurs in 'y', which has 0 and 1; name one"),
    (
        {"y": [1, 2, 1, 2]},
        {},
        r"^label: 'y' has values other than 0 and 1: 2; .*positive= or label_threshold=",
    ),
    ({"p": [0, -1, 7, 1]}, {}, r"^predicted: 'p' has values other than 0 and 1: -1 and 7"),
    ({"y": [0.0, 0.5, 1.0, 1.0]}, {}, r"^label: 'y' has values other than 0 and 1: 0.5"),
    (
        {"p": [0, 1, 7, 1]},
        {"label": "decision", "positive": {"decision": "yes"}},
        r"^predicted: 'p' has values other than 0 and 1: 7",
    ),
]


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
@pytest.mark.parametrize(("columns", "question", "message"), CASES, ids=[c[2] for c in CASES])
def test_data_that_cannot_be_counted_is_refused(
    columns: dict[str, list[Any]],
    question: dict[str, Any],
    message: str,
    engine: Literal["streaming", "in-memory"],
) -> None:
    frame = pl.DataFrame({**GOOD, **columns}, strict=False)
    arguments: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", **question}
    lazy = pf.metrics(frame.lazy(), **arguments)
    with pytest.raises(pf.FairnessError, match=message), errors_of_users():
        lazy.collect(engine=engine)
    with pytest.raises(pf.FairnessError, match=message):
        pf.metrics(frame, **arguments)


@pytest.mark.parametrize("metric", ["di", "smd"])
@pytest.mark.parametrize("threshold", [0.5, [0.4, 0.5], "every"])
@pytest.mark.parametrize("argument", ["score", "predicted"])
def test_missing_scores_are_those_of_the_argument_that_was_given(
    argument: str, threshold: Any, metric: str
) -> None:
    frame = pl.DataFrame({**GOOD, "score": [0.1, math.nan, None, 0.9]})
    given: dict[str, Any] = {"facet": "sex", argument: "score", "threshold": threshold}
    message = rf"^{argument}: missing values: 'score' has 2 \(50.0 %\), null or NaN; fill"
    with pytest.raises(pf.FairnessError, match=message):
        pf.metrics(frame, metric, **given)


@pytest.mark.parametrize("metric", ["di", "smd"])
@pytest.mark.parametrize("threshold", [0.5, [0.4, 0.5], "every"])
def test_scores_may_all_be_missing(threshold: Any, metric: str) -> None:
    """Their column then has no type."""
    frame = pl.DataFrame({**GOOD, "score": [None] * 4})
    question: dict[str, Any] = {"facet": "sex", "score": "score", "threshold": threshold}
    with pytest.raises(pf.FairnessError, match=r"^score: missing values: 'score' has 4 \(100.0 %"):
        pf.metrics(frame, metric, **question)


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
@pytest.mark.parametrize(
    ("column", "found"),
    [
        (pl.col("score").head(3), 3),
        (pl.col("score").head(1), 1),
        (pl.col("score").filter(pl.col("score") > 0.3), 3),
        ((pl.col("k") + 1).unique().alias("k"), 3),
        (pl.lit(pl.Series([1, 2])), 2),
        (pl.col("score", "w").head(2), 2),
    ],
    ids=str,
)
@pytest.mark.parametrize("role", ["by", "subgroup"])
def test_a_column_has_a_value_for_each_row(
    role: str, column: pl.Expr, found: int, engine: Literal["streaming", "in-memory"]
) -> None:
    frame = pl.DataFrame({**GOOD, "k": [1, 2, 3, 3]})
    given: dict[str, Any] = {role: column}
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", **given}
    message = rf"^{role}: .* has {found} values for 4 rows; name an expression with a value for"
    with pytest.raises(pf.FairnessError, match=message), errors_of_users():
        pf.metrics(frame.lazy(), **question).collect(engine=engine)
    with pytest.raises(pf.FairnessError, match=message):
        pf.cells(frame, **given)


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


def test_an_empty_frame_is_no_error() -> None:
    empty = pl.DataFrame(GOOD).clear()
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    answer = pf.metrics(empty, disfavored="F", **question)
    assert answer.height == 0
    assert answer.schema == pf.metrics(pl.DataFrame(GOOD), disfavored="F", **question).schema
    assert pf.rates(empty, **question).height == 0
    assert pf.cells(empty, **question).height == 0


@pytest.mark.parametrize("zero_division", [None, 0.0])
@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_no_comparison_is_no_error(
    engine: Literal["streaming", "in-memory"], zero_division: float | None
) -> None:
    """Every level of formula is computed without rows, or without rows on one side."""
    question: dict[str, Any] = {
        "facet": "sex",
        "label": "y",
        "predicted": "p",
        "subgroup": "decision",
    }
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


@pytest.mark.parametrize("resolution", [None, 0.1])
@pytest.mark.parametrize("score", [math.inf, -math.inf])
def test_infinite_scores_are_refused(score: float, resolution: float | None) -> None:
    frame = pl.DataFrame({"s": [0.5, score]})
    with pytest.raises(pf.FairnessError, match=r"^score: 's' has infinite values, which have no"):
        pf.cells(frame, score="s", resolution=resolution)


@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt64])
def test_whole_scores_that_are_one_float_are_refused(dtype: Any) -> None:
    numbers = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, None, 2**63 - 1]
    rows = pl.DataFrame(
        {"sex": ["F", "M"] * 3, "s": pl.Series(numbers, dtype=dtype), "y": [1, 0] * 3}
    )
    expected = r"^score: 3 values of 's' are whole numbers beyond 2\^53, where .* their ranks$"
    for ask in (pf.cells, pf.rates, pf.cutoffs_by_group):
        with pytest.raises(pf.FairnessError, match=expected):
            ask(rows, facet="sex", score="s", label="y", nulls="drop")
    # These are floats of their own.
    few = rows[[0, 2, 4]]
    counted = pf.cells(few, facet="sex", score="s", label="y", nulls="drop")
    assert counted["s"].drop_nulls().to_list() == [2.0**53, 2.0**53 + 2]


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
