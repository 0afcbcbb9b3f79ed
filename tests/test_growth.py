"""Long arguments are read at once: no value of a list is converted, or searched, by itself."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.question import facets, outcomes
from polars_fairness.question.columns import Column

COUNT = 2_000
NAMES = [f"g{i}" for i in range(COUNT)]
ROWS = pl.DataFrame(
    {
        "group": NAMES * 2,
        "code": [*range(COUNT)] * 2,
        "sex": ["F"] * COUNT + ["M"] * COUNT,
        "p": [0, 1] * COUNT,
    }
)
QUESTIONS: dict[str, dict[str, Any]] = {
    "sides of text": {"facet": "group", "disfavored": NAMES[::2], "favored": NAMES[1::2]},
    "sides of numbers": {
        "facet": "code",
        "disfavored": [*range(0, COUNT, 2)],
        "favored": [*range(1, COUNT, 2)],
    },
    "positive text": {"facet": "sex", "predicted": "group", "positive": NAMES[1::2]},
    "positive numbers": {"facet": "sex", "predicted": "code", "positive": [*range(1, COUNT, 2)]},
}


def test_columns_are_compared_only_where_their_expressions_read_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []
    is_same = Column.is_same

    def counted(one: Column, other: Column) -> bool:
        compared.append(one.name)
        return is_same(one, other)

    monkeypatch.setattr(Column, "is_same", counted)
    names = [f"f{i}" for i in range(30)]
    frame = pl.DataFrame({name: ["F", "M"] for name in names} | {"p": [0, 1]})
    pf.rates(frame, facet=names, predicted="p")
    assert compared == []
    with pytest.raises(pf.FairnessError, match=r"'w' cannot be both; name another"):
        pf.rates(frame, facet=names, by=pl.col("f7").alias("w"), predicted="p")


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_the_values_of_a_list_are_read_at_once(
    question: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    converted: list[object] = []

    def value_as(value: object, dtype: pl.DataType) -> pl.Series:
        converted.append(value)
        return pl.Series([value], dtype=dtype)

    monkeypatch.setattr(facets, "value_as", value_as)
    monkeypatch.setattr(outcomes, "value_as", value_as)
    answer = pf.metrics(ROWS, "dppl", **{"predicted": "p"} | question)
    assert converted == []
    # By hand: side a has the rows of odd numbers, all accepted; or half of each sex is positive.
    assert answer["dppl"].to_list() == [pytest.approx(1.0 if question["facet"] != "sex" else 0.0)]
