"""The example data: totals and figures as published, and made-up data as described."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import count, islice
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.paths import ROOT


def test_berkeley_is_the_published_table() -> None:
    table = pf.datasets.berkeley()
    assert table.columns == ["sex", "department", "admitted", "n"]
    totals = table.group_by("sex", "admitted").agg(pl.col("n").sum()).sort("sex", "admitted")
    assert totals["n"].to_list() == [1278, 557, 1493, 1198]


def test_compas_has_the_error_rates_that_propublica_published() -> None:
    """Table "Prediction Fails Differently" of May 2016, and its counts, at scores of 5 or more."""
    counts = {"African-American": (1369, 805, 532, 990), "Caucasian": (505, 349, 461, 1139)}
    # 805 of 1,795 are 44.847 %, which was printed as 44.85 % and then as 44.9 %.
    percent = {"African-American": (44.9, 28.0), "Caucasian": (23.5, 47.7)}
    question: dict[str, Any] = {"label": "reoffended", "predicted": "score", "threshold": 5}
    rates = pf.rates(pf.datasets.compas(), facet="race", count="n", **question)
    for race in counts:
        found = rates.filter(value=race).row(0, named=True)
        assert tuple(found[name] for name in ("tp", "fp", "fn", "tn")) == counts[race]
        assert (100 * found["fpr"], 100 * found["fnr"]) == pytest.approx(percent[race], abs=0.06)


def test_compas_has_a_row_for_each_combination() -> None:
    compas = pf.datasets.compas()
    cell = ["race", "sex", "age", "charge", "screened", "score", "reoffended"]
    assert compas.columns == [*cell, "n"]
    assert compas.select(cell).is_unique().all()
    assert compas["n"].sum() == 7214
    assert compas["screened"].min() == date(2013, 1, 1)
    assert compas["screened"].max() == date(2014, 12, 1)


def test_fico_has_the_published_numbers_of_people() -> None:
    """Table of sample sizes in the Federal Reserve's report, and repayment in Hardt et al. 2016."""
    fico = pf.datasets.fico()
    assert fico.columns == ["race", "score", "repaid", "weight"]
    assert fico["score"].is_between(0, 100).all()
    rates = pf.rates(fico, facet="race", label="repaid", weight="weight")
    people = dict(zip(rates["value"], rates["n"].round(2), strict=True))
    assert [people[race] for race in FICO] == [133_165, 18_274, 14_702, 7_906]
    assert people[None] == 174_047
    base_rates = dict(zip(rates["value"], rates["base_rate"].round(2), strict=True))
    assert [base_rates[race] for race in FICO] == [0.76, 0.34, 0.57, 0.81]


FICO = ("White", "Black", "Hispanic", "Asian")


def test_german_credit_has_the_totals_of_its_source() -> None:
    """The table of codes by Grömping (2019); the ages are those of her corrections."""
    loans = pf.datasets.german_credit()
    assert loans.height == 1_000
    assert loans["good"].sum() == 700
    for column, numbers in (
        ("checking", {"no account": 274, "below 0 DM": 269, "0 to 199 DM": 63}),
        ("savings", {"none or unknown": 603, "below 100 DM": 103, "1,000 DM or more": 183}),
        ("purpose", {"new car": 103, "used car": 181, "furniture": 280, "business": 12}),
    ):
        found = dict(loans[column].value_counts().rows())
        assert {name: found[name] for name in numbers} == numbers
    # The uncorrected table has 24, 3777 and 50 here.
    corrected = loans.filter(duration=24, amount=3777)
    assert corrected["age"].to_list() == [40]


def test_stops_have_the_totals_of_their_source() -> None:
    stops = pf.datasets.stops()
    cell = ["month", "precinct", "problem", "race", "gender", "searched", "cited"]
    assert stops.columns == [*cell, "n"]
    assert stops.select(cell).is_unique().all()

    def totals(column: str) -> dict[Any, int]:
        return dict(stops.group_by(column).agg(pl.col("n").sum()).iter_rows())

    assert totals("problem") == {"traffic": 26_098, "suspicious": 25_822}
    assert totals("searched") == {False: 38_462, True: 5_237, None: 8_221}
    assert totals("cited") == {False: 15_899, True: 3_211, None: 32_810}
    assert totals("gender") == {"Male": 27_131, "Female": 10_015, "Unknown": 6_492, None: 8_282}
    assert totals("race")["Black"] == 15_220
    assert totals("precinct") == {5: 12_825, 4: 12_273, 3: 9_792, 2: 9_478, 1: 7_552}
    assert set(totals("month")) == {date(2017, month, 1) for month in range(1, 13)}


@pytest.mark.parametrize("name", pf.datasets.__all__)
def test_the_page_of_example_data_has_the_rows_of_each_and_its_source(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "datasets.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if line.startswith(f"| `{name}()` |")]
    table = getattr(pf.datasets, name)()
    what, *sources = lines
    _, _, about, rows, _ = what.split("|")
    assert rows.split()[0] == f"{table.height:,}"
    assert "made up" in about or sources[0].split("|")[2].strip()


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
