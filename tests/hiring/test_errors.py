"""Errors speak of the arguments of tables about hiring, in the caller's words."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import polars.selectors as cs
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

AT_THE_CALL: list[tuple[dict[str, Any], str]] = [
    # a column that is not there
    (RATIOS | {"sex": "sx"}, r"^sex: no column 'sx'; did you mean 'sex'\?"),
    (RATIOS | {"race": pl.col("rac")}, r"^race: no column 'rac'; did you mean 'race'\?"),
    (RATIOS | {"selected": "hird"}, r"^selected: no column 'hird'; did you mean 'hired'"),
    (IMPACT | {"selected": "hird"}, r"^selected: no column 'hird'; did you mean 'hired'"),
    (SCORES | {"score": "point"}, r"^score: no column 'point'; did you mean 'points'"),
    # a column that cannot be read so
    (RATIOS | {"selected": "answer"}, r"^positive: hiring.impact_ratios needs .*'answer' \(String"),
    (IMPACT | {"selected": "answer"}, r"^positive: hiring.adverse_impact needs .*'answer'"),
    (RATIOS | {"selected": "chance"}, r"^selected: 'chance' is Float64, a score; .*positive="),
    (IMPACT | {"selected": "chance"}, r"^selected: 'chance' is Float64, a score; "),
    (RATIOS | {"selected": ["hired", "answer"]}, r"^selected: takes one column, got \['hired', "),
    (RATIOS | {"selected": cs.boolean()}, r"^selected: takes one column, got \['hired', 'hired_"),
    (RATIOS | {"selected": {"a": "hired"}}, r"^selected: takes one column, got a dict.* as by="),
    (SCORES | {"score": {"a": "points"}}, r"^score: takes one column, got a dict.*about one tool"),
    (SCORES | {"score": "answer"}, r"^score: 'answer' is String, not a number"),
    (RATIOS | {"sex": pl.col("points").mean()}, r"^sex: .* gives one value for all rows"),
    (RATIOS | {"count": "answer"}, r"^count: 'answer' is String"),
    (RATIOS | {"selected": "answer", "positive": 1}, r"^positive: 1 cannot be .*'answer' is Str"),
    # imputed race, and sex
    (RATIOS | {"race": "chance"}, r"^race: 'chance' is Float64, as imputed .* is not; name one"),
    (RATIOS | {"race": pl.col("chance").cast(pl.Decimal(9, 3))}, r"^race: .*Decimal.* imputed"),
    (RATIOS | {"race": "chances"}, r"^race: 'chances' is List\(Float64\), as imputed"),
    (RATIOS | {"race": pl.col("chances").list.to_array(2)}, r"^race: .*Array.* imputed"),
    (RATIOS | {"race": pl.struct("chance", "points")}, r"^race: .*Struct.* imputed"),
    (RATIOS | {"race": ["chance", "points"]}, r"^race: got several columns, as imputed"),
    (RATIOS | {"race": {"Black": "chance"}}, r"^race: got several columns, as imputed"),
    (RATIOS | {"sex": "chance"}, r"^sex: 'chance' is Float64, as imputed probabilities are"),
    (RATIOS | {"sex": ("chance", "points")}, r"^sex: got several columns"),
    # one column for two arguments
    (RATIOS | {"race": "sex"}, r"^sex, race: two columns are called 'sex'; name another column"),
    (RATIOS | {"race": pl.col("sex").alias("r")}, r"^sex, race: 'sex' cannot be both"),
    (RATIOS | {"selected": "sex"}, r"^sex, selected: 'sex' cannot be both"),
    (RATIOS | {"by": "race"}, r"^by, race: 'race' cannot be both"),
    (RATIOS | {"selected": "k", "count": "k"}, r"^selected, count: 'k' cannot be both"),
    (SCORES | {"by": "points"}, r"^by, score: 'points' cannot be both"),
    (IMPACT | {"facet": ["sex", "hired"]}, r"^facet, selected: 'hired' cannot be both"),
    # names that the result has
    (RATIOS | {"by": pl.col("job").alias("median")}, r"^by: the result has a column called 'med"),
    (IMPACT | {"by": pl.col("job").alias("two_sd")}, r"^by: the result has a column called 'two_"),
    # which categories are left out
    (RATIOS | {"exclude_below": 0.02}, r"^justification: the rule requires a reason"),
    (RATIOS | {"exclude_below": 0.02, "justification": " "}, r"^justification: the rule requires"),
    (RATIOS | {"exclude_below": 0.02, "justification": 3}, r"^justification: takes a text, got 3"),
    (RATIOS | {"justification": "few"}, r"^justification: .*none are; give exclude_below=0.02"),
    *(
        (RATIOS | {"exclude_below": wrong, "justification": "few"}, r"^exclude_below: takes a sha")
        for wrong in (0.021, 0, -0.01, 2, float("nan"), "0.02", True)
    ),
    # the rest
    (
        RATIOS | SCORES,
        "^selected: the rates follow from selected= or from score=, and both were given",
    ),
    ({"sex": "sex", "race": "race"}, r"^selected, score: .* neither was given"),
    ({"race": "race", "selected": "hired"}, r"^sex: hiring.impact_ratios needs it"),
    ({"facet": "sex"}, r"^selected: hiring.adverse_impact needs it"),
    (SCORES | {"positive": 1}, r"^positive: is for selected="),
    (RATIOS | {"confidence": 95}, r"^confidence: takes a number between 0 and 1"),
    (RATIOS | {"nulls": "keep"}, r"^nulls: takes 'raise' or 'drop'"),
]

REFUSED: list[tuple[dict[str, Any], str, str]] = [
    (RATIOS, "weight", r"counts people one by one, .* give count="),
    (IMPACT, "weight", r"counts people one by one, .* give count="),
    (SCORES, "resolution", r"the median needs the score of each person"),
    (RATIOS, "threshold", r"decisions are given as selected="),
    (RATIOS, "predicted", r"who was selected is given as selected="),
    (RATIOS, "label", r"the tables are about who was selected"),
    (RATIOS, "facet", r"the categories are given as sex= and race="),
    (IMPACT, "sex", r"facets are given as facet="),
    (IMPACT, "score", r"scoring rates are in hiring.impact_ratios"),
    (IMPACT, "favored", r"the one that has the highest rate"),
    (RATIOS, "subgroup", r"give it as by="),
    # names of other tools
    (RATIOS, "sample_weight", r"counts people one by one"),
    (IMPACT, "y_pred", r"who was selected is given as selected="),
    (RATIOS, "group_by", r"it is called by= here"),
    (RATIOS, "selcted", r"did you mean 'selected'"),
]

WHEN_IT_RUNS: list[tuple[dict[str, Any], str]] = [
    (RATIOS | {"selected": "hired_or_null"}, r"^selected: missing values: 'hired_or_null' has 1 "),
    (IMPACT | {"selected": "hired_or_null"}, r"^selected: missing values: 'hired_or_null' has 1 "),
    (RATIOS | {"selected": "k"}, r"^selected: 'k' has values other than 0 and 1: .*positive=$"),
    (IMPACT | {"selected": "answer", "positive": "Yes"}, r"^positive: 'Yes' never occurs in 'ans"),
    (SCORES | {"score": 1 / (pl.col("points") - 10)}, r"^score: .*infinite values"),
    (SCORES | {"score": pl.col("points").replace(10, None)}, r"^score: missing values: .*has 1"),
    (RATIOS | {"count": -pl.col("k")}, r"^count: 'k' has negative values"),
    (RATIOS | {"sex": pl.col("sex").head(2)}, r"^sex: .* has 2 values for 5 rows"),
]


def table(frame: Any, question: dict[str, Any]) -> Any:
    is_impact = "facet" in question and "race" not in question
    function: Any = pf.hiring.adverse_impact if is_impact else pf.hiring.impact_ratios
    return function(frame, **question)


@pytest.mark.parametrize(("question", "message"), AT_THE_CALL)
def test_a_wrong_argument_is_refused_at_the_call(question: dict[str, Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message):
        table(APPLICANTS.lazy(), question)


@pytest.mark.parametrize(("question", "argument", "reason"), REFUSED)
def test_an_argument_of_other_functions_is_refused_with_the_reason(
    question: dict[str, Any], argument: str, reason: str
) -> None:
    function: Any = pf.hiring.adverse_impact if question is IMPACT else pf.hiring.impact_ratios
    with pytest.raises(pf.FairnessError, match=rf"^{argument}: no such argument of .*{reason}"):
        function(APPLICANTS.lazy(), **question, **{argument: "sex"})


@pytest.mark.parametrize(("question", "message"), WHEN_IT_RUNS)
def test_wrong_values_are_refused_when_it_runs(question: dict[str, Any], message: str) -> None:
    lazy = table(APPLICANTS.lazy(), question)
    with pytest.raises(pf.FairnessError, match=message), errors_of_users():
        lazy.collect()


def test_columns_by_place_are_refused_with_an_argument_that_there_is() -> None:
    by_place: Any = pf.hiring.impact_ratios
    with pytest.raises(pf.FairnessError, match=r"columns by name, such as sex='sex'$"):
        by_place(APPLICANTS, "sex", "race")


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
