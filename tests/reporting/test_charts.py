"""Charts: where marks stand, by hand, and what is drawn of any answer."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.scales import scale_of
from tests.frames import shared
from tests.reporting.reports import BERKELEY, HOSTILE, monthly, of_counts, scored
from tests.reporting.traced import document_of
from tests.snapshots.charts import CHARTS, SURE
from tests.strategies import examples

pytestmark = pytest.mark.extras

SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "s"}
THRESHOLDS = [0.25, 0.5, 1.0]
FOUR = {"b": (1_000, 10_000), "x": (4_000, 10_000), "y": (4_800, 10_000), "w": (5_000, 10_000)}


def marks(answer: pl.DataFrame) -> list[dict[str, Any]]:
    return [row for rows in pf.chart(answer).to_dict()["datasets"].values() for row in rows]


def picture_of(chart: Any, path: Path) -> str:
    chart.save(path / "chart.svg")
    return (path / "chart.svg").read_text("utf-8")


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


def test_a_chart_has_the_numbers_of_its_table() -> None:
    """Each dot is the row of the table, in the answer's numbers, and none is missing."""
    audit = shared(pf.audit, pf.datasets.berkeley(), "di", "dppl", "ci", **BERKELEY)
    drawn = [row for row in marks(audit) if "value" in row]
    table = lay_out(Answer("audit", audit)).rows
    assert sorted(row["value"] for row in drawn) == sorted(row["value"] for row in table)
    assert {row["tone"] for row in drawn} == {row["tones"]["verdict"] for row in table}
    ends = [(row["lower"], row["upper"]) for row in drawn]
    assert sorted(ends, key=str) == sorted(((r["lower"], r["upper"]) for r in table), key=str)


def test_a_strip_of_a_page_is_on_the_scale_of_its_column() -> None:
    """Ratios by their logarithm: the band 0.8 to 1.25 is as wide on either side of 1."""
    report = pf.report(of_counts(FOUR, "race"), "di", facet="race", favored="w", predicted="hired")
    exhibit = document_of(report).sections[0].tables[0]
    dots = [row["dots"]["value"] for row in exhibit.rows if row["dots"]["value"].value is not None]
    assert [dot.value for dot in dots] == pytest.approx([0.2, 0.8, 0.96])
    [scale] = {dot.scale for dot in dots}
    assert (scale.band, scale.ideal) == ((0.8, 1.25), 1)
    places = [scale.place(value) for value in (0.8, 1, 1.25)]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.02)
    assert [row["dots"]["value"].tone for row in exhibit.rows][:3] == [
        "outside",
        "uncertain",
        "within",
    ]


def test_of_many_groups_the_worst_are_shown_and_the_others_counted() -> None:
    counts = {f"g{i:02}": (10 * (i + 1), 1_000) for i in range(24)} | {"w": (500, 1_000)}
    report = pf.report(
        of_counts(counts, "race"), "di", facet="race", favored="w", predicted="hired"
    )
    exhibit = document_of(report).sections[0].tables[0]
    assert [row["group"].text for row in exhibit.rows[:3]] == ["g00", "g01", "g02"]
    assert exhibit.caption.endswith(", 20 of 24")
    assert "4 not shown" in exhibit.notes[0]


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
    rates = pf.rates(frame, facet="sex", predicted="hired", by="branch")
    shown = pf.chart(rates).to_dict()
    assert len(shown["vconcat"]) == 16
    assert shown["title"]["text"] == ["The first 16 of 17 charts; filter the answer to see others."]


def test_charts_of_a_rate_have_one_scale() -> None:
    """The highest bound is that of three in four (Wilson), and some room; `now` accepts fewer."""
    models = {"now": "hired", "new": pl.Series("q", [0, 0, 1, 1, 0, 0, 1, 0])}
    rows = monthly().with_columns(models["new"])
    drawn = pf.chart(pf.rates(rows, facet="sex", predicted={"now": "hired", "new": "q"})).to_dict()
    domains = {str(each) for each in re.findall(r'"domain": \[0, ([\d.]+)\]', json.dumps(drawn))}
    assert {round(float(each), 4) for each in domains} == {0.9926}


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
