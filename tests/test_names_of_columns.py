"""Columns of any name in any role: inner names, patterns of polars and words of ours are names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.counts import CLUSTER, PARTS
from polars_fairness.counting.polars_rows import ALL_KNOWN, NO_SCORE, OWN, TALLIES
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.probabilities import SQUARES
from polars_fairness.question.windows import MODEL, THRESHOLD
from tests.frames import shared

# Patterns, texts that a language quotes, each argument, and each name that cells give a column.
ODD: Final = ("^c$", "*", "^.*$", "", " ", "é😀", "\"'`", "a.b", "a*b", "\x1f")
OURS: Final = (
    *(argument.name for argument in OF_QUESTION if argument.kind.names_columns),
    *TALLIES,
    *PARTS,
    *(CLUSTER, ALL_KNOWN, NO_SCORE, f"{OWN}s", SQUARES, MODEL, THRESHOLD),
    *("by.0", "facet.0", "subgroup.0", "predicted.0", "observed\x1fvalue"),
    *("code", "mass", "n", "metric", "value", "half", "o_sq", "pb*pw", "literal", "len"),
)
NAMES: Final = tuple(dict.fromkeys((*ODD, *OURS)))


def _rows() -> pl.DataFrame:
    i = pl.int_range(120)
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M"])).gather(i * i % 7 % 2),
        race=pl.lit(pl.Series(["b", "w", "o"])).gather(i // 3 % 3),
        pb=(i * 17 % 80) / 100,
        pw=(i * 29 % 20) / 100,
        s=(i * 7 % 50) / 50,
        branch=i % 5 % 2,
        month=i // 60,
        y=i % 5 < 3,
        p=i * 7 % 11 % 4 < 2,
        q=i * 3 % 7 < 3,
        w=1 + (i % 3) / 2,
        k=1 + i % 3,
        o=i * 3 % 11 / 2,
        e=i * 5 % 13 / 2,
        x=i * 13 % 29,
        z=i % 3,
    )


_RACE: Final = ("Black", "pb"), ("White", "pw")
COUNTED: Final = {"weight": "w", "count": "k"}
SCORED: Final = {"label": "y", "score": "s", "weight": "w"}
DECIDED: Final = {"label": "y", "predicted": "p"}
MODELS: Final = {"one": "p", "other": "q"}
QUESTIONS: Final[dict[str, dict[str, Any]]] = {
    "decisions": DECIDED
    | {"facet": ["sex", "race"], "weight": "w", "subgroup": "branch", "by": "month"},
    "counts of models": COUNTED | {"facet": "sex", "label": "y", "predicted": MODELS},
    "scores": SCORED | {"facet": "sex"},
    "numbers": COUNTED | {"facet": "sex", "observed": "o", "estimated": "e"},
    "probabilities": SCORED | {"facet": _RACE, "count": "k", "by": "month"},
}


def _named(columns: Any, new: Mapping[str, str]) -> Any:
    """The columns of a role, or of all, under their new names."""
    if isinstance(columns, tuple):
        return pf.probabilities("race", {group: new.get(each, each) for group, each in columns})
    if isinstance(columns, list):
        return [_named(each, new) for each in columns]
    if isinstance(columns, dict):
        return {role: _named(each, new) for role, each in columns.items()}
    return new.get(columns, columns)


def _question_of(question: dict[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    cut = {"threshold": 0.5, "resolution": 0.1} if "score" in question else {}
    named: dict[str, Any] = _named(question, new)
    return named | cut


def _columns(columns: Any) -> list[str]:
    if isinstance(columns, str):
        return [columns]
    several = columns.values() if isinstance(columns, dict) else columns
    several = dict(columns).values() if isinstance(columns, tuple) else several
    return [name for each in several for name in _columns(each)]


def _in_duckdb(frame: pl.DataFrame, question: dict[str, Any]) -> pl.DataFrame:
    relation: Any = pytest.importorskip("duckdb").from_arrow(frame.to_arrow())
    answer: pl.DataFrame = pf.metrics(relation, **question)
    return answer


def _in_a_report(frame: pl.DataFrame, question: dict[str, Any]) -> pl.DataFrame:
    """The numbers of a report, whose keys have the names in them; its page is written too."""
    report = pf.report(frame, **{**question, "confidence": None})
    assert report.to_markdown()
    numbers = {key: each for key, each in report.to_dict().items() if isinstance(each, float)}
    metrics = [key.partition("/")[0] for key in numbers]
    return pl.DataFrame({"facet": metrics, "value": [*numbers.values()]}).sort("facet", "value")


WAYS: Final[dict[str, Callable[[pl.DataFrame, dict[str, Any]], pl.DataFrame]]] = {
    "metrics": lambda frame, question: pf.metrics(frame, **question),
    "rates": lambda frame, question: shared(pf.rates, frame, **question),
    "cells and back": lambda frame, question: pf.metrics(
        pf.cells(frame, **question), **{**question, "count": "n"}
    ),
    "audit": lambda frame, question: pf.audit(frame, **{**question, "confidence": None}),
    "DuckDB": _in_duckdb,
    "report": _in_a_report,
}


_IN_ORDER: Final = (pl.String, pl.Int64)


def _found(way: str, question: str, new: dict[str, str]) -> pl.DataFrame:
    """The answer about rows whose columns are renamed, in an order that no name decides."""
    given = _question_of(QUESTIONS[question], new)
    answer = WAYS[way](_rows().rename(new), given)
    old = {name: plain for plain, name in new.items()}
    if isinstance(given["facet"], list):
        old[" & ".join(given["facet"])] = "sex & race"
    answer = answer.drop("note", strict=False)
    if way != "report":  # whose metrics may be called like a column
        answer = answer.with_columns(pl.col("facet").replace(old))
    # By places: polars reads a name such as ^c$ as a pattern.
    order = answer.rename({name: str(place) for place, name in enumerate(answer.columns)})
    order = order.sort(name for name, dtype in order.schema.items() if dtype in _IN_ORDER)
    order.columns = answer.columns
    return order


# A change is tried with two ways of each question and two questions of each way; the night has all.
EACH_WAY: Final = [
    pytest.param(question, way, marks=[pytest.mark.nightly] if (i + j) % 3 else [])
    for i, question in enumerate(QUESTIONS)
    for j, way in enumerate(WAYS)
    # Cells of models have a column of each, and no question about them has these names.
    if (question, way) != ("counts of models", "cells and back")
]


@pytest.mark.extras
@pytest.mark.parametrize(("question", "way"), EACH_WAY)
def test_any_name_in_any_role_gives_what_plain_names_give(question: str, way: str) -> None:
    """All columns have such names at once, and other ones each time."""
    columns, expected, compared = _columns(QUESTIONS[question]), _found(way, question, {}), 0
    for first in range(0, len(NAMES), 6 if way == "rates" else 19):
        names = (NAMES[(first + 5 * i) % len(NAMES)] for i in range(len(columns)))
        new = dict(zip(columns, names, strict=True))
        if way == "DuckDB":  # which gives a column without a name one of its own, and refuses *
            of_duckdb = {"": "no name", "*": "star"}
            new = {column: of_duckdb.get(name, name) for column, name in new.items()}
        try:
            answer = _found(way, question, new)
        except pf.FairnessError as error:
            # The names of an answer are one space: a name that would stand there twice is refused.
            if "the result already has a column" not in str(error):
                raise
            continue
        answer.columns = expected.columns
        try:
            assert_frame_equal(answer, expected)
        except AssertionError as error:
            raise AssertionError(new) from error
        compared += 1
    assert compared >= 3


_OF_SUMS: Final[dict[str, dict[str, Any]]] = {
    "observed_difference": {"facet": "sex", "observed": "o", "weight": "w"},
    "dppl": {"facet": _RACE, "predicted": "p", "weight": "w"},
}


@pytest.mark.parametrize("name", ["^c$", "*", "", "score"])
@pytest.mark.parametrize("metric", _OF_SUMS)
def test_intervals_need_no_column_by_its_place(metric: str, name: str) -> None:
    """They need more sums, and a column found by its place may be the one before."""
    question = _OF_SUMS[metric]
    rows = pl.concat([_rows()] * 3)
    expected = pf.audit(rows, metric, **_question_of(question, {}))
    assert expected["lower"].is_not_null().any()
    for column in ("w", "o" if metric == "observed_difference" else "pw"):
        found = pf.audit(
            rows.rename({column: name}), metric, **_question_of(question, {column: name})
        )
        assert_frame_equal(found.drop("note"), expected.drop("note"))


_EXPRESSIONS: Final[dict[str, dict[str, Any]]] = {
    "dppl": {"predicted": "p", "facet": "sex", **COUNTED},
    "rd": {**DECIDED, "facet": "sex"},
    "auc_difference": {"label": "y", "score": "s", "facet": "sex"},
    "observed_difference": {"observed": "o", "facet": "sex"},
}


@pytest.mark.parametrize("name", [*ODD, *OURS[:8]])
@pytest.mark.parametrize("metric", _EXPRESSIONS)
def test_expressions_read_the_column_of_exactly_this_name(metric: str, name: str) -> None:
    question, ask = _EXPRESSIONS[metric], getattr(pf.expr, metric)
    by_month = _rows().group_by("month", maintain_order=True)
    expected = by_month.agg(ask(**question, disfavored="F"))
    for column in _columns(question):
        rows = _rows().with_columns(c=99, b="p").rename({column: name})
        found = rows.group_by("month", maintain_order=True).agg(
            ask(**_named(question, {column: name}), disfavored="F")
        )
        assert_frame_equal(found, expected)


@pytest.mark.parametrize("name", ["^nope$", "nope"])
def test_an_expression_of_a_column_that_is_not_there_is_an_error(name: str) -> None:
    expression = pf.expr.dppl(name, facet="sex", disfavored="F")
    with pytest.raises(pl.exceptions.PolarsError):
        _rows().select(expression)


def test_a_text_called_like_the_sums_of_cells_is_a_column_of_the_user() -> None:
    rows = _rows().with_columns(weight_sq=pl.lit("a"), score_sum=pl.lit("b"), score_sq=pl.lit("c"))
    question = _question_of(SCORED | {"facet": "sex", "count": "k"}, {})
    assert_frame_equal(pf.metrics(rows, **question), pf.metrics(_rows(), **question))
    assert_frame_equal(
        pf.metrics(rows, **question | {"subgroup": "weight_sq"}),
        pf.metrics(rows.rename({"weight_sq": "g"}), **question | {"subgroup": "g"}),
    )
