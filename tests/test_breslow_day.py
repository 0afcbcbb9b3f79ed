"""The statistic of Breslow and Day by hand, against R and 60 digits, and its test."""

from __future__ import annotations

from decimal import localcontext
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reference.strata import as_decimal, squared_distance

pytestmark = pytest.mark.extras

Table = tuple[int, int, int, int]
"""Accepted and rejected of d, then of a."""

QUESTION: dict[str, Any] = {
    "facet": "side",
    "disfavored": "d",
    "favored": "a",
    "predicted": "p",
    "subgroup": "branch",
}


def decisions(tables: list[Table]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            (branch, side, p, n)
            for branch, table in enumerate(tables)
            for (side, p), n in zip((("d", 1), ("d", 0), ("a", 1), ("a", 0)), table, strict=True)
        ],
        schema=["branch", "side", "p", "n"],
        orient="row",
    )


def statistic_and_p(tables: list[Table], **more: Any) -> tuple[float | None, float | None]:
    question = {**QUESTION, "p_values": "exact", "count": "n", **more}
    row = pf.audit(decisions(tables), "breslow_day", **question).row(0, named=True)
    return row["value"], row["p_value"]


@pytest.mark.parametrize(
    "tables",
    [
        [(3, 1, 1, 3), (1, 3, 3, 1)],  # two branches of 8 rows
        [(21, 15, 15, 21), (15, 21, 21, 15)] + [(1, 0, 2, 2)] * 10,  # ten more of 5 rows
        [(1, 500, 2, 500), (2, 500, 1, 500), (0, 500, 1, 500)],  # an acceptance in a thousand rows
    ],
)
def test_branches_of_few_rows_have_a_statistic_and_no_test(tables: list[Table]) -> None:
    statistic, p = statistic_and_p(tables)
    assert statistic is not None
    assert p is None


@pytest.mark.parametrize(
    "tables",
    [
        [(10**12, 10**12 - 7, 10**12, 10**12), (10**12, 10**12, 10**12, 10**12 - 9 * 10**6)],
        [(10**9, 1, 10**3, 10), (10**9, 2, 10**3, 3)],
        [(1, 10**9, 10, 10**9), (3, 10**9, 1, 10**9)],
        [(10**9, 1, 1, 10**9), (10**9, 9, 1, 10**9)],
        [(1, 10**9, 10**9, 1), (9, 10**9, 10**9, 1)],
        [(10**6, 10**6 + 1, 10**6, 10**6), (10**6, 10**6 - 1, 10**6, 10**6)],
    ],
)
def test_many_rows_and_extreme_odds_keep_their_digits(tables: list[Table]) -> None:
    agreeing = sum(Fraction(table[0] * table[3], sum(table)) for table in tables)
    opposing = sum(Fraction(table[1] * table[2], sum(table)) for table in tables)
    common = Fraction(agreeing, opposing)
    with localcontext(prec=60):
        distances = []
        for d_yes, d_no, a_yes, a_no in tables:
            margins = d_yes + d_no, d_yes + a_yes, d_yes + d_no + a_yes + a_no
            cells = [*map(Fraction, (d_yes, *margins)), common]
            distances.append(squared_distance(*map(as_decimal, cells)))
    statistic, _ = statistic_and_p(tables)
    assert statistic == pytest.approx(float(sum(distances)), rel=1e-10)


@pytest.mark.parametrize(
    "tables",
    [
        [(3, 1, 1, 3)],  # one branch alone
        [(3, 1, 1, 3), (5, 5, 0, 0), (4, 0, 4, 0)],  # one with information
        [(0, 4, 2, 2), (0, 5, 5, 1)],  # an odds ratio of 0 in both
        [(2, 2, 0, 4), (5, 1, 0, 5)],  # an infinite one in both
    ],
)
def test_without_two_branches_to_compare_it_is_undefined(tables: list[Table]) -> None:
    assert statistic_and_p(tables) == (None, None)
    assert statistic_and_p(tables, zero_division=0.0) == (0.0, None)


def test_a_branch_weighs_as_many_people_as_its_weights_are_worth() -> None:
    """Two rows of weight 1 and 3 are worth 4²/(1 + 9) people: all counts are 0.4 of their sums."""
    pairs = [
        (branch, side, p, w)
        for branch, ones in enumerate([{("d", 1), ("a", 0)}, {("d", 0), ("a", 1)}])
        for side in "da"
        for p in (1, 0)
        for w in (1.0, 3.0) * (3 if (side, p) in ones else 1)
    ]
    frame = pl.DataFrame(pairs, schema=["branch", "side", "p", "w"], orient="row")
    answer = pf.audit(frame, "breslow_day", weight="w", p_values="exact", **QUESTION)
    # The example by hand with 4 in place of each row.
    assert answer["value"].item() == pytest.approx(4.0 * 4 * 0.4, rel=1e-12)
    assert answer["p_value"].item() is None
