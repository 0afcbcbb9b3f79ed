"""The heat map of two facets: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import BOTH, four_each, maps, worst


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


@pytest.mark.extras
def test_a_page_with_maps_is_the_same_again() -> None:
    one, two = (pf.report(four_each(), "dppl", **BOTH)._repr_html_() for _ in range(2))
    assert one == two
    assert "On a heat map each cell" in one
    for name in ("above", "below"):
        assert f'fill="var(--pf-{name})"' in one
    assert len(
        re.findall(r'aria-label="Selection rate minus the overall rate[^"]*M and w \+25\.0', one)
    )
