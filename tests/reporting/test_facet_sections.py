"""The section of a facet: its charts, and a line for every value that is in no table."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure, Section, Sentences, Table
from polars_fairness.reporting.sections.order import document_of
from tests.reporting.reports import of_counts

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


def sections(rows: pl.DataFrame, *metrics: str, **more: Any) -> dict[str, Section]:
    report = pf.report(rows, *metrics, **QUESTION | more)
    return {section.title: section for section in document_of(report.findings, {}).sections}


def lines(section: Section) -> list[str]:
    """The small print of a section."""
    parts = (part for part in section.parts if isinstance(part, Sentences))
    return [sentence for part in parts for sentence in part.sentences]


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


def test_an_uncertain_metric_has_a_chart() -> None:
    rows = of_counts({"A": (430, 1_000), "B": (430, 1_000), "C": (500, 1_000)})
    found = sections(rows, "di", favored={"sex": "C"}, confidence=0.95)["By sex"]
    figures = [part for part in found.parts if isinstance(part, tuple)]
    drawn = [
        each.caption.split("\n")[0] for part in figures for each in part if isinstance(each, Figure)
    ]
    assert drawn == ["Selection rate by sex", "di, Disparate impact"]
