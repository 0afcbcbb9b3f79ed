"""Errors speak of the arguments of tables about hiring, in the caller's words."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.counting.raising import errors_of_users

APPLICANTS = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "race": ["Asian", "Black", "Asian", None, "Black"],
        "job": ["a", "a", "b", "b", "b"],
        "hired": [True, False, True, True, False],
        "answer": ["yes", "no", "yes", "yes", "no"],
        "hired_or_null": [True, None, True, True, False],
        "points": [10, 20, 30, 40, 50],
        "chance": [0.1, 0.2, 0.3, 0.4, 0.5],
        "chances": [[0.1, 0.9]] * 5,
        "k": [1, 2, 3, 4, 5],
    }
)

RATIOS: dict[str, Any] = {"sex": "sex", "race": "race", "selected": "hired"}
SCORES: dict[str, Any] = {"sex": "sex", "race": "race", "score": "points"}
IMPACT: dict[str, Any] = {"facet": "sex", "selected": "hired"}


def table(frame: Any, question: dict[str, Any]) -> Any:
    is_impact = "facet" in question and "race" not in question
    function: Any = pf.hiring.adverse_impact if is_impact else pf.hiring.impact_ratios
    return function(frame, **question)


def test_cells_of_rounded_scores_have_no_median() -> None:
    cells = pf.cells(APPLICANTS, facet=["sex", "race"], score="points", resolution=20)
    with pytest.raises(pf.FairnessError, match=r"^score: .* were rounded down .* resolution="):
        pf.hiring.impact_ratios(cells, **SCORES, count="n")


@pytest.mark.extras
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sex": pl.col("sex")}, r"^sex: takes columns of a .* by name, got .*; add it to the fra"),
        ({"selected": "hird"}, r"^selected: no column 'hird'; did you mean 'hired'"),
        ({"race": "chance"}, r"^race: 'chance' is Float64, as imputed probabilities are"),
        ({"selected": "k"}, r"^selected: 'k' has values other than 0 and 1"),
    ],
)
def test_errors_about_an_engine_name_the_same_arguments(
    wrong: dict[str, Any], message: str
) -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().from_arrow(APPLICANTS.to_arrow())
    with pytest.raises(pf.FairnessError, match=message):
        table(relation, RATIOS | wrong)


@pytest.mark.parametrize("name", ["", " ", "Unknown", "unknown "])
@pytest.mark.parametrize("column", ["sex", "race"])
def test_a_category_that_is_called_unknown_is_an_error(column: str, name: str) -> None:
    frame = APPLICANTS.with_columns(pl.col(column).fill_null(name))
    message = (
        f"{column}: {column!r} is {name!r} for 1 of the people, which would be a category of its "
        f"own; give unknown=[{name!r}], or make it null"
    )
    for question in (RATIOS, SCORES, RATIOS | {"by": "job"}):
        with pytest.raises(pf.FairnessError, match=f"^{re.escape(message)}$"), errors_of_users():
            pf.hiring.impact_ratios(frame.lazy(), **question).collect()
    with pytest.raises(pf.FairnessError, match=rf"^facet: '{column}' is .* give unknown="):
        pf.hiring.adverse_impact(frame, **{**IMPACT, "facet": ["sex", "race"]})


def test_unknown_codes_may_be_numbers_and_columns_may_be_called_like_patterns() -> None:
    codes = {"F": 1, "M": 2}
    frame = APPLICANTS.with_columns(pl.col("sex").replace_strict(codes, default=9))
    found = pf.hiring.impact_ratios(frame.rename({"sex": "*"}), unknown=9, **{**RATIOS, "sex": "*"})
    known = APPLICANTS.with_columns(pl.col("sex").replace_strict(codes, default=None))
    expected = pf.hiring.impact_ratios(known, **RATIOS)
    numbers = ["value", "n", "rate", "n_unknown", "impact_ratio"]
    assert found[numbers].sort("value", "n").equals(expected[numbers].sort("value", "n"))
