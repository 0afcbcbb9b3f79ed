"""Charts of the comparisons of a facet: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.comparison import against, comparison_figures, kind_of
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.shown_comparisons import comparisons_shown
from tests.reporting.reports import HOSTILE

QUESTION: dict[str, Any] = {"facet": "race", "favored": "w", "predicted": "hired", "count": "n"}


def hired(shares: dict[str, float], n: int = 10_000) -> pl.DataFrame:
    """So many rows of each group, this share of them accepted."""
    return pl.DataFrame(
        [
            {"race": race, "hired": outcome, "n": round(n * each)}
            for race, share in shares.items()
            for outcome, each in ((1, share), (0, 1 - share))
        ]
    )


FOUR: dict[str, float] = {"b": 0.1, "x": 0.4, "y": 0.48, "w": 0.5}


def figures(frame: pl.DataFrame, *metrics: Any, **more: Any) -> list[Figure]:
    findings = pf.report(frame, *metrics, **(QUESTION | more)).findings
    return comparison_figures(findings, comparisons_shown(findings), [*findings.metrics()])


def test_a_chart_for_each_metric_has_a_row_for_each_group() -> None:
    di, dppl = figures(hired(FOUR), "di", "dppl")
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
    (figure,) = figures(hired(FOUR), metric)
    assert vars(figure.chart)["title"] == against(sign)


def test_the_text_begins_with_the_finding() -> None:
    di, dppl = figures(hired(FOUR), "di", "dppl", confidence=None)
    assert di.in_words == (
        "di by race: 1 of 3 groups is outside the band of 0.8 to 1.25: b 0.200. "
        "Within: x 0.800; y 0.960."
    )
    outside = "1 of 3 groups is outside the band of −0.1 to 0.1: b 0.400."
    assert dppl.in_words.startswith(f"dppl by race: {outside}")


def test_an_interval_stands_behind_its_value() -> None:
    (di,) = figures(hired(FOUR), "di")
    first, *_ = di.chart.marks
    assert first["lower"] < 0.2 < first["upper"]
    assert "1 of 3 groups is outside the band of 0.8 to 1.25: b 0.200 (0.1" in di.in_words
    assert "Uncertain: x 0.800 (0." in di.in_words


def test_metrics_of_a_kind_share_a_scale() -> None:
    drawn = figures(hired(FOUR), "di", "success_ratio", "dppl", "statistical_parity", "two_sd")
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


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("di", "ratio"),
        ("four_fifths", "ratio"),
        ("dppl", "difference"),
        ("rd", "difference"),
        ("two_sd", "two_sd"),
        ("z_ratio", "z_ratio"),
        ("cohens_d", "cohens_d"),
        ("selection_rate", "selection_rate"),
    ],
)
def test_the_kind_of_a_metric(name: str, kind: str) -> None:
    assert kind_of(pf.CATALOGUE[name]) == kind


def test_of_forty_groups_the_worst_are_drawn() -> None:
    shares = {f"g{i:02}": (i + 1) / 100 for i in range(40)} | {"w": 0.5}
    (di,) = figures(hired(shares), "di")
    assert [mark["name"] for mark in di.chart.marks] == [f"g{i:02}" for i in range(14)]
    assert di.caption.endswith("\nagainst w, the 14 worst of 40")
    # The logarithm of 0.39 / 0.5 = 0.78 has the standard error √(0.61 / 3,900 + 0.5 / 5,000) =
    # 0.016, so its interval reaches to 0.805.
    assert "38 of 40 groups are outside the band of 0.8 to 1.25: g00 0.020" in di.in_words


def test_one_group_and_no_value() -> None:
    (di,) = figures(hired({"b": 0.2, "w": 0.0}), "di")
    assert [mark["value"] for mark in di.chart.marks] == [float("inf")]
    (alone,) = figures(hired({"b": 0.0, "w": 0.0}), "di")
    assert [mark["value"] for mark in alone.chart.marks] == [None]
    none = "None of 1 group is outside the band of 0.8 to 1.25. Undefined: b."
    assert alone.in_words == f"di by race: {none}"


def test_different_sides_are_named_in_the_rows() -> None:
    everyone = figures(hired(FOUR), "di", favored=None)[0]
    assert everyone.caption == "di, Disparate impact\nagainst everyone else"
    assert len(everyone.chart.marks) == 4
    halves = pl.concat(
        hired(shares).with_columns(half=pl.lit(half))
        for half, shares in enumerate(({"b": 0.1, "w": 0.5}, {"b": 0.5, "w": 0.1}))
    )
    (di,) = figures(halves, "di", favored=pf.HIGHEST, by="half")
    assert di.caption == "di, Disparate impact"
    assert [mark["name"] for mark in di.chart.marks] == [
        "b against w, half 0",
        "w against b, half 1",
    ]


def test_models_have_rows_of_their_own() -> None:
    frame = hired({"b": 0.2, "w": 0.4}).with_columns(new=pl.lit(1))
    (di,) = figures(frame, "di", predicted={"hired": "hired", "new": "new"})
    assert [mark["name"] for mark in di.chart.marks] == ["b, hired", "b, new"]


def test_weights_stand_in_place_of_rows() -> None:
    frame = hired({"b": 0.2, "w": 0.4}).with_columns(weight=pl.col("n") / 2)
    (di,) = figures(frame, "di", weight="weight")
    assert di.chart.marks[0]["Weight"] == "5,000.0"


@pytest.mark.extras
def test_charts_are_drawn_with_all_marks() -> None:
    from polars_fairness.reporting.charts.look import PAGE, drawing

    names = {HOSTILE: 0.001, "x": 0.4, "": 0.6, "w": 0.5}
    (di,) = figures(hired(names), "di")
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
