"""The figures of a report, before they are drawn: expected numbers are worked out by hand."""

from __future__ import annotations

from datetime import date
from math import log
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.forest import forest_figures
from polars_fairness.reporting.charts.rates import rate_figures
from polars_fairness.reporting.charts.trends import time_figures
from polars_fairness.reporting.tables import rates_of
from tests.reporting.reports import berkeley, findings, monthly


def test_a_forest_turns_every_metric_to_the_same_side() -> None:
    found = berkeley("dppl", "di", "four_fifths").findings
    sided, unsided = forest_figures(found.comparisons()[0], found.signs)
    assert sided.caption.endswith(
        "to the right speak against Female, values to the left against everyone else"
    )
    assert unsided.caption.endswith("they do not show which side they speak against")
    dppl, di = sided.chart.marks
    # The band of dppl is −0.1 to 0.1. The band of di is 0.8 to 1.25: half of it is log 1.25.
    assert dppl["value"] == pytest.approx((1198 / 2691 - 557 / 1835) / 0.1)
    assert di["value"] == pytest.approx(-log((557 / 1835) / (1198 / 2691)) / log(1.25))
    assert [dppl["ideal"], di["ideal"]] == pytest.approx([0, 0])
    # The band of four_fifths, 0.8 to 1, has its middle at 0.9 and its ideal at the upper edge.
    assert unsided.chart.marks[0]["ideal"] == pytest.approx(1)


def test_only_windows_of_time_are_drawn_over_time() -> None:
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    found = findings(monthly(), "dppl", by="month", **question)
    (series,) = time_figures(found.audited, found.windows)
    # 1 January 2025 is 20,089 days after 1970 began.
    assert [point["x"] for point in series.chart.marks] == [
        20_089 * 86_400_000,
        20_120 * 86_400_000,
    ]
    assert [point["y"] for point in series.chart.marks] == [0, 0.5]
    by_text = monthly().with_columns(pl.col("month").cast(pl.String))
    found = findings(by_text, "dppl", by="month", **question)
    assert time_figures(found.audited, found.windows) == []


def test_a_reference_that_changes_from_month_to_month_is_one_line() -> None:
    months = [date(2025, month, 1) for month in (1, 2, 3)]
    accepted = [{"A": 5, "B": 8, "C": 3}, {"A": 9, "B": 5, "C": 3}, {"A": 5, "B": 8, "C": 3}]
    frame = pl.DataFrame(
        [
            (month, group, p, n)
            for month, groups in zip(months, accepted, strict=True)
            for group, yes in groups.items()
            for p, n in ((1, yes), (0, 10 - yes))
        ],
        schema=["month", "sex", "p", "n"],
        orient="row",
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n", "by": "month"}
    found = findings(frame, "dppl", favored=pf.HIGHEST, **question)
    figures = time_figures(found.over_time(found.audited), found.windows)
    lines = {figure.caption: [point["y"] for point in figure.chart.marks] for figure in figures}
    against = "against the group with the highest rate"
    # B is the reference in January and March, and A in February.
    assert lines[f"dppl, sex: C {against}"] == pytest.approx([0.5, 0.6, 0.5])
    assert lines[f"dppl, sex: A {against}"] == pytest.approx([0.3, 0.3])
    assert len(lines) == 2


def test_rates_are_drawn_for_every_window_and_facet() -> None:
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired", "by": "month"}
    found = findings(monthly(), "dppl", **question)
    drawn = rate_figures(*rates_of(found), found.windows)
    names = [[point["name"] for point in figure.chart.marks] for figure in drawn]
    assert names == [["F", "M", "All rows"]] * 2


@pytest.mark.extras
def test_a_drawing_does_not_change_with_the_last_digit_of_a_float() -> None:
    """Sums of floats differ there from run to run; a name with decimals keeps all of them."""
    from polars_fairness.reporting.charts.look import PAGE, drawing
    from polars_fairness.reporting.charts.marks import Dots
    from polars_fairness.reporting.charts.scales import Values

    drawn = set()
    for tenth in (0.1, 0.1 + 2e-17 * 4):
        mark = {"name": "up to 0.123456", "value": tenth * 3.3, "lower": tenth, "upper": 0.7}
        drawn.add(drawing(Dots([mark], Values(0, 0.9)).draw(PAGE), 340, "a rate"))
    assert 0.1 != 0.1 + 2e-17 * 4
    (one,) = drawn
    assert "up to 0.123456" in one
