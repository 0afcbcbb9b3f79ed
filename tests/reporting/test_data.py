"""The section of data: what `intake` finds in the columns that are given."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.traced import document_of, untraced

QUESTION: Final[dict[str, Any]] = {
    "facet": ["sex", "race"],
    "label": "repaid",
    "predicted": "approved",
}
COLUMNS: Final = ["branch", "income", "age"]


def section_of(report: pf.Report, **given: Any) -> Any:
    """The section of data, None without one."""
    sections = document_of(report, **given).sections
    return next((each for each in sections if each.title == "The data"), None)


def test_a_page_says_what_columns_say_about_groups() -> None:
    loans = pf.datasets.loans()
    report = pf.report(loans, "di", **QUESTION, columns=COLUMNS)
    words = {"groups": {"sex": {"F": "women", "M": "men"}}}
    section = section_of(report, words=words)
    found = pf.intake(loans, facet=["sex", "race"], label="repaid", columns=COLUMNS)
    branch, income = (
        found.filter(check="proxy", facet="sex", column=name).row(0, named=True)
        for name in ("branch", "income")
    )
    each = "; ".join(
        f"{row['column']} {row['value']:.3f}, {row['lower']:.3f} to {row['upper']:.3f}"
        for row in (branch, income)
    )
    [paragraph] = section.paragraphs
    assert paragraph.text.startswith(f"Of 3 columns, 2 distinguish women from men ({each}). ")
    outside = found.filter(pl.col("verdict").is_in(["outside", "uncertain"])).height
    [table] = section.tables
    assert len(table.rows) == outside
    judged = found["verdict"].count()
    assert section.notes[0].startswith(f"{judged - outside} of {judged} numbers are within")
    assert untraced(document_of(report)) == []
    without = pf.report(loans, "di", **QUESTION)
    assert section_of(without) is None
    row = (
        "| columns | branch, income, age | The columns that the section about the data examines. |"
    )
    assert row in report.to_markdown()
    assert "| columns |" not in without.to_markdown()
    with pytest.raises(pf.FairnessError, match="columns: got an empty list"):
        pf.report(loans, "di", **QUESTION, columns=[])


def test_windows_have_a_table_and_a_plan_has_the_section_of_its_rows() -> None:
    loans = pf.datasets.loans()
    given: dict[str, Any] = {**QUESTION, "columns": "branch", "by": "race", "facet": "sex"}
    expected, found = (
        section_of(pf.report(frame, "di", **given)) for frame in (loans, loans.lazy())
    )
    assert expected == found
    assert not expected.paragraphs
    assert len(expected.tables) == 1


def test_limits_are_those_of_the_policy_of_the_report() -> None:
    policy = pf.Policy(name="Data", limits={"proxy": 0.9, "labels": None, "coverage": None})
    report = pf.report(pf.datasets.loans(), "di", **QUESTION, columns=COLUMNS, policy=policy)
    section = section_of(report)
    assert section.tables == ()
    assert "none distinguishes" in section.paragraphs[0].text


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"hide_below": 5}, "columns: would show groups that hide_below= hides"),
        ({"confidence": None}, "confidence: verdicts need bounds"),
        ({"columns": "brunch"}, "columns: no column 'brunch'"),
    ],
)
def test_what_a_section_of_data_does_not_take(more: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {**QUESTION, "columns": COLUMNS} | more
    with pytest.raises(pf.FairnessError, match=says):
        pf.report(pf.datasets.loans(), "di", **given)


def test_of_dates_the_section_is_about_the_last_one() -> None:
    loans = pf.datasets.loans().with_columns(pl.col("decided_on").dt.truncate("1y"))
    given: dict[str, Any] = {**QUESTION, "columns": "branch", "facet": "sex", "by": "decided_on"}
    section = section_of(pf.report(loans, "di", **given))
    last = pf.intake(loans, facet="sex", label="repaid", columns="branch", by="decided_on")
    last = last.filter(pl.col("decided_on") == pl.col("decided_on").max())
    outside = last.filter(pl.col("verdict").is_in(["outside", "uncertain"])).height
    assert [len(table.rows) for table in section.tables] == [outside] * bool(outside)
    assert section_of(pf.report(loans, "di", **{**given, "columns": None})) is None
