"""Positive values: for both outcomes, for each outcome, and values that do not occur."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users
from tests.frames import fairness
from tests.strategies import examples

ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "M", "M", "M"],
        "repaid": ["yes", "no", "yes", "yes", "yes", "no"],
        "denied": ["yes", "no", "yes", "no", "no", "yes"],
    }
)
QUESTION: dict[str, Any] = {"facet": "sex", "label": "repaid", "predicted": "denied"}

words = st.lists(st.sampled_from(["yes", "no", "maybe"]), min_size=4, max_size=12)


def test_each_outcome_has_a_positive_value_of_its_own() -> None:
    positive = {"repaid": "yes", "denied": "no"}
    answer = pf.metrics(ROWS, "dppl", "rd", disfavored="F", positive=positive, **QUESTION)
    # denied is "no" for 1 of 3 women and 2 of 3 men; if repaid, for 0 of 2 women and 2 of 2 men.
    assert answer.select("dppl", "rd").row(0) == (pytest.approx(2 / 3 - 1 / 3), 1.0)


@examples(25)
@given(words, words, st.booleans())
def test_positive_by_column_gives_what_a_boolean_column_gives(
    repaid: list[str], denied: list[str], lazy: bool
) -> None:
    size = min(len(repaid), len(denied))
    rows = pl.DataFrame(
        {
            "sex": (["F", "M"] * size)[:size],
            # Each kind of value occurs, so that naming it is no mistake.
            "repaid": ["yes", "no", *repaid][:size],
            "denied": ["no", "maybe", *denied][:size],
        }
    )
    positive = {"repaid": "yes", "denied": ["no", "maybe"]}
    made = rows.with_columns(repaid=pl.col("repaid") == "yes", denied=pl.col("denied") != "yes")
    frame = rows.lazy() if lazy else rows
    answer = pf.rates(frame, positive=positive, **QUESTION).lazy().collect()
    assert_frame_equal(answer, pf.rates(made, **QUESTION))


def test_an_outcome_left_out_keeps_its_default() -> None:
    rows = ROWS.with_columns(denied=pl.col("denied") == "yes")
    answer = pf.rates(rows, positive={"repaid": "yes"}, **QUESTION)
    assert answer.row(-1, named=True)["selection_rate"] == 3 / 6
    assert_frame_equal(
        pf.rates(rows, positive={"repaid": "yes", "denied": None}, **QUESTION), answer
    )
    opposite = pf.rates(rows, positive={"repaid": "yes", "denied": False}, **QUESTION)
    assert opposite.row(-1, named=True)["tp"] == 6 - 2 - 2  # repaid "yes" and not denied


@pytest.mark.parametrize(
    ("predicted", "positive", "rate"),
    [
        # Each outcome has one of its own values; one list for both cannot say more.
        (pl.Series(["no", "yes"]), ["Yes", "yes"], 0.5),
        # The type says that the value exists.
        (pl.Series(["no", "no"], dtype=pl.Enum(["no", "Yes"])), "Yes", 0.0),
        (pl.Series([0, 0]), ["Yes", 1], 0.0),
        (pl.Series([1, 1]), {"y": "Yes", "p": 0}, 0.0),
        (pl.Series([False, False]), ["Yes", True], 0.0),
    ],
)
def test_a_positive_value_that_its_type_knows_need_not_occur(
    predicted: pl.Series, positive: Any, rate: float
) -> None:
    rows = pl.DataFrame({"y": ["Yes", "No"], "p": predicted})
    answer = pf.rates(rows, label="y", predicted="p", positive=positive)
    assert answer.select("base_rate", "selection_rate").row(0) == (0.5, rate)


@pytest.mark.parametrize(
    ("values", "dtype", "side"),
    [(["F", "M"], pl.Enum(["F", "M", "X"]), "X"), ([True, True], pl.Boolean, False)],
)
@pytest.mark.parametrize("argument", ["disfavored", "favored"])
def test_a_side_that_its_type_knows_has_no_rows(
    values: list[Any], dtype: Any, side: Any, argument: str
) -> None:
    rows = pl.DataFrame({"g": values * 2, "p": [1, 0, 1, 1]}, schema_overrides={"g": dtype})
    answer = pf.metrics(rows, "ci", "dppl", facet="g", predicted="p", **{argument: side})
    empty, others = ("d", "a") if argument == "disfavored" else ("a", "d")
    sizes = {"d": "n_disfavored", "a": "n_favored"}
    assert answer[sizes[empty]].to_list() == [0] * answer.height
    assert answer[sizes[others]].sum() == 4
    assert answer.select("dppl", "ci").null_count().row(0) == (answer.height,) * 2


def test_an_intersection_exists_where_all_its_types_say_so() -> None:
    known, text = pl.Enum(["F", "M", "X"]), pl.Series(["b", "w"])
    rows = pl.DataFrame({"sex": pl.Series(["F", "M"], dtype=known), "race": text, "p": [1, 0]})
    question: dict[str, Any] = {"facet": pl.struct("sex", "race").alias("both"), "predicted": "p"}
    with pytest.raises(pf.FairnessError, match=r"^disfavored: 'X & b' never occurs in 'both'"):
        fairness(rows).ci(disfavored=("X", "b"), **question)
    rows = rows.with_columns(pl.col("race").cast(pl.Enum(["b", "w"])))
    assert fairness(rows).ci(disfavored=("X", "b"), **question)["n_disfavored"].item() == 0


OVER_LABELS = ("tvd", "kl", "js", "lp", "ks", "dpl")


@examples(25)
@given(words, words, st.sampled_from(["text", "numbers"]))
def test_cells_of_a_label_give_what_its_rows_give(
    women: list[str], men: list[str], kind: str
) -> None:
    rows = pl.DataFrame({"sex": ["F"] * len(women) + ["M"] * len(men), "y": women + men})
    rows = pl.concat([rows, pl.DataFrame({"sex": ["F"] * 3, "y": ["yes", "no", "maybe"]})])
    positive: Any = ["yes"]
    if kind == "numbers":
        rows = rows.with_columns(pl.col("y").str.len_chars())
        positive = 3
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y"}
    from_rows = pf.metrics(rows, *OVER_LABELS, positive=positive, **question)
    cells = pf.cells(rows, facet="sex", label="y")
    from_cells = pf.metrics(cells, *OVER_LABELS, positive=positive, count="n", **question)
    assert_frame_equal(from_cells, from_rows, rel_tol=1e-12)
    refused = (
        r"^positive: cells would merge .* of 'y' into False, and kl, js, lp, tvd and ks need "
        r"them apart; leave positive= out for this column here"
    )
    for frame in (rows, rows.lazy()):
        with pytest.raises(pf.FairnessError, match=refused), errors_of_users():
            pf.cells(frame, facet="sex", label="y", positive=positive).lazy().collect()
    # True and False in cells keep two values apart, and can be the label of a question.
    two = rows.filter(pl.col("y") != ("maybe" if kind == "text" else 5))
    kept = pf.cells(two, facet="sex", label="y", positive=positive)
    assert kept.schema["y"] == pl.Boolean
    from_two = pf.metrics(two, *OVER_LABELS, positive=positive, **question)
    assert_frame_equal(
        pf.metrics(kept, *OVER_LABELS, count="n", **question), from_two, rel_tol=1e-12
    )
