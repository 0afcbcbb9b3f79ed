"""What a report shows after its first page: expected numbers are worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure, Section, Table
from polars_fairness.reporting.report import sections_of
from polars_fairness.reporting.sections.values import Value, values_table
from polars_fairness.terms import a, d
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


def tables(*sections: Section) -> list[Table]:
    return [part for each in sections for part in each.parts if isinstance(part, Table)]


def figures(*sections: Section) -> Iterator[Figure]:
    for each in sections:
        for part in each.parts:
            if isinstance(part, tuple):
                yield from (figure for figure in part if isinstance(figure, Figure))


def test_a_page_is_as_long_as_its_findings() -> None:
    """Tables and charts of all metrics, of two facets and both, are few."""
    both = pl.struct("sex", "race").alias("both")
    question: dict[str, Any] = {"facet": ["sex", "race", both], "label": "repaid"}
    question |= {"predicted": "approved", "confidence": None}
    frame = pf.datasets.loans()
    short = sections_of(pf.report(frame, **question).findings)
    assert len(tables(*short)) <= 12
    assert len([*figures(*short)]) <= 24
    assert sum(len(table.rows) for table in tables(*short)) <= 120


def in_words(report: pf.Report) -> str:
    """What a table of values says of the only one."""
    [comparison] = report.findings.comparisons()
    [row] = comparison.table.iter_rows(named=True)
    [shown] = values_table(report.findings, "", [Value(row, comparison)]).rows
    return str(shown["verdict"][1])


@pytest.mark.extras
def test_the_edge_of_a_band_is_the_same_in_verdicts_and_in_words() -> None:
    frame = predictions(F=(3, 7), M=(4, 6))
    # 0.1 lies outside the band by 5e-10, far above rounding errors.
    question: dict[str, Any] = {"bands": {"dppl": (-0.1, 0.1 - 5e-10)}, **F_AGAINST_M}
    report = pf.report(frame, "dppl", rule="significant", **question)
    assert in_words(report) == "within"
    # A thousand million times 0.4 - 0.3 is 100000000.00000003 in floats.
    per_billion = pf.Metric("per_billion", "Parts", (a.selection_rate - d.selection_rate) * 1e9)
    question["bands"] = {"per_billion": (-1e8, 1e8)}
    assert in_words(pf.report(frame, per_billion, rule="point", **question)) == "within"
