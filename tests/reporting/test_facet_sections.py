"""The section of a facet: its charts, and a line for every value that is in no table."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.document import document_of
from polars_fairness.reporting.parts import Figure, Section, Sentences, Table
from tests.reporting.test_first_page import of_counts

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def sections(rows: pl.DataFrame, *metrics: str, **more: Any) -> dict[str, Section]:
    report = pf.report(rows, *metrics, **QUESTION | more)
    return {section.title: section for section in document_of(report.findings).sections}


def lines(section: Section) -> list[str]:
    """The small print of a section."""
    parts = (part for part in section.parts if isinstance(part, Sentences))
    return [sentence for part in parts for sentence in part.sentences]


@pytest.mark.parametrize(
    ("hired", "metrics", "expected"),
    [
        # 0.8 and 0.2; 1 and 0.
        (8, ["di"], ["The only value is within the band."]),
        (8, ["di", "four_fifths"], ["All 2 values are within the band."]),
        # 0.8 is within 0.8 to 1.25, and 0.2 outside -0.1 to 0.1.
        (8, ["di", "dppl"], ["1 of 2 values is within the band: see “What is fair”."]),
        (2, ["di", "dppl"], []),
    ],
)
def test_values_within_their_bands_are_counted(
    hired: int, metrics: list[str], expected: list[str]
) -> None:
    rows = of_counts({"F": (hired, 10), "M": (10, 10)})
    assert lines(sections(rows, *metrics)["By sex"]) == expected


def test_values_within_their_bands_are_listed_with_their_groups() -> None:
    rows = of_counts({"A": (4, 10), "B": (9, 10), "C": (9, 10), "D": (10, 10)})
    (table,) = sections(rows, "di", "dppl", favored={"sex": "D"})["What is fair"].parts
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["di", "2", "sex against D: B, C"],
        ["dppl", "2", "sex against D: B, C"],
    ]


@pytest.mark.extras
def test_what_is_not_significant_is_not_said_to_be_within() -> None:
    """3/10 over 4/10 is 0.75, and Fisher's exact test gives a p-value of 1."""
    rows = of_counts({"F": (3, 10), "M": (4, 10)})
    found = sections(rows, "di", "dppl", rule="significant")
    where = "within the band or not significantly outside"
    assert lines(found["By sex"]) == [f"All 2 values are {where}."]
    (table,) = found["What is fair"].parts
    assert isinstance(table, Table)
    assert (table.caption, table.heads[-1]) == (f"Values {where}", "Groups")


def test_values_without_a_verdict_are_named() -> None:
    """F alone: its rate has nothing beside it, and it has all rejections and acceptances."""
    found = sections(of_counts({"F": (3, 10)}), "di", "ddpl")
    assert lines(found["By sex"]) == [
        "1 value is undefined, for want of rows or positive outcomes: di.",
        "1 value has no verdict, for want of rows or of a p-value: ddpl.",
    ]
    assert found["What is fair"].parts == ("No value lies within its band.",)


def test_charts_of_rates_stand_in_the_section_of_their_facet() -> None:
    """Side d and side a are of 15 values each, so that neither is one of the groups."""
    groups = [f"{i:02}" for i in range(30)]
    rows = of_counts({group: (i % 3 + 1, 4) for i, group in enumerate(groups)}, "branch")
    rows = rows.with_columns(sex=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("F")))
    rows = rows.with_columns(pl.col("sex").fill_null("M"))
    sides = {"disfavored": {"branch": groups[:15]}, "favored": {"branch": groups[15:]}}
    found = sections(rows, "di", facet=["branch", "sex"], **sides)
    for facet in ("branch", "sex"):
        of_rates = [
            figure.caption
            for part in found[f"By {facet}"].parts
            if isinstance(part, tuple)
            for figure in part
            if isinstance(figure, Figure) and figure.chart == "rates"
        ]
        assert of_rates == [f"Selection rate by {facet}"]
    # Of 30 groups, 12 and all rows.
    (table,) = (part for part in found["By branch"].parts if isinstance(part, Table))
    assert [row[0].text for row in table.rows] == [*groups[:12], "All rows"]
    assert lines(found["By branch"])[0] == ('Not shown: 18 more groups; detail="full" shows them.')
