"""The example data: totals and figures as published, and made-up data as described."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import count, islice
from typing import Any

import polars as pl

import polars_fairness as pf


def test_berkeley_is_the_published_table() -> None:
    table = pf.datasets.berkeley()
    assert table.columns == ["sex", "department", "admitted", "n"]
    totals = table.group_by("sex", "admitted").agg(pl.col("n").sum()).sort("sex", "admitted")
    assert totals["n"].to_list() == [1278, 557, 1493, 1198]


def loan(row: int) -> dict[str, Any]:
    """Return a loan in plain Python, as the docstring of `loans` describes it."""

    def draw(column: int, below: int) -> int:
        return int(pow(row + 1_000_003 * column, 4, 2**31 - 1) % below)

    decided_on = date(2024, 1, 1) + timedelta(days=row * 731 // 20_000)
    branch = draw(1, 5)
    sex = "F" if draw(2, 100) < 25 + 10 * branch else "M"
    races = [None] * 33 + ["White"] * 42 + ["Black"] * 15 + ["Asian"] * 10
    race = races[draw(3, 100)]
    income = 20_000 + 100 * draw(5, 400) + 3_000 * (4 - branch)
    share = draw(6, 60)
    chance = 550 + (income - 45_000) // 100 - 5 * (share - 30)
    less = 0
    if sex == "F":
        less = (120 if race == "Black" else 40) + (40 if decided_on >= date(2025, 7, 1) else 0)
    score = min(max(chance - less + draw(7, 101) - 50, 0), 1_000)
    return {
        "decided_on": decided_on,
        "branch": ["Centre", "East", "North", "South", "West"][branch],
        "sex": sex,
        "race": race,
        "age": 20 + draw(4, 50),
        "income": income,
        "debt": income * share // 100,
        "score": score / 1_000,
        "approved": score >= 500,
        "repaid": draw(8, 1_000) < chance,
    }


def test_loans_are_made_as_described() -> None:
    loans = pf.datasets.loans()
    assert loans.rows(named=True) == list(islice(map(loan, count()), 20_000))
    assert loans["decided_on"].max() == date(2025, 12, 31)


def test_loans_of_women_are_repaid_as_often_and_approved_less() -> None:
    """Of applicants of one band of income and of debt."""
    loans = pf.datasets.loans().with_columns(
        pl.col("income") // 5_000, (pl.col("debt") * 10 // pl.col("income")).alias("debt")
    )
    question: dict[str, Any] = {"disfavored": "F", "label": "repaid", "predicted": "approved"}
    audit = pf.audit(loans, "cddl", "cddpl", facet="sex", subgroup=["income", "debt"], **question)
    lower = dict(zip(audit["metric"], audit["lower"], strict=True))
    upper = dict(zip(audit["metric"], audit["upper"], strict=True))
    assert lower["cddl"] < 0 < upper["cddl"]
    assert lower["cddpl"] > 0.1
