"""Contrasts in reports, tables and charts: expected numbers are worked out by hand."""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.marks import Dots, Lines
from polars_fairness.reporting.parts import Figure, Section
from polars_fairness.reporting.sections.order import sections_of
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.layouts import LAYOUTS, layout_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.reports import HOSTILE


def decisions() -> pl.DataFrame:
    """10,000 women and 10,000 men; each model accepts half of each, but `fewer` a quarter of women.

    The model `same` has the column of `now`.
    """
    return pl.DataFrame(
        {
            "sex": ["F"] * 3 + ["M"] * 2,
            "now": [1, 1, 0, 1, 0],
            "fewer": [1, 0, 0, 1, 0],
            "y": [1, 1, 0, 1, 0],
            "n": [2_500, 2_500, 5_000, 5_000, 5_000],
        }
    )


QUESTION: dict[str, Any] = {
    "facet": "sex",
    "predicted": {"fewer": "fewer", "now": "now", "same": pl.col("now").alias("same")},
    "count": "n",
    "replicates": 200,
}


def paired(*metrics: str, **more: Any) -> pf.Report:
    return pf.report(decisions(), *metrics, **(QUESTION | {"champion": "now"} | more))


def monthly() -> pl.DataFrame:
    """Half of the men each month; of 10,000 women half in January, a quarter from February on."""
    months = [date(2025, month, 1) for month in (1, 2, 3)]
    return pl.DataFrame(
        [
            {"month": month, "sex": sex, "hired": hired, "n": n}
            for month, accepted in zip(months, (5_000, 2_500, 2_500), strict=True)
            for sex, positive in (("F", accepted), ("M", 5_000))
            for hired, n in ((1, positive), (0, 10_000 - positive))
        ]
    )


OF_MONTHS: dict[str, Any] = {
    "facet": "sex",
    "predicted": "hired",
    "count": "n",
    "by": "month",
    "replicates": 200,
}


def section(report: pf.Report) -> Section:
    (found,) = (each for each in sections_of(report.findings) if "Compared with" in each.title)
    return found


def figures(answer: pl.DataFrame) -> list[Figure]:
    return figures_of(recognised(answer, FIGURES))


def test_a_chart_of_models_has_differences_around_zero() -> None:
    answer = pf.audit(
        decisions(), "di", "dppl", "accuracy_gap", **QUESTION | {"label": "y"}, champion="now"
    )
    signed, others = figures(answer)
    assert isinstance(signed.chart, Dots)
    # The champion's own rows and the model that differs nowhere are not drawn.
    assert [mark["name"] for mark in signed.chart.marks] == ["di", "dppl"]
    assert signed.caption.startswith("Differences, sex: F against M, model fewer\n")
    di, dppl = signed.chart.marks
    # Half the band of di is log 1.25, half the band of dppl is 0.1; both moved against F.
    assert di["value"] == pytest.approx(log(2) / log(1.25))
    assert dppl["value"] == pytest.approx(2.5)
    assert dppl["lower"] < dppl["value"] < dppl["upper"]
    assert (di["ideal"], dppl["ideal"]) == (0, 0)
    assert (di["Difference"], di["Change"], di["tone"]) == ("−0.500", "worse", "outside")
    assert "values to the right moved against F" in signed.caption
    assert others.chart.marks[0]["value"] is None
    assert "metrics without a band" in others.caption


def test_identical_models_are_drawn_where_there_are_no_others() -> None:
    question = QUESTION | {"predicted": {"now": "now", "same": pl.col("now").alias("same")}}
    (drawn,) = figures(pf.audit(decisions(), "dppl", champion="now", **question))
    assert [mark["name"] for mark in drawn.chart.marks] == ["dppl, model now", "dppl, model same"]
    assert drawn.caption.startswith("Differences, sex: F against M\n")
    assert {mark["value"] for mark in drawn.chart.marks} == {0}


def test_a_ratio_that_was_zero_has_no_place() -> None:
    none_to_some = monthly().with_columns(
        n=pl.when(month=date(2025, 1, 1), sex="F", hired=1).then(0).otherwise("n"),
        month=pl.col("month").dt.month(),
    )
    question = OF_MONTHS | {"baseline": "first"}
    (drawn,) = figures(pf.audit(none_to_some, "di", **question))
    assert [mark["value"] for mark in drawn.chart.marks] == [None, None]
    assert [mark["Change"] for mark in drawn.chart.marks] == ["better", "better"]


def test_a_chart_over_time_has_the_references() -> None:
    (drawn,) = figures(pf.audit(monthly(), "dppl", baseline="first", **OF_MONTHS))
    assert isinstance(drawn.chart, Lines)
    assert [mark["y"] for mark in drawn.chart.marks] == pytest.approx([0, 0.25, 0.25])
    assert [mark["reference"] for mark in drawn.chart.marks] == [None, 0, 0]
    assert "a dash is the value" in drawn.caption
    plain = pf.audit(monthly(), "dppl", **OF_MONTHS)
    assert "a dash" not in figures(plain)[0].caption


def test_each_model_has_a_line_of_its_own_over_time() -> None:
    rows = monthly().with_columns(always=1)
    question = OF_MONTHS | {"predicted": {"hired": "hired", "always": "always"}}
    first, second = figures(pf.audit(rows, "dppl", champion="hired", **question))
    assert first.caption.startswith("dppl, sex: F against M (model always)")
    assert [mark["reference"] for mark in first.chart.marks] == pytest.approx([0, 0.25, 0.25])
    assert second.caption.startswith("dppl, sex: F against M (model hired)")


@pytest.mark.extras
def test_a_table_has_the_change_with_its_tone() -> None:
    answer = pf.audit(decisions(), "dppl", champion="now", **QUESTION)
    layout = layout_of(recognised(answer, LAYOUTS))
    assert [column.label for column in layout.columns.values()][-5:] == [
        "Reference",
        "Difference",
        "Interval of difference",
        "Change",
        "Verdict",
    ]
    assert [row["change"][0] for row in layout.rows] == ["worse", "same", "same"]
    assert layout.rows[0]["tones"] == {"change": "outside", "verdict": "outside"}
    html = pf.table(answer).as_raw_html()
    assert "▲ worse" in html
    assert "● same" in html
    # A mark and its word stay on one line.
    (style,) = re.findall(r'<td style="([^"]*)"[^>]*>▲ worse<', html)
    assert "nowrap" in style


@pytest.mark.extras
def test_a_window_without_a_reference_has_no_numbers_in_the_table() -> None:
    answer = pf.audit(monthly(), "dppl", baseline="previous", **OF_MONTHS)
    html = pf.table(answer.head(1)).as_raw_html()
    assert "undefined" not in html
    assert html.count(">–<") == 3
    assert "no reference" in html


@pytest.mark.extras
def test_pages_and_pictures_of_contrasts_are_drawn() -> None:
    hostile = {HOSTILE: "fewer", "now": "now"}
    report = paired("di", "dppl", predicted=hostile)
    page = report._repr_html_()
    assert "<script>" not in page
    assert "Compared with the champion, now" in page
    chart = pf.chart(pf.audit(decisions(), "di", champion="now", **QUESTION))
    assert "difference, in halves of the width of the band" in chart.to_json()
    trend = pf.audit(monthly(), "dppl", baseline="previous", **OF_MONTHS)
    assert '"field": "reference"' in pf.chart(trend).to_json()
    assert (
        '"field": "reference"' not in pf.chart(pf.audit(monthly(), "dppl", **OF_MONTHS)).to_json()
    )
    over_time = pf.report(monthly(), "dppl", baseline="previous", **OF_MONTHS)
    assert "A dash is the value that this one is compared with." in over_time._repr_html_()


def switched() -> pl.DataFrame:
    models = QUESTION["predicted"]
    return pf.switches(decisions(), champion="now", facet="sex", predicted=models, count="n")


@pytest.mark.extras
def test_switched_rows_are_bars_of_each_group() -> None:
    answer = switched()
    fewer, same = figures(answer)
    assert fewer.caption == "Switched by sex, model fewer\nshares of the rows of each group"
    # Of 10,000 women `now` accepts 5,000, and `fewer` accepts 2,500 of these.
    assert [(mark["name"], mark["upper"], -mark["lower"]) for mark in fewer.chart.marks] == [
        ("F", 0, 0.25),
        ("M", 0, 0),
    ]
    assert fewer.chart.marks[0]["Newly rejected"] == "2,500"
    assert fewer.in_words == (
        "Switched by sex, model fewer: lowest for M, 0.0 %, highest for F, 25.0 %. "
        "F 0.0 % newly accepted, 25.0 % newly rejected; M 0.0 % newly "
        "accepted, 0.0 % newly rejected."
    )
    assert {mark["lower"] for mark in same.chart.marks} == {0}
    layout = layout_of(recognised(answer, LAYOUTS))
    assert {row["under"] for row in layout.rows} == {"by sex"}
    named = [(row["name"], row["model"]) for row in layout.rows]
    assert named == [*product(["F", "M"], ["fewer", "same"]), ("(all)", "fewer"), ("(all)", "same")]
    assert layout.rows[0]["newly_rejected"] == 2_500
    assert layout.columns["newly_rejected"].label == "Newly rejected"
    html = pf.table(answer).as_raw_html()
    assert "−25.0" in html
    assert "0.0000" not in pf.table(answer.tail(3)).as_raw_html()
    assert "Switched by sex" in pf.chart(answer).to_json()


def test_no_switched_rows_draw_nothing() -> None:
    assert figures(switched().head(0)) == []


def figures_in(section: Section) -> list[Figure]:
    parts = (part for part in section.parts if isinstance(part, tuple))
    return [figure for part in parts for figure in part if isinstance(figure, Figure)]


def drawn_in(report: pf.Report) -> list[Figure]:
    return figures_in(section(report))


def test_a_page_draws_differences_of_metrics_that_have_a_band() -> None:
    (figure,) = drawn_in(paired("di", "accuracy", label="y"))
    assert isinstance(figure.chart, Dots)
    assert figure.caption == "di, Disparate impact\nsex, against M"
    assert [mark["name"] for mark in figure.chart.marks] == ["F, fewer", "F, same"]
    assert [mark["value"] for mark in figure.chart.marks] == pytest.approx([-0.5, 0])
    assert [mark["tone"] for mark in figure.chart.marks] == ["outside", "within"]
    assert (figure.chart.ideal, figure.chart.band) == (0, None)
    assert not figure.chart.scale.is_log
    found = "di, Disparate impact, by sex: 1 of 2 is worse. F, fewer −0.500 (−0.5"
    assert figure.in_words.startswith(found)
    assert figure.in_words.endswith("), worse; F, same 0.000 (0.000 to 0.000), same.")
    assert drawn_in(paired("accuracy", label="y")) == []


def test_a_page_draws_metrics_that_are_worse_and_in_full_all() -> None:
    # `fewer` rejects women with a positive label: the recall of women falls from 1 to a half.
    question = {"predicted": {"now": "now", "fewer": "fewer"}, "champion": "fewer", "label": "y"}
    assert drawn_in(paired("di", "rd", **question)) == []
    captions = [each.caption for each in drawn_in(paired("di", "rd", detail="full", **question))]
    assert captions == [
        "di, Disparate impact\nsex, against M",
        "rd, Recall difference\nsex, against M",
    ]


def test_of_many_windows_the_last_are_drawn() -> None:
    weeks = pl.concat(
        monthly().filter(month=date(2025, 1, 1)).with_columns(week=pl.lit(i)) for i in range(60)
    )
    question = OF_MONTHS | {"by": "week", "confidence": None}
    (drawn,) = figures(pf.audit(weeks, "di", "dppl", baseline="first", **question))
    assert len(drawn.chart.marks) == 40
    assert [mark["name"] for mark in drawn.chart.marks][::19] == [
        "di, week 40",
        "di, week 59",
        "dppl, week 58",
    ]
    assert "(the last 20 of 59 windows)" in drawn.caption


def by_region(*regions: str, without: str = "") -> pl.DataFrame:
    """Of each of three groups in each region, a hundred people, half of them hired."""
    rows = [
        (region, race, hired, 50)
        for region in regions
        for race in "ABC"
        for hired in (0, 1)
        if race not in without
    ]
    return pl.DataFrame(rows, ["region", "race", "hired", "n"], orient="row")


@pytest.mark.parametrize("metrics", [["di"], ["selection_rate_gap"], ["di", "selection_rate_gap"]])
@pytest.mark.parametrize("detail", ["findings", "full"])
def test_a_report_names_once_what_vanished_and_what_is_new(
    metrics: list[str], detail: Any, tmp_path: Path
) -> None:
    question: dict[str, Any] = {"facet": "race", "predicted": "hired", "by": "region", "count": "n"}
    question |= {"baseline": by_region("n", "s", without="A"), "baseline_count": "n"}
    now = by_region("n", "w", without="C")
    report = pf.report(now, *metrics, detail=detail, replicates=20, **question)
    page = report.to_markdown()
    sides = " against everyone else" if "di" in metrics else ""
    gone = f"Without rows, where the baseline has some: region s; race: C{sides} (region n)."
    # All comparisons of a window that is new have no counterpart.
    new = "New, where the baseline has no rows: "
    assert page.count(gone) == page.count(new) == 1
    assert f"race: A{sides} (" in page.partition(new)[2].partition("\n")[0]
    assert "region s" not in page.replace(gone, "")
    report.write_html(tmp_path / "page.html")
    report.write_json(tmp_path / "page.json")
    assert "region s; race: C" in (tmp_path / "page.html").read_text("utf-8")
    records = json.loads((tmp_path / "page.json").read_text("utf-8"))["audit"]
    assert {row["region"] for row in records} == {"n", "s", "w"}
    answer = pf.audit(now, *metrics, replicates=20, **question)
    for show in (pf.chart, pf.table):
        assert show(answer) is not None


def test_a_report_of_no_rows_says_what_the_baseline_had() -> None:
    question: dict[str, Any] = {"facet": "race", "predicted": "hired", "count": "n"}
    now = by_region("n")
    report = pf.report(now.clear(), "di", baseline=now, baseline_count="n", **question)
    assert "Without rows, where the baseline has some: race: A against" in report.to_markdown()
