"""The page of a bias audit: what the rule has published, and four fifths with significance."""

from __future__ import annotations

import datetime
import re
from importlib import import_module
from itertools import product
from math import prod, sqrt
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from scipy.stats import binom

import polars_fairness as pf
from polars_fairness.hiring.page import HiringReport
from tests.frames import by_outcome
from tests.pages import rows_below as rows

# 34 of 76 women and 50 of 92 men, as in the rule's own example; "Other" is 3 of the 171 people of
# known race, and 5 people are of unknown sex and race.
PEOPLE: Final = by_outcome(
    pl.DataFrame(
        {
            "sex": ["M", "M", "F", "F", None, None],
            "race": ["White", "Black", "White", "Black", "Other", None],
            "n": [60, 32, 40, 36, 3, 5],
            "hired": [40, 10, 20, 14, 1, 2],
        }
    ),
    "hired",
)
ABOUT: Final[dict[str, Any]] = {
    "audit_date": "2026-11-22",
    "data": "All applications of 2025.\n\nFrom the employer's own records.",
    "distribution_date": datetime.date(2026, 1, 31),
}
QUESTION: Final[dict[str, Any]] = {"sex": "sex", "race": "race", "selected": "hired", "count": "n"}
SMALL: Final[dict[str, Any]] = {
    "exclude_below": 0.02,
    "justification": "Three people have no rate to speak of.",
}
SCORED: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "M", "M", "M"],
        "race": ["a", "b", None, "a", "b", "b"],
        "mark": [10, 20, 30, 40, 50, 60],
        "site": ["x", "y"] * 3,
    }
)
BY_SCORE: Final[dict[str, Any]] = {"sex": "sex", "race": "race", "score": "mark"}


def report(frame: Any = PEOPLE, **given: Any) -> HiringReport:
    return pf.hiring.report(frame, **{**QUESTION, **ABOUT, **given})


def sentences(markdown: str) -> list[str]:
    return markdown.split("\n\n")


def test_the_page_has_the_dates_and_the_data() -> None:
    found = sentences(report().to_markdown(model="Screener", author="Auditors LLP"))
    assert found[:6] == [
        "# Impact ratios of hired",
        "Model: Screener · Author: Auditors LLP",
        "Date of the most recent bias audit: 2026-11-22",
        "Distribution date of the tool: 2026-01-31",
        "Source and explanation of the data: All applications of 2025.",
        "From the employer's own records.",
    ]


@pytest.mark.parametrize(
    ("frame", "given", "said"),
    [
        (PEOPLE, {}, "in no row of a table: 8 by sex, 5 by race, 8 by sex &amp; race."),
        (PEOPLE.drop_nulls(), {}, "Applicants of unknown category: 0 in each table."),
        (
            PEOPLE,
            SMALL,
            "Categories that are excluded have less than 2 % of the applicants of their table. "
            "Justification: Three people have no rate to speak of.\n",
        ),
        (
            PEOPLE.with_columns(hired=pl.when(pl.col("n") != 14).then("hired")),
            {"nulls": "drop"},
            "\nApplicants without a known outcome, who are left out: 14.\n",
        ),
        (
            PEOPLE,
            {"test_data": "The tool is new."},
            "how the test data were made and obtained: The tool is new.",
        ),
        (
            PEOPLE,
            {"audit_date": datetime.datetime(2026, 11, 22, 12, 30)},
            "bias audit: 2026-11-22\n",
        ),
        (PEOPLE.clear(), {}, "Nothing to show: the answer has no rows."),
        (PEOPLE.filter(pl.col("sex") == "F"), {}, "fewer than two groups are known, "),
        (
            PEOPLE.with_columns(race=pl.lit(None, pl.String)),
            {},
            "All applicants are of unknown category by race, sex &amp; race.",
        ),
        (PEOPLE.with_columns(hired=False), {}, "Not judged: M."),
        (PEOPLE.head(1), {}, "| M | 40 | 40 | 100.0 % | 1.000 |"),
        (PEOPLE.with_columns(race=pl.int_range(12).cast(pl.String)), {}, "| 11 | "),
    ],
)
def test_a_page_says_what_is_odd(
    frame: pl.DataFrame, given: dict[str, Any], said: str, tmp_path: Path
) -> None:
    page = report(frame, **given)
    assert said in page.to_markdown()
    page.write_html(tmp_path / "page.html")


def test_a_page_says_nothing_of_what_there_is_not() -> None:
    found = report().to_markdown()
    scored = pf.hiring.report(SCORED, **BY_SCORE, **ABOUT, confidence=None).to_markdown()
    assert [word for word in ("are excluded", "Test data", "Scoring rate") if word in found] == []
    assert "Four-fifths" not in scored
    assert "Scoring rate" in scored
    # The median of 10 to 60.
    assert "The median score of all applicants is 35." in sentences(scored)


def test_it_says_how_often_tables_of_equal_rates_have_a_flag() -> None:
    """All tables of 30, 20 and 9 people at the rate 28/59, each with its chance."""
    sizes = {"a": (30, 16), "b": (20, 9), "c": (9, 3)}
    groups = pl.DataFrame(
        [(value, *each) for value, each in sizes.items()], ["race", "n", "hired"], orient="row"
    )
    frame = by_outcome(groups.with_columns(sex=pl.lit("F")), "hired")
    _, _, below = report(frame, confidence=None).to_markdown().partition("## Four-fifths")
    said = re.search("If all 3 groups had the same rate, about ([0-9]+) of 100 tables", below)
    flagged = 0.0
    n = [each for each, _ in sizes.values()]
    for hired in product(*(range(each + 1) for each in n)):
        rates = [k / of for k, of in zip(hired, n, strict=True)]
        top = rates.index(max(rates))
        for i in range(3):
            pooled = (hired[i] + hired[top]) / (n[i] + n[top])
            deviation = sqrt(pooled * (1 - pooled) * (1 / n[i] + 1 / n[top]))
            if rates[i] < 0.8 * rates[top] and rates[top] - rates[i] > 2 * deviation:
                flagged += prod(binom.pmf(k, of, 28 / 59) for k, of in zip(hired, n, strict=True))
                break
    assert said is not None
    assert abs(int(said[1]) - 100 * flagged) < 1.5


def test_a_category_that_is_left_out_is_not_the_highest() -> None:
    """Of the three people of "Other" all are selected."""
    frame = PEOPLE.filter((pl.col("race") != "Other") | pl.col("hired"))
    _, _, below = report(frame, **SMALL).to_markdown().partition("## Four-fifths")
    assert "Groups of less than 2 % of the applicants are compared, and none of them is" in below
    assert "The highest selection rate is that of White, 60.0 % (60 of 100)." in below
    _, _, below = report(frame).to_markdown().partition("## Four-fifths")
    assert "The highest selection rate is that of Other, 100.0 % (1 of 1)." in below


def test_each_group_of_the_tool_has_its_tables() -> None:
    found = pf.hiring.report(SCORED, **BY_SCORE, **ABOUT, by="site").to_markdown()
    first, x, y = found.split("## site ")
    # Only the man of race b with the highest mark is above each median.
    assert rows(first, "The lowest impact ratio of each table") == [
        ["site x", "0.000 (F)", "0.000 (a)", "0.000 (F &amp; a)"],
        ["site y", "0.000 (F)", "0.000 (a)", "0.000 (F &amp; b)"],
    ]
    own = "The median and the highest rates of a section are those of its own applicants."
    assert own in first
    assert x.startswith("x\n")
    assert y.startswith("y\n")
    # The marks are 10, 30, 50 at x, and 20, 40, 60 at y.
    assert "The median score of all applicants is 30." in x
    assert rows(y, "By sex, site y")[0][:4] == ["F", "1", "0", "0.0 %"]
    selected = pf.hiring.report(
        SCORED.with_columns(hired=pl.col("mark") > 30),
        **{**BY_SCORE, "score": None, "selected": "hired", "by": "site"},
        **ABOUT,
    )
    assert "### By sex, site x" in selected.to_markdown()


def test_a_column_called_schema_is_refused_in_the_file(tmp_path: Path) -> None:
    by_schema = pf.hiring.report(
        SCORED.rename({"site": "schema"}), **BY_SCORE, **ABOUT, by="schema"
    )
    with pytest.raises(pf.FairnessError, match=r"^by: in JSON, 'schema' names the schema"):
        by_schema.write_json(tmp_path / "page.json")


def test_every_category_may_be_left_out() -> None:
    people = pl.select(race=pl.int_range(100).cast(pl.String), sex=pl.lit("F"), hired=True)
    found = report(people, count=None, confidence=None, **SMALL).to_markdown()
    assert {row[-1] for row in rows(found, "By race")} == {"excluded"}
    assert "There is nothing to compare: " in found


@pytest.mark.usefixtures("printer")
def test_a_section_is_a_sheet_and_no_sheet_has_the_last_line_alone(tmp_path: Path) -> None:
    """Without a second section the summary is all."""
    path = tmp_path / "page.pdf"
    pf.hiring.report(SCORED, **BY_SCORE, **ABOUT).write_pdf(path)
    pypdf = import_module("pypdf")
    [sheet] = pypdf.PdfReader(path).pages
    assert "Made by polars-fairness" in sheet.extract_text()
    report().write_pdf(path, title="Screener")
    first, second = pypdf.PdfReader(path).pages
    assert "Screener" in first.extract_text()
    assert "Four-fifths with significance" in second.extract_text()
