"""Every function: what may change about its rows and not in its answer."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import polars as pl
import polars.selectors as cs
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, shared, used
from tests.test_bound_question import CALLS, PEOPLE, marked

HOSTILE: Final = ("^a$", "*", "", "model", "facet.0", "metric.0", "label", "literal", "mass")
NAMES: Final = dict(zip(PEOPLE.columns, HOSTILE, strict=False))
# Rows are no cells, and cells lack the column that the decisions of `switches` are computed from.
WITHOUT_CELLS: Final = (
    *("cells", "compare", "consistency", "fliptest", "intake", "reweighed", "switches"),
)
EVERY: Final = pytest.mark.parametrize("name", [marked(name) for name in CALLS])
# Of an empty frame these two have nothing to judge, which is an error.
OF_NO_ROWS: Final = pytest.mark.parametrize(
    "name", [marked(name) for name in CALLS if name not in ("check", "compare")]
)


@cache
def expected_of(name: str) -> pl.DataFrame:
    found: pl.DataFrame = answer(name, PEOPLE)
    return found


def answer(name: str, frame: Any, **more: Any) -> Any:
    question, by_place, options = CALLS[name]
    return shared(getattr(pf, name), frame, *by_place, **{**question, **options, **more})


@EVERY
def test_a_lazy_frame_has_the_answer_of_its_rows_and_its_schema(name: str) -> None:
    found = answer(name, PEOPLE.lazy())
    expected = expected_of(name)
    if isinstance(found, pl.LazyFrame):
        assert found.collect_schema() == expected.schema
        found = found.collect()
    assert_frame_equal(found, expected, rel_tol=1e-12)


@EVERY
def test_the_namespace_has_the_answer_of_the_function(name: str) -> None:
    question, by_place, options = CALLS[name]
    asked = used(name, by_place, {**question, **options})
    found = getattr(fairness(PEOPLE), name)(*by_place, **asked)
    assert_frame_equal(found, expected_of(name))


@OF_NO_ROWS
def test_a_frame_without_rows_has_the_schema_of_the_answer(name: str) -> None:
    none = answer(name, PEOPLE.clear())
    assert none.schema == expected_of(name).schema
    assert none.height <= 1


@EVERY
def test_neither_the_order_of_rows_nor_their_chunks_change_an_answer(name: str) -> None:
    parts = [PEOPLE.reverse()[:7], PEOPLE.reverse()[7:]]
    found = answer(name, pl.concat(parts, rechunk=False))
    expected = expected_of(name)
    if name == "reweighed":
        found = found.reverse()
    assert_frame_equal(found, expected, rel_tol=1e-12)


@pytest.mark.parametrize(
    "name",
    [marked(name) for name in CALLS if name not in WITHOUT_CELLS],
)
def test_cells_have_the_answer_of_their_rows(name: str) -> None:
    question, _, _ = CALLS[name]
    found = answer(name, pf.cells(PEOPLE, **question), count="n")
    dropped = cs.by_name("rows_dropped", require_all=False)
    assert_frame_equal(found.drop(dropped), expected_of(name).drop(dropped), rel_tol=1e-9)


def renamed(given: Any) -> Any:
    if isinstance(given, list):
        return [renamed(each) for each in given]
    if isinstance(given, str):
        return NAMES.get(given, given)
    return given


@EVERY
def test_columns_may_have_any_name(name: str) -> None:
    question, by_place, options = CALLS[name]
    roles = {
        role: {model: renamed(each) for model, each in given.items()}
        if isinstance(given, dict)
        else renamed(given)
        for role, given in question.items()
    }
    if name == "switches":
        roles["predicted"] = {
            "old": NAMES["p"],
            "new": pl.nth(PEOPLE.columns.index("score")) >= 0.5,
        }
    if "features" in options:
        roles["features"] = renamed(options["features"])
    # Draws begin with the name of their facet.
    undrawn: dict[str, Any] = {"confidence": None} if name in ("check", "bounds", "drivers") else {}
    found = shared(
        getattr(pf, name), PEOPLE.rename(NAMES), *by_place, **{**options, **roles, **undrawn}
    )
    expected = answer(name, PEOPLE, **undrawn)
    numbers = cs.numeric() | cs.boolean()
    assert found.select(numbers).rows() == expected.select(numbers).rows()
