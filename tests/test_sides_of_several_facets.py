"""One value for several facets: errors say to which facet it belongs."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users

FRAME = pl.DataFrame(
    {
        "sex": ["Female", "Female", "Male", "Male"],
        "race": ["Black", "White", "White", "Asian"],
        "origin": pl.Series(["north", "south", "north", "south"], dtype=pl.Categorical),
        "age": [1, 2, 3, 3],
        "code": [7, 8, 7, 8],
        "born": [date(2000, 1, 1), date(2001, 1, 1), date(2000, 1, 1), date(2001, 1, 1)],
        "old": [True, False, True, False],
        "p": [0, 1, 1, 1],
    }
)

WHEN_IT_RUNS: list[tuple[dict[str, Any], str]] = [
    (
        {"facet": ["sex", "race"], "disfavored": "Female"},
        "disfavored: 'Female' never occurs in 'race', which has 'Asian', 'Black' and 'White'; "
        "give disfavored={'sex': 'Female'}",
    ),
    (
        {"facet": ["sex", "race"], "favored": "White"},
        "favored: 'White' never occurs in 'sex', which has 'Female' and 'Male'; "
        "give favored={'race': 'White'}",
    ),
    (
        {"facet": ["sex", "race"], "disfavored": ["Female", "Black"]},
        "disfavored: 'Black' never occurs in 'sex', which has 'Female' and 'Male'; "
        "give disfavored={'sex': 'Female', 'race': 'Black'}",
    ),
    (
        {"facet": ["sex", "race"], "disfavored": ["Asian", "Black"]},
        "disfavored: 'Asian' and 'Black' never occur in 'sex', which has 'Female' and 'Male'; "
        "give disfavored={'race': ['Asian', 'Black']}",
    ),
    (
        {"facet": ["sex", "race"], "disfavored": {"race": "Female"}},
        "disfavored: 'Female' never occurs in 'race', which has 'Asian', 'Black' and 'White'; "
        "give disfavored={'sex': 'Female'}",
    ),
    (
        {"facet": ["race", "origin"], "disfavored": "north"},
        "disfavored: 'north' never occurs in 'race', which has 'Asian', 'Black' and 'White'; "
        "give disfavored={'origin': 'north'}",
    ),
    (
        {"facet": ["age", "code"], "disfavored": 7},
        "disfavored: '7' never occurs in 'age', which has '1', '2' and '3'; "
        "give disfavored={'code': 7}",
    ),
    (
        {"facet": ["race", pl.struct("sex", "age")], "disfavored": {"race": "Green"}},
        "disfavored: 'Green' never occurs in 'race', which has 'Asian', 'Black' and 'White'; "
        "name one of these",
    ),
    (
        {
            "facet": [pl.struct("race", "age"), pl.struct("sex", "age")],
            "disfavored": [("Female", 1)],
        },
        "disfavored: 'Female & 1' never occurs in 'race & age', which has 'Asian & 3', "
        "'Black & 1', 'White & 2' and 'White & 3'; "
        "give disfavored={'sex & age': ('Female', 1)}",
    ),
    (
        {"facet": ["sex", "race"], "disfavored": "femal"},
        "disfavored: 'femal' never occurs in 'sex', which has 'Female' and 'Male'; "
        "did you mean 'Female' or 'Male'?",
    ),
]


@pytest.mark.parametrize(("question", "message"), WHEN_IT_RUNS, ids=[m for _, m in WHEN_IT_RUNS])
def test_a_value_of_another_facet_is_recognised_when_it_runs(
    question: dict[str, Any], message: str
) -> None:
    for function in (pf.metrics, pf.audit):
        with pytest.raises(pf.FairnessError) as caught:
            function(FRAME, "dppl", predicted="p", **question)
        assert str(caught.value) == message
    planned = pf.metrics(FRAME.lazy(), "dppl", predicted="p", **question)
    with pytest.raises(pf.FairnessError) as caught, errors_of_users():
        planned.collect()
    assert str(caught.value) == message


def test_the_hint_can_be_pasted() -> None:
    for question, message in WHEN_IT_RUNS:
        _, _, hint = message.partition("give disfavored=")
        if hint:
            given = {"facet": question["facet"], "disfavored": eval(hint)}
            assert pf.metrics(FRAME, "dppl", predicted="p", **given).height


AT_THE_CALL: list[tuple[dict[str, Any], str]] = [
    (
        {"facet": ["age", "sex"], "disfavored": "Female"},
        "disfavored: 'Female' cannot be a value of 'age' (Int64); it can be one of 'sex': give "
        "a dictionary, such as disfavored={'sex': 'Female'}",
    ),
    (
        {"facet": ["sex", "born", "race"], "favored": date(2000, 1, 1)},
        "favored: datetime.date(2000, 1, 1) cannot be a value of 'sex' (String); it can be one of "
        "'born': give a dictionary, such as favored={'born': datetime.date(2000, 1, 1)}",
    ),
    (
        {"facet": ["age", "sex", "race"], "disfavored": "Female"},
        "disfavored: 'Female' cannot be a value of 'age' (Int64); it can be one of 'sex' or "
        "'race': give a dictionary, such as disfavored={'sex': 'Female'}",
    ),
    (
        {"facet": ["sex", "age"], "disfavored": {"age": "Female"}},
        "disfavored: 'Female' cannot be a value of 'age' (Int64); it can be one of 'sex': give "
        "a dictionary, such as disfavored={'sex': 'Female'}",
    ),
    (
        {"facet": ["age", pl.struct("sex", "race")], "disfavored": ("Female", "Black")},
        "disfavored: 'Female' cannot be a value of 'age' (Int64); name a value of that type",
    ),
    (
        {"facet": [pl.struct("sex", "race"), "sex"], "disfavored": "Female"},
        "disfavored: 'Female' is not a value of 'sex & race'; give a tuple of its 2 attributes "
        "'sex' and 'race'",
    ),
    (
        {"facet": ["age", "code"], "disfavored": "Female"},
        "disfavored: 'Female' cannot be a value of 'age' (Int64); name a value of that type",
    ),
]


@pytest.mark.parametrize(("question", "message"), AT_THE_CALL, ids=[m for _, m in AT_THE_CALL])
def test_a_value_of_another_type_is_recognised_at_the_call(
    question: dict[str, Any], message: str
) -> None:
    with pytest.raises(pf.FairnessError) as caught:
        pf.metrics(FRAME.lazy(), "dppl", predicted="p", **question)
    assert str(caught.value) == message
