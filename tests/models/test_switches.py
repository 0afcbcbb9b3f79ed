"""`switches`: the rows whose decision another model changes, in each group."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.plans import scans_of
from tests.strategies import examples

# Kept accepted, newly accepted, newly rejected, kept rejected: F 1, 2, 0, 1; M 1, 0, 1, 1; unknown
# 0, 1, 0, 0.
ROWS = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "F", "M", "M", "M", None],
        "old": [True, False, False, False, True, True, False, False],
        "new": [True, True, True, False, True, False, False, True],
        "w": [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0],
        "k": [1, 2, 3, 4, 5, 6, 7, 8],
    }
)
QUESTION: dict[str, Any] = {
    "facet": "sex",
    "predicted": {"old": "old", "new": "new"},
    "champion": "old",
}
COUNTS = ("n", "kept_accepted", "newly_accepted", "newly_rejected", "kept_rejected")


def test_switches_by_hand() -> None:
    answer = pf.switches(ROWS, **QUESTION)
    assert answer.columns == [
        *("model", "facet", "value", *COUNTS, "change_in_rate", "mcnemar_p_value"),
    ]
    # Of 2 switched rows 2 one way: 2 * 1/4. Of 4 switched rows 3: 2 * (1 + 4)/16.
    assert answer.rows() == [
        ("new", "sex", "F", 4, 1, 2, 0, 1, 2 / 4, 1 / 2),
        ("new", "sex", "M", 3, 1, 0, 1, 1, -1 / 3, 1.0),
        ("new", "sex", None, 1, 0, 1, 0, 0, 1.0, 1.0),
        ("new", "(all)", None, 8, 2, 3, 1, 2, 2 / 8, 10 / 16),
    ]


def test_rows_that_are_not_complete_are_in_no_count() -> None:
    holes = pl.concat(
        [
            ROWS,
            pl.DataFrame(
                {"sex": ["F", "X"], "old": [None, True], "new": [True, None]}
            ).with_columns(w=1.0, k=pl.lit(1, pl.Int64)),
        ]
    )
    answer = pf.switches(holes, **QUESTION, nulls="drop")
    known = pf.switches(ROWS, **QUESTION)
    # X has rows, and each of them is dropped.
    assert answer.filter(pl.col("value").ne_missing("X")).equals(known)
    assert answer.filter(value="X").row(0)[3:] == (0, 0, 0, 0, 0, None, 1.0)
    zeros = pf.switches(holes, **QUESTION, nulls="drop", zero_division=0)
    assert zeros.filter(value="X")["change_in_rate"].item() == 0


def test_models_and_champion_are_counted_in_one_scan() -> None:
    assert scans_of(pf.switches(ROWS.lazy(), **QUESTION)) == 1


@examples(50)
@given(st.lists(st.tuples(*[st.sampled_from(["F", "M", None]), *[st.booleans()] * 3]), max_size=30))
def test_switches_follow_from_the_rows(drawn: list[tuple[Any, ...]]) -> None:
    frame = pl.DataFrame(
        drawn, {"sex": pl.String, **dict.fromkeys("abc", pl.Boolean)}, orient="row"
    )
    models = {"a": "a", "b": "b", "c": "c"}
    answer = pf.switches(frame, facet="sex", predicted=models, champion="a")
    expected = []
    groups = sorted({row[0] for row in drawn}, key=lambda sex: (sex is None, sex))
    for model, place in (("b", 2), ("c", 3)):
        for facet, value in (*(("sex", group) for group in groups), ("(all)", None)):
            own = [row for row in drawn if facet == "(all)" or row[0] == value]
            kinds = [(True, True), (False, True), (True, False), (False, False)]
            counts = [sum((row[1], row[place]) == kind for row in own) for kind in kinds]
            if own:
                expected.append((model, facet, value, len(own), *counts))
    assert answer.select("model", "facet", "value", *COUNTS).rows() == expected
