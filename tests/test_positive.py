"""Positive values: for both outcomes, for each outcome, and values that do not occur."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.faults import errors_of_users
from tests.strategies import examples

QUESTION: dict[str, Any] = {"facet": "sex", "label": "repaid", "predicted": "denied"}

words = st.lists(st.sampled_from(["yes", "no", "maybe"]), min_size=4, max_size=12)


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


# A column of each kind that polars has, and values that a caller may take for positive.
KINDS: dict[str, pl.Series] = {
    "boolean": pl.Series([True, False]),
    "whole number": pl.Series([1, 0]),
    "decimal": pl.Series([Decimal("1.0"), Decimal("0.0")]),
    "text": pl.Series(["yes", "no"]),
    "category": pl.Series(["yes", "no"], dtype=pl.Categorical),
    "enumeration": pl.Series(["yes", "no"], dtype=pl.Enum(["yes", "no"])),
    "day": pl.Series([date(2026, 1, 1), date(2026, 1, 2)]),
    "moment": pl.Series([datetime(2026, 1, 1), datetime(2026, 1, 2)]),
    "time": pl.Series([time(1), time(2)]),
    "duration": pl.Series([timedelta(1), timedelta(2)]),
    "bytes": pl.Series([b"yes", b"no"]),
    "struct": pl.Series([{"a": 1}, {"a": 2}]),
    "list": pl.Series([[1, 2], [3]]),
    "array": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)),
    "nothing": pl.Series([None, None]),
}
WITHOUT_OUTCOMES = {"duration", "bytes", "struct", "list", "array"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("outcome", ["label", "predicted"])
def test_an_outcome_of_any_type_has_an_answer_or_is_refused(kind: str, outcome: str) -> None:
    values = KINDS[kind]
    rows = pl.DataFrame({"sex": ["F", "M"], "outcome": values})
    refused = set()
    for positive in (1, True, 0.5, "yes", b"yes", None, [1], [{"a": 1}], *values):
        for answer in (pf.rates, pf.metrics, pf.cells):
            asked_of: dict[str, Any] = {outcome: "outcome", "positive": positive}
            try:
                answer(rows, facet="sex", **asked_of)
            except pf.FairnessError as error:
                refused.add("cannot be outcomes" in str(error))
            else:
                refused.add(False)
    assert refused == {kind in WITHOUT_OUTCOMES}


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
