"""Long arguments and many groups cost what they need: each value and each group is made once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting import polars_rows
from polars_fairness.values import intersections
from tests.frames import shared

# Each of 64 people has other values of six attributes: k attributes define 2**k groups.
PEOPLE = pl.DataFrame([*product((0, 1), repeat=6)], schema=[*"abcdef"], orient="row").with_columns(
    p=pl.col("a"), month=pl.col("f")
)
JOINTLY: dict[str, Any] = {"facet": [*"abcdef"], "predicted": "p"}


def groups_of_depths(depths: int) -> int:
    return sum(comb(6, depth) * 2**depth for depth in range(1, depths + 1))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[pl.DataFrame]:
    """The groups that are made, a table for each combination of attributes."""
    found: list[pl.DataFrame] = []
    rolled_up = intersections.rolled_up

    def watched(*given: Any, **options: Any) -> Iterator[pl.DataFrame]:
        for part in rolled_up(*given, **options):
            found.append(part)
            yield part

    monkeypatch.setattr(intersections, "rolled_up", watched)
    return found


def ranked(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    return pf.worst_groups(frame, "spsf", **JOINTLY, **options)


def in_metrics(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    return pf.metrics(frame, pf.entry("spsf", groups="conjunctions", **options), **JOINTLY)


@pytest.mark.parametrize("ask", [ranked, in_metrics])
def test_too_many_groups_are_refused_before_more_are_made(
    ask: Any, made: list[pl.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    most = groups_of_depths(2)
    monkeypatch.setattr(intersections, "MOST_GROUPS", most)
    for options in ({}, {"depth": 3}, {"minimum_count": 4}):
        made.clear()
        message = r"6 attributes define more than 72 groups; give depth=2, .* at most 72, or raise "
        with pytest.raises(pf.FairnessError, match=f"facet: {message}minimum_count="):
            ask(PEOPLE, **options)
        assert sum(part.height for part in made[:-1]) <= most
    for options in ({"depth": 2}, {"minimum_count": 16}):
        made.clear()
        ask(PEOPLE, **options)
        assert sum(part.height for part in made) == most


def test_groups_of_few_rows_are_not_made(made: list[pl.DataFrame]) -> None:
    uneven = PEOPLE.filter(pl.col("a") + pl.col("b") + pl.col("c") < 3)
    ranked(uneven, minimum_count=5)
    # Groups have 4 people (a, b and d at 1), or 6 (a and d at 1).
    assert min(pl.concat(made, how="diagonal")["rows"]) == 6


def test_a_plan_has_few_aggregates_however_many_groups_are_known_in_probability(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Together and apart, the products of groups are the same; each is written once in a plan."""
    names = [f"p{i}" for i in range(12)]
    rows = {
        name: [(7 * row + 3 * i) % 11 / 66 for row in range(40)] for i, name in enumerate(names)
    }
    frame = pl.DataFrame(rows | {"p": [row % 3 == 0 for row in range(40)]}).lazy()
    race = pf.probabilities("race", {name: name for name in names})
    answers, plans = [], []
    for most in (1_000, 10):
        monkeypatch.setattr(polars_rows, "_MOST_APART", most)
        answer = pf.rates(frame, facet=race, predicted="p")
        plans.append(answer.explain(optimized=False))
        answers += [answer.collect(engine=engine) for engine in ("streaming", "in-memory")]
    assert ["UNNEST by:[together" in plan for plan in plans] == [False, True]
    # In its total and in checks, and as a factor: not once for every other group.
    assert all(plan.count('col("p11")') <= 8 for plan in plans)
    for other in answers[1:]:
        assert_frame_equal(other, answers[0])


@pytest.mark.parametrize("sides", [{}, {"disfavored": "F"}, {"favored": pf.HIGHEST}])
def test_a_plan_grows_in_proportion_to_its_facets(sides: dict[str, Any]) -> None:
    """With a choice for each facet in each row, and hints of all others, 800 facets took 20 s."""

    def plan(function: Any, count: int) -> pl.LazyFrame:
        names = [f"f{i}" for i in range(count)]
        rows = pl.LazyFrame({name: ["F", "M", "F"] for name in names} | {"p": [0, 1, 1]})
        answer: pl.LazyFrame = function(rows, "di", facet=names, predicted="p", **sides)
        return answer

    few, many = plan(pf.metrics, 20), plan(pf.metrics, 40)
    assert {*few.collect()["di"]} == {0.5}  # half of F and all of M
    choices = [each.explain(optimized=False).count("when") for each in (few, many)]
    assert choices[1] < 2.2 * choices[0]
    assert plan(pf.audit, 80).explain(optimized=False).count("AGGREGATE") == 80


def test_an_audit_of_very_many_groups_says_what_to_ask() -> None:
    """Of 100,000 groups it did not end in a minute, and their values take a second."""
    groups = pl.int_range(35_000, eager=True).cast(pl.String).rename("g")
    rows = pl.concat([groups.to_frame()] * 2).with_columns(p=pl.int_range(pl.len()) % 3 == 0)
    question: dict[str, Any] = {"facet": "g", "predicted": "p"}
    refused = r"^confidence: 35,000 comparisons .* at most 30,000 .*; give confidence=None"
    with pytest.raises(pf.FairnessError, match=refused):
        pf.audit(rows, "di", **question)
    assert pf.audit(rows, "di", confidence=None, **question).height == 35_000
    assert pf.worst_groups(rows, "spsf", **question).height == 35_000


@pytest.mark.parametrize("argument", ["favored", "disfavored", "positive"])
def test_a_plan_is_the_same_however_many_values_are_listed(argument: str) -> None:
    """With an expression for each of 40,000 values, a call did not end within two minutes."""

    def plan(count: int) -> str:
        values = [f"v{i}" for i in range(count)]
        rows = pl.LazyFrame({"g": values, "y": values, "p": [0, 1] * (count // 2)})
        question: dict[str, Any] = {"facet": "g", "label": "y", "predicted": "p"}
        question |= {"positive": {"y": ["v1"]}}
        if argument == "positive":
            question |= {"positive": {"y": values[1:]}, "disfavored": "v1"}
        else:
            question |= {argument: values[1:]}
        answer: pl.LazyFrame = shared(pf.metrics, rows, "di", **question)
        return answer.explain(optimized=False)

    few, many = (each.count("when") + each.count("list.") for each in map(plan, (20, 200)))
    assert few == many
