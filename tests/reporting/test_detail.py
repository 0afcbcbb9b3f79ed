"""What a report shows after its first page: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.parts import Figure, Section, Table
from polars_fairness.reporting.sections.order import sections_of
from polars_fairness.reporting.tables import MOST_ROWS
from polars_fairness.terms import a, d
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions
from tests.reporting.reports import monthly, of_counts

OF_SEX: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}


def unequal() -> pl.DataFrame:
    """F accepted 3,600 of 10,000, M 4,500: di is 0.8, at the edge of its band, dppl is 0.09."""
    return predictions(F=(3_600, 6_400), M=(4_500, 5_500))


def of_groups(how_many: int) -> pl.DataFrame:
    """Group 0 accepts 10 of 100, group 1 accepts 11, and so on."""
    rows = [
        {"sex": f"g{i}", "p": p, "n": n}
        for i in range(how_many)
        for p, n in ((1, 10 + i), (0, 90 - i))
    ]
    return pl.DataFrame(rows)


def section(report: pf.Report, title: str) -> Section:
    (found,) = (each for each in sections_of(report.findings) if each.title == title)
    return found


def titles(report: pf.Report) -> list[str]:
    return [each.title for each in sections_of(report.findings) if each.level == 2]


def tables(*sections: Section) -> list[Table]:
    return [part for each in sections for part in each.parts if isinstance(part, Table)]


def figures(*sections: Section) -> Iterator[Figure]:
    for each in sections:
        for part in each.parts:
            if isinstance(part, tuple):
                yield from (figure for figure in part if isinstance(figure, Figure))


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_findings_come_before_what_a_reader_looks_up() -> None:
    frame = pf.datasets.loans().head(2_000)
    report = pf.report(frame, "di", facet=["sex", "race"], predicted="approved", subgroup="branch")
    assert titles(report) == [
        *("By sex", "By race", "Worst groups", "The rows"),
        *("What is fair", "How values are judged", "The question", "What the metrics mean"),
    ]
    findings = [each.finding for each in sections_of(report.findings)][:2]
    assert all("times as often as" in finding for finding in findings)


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


@pytest.mark.parametrize("detail", ["findings", "full"])
def test_of_many_groups_the_worst_are_shown(detail: Any) -> None:
    report = pf.report(of_groups(40), "di", "dppl", detail=detail, **OF_SEX)
    found = section(report, "By sex")
    rates, *values = tables(found)
    assert all(len(table.rows) <= MOST_ROWS + 1 for table in (rates, *values))
    # Of groups that are compared with everyone else, the first and the last are farthest away.
    assert {"g0", "g39"} <= {row[0] for row in texts(rates)}
    assert "Not shown: 28 more groups" in str(found.parts)
    assert len([*figures(found)]) == 1 + 2
    whole = [table for table in tables(*sections_of(report.findings)) if len(table.rows) > 40]
    assert [table.caption for table in whole] == ["Rates by group"] * (detail == "full")


def test_facets_are_about_the_latest_window() -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired", "by": "month"}
    report = pf.report(monthly(), "dppl", rule="point", **question)
    found = section(report, "By sex, month 2025-02-01")
    rates, values = tables(found)
    # In February no woman is accepted and half of the men; in January half of both.
    assert [row[2] for row in texts(rates)] == ["0.0 %", "50.0 %", "25.0 %"]
    assert [row[:2] for row in texts(values)] == [["dppl", "0.500"]]
    assert "2025-01-01" not in str(found.parts)
    full = pf.report(monthly(), "dppl", **question, detail="full").to_markdown()
    assert "| F | sex | 2025-01-01 | 2 | 50.0 %" in full
    assert "### sex: F against M (month 2025-01-01)" in full


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


def test_no_side_is_called_d_or_a_outside_of_definitions() -> None:
    report = pf.report(predictions(F=(2_000, 8_000), M=(5_000, 5_000)), **OF_SEX)
    for each in sections_of(report.findings):
        if each.title == "What the metrics mean":
            continue
        cells = [cell for table in tables(each) for row in texts(table) for cell in row]
        words = [each.finding, *(part for part in each.parts if isinstance(part, str)), *cells]
        assert not [text for text in words if re.search(r"\b(d|than a|of a|as a)\b", text)]


def test_charts_of_rates_stand_in_the_section_of_their_facet() -> None:
    """Side d and side a are of 15 values each, so that neither is one of the groups."""
    groups = [f"{i:02}" for i in range(30)]
    rows = of_counts({group: (i % 3 + 1, 4) for i, group in enumerate(groups)}, "branch")
    rows = rows.with_columns(sex=pl.Series(["F", "M"] * (rows.height // 2)))
    sides: dict[str, Any] = {
        "disfavored": {"branch": groups[:15]},
        "favored": {"branch": groups[15:]},
    }
    report = pf.report(rows, "di", facet=["branch", "sex"], predicted="hired", **sides)
    for facet in ("branch", "sex"):
        captions = [each.caption for each in figures(section(report, f"By {facet}"))]
        rates = [each for each in captions if "rate by" in each.lower()]
        assert rates == [f"Selection rate by {facet}"]
    # Of 30 groups, 12 and all rows.
    rates_table, *_ = tables(section(report, "By branch"))
    assert [row[0] for row in texts(rates_table)] == [*groups[:12], "All rows"]


def test_an_uncertain_metric_has_a_chart() -> None:
    rows = of_counts({"A": (430, 1_000), "B": (430, 1_000), "C": (500, 1_000)})
    report = pf.report(rows, "di", facet="sex", predicted="hired", favored="C")
    captions = [each.caption.split("\n")[0] for each in figures(section(report, "By sex"))]
    assert captions == ["Selection rate by sex", "di, Disparate impact"]


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
