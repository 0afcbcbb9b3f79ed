"""Charts: where marks stand, by hand, and what is drawn of any answer."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting.charts.marks import scale_of
from tests.frames import shared
from tests.reporting.reports import BERKELEY, BOTH, HOSTILE, four_each, monthly, of_counts, scored
from tests.snapshots.charts import CHARTS, SURE, figures_of
from tests.strategies import examples

pytestmark = pytest.mark.extras

SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "s"}
THRESHOLDS = [0.25, 0.5, 1.0]
FOUR = {"b": (1_000, 10_000), "x": (4_000, 10_000), "y": (4_800, 10_000), "w": (5_000, 10_000)}


def marks(answer: pl.DataFrame) -> list[dict[str, Any]]:
    return [row for rows in pf.chart(answer).to_dict()["datasets"].values() for row in rows]


def named(answer: pl.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["name"].split()[0]: row for row in marks(answer) if "name" in row}


def picture_of(chart: Any, path: Path) -> str:
    chart.save(path / "chart.svg")
    return (path / "chart.svg").read_text("utf-8")


def on_page(counts: dict[str, tuple[int, int]], *metrics: Any, **more: Any) -> list[Any]:
    """The charts of metrics, without those of rates."""
    question: dict[str, Any] = {"facet": "race", "favored": "w", "predicted": "hired", **more}
    report = pf.report(of_counts(counts, "race"), *metrics, **question)
    return [each for each in figures_of(report) if "rate by" not in each.caption]


@pytest.mark.parametrize(
    ("value", "ideal", "band", "room", "less"),
    # Without intervals −0.1 to 0.2, and half of 0.3 below; 0.5 to 1.25, and by a root of 2.5.
    [(0.2, 0, (-0.1, 0.1), -0.25, -0.24), (0.5, 1, (0.8, 1.25), 0.5 / 2.5**0.5, 0.32)],
    ids=["differences", "ratios"],
)
def test_intervals_take_half_as_much_room_again_and_no_more(
    value: float, ideal: float, band: tuple[float, float], room: float, less: float
) -> None:
    row = {"value": value, "ideal": ideal, "band_lower": band[0], "band_upper": band[1]}

    def low(lower: float) -> float:
        return scale_of([row | {"lower": lower, "upper": value}], is_log=ideal == 1).low

    far = 0.001 if ideal == 1 else -9
    assert low(far) == pytest.approx(low(room))
    assert low(far) < low(less)


def test_a_forest_places_values_by_their_bands_on_the_same_side() -> None:
    found = named(shared(pf.audit, pf.datasets.berkeley(), "di", "dppl", **BERKELEY))
    # The band of di is 0.8 to 1.25: half of it is log 1.25; that of dppl is −0.1 to 0.1.
    assert found["di"]["value"] == pytest.approx(-log((557 / 1835) / (1198 / 2691)) / log(1.25))
    assert found["dppl"]["value"] == pytest.approx((1198 / 2691 - 557 / 1835) / 0.1)
    # The band of four_fifths, 0.8 to 1, has its middle at 0.9 and its ideal at the upper edge.
    alone = named(shared(pf.audit, pf.datasets.berkeley(), "four_fifths", **BERKELEY))
    assert alone["four_fifths"]["ideal"] == pytest.approx(1)
    bands: dict[str, Any] = {"bands": {"dppl": (-0.5, 0.5)}}
    # 1 of 4 women and 2 of 4 men were hired: a difference of 0.25, half of half the band.
    assert named(pf.audit(monthly(), "dppl", **bands, **SURE))["dppl"]["value"] == 0.5


def test_charts_of_metrics_begin_with_the_farthest_and_share_a_scale() -> None:
    metrics = ("di", "success_ratio", "dppl", "statistical_parity")
    drawn = {each.caption.split(",")[0]: each for each in on_page(FOUR, *metrics)}
    di = drawn["di"].chart
    assert [mark["name"] for mark in di.marks] == ["b", "x", "y"]
    assert [mark["value"] for mark in di.marks] == pytest.approx([0.2, 0.8, 0.96])
    assert [mark["tone"] for mark in di.marks] == ["outside", "uncertain", "within"]
    assert (di.band, di.ideal, di.scale.is_log) == ((0.8, 1.25), 1, True)
    scales = {name: each.chart.scale for name, each in drawn.items()}
    assert scales["di"] == scales["success_ratio"]
    assert scales["dppl"] == scales["statistical_parity"]
    # From −0.4 of statistical parity to 0.4 of dppl, as far as intervals go, and some room.
    assert -0.5 < scales["dppl"].low < -0.4
    assert 0.4 < scales["dppl"].high < 0.5
    (two_sd,) = on_page(FOUR, "two_sd")
    assert two_sd.chart.scale.high > 50


def test_of_forty_groups_the_worst_are_drawn() -> None:
    counts = {f"g{i:02}": (100 * (i + 1), 10_000) for i in range(40)} | {"w": (5_000, 10_000)}
    (di,) = on_page(counts, "di")
    assert [mark["name"] for mark in di.chart.marks] == [f"g{i:02}" for i in range(14)]
    assert di.caption.endswith("\nagainst w, the 14 worst of 40")
    # The logarithm of 0.39 / 0.5 has the standard error √(0.61 / 3,900 + 0.5 / 5,000) = 0.016, so
    # its interval reaches to 0.805.
    assert "38 of 40 groups are outside the band of 0.8 to 1.25. g00 0.020" in di.in_words


def maps(frame: pl.DataFrame, **question: Any) -> list[list[dict[str, Any]]]:
    report = pf.report(frame, "dppl", **BOTH | question)
    found = (each.chart.marks for each in figures_of(report))
    return [rows for rows in found if rows and "column" in rows[0]]


def test_a_heat_map_places_every_pair_and_the_farthest_is_the_deepest() -> None:
    """6 of 12 were hired, women of race b 50 points below it; and then 24 of 32, and 19 of 20."""
    [found] = maps(four_each().filter(~((pl.col("sex") == "F") & (pl.col("race") == "w"))))
    assert found == [
        {"row": 0, "column": 0, "side": "below", "depth": 1.0, "text": "−50.0"},
        {"row": 1, "column": 0, "side": "above", "depth": 0.5, "text": "+25.0"},
        {"row": 1, "column": 1, "side": "above", "depth": 0.5, "text": "+25.0"},
    ]
    more = pl.DataFrame({"sex": "M", "race": "w", "hired": [1] * 16})
    [found] = maps(pl.concat([four_each(), more]), harm="both")
    assert [mark["text"] for mark in found] == ["−75.0", "−25.0", "0.0", "+20.0"]
    assert [mark["depth"] for mark in found] == pytest.approx([1, 1 / 3, 0, 20 / 75])
    # In a second month all are hired: both maps have one scale.
    months = [four_each().with_columns(m=1), four_each().with_columns(hired=pl.lit(1), m=2)]
    frame = pl.concat([each.cast({"hired": pl.Int64}) for each in months])
    assert [[mark["depth"] for mark in each] for each in maps(frame, by="m")][1] == [0] * 4
    assert maps(four_each().join(pl.DataFrame({"age": range(13)}), how="cross"), facet="age") == []


PICTURED = (
    *("audit", "models", "switches", "windows of time", "without a place", "rates"),
    *("worst groups", "decompose", "rates over thresholds", "audit over thresholds"),
    "calibration",
)


@pytest.mark.parametrize("name", PICTURED)
def test_an_answer_is_a_picture_of_text_and_without_rows_it_is_words(
    name: str, tmp_path: Path
) -> None:
    answer = CHARTS[name]()
    groups = [each for each in ("disfavored", "value") if answer.schema.get(each) == pl.String]
    hostile = {"F": f"\x1b{HOSTILE}", "M": f"\x00{HOSTILE}"}
    picture = picture_of(pf.chart(answer.with_columns(pl.col(groups).replace(hostile))), tmp_path)
    assert "var(" not in picture
    assert "<script>" not in picture
    assert "role-axis-label" in picture
    empty = pf.chart(answer.clear()).to_dict()
    assert len(empty["vconcat"]) == 1
    assert "Nothing to show: the answer has no rows." in str(empty)


def rises(picture: str) -> dict[str, float]:
    """The places of the labels of an axis on the left, from the top."""
    found = re.findall(r'translate\(-[\d.]+,([\d.]+)\)"[^>]*>(−?[\d.]+)</text>', picture)
    return {label: float(place) for place, label in found}


def test_values_fill_their_chart(tmp_path: Path) -> None:
    """Differences of 7 to 8, whose area of intervals would begin at 0; ratios close to 1."""
    far = pf.audit(scored(), "rd", replicates=50, threshold=THRESHOLDS, **SCORED)
    far = far.with_columns(pl.col("value", "upper") + 7, band_lower=None, band_upper=None)
    labels = rises(picture_of(pf.chart(far.with_columns(lower="value")), tmp_path))
    assert "7" in labels
    assert not [label for label in labels if 1 < float(label) < 6]
    ratios = shared(pf.metrics, scored(), "di", threshold=THRESHOLDS, **SCORED)
    ratios = ratios.with_columns(di=pl.Series([0.9, 0.85, 1.1]))
    places = rises(picture_of(pf.chart(ratios), tmp_path))
    assert len(places) >= 4
    assert abs(places["0.8"] - places["1.25"]) > 100
    assert min(b - a for a, b in pairwise(sorted(places.values()))) > 14


def test_many_charts_are_cut_and_a_line_says_so() -> None:
    frame = pl.concat([monthly().with_columns(branch=pl.lit(i)) for i in range(17)])
    shown = pf.chart(pf.audit(frame, "dppl", by="branch", **SURE)).to_dict()
    assert len(shown["vconcat"]) == 16
    assert shown["title"]["text"] == ["The first 16 of 17 charts; filter the answer to see others."]


def test_charts_of_a_rate_have_one_scale() -> None:
    """The highest bound is that of three in four (Wilson); `now` accepts two in four at most."""
    models = {"now": "hired", "new": pl.Series("q", [0, 0, 1, 1, 0, 0, 1, 0])}
    rows = monthly().with_columns(models["new"])
    drawn = pf.chart(pf.rates(rows, facet="sex", predicted={"now": "hired", "new": "q"})).to_dict()
    domains = {str(each) for each in re.findall(r'"domain": \[0, ([\d.]+)\]', json.dumps(drawn))}
    assert {round(float(each), 4) for each in domains} == {0.9544}


@examples(6)
@given(name=st.text(min_size=1), value=st.text(), kind=st.sampled_from(["audit", "rates"]))
def test_names_and_values_are_text(name: str, value: str, kind: str) -> None:
    """In tables too; a control character in a chart would end the process."""
    import vl_convert

    name, values = name + HOSTILE, ["\x1b" + value + HOSTILE, "\x1b" + value + "!"]
    frame = pl.DataFrame({name: values * 4, "p\x1f": [0, 1, 1, 1] * 2})
    question: dict[str, Any] = {"facet": name, "predicted": "p\x1f"}
    if kind == "audit":
        answer = pf.audit(frame, "di", confidence=None, by=pl.lit(value).alias("when"), **question)
    else:
        answer = pf.rates(frame, **question)
    assert vl_convert.vegalite_to_svg(pf.chart(answer).to_dict()).startswith("<svg")
    assert "<script" not in pf.table(answer).as_raw_html()


def test_a_page_does_not_change_with_the_last_digit_of_a_sum() -> None:
    rows = monthly().with_columns(w=pl.Series([0.1, 0.2, 0.3, 0.4] * 2))
    question: dict[str, Any] = {**SURE, "weight": "w"}
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    one, other = (pf.report(each, "dppl", **question) for each in (rows, rows.reverse()))
    assert one._repr_html_() == other._repr_html_()
