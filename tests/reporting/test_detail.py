"""What a report shows after its first page: expected numbers are worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure, Section, Table
from polars_fairness.reporting.report import sections_of
from polars_fairness.reporting.tables import page_cells
from polars_fairness.terms import a, d
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions

OF_SEX: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}


def unequal() -> pl.DataFrame:
    """F accepted 3,600 of 10,000, M 4,500: di is 0.8, at the edge of its band, dppl is 0.09."""
    return predictions(F=(3_600, 6_400), M=(4_500, 5_500))


def section(report: pf.Report, title: str) -> Section:
    (found,) = (each for each in sections_of(report.findings) if each.title == title)
    return found


def tables(*sections: Section) -> list[Table]:
    return [part for each in sections for part in each.parts if isinstance(part, Table)]


def figures(*sections: Section) -> Iterator[Figure]:
    for each in sections:
        for part in each.parts:
            if isinstance(part, tuple):
                yield from (figure for figure in part if isinstance(figure, Figure))


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in page_cells(table)[1]]


def test_metrics_without_a_band_are_one_line_unless_the_call_names_them() -> None:
    every = pf.report(unequal(), **OF_SEX)
    without = every.findings.audited.filter(pl.col("band_lower").is_null())["metric"].n_unique()
    assert f"{without} metrics have no band, and so no verdict" in every.to_markdown()
    defined = texts(tables(section(every, "What the metrics mean"))[0])
    assert "gei" not in {row[0] for row in defined}
    full = pf.report(unequal(), **OF_SEX, detail="full")
    assert len(texts(tables(section(full, "What the metrics mean"))[0])) == len(defined) + without
    named = pf.report(unequal(), "di", "selection_rate_gap", **OF_SEX)
    captions = [table.caption for table in tables(section(named, "By sex"))]
    assert captions[-1] == "Metrics without a band, sex: all groups"
    assert "no band, and so" not in named.to_markdown()


def test_a_page_is_as_long_as_its_findings() -> None:
    """Tables and charts of all metrics, of two facets and both, are few; in full they are many."""
    both = pl.struct("sex", "race").alias("both")
    question: dict[str, Any] = {"facet": ["sex", "race", both], "label": "repaid"}
    question |= {"predicted": "approved", "confidence": None}
    frame = pf.datasets.loans()
    short = sections_of(pf.report(frame, **question).findings)
    assert len(tables(*short)) <= 12
    assert len([*figures(*short)]) <= 24
    assert sum(len(table.rows) for table in tables(*short)) <= 120
    full = sections_of(pf.report(frame, **question, detail="full").findings)
    assert {each.title for each in short} <= {each.title for each in full}
    assert sum(len(table.rows) for table in tables(*full)) > 500


@pytest.mark.extras
def test_the_edge_of_a_band_is_the_same_in_verdicts_and_in_words() -> None:
    frame = predictions(F=(3, 7), M=(4, 6))
    # 0.1 lies outside the band by 5e-10, far above rounding errors.
    question: dict[str, Any] = {"bands": {"dppl": (-0.1, 0.1 - 5e-10)}, **F_AGAINST_M}
    question["detail"] = "full"
    text = pf.report(frame, "dppl", rule="significant", **question).to_markdown()
    assert "| not significantly outside the band |" in text
    # A thousand million times 0.4 - 0.3 is 100000000.00000003 in floats.
    per_billion = pf.Metric("per_billion", "Parts", (a.selection_rate - d.selection_rate) * 1e9)
    question["bands"] = {"per_billion": (-1e8, 1e8)}
    text = pf.report(frame, per_billion, rule="point", **question).to_markdown()
    assert "| within the band |" in text
