"""The tables of many comparisons: groups as rows, metrics as columns."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf
from polars_fairness.reporting.parts import Section, Sentences, Table
from polars_fairness.reporting.sections.order import document_of
from tests.reporting.test_first_page import of_counts

QUESTION: dict[str, Any] = {"facet": "race", "predicted": "hired", "confidence": None}


def section_of(rows: pl.DataFrame, *metrics: str, **more: Any) -> Section:
    report = pf.report(rows, *metrics, **QUESTION | more)
    (section,) = (
        each for each in document_of(report.findings, {}).sections if each.title == "By race"
    )
    return section


def tables(section: Section) -> list[Table]:
    return [
        part for part in section.parts if isinstance(part, Table) and part.rows[0][0].text == "Band"
    ]


def test_each_group_has_a_row_and_each_metric_a_column() -> None:
    rows = of_counts({"A": (2, 10), "B": (4, 10), "C": (5, 10), "D": (5, 10)}, "race")
    (table,) = tables(section_of(rows, "di", "dppl", favored={"race": "D"}))
    assert table.caption == "di, dppl by race, each group against D"
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Band", "0.8 to 1.25", "−0.1 to 0.1"],
        ["A", "0.400", "0.300"],
        ["B", "0.800", "0.100"],
        ["C", "1.000", "0.000"],
    ]
    assert [row[1].tone for row in table.rows[1:]] == ["outside", "within", "within"]
    assert table.rows[1][1].said == "outside, against A"


def test_a_metric_that_is_within_its_band_for_all_has_no_column() -> None:
    rows = of_counts({"A": (12, 100), "B": (17, 100), "C": (18, 100), "D": (18, 100)}, "race")
    # The differences are 0.06 at most, and the smallest ratio is 12/18.
    (table,) = tables(section_of(rows, "di", "dppl", favored={"race": "D"}))
    assert table.titles == ["Group", "di"]


def test_more_metrics_than_a_page_has_room_for_stand_in_a_second_table() -> None:
    """B differs from D by less than any band, and A by more than each."""
    metrics = ("di", "dppl", "statistical_parity", "success_ratio", "cohens_d", "two_sd", "z_ratio")
    rows = of_counts({"A": (2, 10), "B": (8, 10), "C": (2, 10), "D": (8, 10)}, "race")
    found = tables(section_of(rows, *metrics, favored={"race": "D"}))
    assert [table.titles[1:] for table in found] == [[*metrics[:6]], [*metrics[6:]]]
    for table in found:
        tones = [[cell.tone for cell in row[1:]] for row in table.rows[1:]]
        assert [{*each} for each in tones] == [{"outside"}, {"within"}, {"outside"}]


def test_many_groups_leave_the_worst_and_say_how_many_more() -> None:
    counts = {f"{i:02}": (i, 40) for i in range(1, 41)}
    section = section_of(of_counts(counts, "race"), "di", favored={"race": "40"})
    (table,) = tables(section)
    assert [row[0].text for row in table.rows[1:]] == [f"{i:02}" for i in range(1, 15)]
    *_, notes = (part for part in section.parts if isinstance(part, Sentences))
    # From 15/40 to 31/40 are 17 more groups below 0.8; 32 to 39 are within the band.
    assert notes.sentences[0] == (
        'Not shown: 25 more groups, with 17 values outside their bands; detail="full" shows them.'
    )
