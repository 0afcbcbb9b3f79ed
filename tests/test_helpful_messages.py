"""Messages stay short, and name what the caller probably meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.errors import did_you_mean, shown
from tests.frames import fairness, people

PEOPLE = people()
QUESTION: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("F", "'F'"),
        (None, "None"),
        (0.5, "0.5"),
        ([1, 2], "[1, 2]"),
        (pl.Series([1]), "Series"),
        (np.arange(9).reshape(3, 3), "ndarray"),
        (PEOPLE, "DataFrame"),
        (pl.col("sex") == "F", "Expr"),
        (PEOPLE.lazy(), "LazyFrame"),
        (list(range(1_000)), "list"),
        ("x" * 1_000, "str"),
    ],
)
def test_a_long_value_is_shown_by_its_type(value: object, text: str) -> None:
    assert shown(value) == text


ADD = "add its values to the frame as a column, and give the name of that column"


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        (PEOPLE["sex"], "give the name of its column, 'sex'"),
        (PEOPLE["sex"].alias("gender"), ADD),
        (PEOPLE["sex"].to_numpy(), ADD),
    ],
)
@pytest.mark.parametrize("role", ["facet", "predicted", "by", "weight"])
def test_values_in_place_of_a_column_are_recognised(role: str, values: Any, hint: str) -> None:
    with pytest.raises(pf.FairnessError) as caught:
        pf.metrics(PEOPLE, "di", **{**QUESTION, role: values})
    assert str(caught.value) == (
        f"{role}: takes a column name, an expression or a list of these, got "
        f"{type(values).__name__}; {hint}"
    )


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: pf.metrics(PEOPLE, PEOPLE, **QUESTION),  # type: ignore[call-overload]
        "metrics: takes names, Metric objects and lists of these, got DataFrame",
    ),
    (
        lambda: pf.metrics(PEOPLE, fairness(PEOPLE).adverse_impact_ratio, **QUESTION),
        "metrics: takes names, Metric objects and lists of these, got method; give "
        "'adverse_impact_ratio'",
    ),
    (
        lambda: pf.audit(PEOPLE, "di", confidence=95, **QUESTION),
        "confidence: takes a number between 0 and 1, such as 0.95, or None, got 95",
    ),
    (
        lambda: pf.metrics(PEOPLE, "ci", facet="sex", by=3),  # type: ignore[call-overload]
        "by: takes a column name, an expression or a list of these, got 3",
    ),
    (
        lambda: pf.metrics(PEOPLE, "di", disfavored="f", **QUESTION),
        "disfavored: 'f' never occurs in 'sex', which has 'F' and 'M'; did you mean 'F'?",
    ),
    (
        lambda: pf.metrics(PEOPLE, "di", disfavored=pl.col("age") > 40, **QUESTION),
        "disfavored: Expr cannot be a value of 'sex' (String); name a value of that type",
    ),
    (
        lambda: pf.metrics(PEOPLE, "di", favored="highest", **QUESTION),
        "favored: 'highest' never occurs in 'sex', which has 'F' and 'M'; give favored=pf.HIGHEST",
    ),
    (
        lambda: pf.metrics(PEOPLE, "di", disfavored="highest", **QUESTION),
        "disfavored: 'highest' never occurs in 'sex', which has 'F' and 'M'; name one of these",
    ),
    (
        lambda: pf.metrics(PEOPLE, "di", disfavored=["Q", "R"], **QUESTION),
        "disfavored: 'Q' and 'R' never occur in 'sex', which has 'F' and 'M'; name one of these",
    ),
    (
        lambda: fairness(PEOPLE).di(
            facet="sex", predicted="branch", positive=["a", "b"], nulls="drop"
        ),
        "positive: 'a' and 'b' never occur in 'branch', which has 'north' and 'south'; name one "
        "of these",
    ),
    (
        lambda: pf.metrics(pl.DataFrame({"sex": ["F"]}), "ci", facet="gender"),
        "facet: no column 'gender'; there is only 'sex'",
    ),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_message_says_what_was_meant(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError) as caught:
        call()
    assert str(caught.value) == message


def test_a_value_of_many_is_found_by_its_nearest() -> None:
    countries = pl.DataFrame(
        {"country": [f"country {i}" for i in range(49)] + ["Germany"], "p": [1] * 50}
    )
    with pytest.raises(pf.FairnessError, match=r"and 40 more; did you mean 'Germany'\?$"):
        fairness(countries).di(facet="country", disfavored="germny", predicted="p")


def test_names_are_listed_if_none_is_near() -> None:
    assert did_you_mean("zzz", ["sex"]) == "there is only 'sex'"
    assert did_you_mean("zzz", ["sex", "race"]) == "there are 'sex' and 'race'"
    assert did_you_mean("zzz", []) == "there are none"
    assert did_you_mean("zzz", map(str, range(20)), most=2) == "there are '0', '1' and 18 more"
    assert did_you_mean("SEX", ["sex", "race"]) == "did you mean 'sex'?"


APART = "metrics that need no label still count them"


@pytest.mark.parametrize(
    ("missing", "question", "is_said"),
    [
        ({"y"}, QUESTION, True),
        ({"y", "p"}, QUESTION, False),
        ({"p"}, QUESTION, False),
        ({"y"}, {"facet": "sex", "label": "y"}, False),
    ],
)
def test_a_missing_label_is_said_not_to_matter_to_metrics_that_need_none(
    missing: set[str], question: dict[str, Any], *, is_said: bool
) -> None:
    first = pl.int_range(pl.len()) == 0
    gaps = [pl.when(~first).then(name).alias(name) for name in missing]
    with pytest.raises(pf.FairnessError, match="missing values: ") as caught:
        pf.rates(PEOPLE.with_columns(gaps), **question)
    assert (APART in str(caught.value)) is is_said
