"""The section of a facet: its charts, and a line for every value that is in no table."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure, Section, Sentences, Table
from polars_fairness.reporting.sections.order import document_of
from polars_fairness.terms import a, d
from tests.reporting.test_first_page import of_counts

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def sections(rows: pl.DataFrame, *metrics: str, **more: Any) -> dict[str, Section]:
    report = pf.report(rows, *metrics, **QUESTION | more)
    return {section.title: section for section in document_of(report.findings, {}).sections}


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
    assert (table.caption, table.titles[-1]) == (f"Values {where}", "Groups")


def test_values_without_a_verdict_are_named() -> None:
    """None are accepted: that is no ratio; and a gap, which is 0, has no test."""
    question = {"bands": {"selection_rate_gap": (0, 0.1)}, "rule": "significant"}
    rows = of_counts({"F": (0, 10), "M": (0, 10)})
    found = sections(rows, "di", "selection_rate_gap", **question)
    assert lines(found["By sex"]) == [
        "1 value is undefined, for want of rows or positive outcomes: di.",
        "1 value has no verdict, for want of rows or of a p-value: selection_rate_gap.",
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
            if isinstance(figure, Figure) and "rate by" in figure.caption.lower()
        ]
        assert of_rates == [f"Selection rate by {facet}"]
    # Of 30 groups, 12 and all rows.
    (table,) = (part for part in found["By branch"].parts if isinstance(part, Table))
    assert [row[0].text for row in table.rows] == [*groups[:12], "All rows"]
    assert lines(found["By branch"])[0] == ('Not shown: 18 more groups; detail="full" shows them.')


def values(section: Section) -> list[list[str]]:
    """The metrics and groups of the table of what is outside or uncertain."""
    (table,) = (
        part
        for part in section.parts
        if isinstance(part, Table) and part.caption.startswith("Outside the band or uncertain")
    )
    return [[cell.text for cell in row[:2]] for row in table.rows]


def test_what_is_outside_stands_before_what_is_uncertain() -> None:
    """The worst of each metric, and then the second of each, among those outside."""
    rows = of_counts({"A": (200, 1_000), "B": (430, 1_000), "C": (500, 1_000)})
    question = {"favored": {"sex": "C"}, "confidence": 0.95}
    # 0.4 and 0.86, with a lower bound below 0.8; 0.3 and 0.07, with an upper bound above 0.1.
    assert values(sections(rows, "di", "dppl", **question)["By sex"]) == [
        ["di", "A against C"],
        ["dppl", "A against C"],
        ["di", "B against C"],
        ["dppl", "B against C"],
    ]


def test_a_second_value_outside_stands_before_a_first_that_is_uncertain() -> None:
    """The ratios are 0.4 and 0.5; of the differences, 0.3 is at the edge and 0.25 within."""
    rows = of_counts({"A": (200, 1_000), "B": (250, 1_000), "C": (500, 1_000)})
    question = {"favored": {"sex": "C"}, "confidence": 0.95, "bands": {"dppl": (-0.3, 0.3)}}
    assert values(sections(rows, "dppl", "di", **question)["By sex"]) == [
        ["di", "A against C"],
        ["di", "B against C"],
        ["dppl", "A against C"],
    ]


def test_an_uncertain_metric_has_a_chart() -> None:
    rows = of_counts({"A": (430, 1_000), "B": (430, 1_000), "C": (500, 1_000)})
    found = sections(rows, "di", favored={"sex": "C"}, confidence=0.95)["By sex"]
    figures = [part for part in found.parts if isinstance(part, tuple)]
    drawn = [
        each.caption.split("\n")[0] for part in figures for each in part if isinstance(each, Figure)
    ]
    assert drawn == ["Selection rate by sex", "di, Disparate impact"]


def test_long_tables_of_values_say_what_is_left_out() -> None:
    """Of 18 metrics that are outside, 14 have a row."""
    names = [f"own {i:02}" for i in range(18)]
    difference = a.selection_rate - d.selection_rate
    own = [pf.Metric(name, name, difference, acceptable=(-0.1, 0.1)) for name in names]
    rows = of_counts({"F": (2, 10), "M": (8, 10)})
    report = pf.report(rows, *own, **QUESTION)
    (section,) = (
        each for each in document_of(report.findings, {}).sections if each.title == "By sex"
    )
    assert [metric for metric, _ in values(section)] == names[:14]
    assert lines(section) == [
        "Not shown: 4 more values outside the band or uncertain, 4 of them outside their bands; "
        'detail="full" shows them.'
    ]


def test_groups_without_rates_are_counted_with_what_is_outside() -> None:
    """Of 17 groups that are accepted too rarely beside the first, 12 have a row, as it has."""
    counts = {"first": (10, 10)} | {f"{i:02}": (1 if i < 17 else 10, 10) for i in range(19)}
    found = sections(of_counts(counts), "di", favored={"sex": "first"})["By sex"]
    assert lines(found)[0] == (
        "Not shown: 7 more groups, 5 of the comparisons with them outside a band; "
        'detail="full" shows them.'
    )


@pytest.mark.parametrize(
    ("women", "men", "finding", "has_table"),
    [
        # North: all 10 rejections and none of 10 acceptances are of women. South: the only
        # rejection, and 9 of 19 acceptances. Each is a half of the rows.
        ((0, 9), 10, "north contributes most to cddpl: 0.500 of 0.763, sex: F against M.", True),
        ((5, 5), 5, "", False),
    ],
)
def test_subgroups_have_a_table_unless_all_is_within(
    women: tuple[int, int], men: int, finding: str, has_table: bool
) -> None:
    rows = pl.concat(
        of_counts({"F": (hired, 10), "M": (men, 10)}).with_columns(branch=pl.lit(branch))
        for branch, hired in zip(("north", "south"), women, strict=True)
    )
    bands = {"cddpl": (-0.1, 0.1)}
    section = sections(rows, "cddpl", subgroup="branch", bands=bands)["Subgroups"]
    assert finding in section.finding
    assert any(isinstance(part, Table) for part in section.parts) == has_table
