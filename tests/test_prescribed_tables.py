"""The tables of lending and of hiring: the same answers from every form of the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import duckdb
import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, people
from tests.strategies import examples, frames

PEOPLE: Final[dict[str, Any]] = {"sex": "sex", "race": "branch"}
GROUPS: Final[dict[str, Any]] = {"facet": "sex", "favored": "M", "confidence": None}
DECIDED: Final[dict[str, Any]] = {"predicted": "p", "score": "s"}

# Each table, its question, and what cells need to answer it.
TABLES: Final[dict[str, tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "impact ratios": (
        "hiring.impact_ratios",
        {**PEOPLE, "selected": "p", "confidence": None},
        {"facet": ["sex", "branch"], "predicted": "p"},
    ),
    "scoring rates": (
        "hiring.impact_ratios",
        {**PEOPLE, "score": "s", "confidence": None},
        {"facet": ["sex", "branch"], "score": "s"},
    ),
    "four fifths": (
        "hiring.adverse_impact",
        {"facet": ["sex", "branch"], "selected": "p", "confidence": None},
        {"facet": ["sex", "branch"], "predicted": "p"},
    ),
    "groups": (
        "lending.table",
        {**GROUPS, **DECIDED, "deviation": "population", "maximum_points": 5, "minimum_ratio": 0.9},
        {"facet": "sex", **DECIDED},
    ),
    "shares": ("lending.quantiles", {**GROUPS, "score": "s"}, {"facet": "sex", "score": "s"}),
    "segments": (
        "lending.segments",
        {**GROUPS, "predicted": "p", "subgroup": "branch", "p_values": "holm"},
        {"facet": "sex", "predicted": "p", "subgroup": "branch"},
    ),
}
pytestmark = pytest.mark.extras
of_each = pytest.mark.parametrize("name", TABLES)


def function(name: str, package: Any = pf) -> Callable[..., Any]:
    namespace, _, table = TABLES[name][0].partition(".")
    found: Callable[..., Any] = getattr(getattr(package, namespace), table)
    return found


def answer(name: str, rows: Any, **more: Any) -> Any:
    return function(name)(rows, **TABLES[name][1] | more)


def assert_same(left: pl.DataFrame, right: pl.DataFrame) -> None:
    assert_frame_equal(left, right, rel_tol=1e-9, abs_tol=1e-12)


@of_each
@given(frame=frames())
@examples(7)
def test_counted_shuffled_and_lazy_rows_and_cells_are_the_same_rows(
    name: str, frame: pl.DataFrame
) -> None:
    frame = frame.rename({"v": "month"})
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    expected = answer(name, repeated, by="month")
    assert_same(answer(name, frame, by="month", count="k"), expected)
    assert_same(answer(name, repeated.reverse(), by="month"), expected)
    lazy = function(name, fairness(repeated.lazy()))(**TABLES[name][1], by="month")
    assert lazy.collect_schema() == expected.schema
    assert_same(lazy.collect(), expected)
    shards = (repeated[::2], repeated[1::2])
    cells = pl.concat(pf.cells(each, **TABLES[name][2], by="month") for each in shards)
    assert_same(answer(name, cells, by="month", count="n"), expected)


ROWS: Final = (
    people()
    .rename({"score": "s"})
    .with_columns(month=pl.when(pl.col("month") < 2).then("month"))  # the last month is unknown
)


@of_each
def test_each_window_is_as_if_it_were_alone(name: str) -> None:
    # Holm's p-values depend on those of all windows.
    exact = {"p_values": "exact"} if name == "segments" else {}
    by_month = answer(name, ROWS, by="month", **exact)
    for month in (0, 1, None):
        is_it = pl.col("month").eq_missing(pl.lit(month))
        alone = answer(name, ROWS.filter(is_it), **exact)
        assert_frame_equal(by_month.filter(is_it).drop("month"), alone)


@of_each
def test_an_empty_frame_has_the_columns(name: str) -> None:
    empty = answer(name, ROWS.clear(), by="month")
    assert empty.is_empty()
    assert empty.schema == answer(name, ROWS, by="month").schema


@pytest.mark.newest
@of_each
def test_columns_that_are_not_named_are_not_read(name: str) -> None:
    broken = ROWS.lazy().with_columns(y=pl.col("race").cast(pl.Int8))
    assert_frame_equal(answer(name, broken).collect(), answer(name, ROWS))


@of_each
def test_columns_may_have_any_name(name: str) -> None:
    names = {"sex": "^s.*$", "branch": "*", "p": "value", "s": "predicted", "month": "weight"}
    _, question, _ = TABLES[name]

    def renamed(given: Any) -> Any:
        if isinstance(given, list):
            return [names[each] for each in given]
        return names.get(given, given) if isinstance(given, str) else given

    hostile = function(name)(
        ROWS.rename(names), **{key: renamed(given) for key, given in question.items()}, by="weight"
    )
    facets = {"^s.*$": "sex", "*": "branch", "^s.*$ & *": "sex & branch"}
    found = hostile.with_columns(pl.col("facet").replace(facets)).rename({"weight": "month"})
    expected = answer(name, ROWS, by="month")
    keys = [
        key for key in ("month", "facet", "share", "disfavored", "value") if key in found.columns
    ]
    assert_frame_equal(found.sort(keys), expected.sort(keys))


@of_each
def test_an_engine_has_the_same_answers(name: str) -> None:
    relation = duckdb.connect().from_arrow(ROWS.to_arrow())
    assert_frame_equal(answer(name, relation, by="month"), answer(name, ROWS, by="month"))


def test_a_ratio_below_four_fifths_does_not_read_as_four_fifths() -> None:
    rows = pl.DataFrame(
        {"sex": ["F"] * 2500 + ["M"] * 2500, "hired": [1] * 1999 + [0] * 501 + [1] * 2500}
    )
    ratios = pf.hiring.adverse_impact(rows, facet="sex", selected="hired")
    rates = pf.lending.table(rows, facet="sex", favored="M", predicted="hired")
    for answer in (ratios, rates):
        assert " 0.7996 " in str(pf.table(answer))
