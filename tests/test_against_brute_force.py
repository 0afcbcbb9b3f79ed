"""Every metric against plain Python, row by row, over random data."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import polars_fairness as pf
from tests import reference
from tests.strategies import EVERY_OUTCOME, FULL, decisions, examples, frames

SIDES: list[tuple[str | list[str] | None, str | list[str] | None]] = [
    ("F", None),
    ("F", "M"),
    (["F", "M"], None),
    (None, "M"),
    (None, None),
]


def as_set(side: str | list[str] | None) -> set[Hashable] | None:
    return {side} if isinstance(side, str) else set(side) if side else None


def test_the_brute_force_knows_every_metric() -> None:
    of_numbers = re.compile("adjusted_(observed|estimate)_")  # of these, tests/test_controls.py
    assert set(reference.NAMES) == {n for n in pf.CATALOGUE if not of_numbers.match(n)}


@pytest.mark.extras
@given(
    frames(least=3),
    st.sampled_from(SIDES),
    st.sampled_from([None, 0.0]),
    st.sampled_from([None, "w", "k"]),
)
@examples(80)
def test_every_metric_has_the_value_of_the_brute_force(
    frame: pl.DataFrame, sides: tuple[Any, Any], zero_division: float | None, weight: str | None
) -> None:
    d, a = sides
    rows = decisions(frame, weight)
    question = {**EVERY_OUTCOME, "zero_division": zero_division, "weight": weight}
    answer = pf.metrics(frame, *pf.CATALOGUE, disfavored=d, favored=a, **question)
    assert answer.height > 0
    for comparison in answer.iter_rows(named=True):
        of_d = as_set(d) or {comparison["disfavored"]}
        is_empty = 0 in (comparison["n_disfavored"], comparison["n_favored"])
        if is_empty and zero_division is not None:
            continue  # Clarify's arithmetic has no value for it: Clarify refuses it.
        for name in reference.NAMES:
            expected = reference.metric(name, rows, of_d, as_set(a), zero_division)
            value = comparison[name]
            assert (value is None) == (expected is None), (name, of_d)
            if expected is not None:
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-12), (name, of_d)


@example(FULL, None, None)
@given(frames(), st.sampled_from([None, 0.0]), st.sampled_from([None, "w", "k"]))
@examples(30)
def test_every_rate_has_the_value_of_the_brute_force(
    frame: pl.DataFrame, zero_division: float | None, weight: str | None
) -> None:
    rows = decisions(frame, weight)
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    answer = pf.rates(frame, weight=weight, zero_division=zero_division, **question)
    assert {*answer["value"]} == {row.facet for row in rows} | {None}
    for group in answer.iter_rows(named=True):
        of_all = group["facet"] == "(all)"
        members = [row for row in rows if of_all or row.facet == group["value"]]
        expected = reference.rates(members, zero_division)
        assert {name: group[name] for name in expected} == {
            name: None if value is None else pytest.approx(value, rel=1e-12)
            for name, value in expected.items()
        }
