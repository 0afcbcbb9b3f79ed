"""Odds ratios inside segments, their tests and intervals, by statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

import polars_fairness as pf
from tests.reference.strata import conditional_p
from tests.strategies import examples
from tests.test_breslow_day import QUESTION, Table, decisions

NOTHING: dict[str, Any] = dict.fromkeys(
    ["cmh", "p_value", "breslow_day", "breslow_day_p_value", "mh_odds_ratio", "lower", "upper"]
)


def found(tables: list[Table]) -> dict[str, Any]:
    sides = pl.Enum(["a", "d"])  # a side without rows is a side
    frame = decisions(tables).cast({"side": sides})
    return pf.lending.segments(frame, **QUESTION, count="n").row(0, named=True)


def theirs(informative: list[Table]) -> dict[str, Any]:
    by_cell = np.array(informative, dtype=float).reshape(-1, 2, 2).transpose(1, 2, 0)
    tables = StratifiedTable(by_cell)
    common = tables.oddsratio_pooled
    tested = tables.test_null_odds(correction=False)
    lower, upper = tables.oddsratio_pooled_confint()
    numbers = {
        "cmh": np.sqrt(tested.statistic) * (1 if common < 1 else -1),
        "p_value": conditional_p(informative) if sum(map(sum, informative)) <= 100 else None,
        "mh_odds_ratio": common,
        "lower": lower,
        "upper": upper,
    }
    if len(informative) > 1:
        alike = tables.test_equal_odds(adjust=False)
        numbers |= {"breslow_day": alike.statistic, "breslow_day_p_value": alike.pvalue}
    return numbers


@example([(25, 35, 60, 40), (8, 70, 30, 90), (9, 2, 5, 5)])
@example([(9, 1, 5, 5), (0, 4, 3, 3), (2, 2, 4, 0)])  # outcomes that one side lacks
@example([(0, 0, 0, 1)])  # no row of d
@example([(9, 1, 2, 9), (8, 1, 2, 9), (5, 5, 0, 0), (5, 0, 3, 0), (0, 0, 0, 0)])  # uninformative
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=5))
@examples(30)
def test_segments_agree(tables: list[Table]) -> None:
    agree(tables)


@example([(1, 1, 1, 9), (8, 1, 2, 9), (5, 5, 0, 1)])
@given(st.lists(st.tuples(*[st.integers(1, 9)] * 4), min_size=2, max_size=5))
@examples(15)
def test_segments_of_many_rows_agree(tables: list[Table]) -> None:
    """These have a p-value of Breslow and Day."""
    many = [(20 * a, 20 * b, 20 * c, 20 * d) for a, b, c, d in tables]
    assert found(many)["breslow_day_p_value"] is not None
    agree(many)


def agree(tables: list[Table]) -> None:
    assume(any(map(sum, tables)))
    row = found(tables)
    informative = [
        table
        for table in tables
        if 0 not in (sum(table[:2]), sum(table[2:]), table[0] + table[2], table[1] + table[3])
    ]
    without_a_side = 0 in (sum(t[0] + t[1] for t in tables), sum(t[2] + t[3] for t in tables))
    assert row["segments"] == (None if without_a_side else len(informative))
    if not informative:
        assert {name: row[name] for name in NOTHING} == NOTHING
        return
    agreeing, opposing = (
        sum(table[i] * table[j] for table in informative) for i, j in ((0, 3), (1, 2))
    )
    # Where a sum is 0 they have no bounds, and where the odds ratio is 1 they divide 0 by 0.
    assume(agreeing and opposing and abs(row["mh_odds_ratio"] - 1) > 1e-9)
    numbers = theirs(informative)
    if sum(map(sum, informative)) > 100:  # too many tables to add up
        numbers.pop("p_value")
    if row["breslow_day_p_value"] is None:
        numbers.pop("breslow_day_p_value", None)  # of few rows
    assert (row["breslow_day"] is None) == (len(informative) == 1)
    assert {name: row[name] for name in numbers} == pytest.approx(numbers, rel=1e-8, abs=1e-10)
