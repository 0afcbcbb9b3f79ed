"""Figures: what is drawn of each kind of answer, and what is said of it. Numbers are by hand."""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import pairwise
from math import inf, log
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting.charts.comparisons import against, comparison_figures, forest_figures
from polars_fairness.reporting.charts.groups import (
    MOST_POINTS,
    contribution_figure,
    evenly,
    rate_figures,
)
from polars_fairness.reporting.charts.marks import Dots, Lines
from polars_fairness.reporting.charts.over_time import time_figures
from polars_fairness.reporting.charts.scales import Values
from polars_fairness.reporting.colours import LIGHT
from polars_fairness.reporting.findings import comparisons_of
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.recognised import recognised
from polars_fairness.reporting.tables import rates_of
from polars_fairness.reporting.verdicts import comparisons_shown
from polars_fairness.reporting.words import extremes_in_words, share
from tests.reporting.answers_about_scores import calibration, choice
from tests.reporting.reports import (
    BERKELEY,
    BOTH,
    HOSTILE,
    berkeley,
    findings,
    four_each,
    maps,
    monthly,
    scored,
    worst,
)
from tests.strategies import examples

SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "s"}
THRESHOLDS = [0.25, 0.5, 1.0]
HIRED: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
RACES: dict[str, Any] = {"facet": "race", "favored": "w", "predicted": "hired", "count": "n"}
FOUR: dict[str, float] = {"b": 0.1, "x": 0.4, "y": 0.48, "w": 0.5}


def figures(answer: pl.DataFrame) -> list[Figure]:
    return figures_of(recognised(answer, FIGURES))


def line(figure: Figure, name: str) -> list[tuple[float, float]]:
    lines = [*vars(figure.chart)["names"], vars(figure.chart)["total"]]
    return [
        (mark["x"], mark["y"]) for mark in figure.chart.marks if mark["line"] == lines.index(name)
    ]


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


@pytest.mark.extras
def test_an_audit_is_a_forest_with_its_numbers_beside_it(tmp_path: Path) -> None:
    answer = pf.audit(pf.datasets.berkeley(), "di", "ci", **BERKELEY)
    (forest,) = figures(answer)
    di, ci = forest.chart.marks
    # The band of di is 0.8 to 1.25, so half of it is log 1.25; below it, di speaks against d.
    assert di["value"] == pytest.approx(-log((557 / 1835) / (1198 / 2691)) / log(1.25))
    assert (di["name"], di["Band"]) == ("di  0.682", "0.8 to 1.25")
    assert (di["Verdict"], di["tone"]) == ("outside, against Female", "outside")
    assert (ci["value"], ci["Band"], ci["Verdict"]) == (None, "none", "no band")
    assert forest.caption.startswith("sex: Female against everyone else\n")
    pf.chart(answer).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")
    for text in ("di  0.682", "0.8 to 1.25", "outside, against Female", "no band", "ci  0.189"):
        assert f">{text}<" in picture
    assert f'fill="{LIGHT.outside}"' in picture


def test_bands_of_the_caller_are_those_of_the_chart() -> None:
    audit = pf.audit(monthly(), "dppl", confidence=None, bands={"dppl": (-0.5, 0.5)}, **HIRED)
    (forest,) = figures(audit)
    # 1 of 4 women and 2 of 4 men were hired: a difference of 0.25, half of half the band.
    assert forest.chart.marks[0]["value"] == pytest.approx(0.5)
    assert forest.chart.marks[0]["Band"] == "−0.5 to 0.5"


def test_a_metric_of_the_callers_own_has_no_known_side() -> None:
    own = pf.Metric("own", "Own", pf.terms.d.selection_rate - pf.terms.a.selection_rate)
    audit = pf.audit(monthly(), own, confidence=None, bands={"own": (-0.1, 0.1)}, **HIRED)
    (forest,) = figures(audit)
    assert "do not show which side" in forest.caption
    assert forest.chart.marks[0]["value"] == pytest.approx(-2.5)


def test_differences_begin_with_what_is_worse() -> None:
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 1000 + ["M"] * 1000,
            "now": [1, 0] * 1000,
            "fewer": [0] * 1000 + [1, 0] * 500,
        }
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": {"now": "now", "fewer": "fewer"}}
    (figure,) = figures(pf.audit(frame, "dppl", "ci", champion="now", **question))
    # Half of the women were accepted, and none are.
    assert figure.in_words.startswith(
        "Differences, sex: F against M, model fewer: worse for dppl, unclear for ci. "
        "dppl 0.500, worse; ci 0.000, unclear."
    )


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


def test_windows_of_time_are_drawn_over_time_and_others_one_by_one() -> None:
    (series,) = figures(pf.audit(monthly(), "dppl", by="month", confidence=None, **HIRED))
    assert isinstance(series.chart, Lines)
    assert [point["y"] for point in series.chart.marks] == [0, 0.5]
    assert [point["tone"] for point in series.chart.marks] == ["within", "outside"]
    by_name = pf.audit(
        monthly(), "dppl", by=pl.col("month").cast(pl.String), confidence=None, **HIRED
    )
    captions = [figure.caption.split("\n")[0] for figure in figures(by_name)]
    assert captions == [
        "sex: F against everyone else (month 2025-01-01)",
        "sex: F against everyone else (month 2025-02-01)",
    ]


def test_rates_are_drawn_for_every_window_and_facet() -> None:
    found = findings(monthly(), "dppl", by="month", **HIRED)
    drawn = rate_figures(*rates_of(found), found.windows)
    names = [[point["name"] for point in figure.chart.marks] for figure in drawn]
    assert names == [["F", "M", "All rows"]] * 2
    found = berkeley("dppl").findings
    (figure,) = rate_figures(*rates_of(found), found.windows)
    # 557 of 1,835 women and 1,198 of 2,691 men were admitted.
    assert figure.in_words.startswith(
        "Selection rate by sex: lowest for Female, 30.4 %, highest for Male, 44.5 %. Female 30.4 %"
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"F": 0.25, "M": 0.5, "X": 0.4}, "lowest for F, 25.0 %, highest for M, 50.0 %"),
        ({"F": None, "M": 0.5, "X": 0.25}, "lowest for X, 25.0 %, highest for M, 50.0 %"),
        ({"F": 0.25, "M": 0.25}, "25.0 % for each"),
        ({"F": 0.25, "M": 0.25001}, "25.0 % for each"),
        ({"F": 0.25, "M": None}, "25.0 % for F"),
        ({"F": float("inf"), "M": None}, "undefined"),
        ({}, "undefined"),
    ],
)
def test_the_extremes_of_groups(values: dict[str, float | None], words: str) -> None:
    assert extremes_in_words([*values.items()], share) == words


def test_rates_have_intervals_if_they_are_of_counts() -> None:
    frame = monthly().with_columns(w=1.5)
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired"}
    (counted,) = figures(pf.rates(frame, **question))
    assert [point["name"] for point in counted.chart.marks] == ["F", "M", "All rows"]
    assert [point["Rate"] for point in counted.chart.marks] == ["25.0 %", "50.0 %", "37.5 %"]
    # Wilson's interval of 1 of 4 at z = 1.96 is 0.0456 to 0.6994 (Newcombe 1998, method 3).
    assert counted.chart.marks[0]["lower"] == pytest.approx(0.0456, abs=5e-5)
    assert counted.chart.marks[0]["upper"] == pytest.approx(0.6994, abs=5e-5)
    (weighted,) = figures(pf.rates(frame, weight="w", **question))
    assert {point["lower"] for point in weighted.chart.marks} == {None}
    assert [point["Weight"] for point in weighted.chart.marks] == ["6.0", "6.0", "12.0"]


def test_groups_are_drawn_by_rank_with_the_overall_rate() -> None:
    answer = pf.worst_groups(four_each(), "spsf", facet=["sex", "race"], predicted="hired")
    (ranked,) = figures(answer)
    assert [point["value"] for point in ranked.chart.marks] == answer["rate"].to_list()
    assert vars(ranked.chart)["ideal"] == 0.5
    sides = {point["name"]: point["side"] for point in ranked.chart.marks}
    assert sides["sex F, race b"] == "below"
    assert sides["sex M"] == "above"
    assert sides["sex F, race w"] is None


def test_the_shrunken_rate_is_drawn_if_there_is_one() -> None:
    question: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired", "confidence": None}
    answer = pf.worst_groups(four_each(), "spsf", shrink=True, **question)
    (ranked,) = figures(answer)
    assert [point["value"] for point in ranked.chart.marks] == answer["shrunken_rate"].to_list()


def test_many_rows_are_cut_and_the_title_says_so() -> None:
    frame = pl.DataFrame({"branch": range(40), "hired": [0, 1] * 20})
    question: dict[str, Any] = {"facet": "branch", "predicted": "hired"}
    (rates,) = figures(pf.rates(frame, **question))
    (ranked,) = figures(pf.worst_groups(frame, "spsf", **question))
    assert len(rates.chart.marks) == 31
    assert len(ranked.chart.marks) == 30
    assert all("(the first 30 of 40)" in figure.caption for figure in (rates, ranked))


def test_contributions_begin_with_the_subgroup_that_adds_most() -> None:
    found = berkeley("cddpl").findings
    (comparison,) = comparisons_of(found.decomposed["cddpl"], [])
    figure = contribution_figure("cddpl", comparison)
    assert figure is not None
    largest = max(figure.chart.marks, key=lambda mark: abs(mark["upper"]))
    assert figure.in_words.startswith(
        f"{figure.caption}: farthest from 0 for {largest['name']}, {largest['Contribution']}. "
    )


def hired(shares: dict[str, float], n: int = 10_000) -> pl.DataFrame:
    """So many rows of each group, this share of them accepted."""
    return pl.DataFrame(
        [
            {"race": race, "hired": outcome, "n": round(n * each)}
            for race, share in shares.items()
            for outcome, each in ((1, share), (0, 1 - share))
        ]
    )


def by_metric(frame: pl.DataFrame, *metrics: Any, **more: Any) -> list[Figure]:
    findings = pf.report(frame, *metrics, **(RACES | more)).findings
    return comparison_figures(findings, comparisons_shown(findings), [*findings.metrics()])


def test_a_chart_for_each_metric_has_a_row_for_each_group() -> None:
    di, dppl = by_metric(hired(FOUR), "di", "dppl")
    assert di.caption == "di, Disparate impact\nagainst w"
    # The farthest outside comes first, in every chart of the facet.
    assert [mark["name"] for mark in di.chart.marks] == ["b", "x", "y"]
    assert [mark["name"] for mark in dppl.chart.marks] == ["b", "x", "y"]
    assert [mark["value"] for mark in di.chart.marks] == pytest.approx([0.2, 0.8, 0.96])
    assert [mark["value"] for mark in dppl.chart.marks] == pytest.approx([0.4, 0.1, 0.02])
    assert [mark["tone"] for mark in di.chart.marks] == ["outside", "uncertain", "within"]
    assert {mark["Rows"] for mark in di.chart.marks} == {"10,000"}
    assert vars(di.chart)["band"] == (0.8, 1.25)
    assert (vars(di.chart)["ideal"], vars(dppl.chart)["ideal"]) == (1, 0)


@pytest.mark.parametrize(
    ("metric", "sign"),
    [("dppl", 1), ("di", -1), ("success_ratio", 1), ("four_fifths", 0)],
)
def test_a_chart_knows_which_direction_speaks_against_the_group(metric: str, sign: int) -> None:
    """A small q'd / q'a speaks against d, as a large q'a − q'd and a large q'a / q'd do."""
    (figure,) = by_metric(hired(FOUR), metric)
    assert vars(figure.chart)["title"] == against(sign)


def test_the_text_begins_with_the_finding() -> None:
    di, dppl = by_metric(hired(FOUR), "di", "dppl", confidence=None)
    assert di.in_words == (
        "di, Disparate impact, by race: 1 of 3 groups is outside the band of 0.8 to 1.25. "
        "b 0.200, outside; x 0.800, within; y 0.960, within."
    )
    assert ": 1 of 3 groups is outside the band of −0.1 to 0.1. b 0.400, outside" in dppl.in_words
    (with_interval,) = by_metric(hired(FOUR), "di")
    assert re.search(
        r"\. b 0\.200 \(0\.1\d+ to 0\.2\d+\), outside; x 0\.800 \(", with_interval.in_words
    )
    assert "), uncertain; y 0.960" in with_interval.in_words


def test_metrics_of_a_kind_share_a_scale() -> None:
    drawn = by_metric(hired(FOUR), "di", "success_ratio", "dppl", "statistical_parity", "two_sd")
    di, success_ratio, dppl, statistical_parity, two_sd = (
        vars(each.chart)["scale"] for each in drawn
    )
    assert di.is_log
    assert di == success_ratio
    assert dppl == statistical_parity
    assert not dppl.is_log
    # From −0.4 of statistical parity to 0.4 of dppl, as far as their intervals go, and some room.
    assert -0.5 < dppl.low < -0.4
    assert 0.4 < dppl.high < 0.5
    # A statistic of 60 would press differences flat.
    assert two_sd.high > 50


def test_of_forty_groups_the_worst_are_drawn() -> None:
    shares = {f"g{i:02}": (i + 1) / 100 for i in range(40)} | {"w": 0.5}
    (di,) = by_metric(hired(shares), "di")
    assert [mark["name"] for mark in di.chart.marks] == [f"g{i:02}" for i in range(14)]
    assert di.caption.endswith("\nagainst w, the 14 worst of 40")
    # The logarithm of 0.39 / 0.5 = 0.78 has the standard error √(0.61 / 3,900 + 0.5 / 5,000) =
    # 0.016, so its interval reaches to 0.805.
    assert "38 of 40 groups are outside the band of 0.8 to 1.25. g00 0.020" in di.in_words


@pytest.mark.parametrize(
    ("shares", "value", "words"),
    [
        ({"b": 0.2, "w": 0.0}, inf, "b ∞, outside."),
        ({"b": 0.0, "w": 0.0}, None, "b undefined."),
    ],
)
def test_one_group_and_no_value(shares: dict[str, float], value: Any, words: str) -> None:
    (di,) = by_metric(hired(shares), "di", confidence=None)
    assert [mark["value"] for mark in di.chart.marks] == [value]
    assert di.in_words.endswith(words)


def test_different_sides_are_named_in_the_rows() -> None:
    everyone = by_metric(hired(FOUR), "di", favored=None)[0]
    assert everyone.caption == "di, Disparate impact\nagainst everyone else"
    assert len(everyone.chart.marks) == 4
    halves = pl.concat(
        hired(shares).with_columns(half=pl.lit(half))
        for half, shares in enumerate(({"b": 0.1, "w": 0.5}, {"b": 0.5, "w": 0.1}))
    )
    (di,) = by_metric(halves, "di", favored=pf.HIGHEST, by="half")
    assert di.caption == "di, Disparate impact"
    assert [mark["name"] for mark in di.chart.marks] == [
        "b against w, half 0",
        "w against b, half 1",
    ]


def test_models_have_rows_of_their_own() -> None:
    frame = hired({"b": 0.2, "w": 0.4}).with_columns(new=pl.lit(1))
    (di,) = by_metric(frame, "di", predicted={"hired": "hired", "new": "new"})
    assert [mark["name"] for mark in di.chart.marks] == ["b, hired", "b, new"]


def test_weights_stand_in_place_of_rows() -> None:
    frame = hired({"b": 0.2, "w": 0.4}).with_columns(weight=pl.col("n") / 2)
    (di,) = by_metric(frame, "di", weight="weight")
    assert di.chart.marks[0]["Weight"] == "5,000.0"


@pytest.mark.extras
def test_charts_are_drawn_with_all_marks() -> None:
    from polars_fairness.reporting.charts.look import PAGE, drawing

    names = {HOSTILE: 0.001, "x": 0.4, "": 0.6, "w": 0.5}
    (di,) = by_metric(hired(names), "di")
    svg = drawing(di.chart.draw(PAGE), 340, di.in_words)
    assert svg.count('aria-roledescription="point"') == 0
    assert "<script>" not in svg
    # 0.002 is beyond the scale, which ends at a tenth, so the value itself is written.
    assert "0.002" in svg
    assert "all groups" not in svg
    assert 'width="340"' in svg


@pytest.mark.extras
def test_long_names_are_cut_and_stay_apart() -> None:
    from polars_fairness.reporting.charts.look import apart  # needs an extra

    assert apart(["abcdefg", "abcxefg", "abc"], 6) == ["abc…fg", "abc…fg\u200b", "abc"]
    # A letter of Chinese is as wide as two of Latin.
    assert apart(["码码码码", "码码码"], 6) == ["码…码", "码码码"]
    assert apart(["abcdef"]) == ["abcdef"]


def test_rates_at_several_thresholds_are_roc_curves_and_selection_rates() -> None:
    roc, selection = figures(pf.rates(scored(), threshold=THRESHOLDS, **SCORED))
    assert isinstance(roc.chart, Lines)
    assert roc.caption == "ROC curves by sex"
    assert (roc.chart.names, roc.chart.total) == (["F", "M"], "All rows")
    # From the corner of all rows over 0.25, 0.5 and 1 to the corner of no rows.
    assert line(roc, "F") == [(1, 1), (1, 1), (0.5, 0.5), (0, 0), (0, 0)]
    assert line(roc, "M") == [(1, 1), (1, 1), (0, 1), (0, 0), (0, 0)]
    assert line(roc, "All rows") == [(1, 1), (1, 1), (0.25, 0.75), (0, 0), (0, 0)]
    # Scores rank men perfectly and women at random.
    assert roc.in_words.startswith(
        "ROC curves by sex, true by false positive rate: "
        "the area below the curve is lowest for F, 0.50, highest for M, 1.00. F 100.0 % by"
    )
    assert "M 100.0 % by 100.0 % from 0.25 on, 100.0 % by 0.0 % from 0.5 on" in roc.in_words
    assert selection.caption == "Selection rate over thresholds by sex"
    assert line(selection, "F") == [(0.25, 1), (0.5, 0.5), (1, 0)]
    # All, half and none of either group.
    assert selection.in_words.startswith(
        "Selection rate over thresholds by sex, share predicted positive: "
        "groups are farthest apart at 0.25: 100.0 % for each. F 100.0 % at 0.25"
    )


def test_groups_are_farthest_apart_at_a_threshold() -> None:
    frame = scored().with_columns(s=pl.when(sex="F").then(pl.col("s") / 2).otherwise("s"))
    selection = figures(pf.rates(frame, threshold=[0.1, 0.3, 0.5], facet="sex", predicted="s"))[0]
    # At 0.3 half of each; at 0.5 no woman and half of the men.
    assert (
        "farthest apart at 0.5: lowest for F, 0.0 %, highest for M, 50.0 %." in selection.in_words
    )


def test_rates_without_a_label_are_selection_rates_alone() -> None:
    rates = pf.rates(scored(), threshold=THRESHOLDS, facet="sex", predicted="s")
    assert [figure.caption for figure in figures(rates)] == [
        "Selection rate over thresholds by sex"
    ]


@pytest.mark.extras
def test_a_single_threshold_is_drawn_as_dots() -> None:
    rates = pf.rates(scored(), threshold=[0.5], **SCORED)
    audit = pf.audit(scored(), "dppl", threshold=[0.5], confidence=None, **SCORED)
    assert {type(figure.chart) for figure in (*figures(rates), *figures(audit))} == {Dots}
    with pytest.raises(pf.FairnessError, match=r"give threshold= several numbers"):
        pf.chart(pf.metrics(scored(), "dppl", threshold=0.5, **SCORED))


@pytest.mark.parametrize("function", [pf.metrics, pf.audit])
def test_metrics_over_thresholds_have_a_chart_each_with_its_band(function: Any) -> None:
    metrics = ("rd", "di", "accuracy")
    answer = function(scored(), *metrics, threshold=THRESHOLDS, **SCORED)
    charts = {figure.caption.split(" by ")[0]: figure for figure in figures(answer)}
    assert set(charts) == set(metrics)
    rd, di, accuracy = (charts[name] for name in metrics)
    assert rd.caption.startswith("rd by threshold, sex: F against M\n")
    # The recall of M less that of F: 1 − 1, 1 − 0.5 and 0 − 0.
    assert line(rd, "F") == [(0.25, 0), (0.5, 0.5), (1, 0)]
    assert (vars(rd.chart)["band"], vars(rd.chart)["is_log"]) == ((-0.1, 0.1), False)
    assert rd.in_words == (
        "rd by threshold, sex: F against M: values within −0.1 to 0.1: F at 0.25, at 1. "
        "F 0.000 at 0.25, 0.500 at 0.5, 0.000 at 1."
    )
    assert line(di, "F") == [(0.25, 1), (0.5, 1), (1, None)]
    assert (vars(di.chart)["band"], vars(di.chart)["is_log"]) == ((0.8, 1.25), True)
    # Without sides it is the same in every comparison: one line.
    assert [y for _, y in line(accuracy, "")] == [0.5, 0.75, 0.5]
    assert vars(accuracy.chart)["band"] is None
    extremes = ": lowest for threshold 0.25, 0.500, highest for threshold 0.5, 0.750. 0.500"
    assert extremes in accuracy.in_words


def test_bounds_and_bands_of_an_audit_are_those_of_its_chart() -> None:
    options: dict[str, Any] = {"bands": {"rd": (-0.2, 0.2)}, "method": "newcombe"}
    audit = pf.audit(scored(), "rd", threshold=THRESHOLDS, **options, **SCORED)
    (rd,) = figures(audit)
    assert [mark["lower"] for mark in rd.chart.marks] == audit["lower"].to_list()
    assert [mark["upper"] for mark in rd.chart.marks] == audit["upper"].to_list()
    assert vars(rd.chart)["band"] == (-0.2, 0.2)


@pytest.mark.extras
def test_metrics_that_no_threshold_changes_are_drawn_once() -> None:
    """The class imbalance and the AUC are about sizes and scores."""
    question = {**SCORED, "score": "s", "predicted": None, "threshold": THRESHOLDS}
    audit = pf.audit(scored(), "di", "auc_difference", "ci", confidence=None, **question)
    swept, forest = figures(audit)
    assert isinstance(swept.chart, Lines)
    assert swept.caption.split()[0] == "di"
    assert isinstance(forest.chart, Dots)
    assert forest.caption.endswith("; the same at each threshold")
    # Of 4 women and 4 men; men are ranked perfectly, women at random.
    assert [mark["name"] for mark in forest.chart.marks] == ["auc_difference  0.500", "ci  0.000"]
    values = pf.metrics(scored(), "di", "auc_difference", **question)
    assert [figure.caption.split()[0] for figure in figures(values)] == ["di"]
    with pytest.raises(pf.FairnessError, match=r"no threshold changes 'auc_difference', so that"):
        pf.chart(values.drop("di"))


def test_comparisons_of_a_facet_are_lines_of_one_chart() -> None:
    frame = pl.concat([scored(), scored().filter(sex="F").with_columns(sex=pl.lit("X"))])
    answer = pf.metrics(frame, "dppl", "accuracy", threshold=THRESHOLDS, **SCORED)
    dppl, accuracy = figures(answer)
    assert dppl.caption.startswith("dppl by threshold, sex: each group against everyone else\n")
    assert vars(dppl.chart)["names"] == ["F", "M", "X"]
    # Without sides it is repeated on the row of each comparison.
    assert [mark["x"] for mark in accuracy.chart.marks] == THRESHOLDS


def test_windows_have_charts_of_their_own() -> None:
    frame = pl.concat([scored().with_columns(branch=pl.lit(name)) for name in "ab"])
    question = {"threshold": THRESHOLDS, "by": "branch", **SCORED}
    captions = [figure.caption for figure in figures(pf.rates(frame, **question))]
    assert captions[:2] == ["ROC curves by sex, branch a", "ROC curves by sex, branch b"]
    swept = figures(pf.metrics(frame, "dppl", **question))
    assert [figure.caption.split("\n")[0] for figure in swept] == [
        "dppl by threshold, sex: F against M (branch a)",
        "dppl by threshold, sex: F against M (branch b)",
    ]


def test_many_groups_are_cut_and_the_title_says_so() -> None:
    frame = pl.concat([scored().with_columns(g=pl.lit(f"group {i:02}")) for i in range(12)])
    question = {"threshold": THRESHOLDS, **SCORED, "facet": "g"}
    shown = [*figures(pf.rates(frame, **question)), *figures(pf.metrics(frame, "di", **question))]
    assert all("(the first 8 of 12)" in figure.caption for figure in shown)
    assert {len(vars(figure.chart)["names"]) for figure in shown} == {8}


def test_of_many_thresholds_a_line_has_some() -> None:
    many = [i / 10_000 for i in range(10_001)]
    for figure in figures(pf.rates(scored(), threshold=many, **SCORED)):
        assert len(figure.chart.marks) <= 3 * (MOST_POINTS + 2)
    assert evenly(range(100), 4) == [0, 33, 66, 99]
    assert evenly("ab", 4) == ["a", "b"]


def test_calibration_is_drawn_with_its_intervals_and_the_distribution_of_scores() -> None:
    calibrated, scores = figures(calibration())
    assert (calibrated.caption, scores.caption) == ("Calibration by sex", "Scores by sex")
    assert line(calibrated, "F") == [(0.2, 0), (0.4, 1 / 3)]
    assert line(calibrated, "M") == [(0.1, 0.5), (0.6, 0.5)]
    assert [mark["upper"] for mark in calibrated.chart.marks] == [0.8, 0.8, 0.9, 0.9, 0.8]
    # F: (1 · 0.2 + 3 · (0.4 − 1/3)) / 4; M: (2 · 0.4 + 2 · 0.1) / 4.
    assert calibrated.in_words.startswith(
        "Calibration by sex, share with a positive label by mean score: the mean distance of the "
        "share from the score is lowest for F, 0.100, highest for M, 0.250. "
        "F 0.0 % at 0.200, 33.3 % at 0.400; M"
    )
    # A quarter of the women below 0.25; half of the men there, none in the next bin.
    assert line(scores, "F") == [(0, 0.25), (0.25, 0.75), (0.5, 0)]
    assert line(scores, "M") == [(0, 0.5), (0.25, 0), (0.5, 0.5), (0.75, 0)]
    # F: (1 · 0.2 + 3 · 0.4) / 4; M: (2 · 0.1 + 2 · 0.6) / 4.
    assert scores.in_words.startswith(
        "Scores by sex, share of each group by score: the mean score is 0.350 for each. F 25.0 %"
    )


def test_a_choice_is_its_frontier() -> None:
    (frontier,) = figures(choice())
    assert frontier.caption.startswith("accuracy and di of 3 thresholds\n")
    places = [(mark["x"], mark["y"]) for mark in frontier.chart.marks]
    assert places == [(1, 0.5), (0.9, 0.75), (None, 0.6)]
    assert [mark["tone"] for mark in frontier.chart.marks] == ["within", "within", "open"]
    assert frontier.in_words == (
        "accuracy and di of 3 thresholds: chosen is 0.5. "
        "On the frontier 0.500 and 1.000 at 0.25, 0.750 and 0.900 at 0.5."
    )
    assert vars(frontier.chart)["titles"] == ("di", "accuracy")
    assert (vars(frontier.chart)["ideal"], vars(frontier.chart)["is_log"]) == (1, True)


def test_without_a_metric_a_choice_is_drawn_over_its_thresholds() -> None:
    (frontier,) = figures(choice().drop("di"))
    assert frontier.caption.startswith("accuracy of 3 thresholds\n")
    assert [mark["x"] for mark in frontier.chart.marks] == [0.25, 0.5, 0.75]


def test_a_choice_among_models_names_them() -> None:
    models = pl.Series("model", ["a", "b", "c"])
    (of_models,) = figures(choice().select(models, pl.exclude("threshold")))
    assert of_models.caption.startswith("accuracy and di of 3 models\n")
    assert (
        "chosen is b. On the frontier 0.500 and 1.000 at a, 0.750 and 0.900 at b."
        in of_models.in_words
    )
    assert [mark["text"] for mark in of_models.chart.marks] == ["a", "b", "c"]
    (of_both,) = figures(choice().select(models, pl.all()))
    assert of_both.caption.startswith("accuracy and di of 3 candidates\n")
    assert "chosen is b at 0.5." in of_both.in_words
    (alone,) = figures(choice().drop("di").select(models, pl.exclude("threshold")))
    assert alone.caption.startswith("accuracy and selection_rate of 3 models\n")
    assert [mark["x"] for mark in alone.chart.marks] == [1.0, 0.5, 0.1]


def test_the_ring_is_explained_where_there_is_one() -> None:
    (chosen,) = figures(choice())
    assert "the ring is chosen" in chosen.caption
    (none,) = figures(choice().with_columns(is_chosen=False))
    assert "the ring" not in none.caption
    assert "none is chosen" in none.caption


def test_what_is_chosen_may_be_the_selection_rate() -> None:
    (frontier,) = figures(choice().drop("accuracy"))
    assert vars(frontier.chart)["titles"] == ("di", "selection_rate")


def test_a_heat_map_places_every_pair() -> None:
    frame = four_each().filter(~((pl.col("sex") == "F") & (pl.col("race") == "w")))
    (figure,) = maps(pf.report(frame, "dppl", **BOTH))
    # 6 of 12 were hired. Women of race b are 50 points below this rate, men 25 points above.
    assert figure.chart.marks == [
        {"row": 0, "column": 0, "side": "below", "depth": 1.0, "text": "−50.0"},
        {"row": 1, "column": 0, "side": "above", "depth": 0.5, "text": "+25.0"},
        {"row": 1, "column": 1, "side": "above", "depth": 0.5, "text": "+25.0"},
    ]
    found = vars(figure.chart)
    assert (found["down"], found["across"], found["titles"]) == (
        ["F", "M"],
        ["b", "w"],
        ("sex", "race"),
    )
    assert figure.in_words == (
        "Selection rate minus the overall rate, in percentage points, by sex and race: "
        "lowest for F and b, −50.0, highest for M and b, +25.0. "
        "F and b −50.0; F and w empty; M and b +25.0; M and w +25.0."
    )


def test_the_farthest_group_has_the_deepest_colour_and_not_the_worst() -> None:
    """Hired are 24 of 32, and 19 of 20 men of race w: 20 points above, and the worst by number."""
    more = pl.DataFrame({"sex": "M", "race": "w", "hired": [1] * 16})
    report = pf.report(pl.concat([four_each(), more]), "dppl", harm="both", **BOTH)
    names = [row[0] for row in worst(report)]
    assert names.index("sex M, race w") < names.index("sex F, race b")
    (figure,) = maps(report)
    assert [mark["text"] for mark in figure.chart.marks] == ["−75.0", "−25.0", "0.0", "+20.0"]
    assert [mark["depth"] for mark in figure.chart.marks] == pytest.approx([1, 1 / 3, 0, 20 / 75])


def test_acceptable_distances_are_pale_on_a_heat_map() -> None:
    counts = [("F", "b", 48), ("F", "w", 50), ("M", "b", 50), ("M", "w", 52)]
    frame = pl.DataFrame(
        [(*group, p, n) for *group, yes in counts for p, n in ((1, yes), (0, 100 - yes))],
        schema=["sex", "race", "hired", "n"],
        orient="row",
    )
    (figure,) = maps(pf.report(frame, "dppl", count="n", **BOTH))
    assert [mark["depth"] for mark in figure.chart.marks] == pytest.approx([0.2, 0, 0, 0.2])


def test_a_heat_map_of_equal_rates_has_no_colour() -> None:
    (figure,) = maps(pf.report(four_each().with_columns(hired=1), "dppl", **BOTH))
    assert [mark["depth"] for mark in figure.chart.marks] == [0] * 4


def test_an_infinite_rate_is_not_on_a_heat_map() -> None:
    frame = four_each().with_columns(due=pl.col("race") == "w")
    report = pf.report(
        frame, "rd", label="due", zero_division=float("inf"), confidence=None, **BOTH
    )
    assert [{mark["column"] for mark in figure.chart.marks} for figure in maps(report)] == [
        {0, 1},
        {0},
        {1},
    ]


def test_values_stand_in_their_own_order_on_a_heat_map() -> None:
    ages = pl.DataFrame({"age": [10, 9, None]})
    frame = four_each().join(ages, how="cross")
    question: dict[str, Any] = {"facet": ["age", "sex"], "predicted": "hired"}
    (figure,) = maps(pf.report(frame, "dppl", **question))
    assert vars(figure.chart)["down"] == ["9", "10", "unknown"]


def test_maps_of_several_windows_share_one_scale() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), hired=pl.lit(1, pl.Int64)),
        ]
    )
    frame = frame.with_columns(pl.col("sex").replace("F", "X"))
    first, second = maps(pf.report(frame, "dppl", by="month", **BOTH))
    assert [mark["depth"] for mark in first.chart.marks] == [0.5, 0.5, 1, 0]
    assert [mark["text"] for mark in second.chart.marks] == ["0.0"] * 4
    assert [mark["depth"] for mark in second.chart.marks] == [0] * 4


@pytest.mark.parametrize(
    ("metrics", "question", "most"),
    [
        ((), {"facet": ["sex", "race", "hired_before"]}, 0),
        ((pf.entry("spsf", groups="conjunctions", depth=1),), {}, 0),
        ((), {}, 1),
    ],
    ids=["three facets", "one facet at a time", "two facets"],
)
def test_a_heat_map_is_of_two_facets(metrics: Any, question: Any, most: int) -> None:
    frame = four_each().with_columns(hired_before=pl.Series([0, 1] * 8))
    report = pf.report(frame, *metrics, confidence=None, **(BOTH | question))
    assert len(maps(report)) == most
    assert "Worst groups by spsf" in report.to_markdown()


def test_a_heat_map_of_many_values_is_left_out() -> None:
    many = pl.DataFrame({"age": range(13)})
    question: dict[str, Any] = {"facet": ["sex", "age"], "predicted": "hired", "confidence": None}
    report = pf.report(four_each().join(many, how="cross"), "dppl", **question)
    assert maps(report) == []
    assert "There is no heat map: age has 13 values, and there is room for 12." in (
        report.to_markdown()
    )


def answers() -> dict[str, pl.DataFrame]:
    applicants, swept = pf.datasets.berkeley(), {"threshold": THRESHOLDS, **SCORED}
    question = {name: value for name, value in BERKELEY.items() if name != "confidence"}
    groups: dict[str, Any] = {"predicted": "admitted", "count": "n"}
    return {
        "audit": pf.audit(applicants, "di", "ddpl", "ci", **BERKELEY),
        "over time": pf.audit(monthly(), "dppl", by="month", confidence=None, **HIRED),
        "rates": pf.rates(applicants, facet="sex", **groups),
        "worst_groups": pf.worst_groups(applicants, "spsf", facet=["sex", "department"], **groups),
        "decompose": pf.decompose(applicants, "cddpl", **question),
        "curves": pf.rates(scored(), **swept),
        "metrics": pf.metrics(scored(), "di", "rd", "accuracy", **swept),
        "sweep": pf.audit(scored(), "di", "rd", replicates=50, **swept),
        "calibration": calibration(),
        "choose": choice(),
    }


@pytest.mark.extras
@pytest.mark.parametrize("name", answers())
def test_an_answer_is_a_picture_and_without_rows_it_is_words(name: str, tmp_path: Path) -> None:
    answer = answers()[name]
    chart = pf.chart(answer)
    assert chart.to_dict()  # altair checks it
    chart.save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert "var(" not in picture
    assert f'fill="{LIGHT.paper}"' in picture
    assert "role-axis-label" in picture
    assert "role-axis-tick" in picture
    if name == "curves":  # each chart names its own groups
        assert picture.count(">F</text>") == picture.count(">All rows</text>") == 2
    empty = pf.chart(answer.clear()).to_dict()
    assert len(empty["vconcat"]) == 1
    assert "Nothing to show: the answer has no rows." in str(empty)


@pytest.mark.extras
@pytest.mark.parametrize("name", ["curves", "sweep"])
def test_names_of_groups_are_text_and_equal_names_stay_apart(name: str, tmp_path: Path) -> None:
    one, other = f"\x1b{HOSTILE}", f"\x00{HOSTILE}"
    column = "disfavored" if name == "sweep" else "value"
    answer = answers()[name]
    if column == "disfavored":
        # A second comparison, so that the lines have names.
        answer = pl.concat([answer, answer.with_columns(disfavored=pl.lit("M"))])
    answer = answer.with_columns(pl.col(column).replace({"F": one, "M": other}))
    pf.chart(answer).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert "<script>" not in picture
    assert picture.count(">\N{REPLACEMENT CHARACTER}&lt;script&gt;alert(1)") >= 2


@pytest.mark.extras
def test_values_far_from_zero_fill_their_chart(tmp_path: Path) -> None:
    """An area of intervals would begin at 0."""
    answer = answers()["sweep"].filter(metric="rd").with_columns(pl.col("value", "upper") + 7)
    pf.chart(answer.with_columns(lower="value", band_lower=None, band_upper=None)).save(
        tmp_path / "chart.svg"
    )
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    labels = [float(each) for each in re.findall(r">(\d+(?:\.\d+)?)</text>", picture)]
    assert 7 in labels
    assert not [label for label in labels if 1 < label < 6]


def rises(picture: str) -> dict[str, float]:
    """The places of the labels of an axis on the left, from the top."""
    found = re.findall(r'translate\(-[\d.]+,([\d.]+)\)"[^>]*>(−?[\d.]+)</text>', picture)
    return {label: float(place) for place, label in found}


@pytest.mark.extras
def test_ratios_fill_their_chart(tmp_path: Path) -> None:
    """A strip of 0.8 to 1.25 and values in it, on an axis that is not that of 0.1 to 10."""
    ratios = pf.metrics(scored(), "di", threshold=THRESHOLDS, **SCORED)
    ratios = ratios.with_columns(di=pl.Series([0.9, 0.85, 1.1]))
    pf.chart(ratios).save(tmp_path / "chart.svg")
    places = rises((tmp_path / "chart.svg").read_text("utf-8"))
    assert len(places) >= 4
    assert abs(places["0.8"] - places["1.25"]) > 100
    heights = sorted(places.values())
    assert min(b - a for a, b in pairwise(heights)) > 14


@pytest.mark.extras
@pytest.mark.parametrize(
    ("values", "is_log", "at_most"),
    [
        ([0.82, 1.25], True, (0.78, 1.32)),
        ([0.5, 0.9], True, (0.45, 1.1)),
        ([0.0, 30.0], True, (0.05, 20)),
        ([0.01, 0.02], False, (0.009, 0.021)),
        ([0.6, 0.6], False, (0.5, 0.7)),
        ([0.0, 0.0], False, (-0.11, 0.11)),
        ([-3e6, 5e6], False, (-4e6, 6e6)),
    ],
)
def test_a_scale_follows_its_values_with_a_little_room(
    values: list[float], is_log: bool, at_most: tuple[float, float]
) -> None:
    scale = Values.of(values, is_log=is_log)
    inner = [min(10, max(0.1, value)) for value in values] if is_log else values
    assert at_most[0] <= scale.low < min(inner)
    assert max(inner) < scale.high <= at_most[1]


@pytest.mark.extras
def test_many_charts_are_cut_and_a_line_says_so() -> None:
    frame = pl.concat([monthly().with_columns(branch=pl.lit(i)) for i in range(17)])
    shown = pf.chart(pf.audit(frame, "dppl", by="branch", confidence=None, **HIRED)).to_dict()
    assert len(shown["vconcat"]) == 16
    assert shown["title"]["text"] == ["The first 16 of 17 charts; filter the answer to see others."]


@pytest.mark.extras
def test_infinite_and_undefined_values_are_drawn(tmp_path: Path) -> None:
    audit = pl.concat([pf.audit(monthly(), "di", confidence=None, **HIRED)] * 4).with_columns(
        pl.Series("value", [inf, -inf, None, 1.0]),
        pl.Series("lower", [-inf, -inf, None, 0.5]),
        pl.Series("upper", [inf, inf, None, inf]),
    )
    rates = pf.rates(monthly(), facet="sex", predicted="hired")
    over_time = pf.audit(monthly(), "di", by="month", confidence=None, **HIRED)
    for answer in (
        audit,
        rates.with_columns(selection_rate=pl.Series([inf, None, 0.5])),
        over_time.with_columns(value=pl.Series([inf, 1.0]), upper=pl.lit(inf), lower=pl.lit(0.5)),
    ):
        chart = pf.chart(answer)
        json.dumps(chart.to_dict(), allow_nan=False)
        chart.save(tmp_path / "chart.png")


@pytest.mark.extras
@examples(12)
@given(name=st.text(min_size=1), value=st.text(), kind=st.sampled_from(["audit", "rates"]))
def test_names_and_values_are_text(name: str, value: str, kind: str) -> None:
    """A control character that is not replaced would end the process."""
    frame = pl.DataFrame(
        {name + HOSTILE: ["\x1b" + value, "\x1b" + value + "!"] * 4, "p\x1f": [0, 1, 1, 1] * 2}
    )
    question: dict[str, Any] = {"facet": name + HOSTILE, "predicted": "p\x1f"}
    if kind == "audit":
        answer = pf.audit(frame, "di", confidence=None, by=pl.lit(value).alias("when"), **question)
    else:
        answer = pf.rates(frame, **question)
    import vl_convert

    assert vl_convert.vegalite_to_svg(pf.chart(answer).to_dict()).startswith("<svg")


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
