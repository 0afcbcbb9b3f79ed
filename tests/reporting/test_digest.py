"""The digest of a report's data: the same for the same counts, another for any other row."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.answers.cells import digest_of
from polars_fairness.api.bound import read
from polars_fairness.api.requested import requested

HIRED = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "race": ["b", "w", "b", "w", ""],
        "hired": [0, 1, 1, 1, 0],
        "able": ["yes", "no", "no", "yes", "no"],
        "score": [0.1, 0.5, 0.7, 0.9, 0.3],
        "weight": [0.1, 0.2, 0.3, 0.4, 0.5],
        "years": [2, 1, 4, 3, 9],
    }
)

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired"}

# One row of each column changed, and the question that is about this column.
CHANGES: list[tuple[str, Any, dict[str, Any]]] = [
    ("sex", "M", {}),
    ("hired", 1, {}),
    ("able", "no", {"label": "able", "positive": "yes"}),
    ("able", "maybe", {"label": "able", "positive": "yes"}),
    ("race", "w", {"by": "race"}),
    ("race", "w", {"subgroup": "race"}),
    ("race", "w", {"facet": ["sex", "race"]}),
    ("score", 0.2, {"label": "able", "positive": "yes", "score": "score"}),
    ("score", 0.2, {"label": "able", "positive": "yes", "score": "score", "resolution": 1}),
    ("weight", 0.11, {"weight": "weight"}),
    ("score", 0.2, {"estimated": "score"}),
    ("score", 0.2, {"observed": "score", "estimated": "years", "nulls": "drop"}),
    ("score", 0.2, {"observed": "score", "estimated": "years", "weight": "weight"}),
]


def digest(frame: Any, *metrics: str, **more: Any) -> str:
    bound = read(frame, {**QUESTION, **more})  # type: ignore[typeddict-item]
    return digest_of(bound.rows, requested(metrics, bound.roles)[1])


def test_it_is_the_hash_of_the_counts_as_text() -> None:
    text = "facet,value,predicted,n\nsex,,0,1\nsex,F,0,1\nsex,F,1,1\nsex,M,1,2\n"
    assert digest(HIRED) == sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(("column", "value", "more"), CHANGES)
def test_one_other_row_gives_another(column: str, value: object, more: dict[str, Any]) -> None:
    first = [value, *HIRED[column][1:]]
    changed = HIRED.with_columns(pl.Series(column, first, HIRED.schema[column]))
    assert digest(changed, **more) != digest(HIRED, **more)
    assert digest(HIRED[1:], **more) != digest(HIRED, **more)


@pytest.mark.parametrize("more", [more for _, _, more in CHANGES])
def test_lazy_frames_rows_in_any_order_and_cells_have_the_same(more: dict[str, Any]) -> None:
    whole = digest(HIRED, **more)
    assert digest(HIRED.lazy(), **more) == whole
    assert digest(HIRED.reverse(), **more) == whole
    assert digest(HIRED.with_columns(pl.col(pl.String).cast(pl.Categorical)), **more) == whole
    cells = pf.cells(HIRED, **(QUESTION | more))
    # Cells have True and False in place of the values of an outcome.
    more = {name: given for name, given in more.items() if name != "positive"}
    assert digest(cells, count="n", **more) == whole


def test_what_does_not_change_the_counts_does_not_change_the_digest() -> None:
    reports = [
        pf.report(HIRED, "di", **QUESTION, **more)
        for more in ({}, {"disfavored": "F"}, {"bands": {"di": (0, 2)}, "seed": 3})
    ]
    assert len({report.to_dict(title="T")["data/digest"] for report in reports}) == 1
    assert reports[0].to_markdown().endswith(f": {reports[0].answers.digest}\n")


def test_texts_that_look_alike_differ() -> None:
    alike = [["a,b", "c"], ["a", "b,c"], ['a"', "b"], [None, "b"], ["", "b"], ["null", "b"]]
    frames = [pl.DataFrame({"sex": sex, "hired": [1, 0]}) for sex in alike]
    assert len({digest(frame) for frame in frames}) == len(alike)


@given(st.permutations(range(200)), st.sampled_from([0.0, 0.5, 1e9]))
def test_sums_of_numbers_are_the_same_in_every_order(order: list[int], offset: float) -> None:
    """Also of numbers whose mean is 0, and that are all equal: rounding leaves less than 1e-10."""
    numbers = [0.1 * (i // 2 % 21 - 10) for i in range(200)]
    rows = pl.DataFrame({"sex": ["F", "M"] * 100, "price": numbers}).with_columns(
        pl.col("price") + offset, claim=pl.lit(offset / 3)
    )
    question: dict[str, Any] = {"predicted": None, "estimated": "price", "observed": "claim"}
    assert digest(rows[order], **question) == digest(rows, **question)


@given(st.permutations(range(200)))
def test_sums_of_probabilities_are_the_same_in_every_order(order: list[int]) -> None:
    p = pl.Series([i % 7 / 10 for i in range(200)])
    rows = pl.DataFrame({"price": [*range(200)], "p": p, "q": 1 - p})
    facet = pf.probabilities("sex", {"F": "p", "M": "q"})
    question: dict[str, Any] = {"facet": facet, "predicted": None, "estimated": "price"}
    assert digest(rows[order], **question) == digest(rows, **question)


@given(st.permutations(range(200)))
def test_sums_of_weights_are_the_same_in_every_order(order: list[int]) -> None:
    """Of 200 weights with two decimals, whose sums have up to eight digits."""
    weights = pl.Series("weight", [10_000.01 * (i % 17 + 1) for i in range(200)])
    rows = pl.DataFrame({"sex": ["F", "M"] * 100, "hired": [1, 0, 0, 1] * 50, "weight": weights})
    assert digest(rows[order], weight="weight") == digest(rows, weight="weight")


@pytest.mark.extras
def test_engines_have_the_same() -> None:
    import duckdb

    assert HIRED.height == 5  # DuckDB finds the frame by its name
    more = {"by": "race", "label": "able", "positive": "yes"}
    relation = duckdb.sql("SELECT * FROM HIRED")
    assert digest(relation, weight="weight", **more) == digest(HIRED, weight="weight", **more)
    assert digest(HIRED.to_arrow(), score="score", **more) == digest(HIRED, score="score", **more)
    numbers = {"observed": "score", "estimated": "years"}
    assert digest(relation, **numbers) == digest(HIRED, **numbers)
