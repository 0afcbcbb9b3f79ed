"""The page about pay: its notes and years; and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.answer_tables import chance_of_gaps
from polars_fairness.reporting.words import PERCENT
from tests.conftest import Run
from tests.pay.test_table import PEOPLE, QUESTION, STEPS

pytestmark = pytest.mark.extras

YEARS: Final = pl.concat([PEOPLE.with_columns(year=year) for year in range(2020, 2027)])

_ALONE: Final = dict.fromkeys(("basic", "variable", "category"))


def paragraphs(frame: pl.DataFrame, **more: Any) -> list[str]:
    return pf.pay.report(frame, **{**QUESTION, **more}).to_markdown().split("\n\n")


def test_notes_of_numbers_are_in_the_appendix() -> None:
    written = paragraphs(PEOPLE, favored="F")
    [notes] = [each for each in written if each.startswith("Notes on numbers: ")]
    assert "variable: the median of F is 0, so the gap is undefined" in notes
    assert "fewer than 5 workers on a side" in notes


def test_many_years_leave_the_last_ones_first() -> None:
    found = paragraphs(YEARS, by="year")
    named = [each for each in found if each.startswith("By sex, year")]
    assert [each[8:17] for each in named] == [f"year {year}" for year in range(2023, 2027)]
    assert "## Appendix: earlier windows" in found


def test_the_command_prints_the_table_and_writes_the_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_parquet("people.parquet")
    words = ["--facet", "sex", "--favored", "M", "--pay", "pay", "--variable", "bonus"]
    code, out, err = run("pay", "people.parquet", *words, "--html", "pay.html")
    assert (code, err) == (0, "")
    assert "(a) mean gap, total" in out
    assert "Highest quarter" in Path("pay.html").read_text("utf-8")
    code, out, _ = run("pay", "people.parquet", *words, "--rule", "uk", "--format", "json")
    assert code == 0
    points = [row["point"] for row in json.loads(out)]
    assert points == [*"abcdee", *"f" * 8]


def test_the_page_says_how_strong_something_not_measured_would_have_to_be() -> None:
    """One sentence for each form, with the number of its row; none without controls."""
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "pay": "total_pay"}
    question |= {"hours": "hours", "controls": "grade"}
    page = pf.pay.report(pf.datasets.salaries(), **question)
    adjusted = page.answers["table"].filter(measure="adjusted_gap")
    text = page.to_markdown()
    for times in adjusted["unmeasured_times"]:
        said = f"a gap of 0{PERCENT}, it would have to explain about {times:.1f} times as much"
        assert text.count(f"bring this to {said} of sex, and of pay, as grade does.") == 1
        assert f"| {times:.1f} × grade |" in text
    without = pf.pay.report(pf.datasets.salaries(), **{**question, "controls": None})
    assert "confounder" not in without.to_markdown()


def test_a_number_of_people_in_part_stands_beside_its_share() -> None:
    table = [row for row in paragraphs(STEPS, **_ALONE) if "Highest quarter" in row]
    assert "0.5 of 6" in table[0]
    assert "3.5 of 6" in table[0]
    assert "0 of 6" not in table[0]


def test_a_count_of_gaps_is_of_those_that_have_an_interval() -> None:
    """Of four gaps one interval holds 0, and one gap has no interval."""
    ends = [(-0.1, 0.3), (0.1, 0.3), (None, None), (0.2, 0.4)]
    rows = [{"is_five_percent_or_more": True, "lower": low, "upper": up} for low, up in ends]
    [said] = chance_of_gaps(rows)
    assert said.startswith("Of the 3 gaps of 5 % or more that have an interval, 1 could be")


def test_a_page_of_few_people_says_that_they_are_few() -> None:
    text = pf.pay.report(STEPS.tail(13), facet="sex", favored="M", pay="pay").to_markdown()
    assert (
        "the mean annual pay of F is not compared with that of M, since there are too few workers"
        in text
    )


def test_a_page_of_an_intersection_says_what_a_column_of_it_says() -> None:
    both = pl.struct("sex", pl.col("sex").alias("same")).alias("sex")
    asked = QUESTION | dict.fromkeys(("category", "basic", "hours"))
    shown = pf.pay.report(PEOPLE, **asked).to_markdown().splitlines()
    page = pf.pay.report(PEOPLE, **asked | {"facet": both, "favored": ("M", "M")}).to_markdown()
    assert page.splitlines()[:4] == [
        line.replace("F", "F & F").replace("M", "M & M") for line in shown[:4]
    ]
