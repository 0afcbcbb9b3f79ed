"""The verdict of an interval and a band."""

from __future__ import annotations

import polars as pl
import pytest

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M, audit_row
from tests.frames import QUESTION, confusion, predictions


@pytest.mark.parametrize(
    ("metric", "f", "m", "verdict", "against"),
    [
        ("dppl", (500, 500), (520, 480), "within", None),
        ("dppl", (300, 700), (600, 400), "outside", "F"),
        ("dppl", (600, 400), (300, 700), "outside", "M"),
        ("dppl", (5, 5), (6, 4), "uncertain", None),
        ("dppl", (0, 0), (6, 4), None, None),
        ("statistical_parity", (300, 700), (600, 400), "outside", "F"),
        ("di", (300, 700), (600, 400), "outside", "F"),
        ("di", (600, 400), (300, 700), "outside", "M"),
        ("success_ratio", (300, 700), (600, 400), "outside", "F"),
        ("four_fifths", (300, 700), (600, 400), "outside", "F"),
        ("four_fifths", (600, 400), (300, 700), "outside", "M"),
        ("cohens_d", (300, 700), (600, 400), "outside", "F"),
    ],
)
def test_a_verdict_says_where_the_interval_lies_beside_its_band(
    metric: str, f: tuple[int, int], m: tuple[int, int], verdict: str | None, against: str | None
) -> None:
    frame = predictions(F=f, M=m)
    if verdict is None:
        answer = pf.audit(frame, metric, **{**F_AGAINST_M, "disfavored": "M", "favored": None})
        assert answer["verdict"].to_list() == ["undefined"]
    else:
        row = audit_row(frame, metric)
        assert (row["verdict"], row["against"]) == (verdict, against)


@pytest.mark.parametrize(
    ("value", "verdict", "against"),
    [
        (-0.2, "outside", "M"),
        (-0.125, "within", None),
        (0.25, "within", None),
        (0.3, "outside", "F"),
    ],
)
def test_without_intervals_the_value_is_judged(
    value: float, verdict: str, against: str | None
) -> None:
    frame = predictions(F=(round(1000 * (0.5 - value)), round(1000 * (0.5 + value))), M=(1, 1))
    row = audit_row(frame, "dppl", confidence=None, bands={"dppl": (-0.125, 0.25)})
    assert (row["lower"], row["upper"], row["verdict"]) == (None, None, verdict)
    assert row["against"] == against


@pytest.mark.parametrize(
    ("metric", "f", "m"),
    [("dppl", (30, 70), (40, 60)), ("di", (24, 76), (30, 70)), ("four_fifths", (24, 76), (30, 70))],
)
def test_a_value_on_an_edge_lies_in_the_band(
    metric: str, f: tuple[int, int], m: tuple[int, int]
) -> None:
    """0.4 - 0.3 is more than 0.1 in floats, and 0.24 / 0.3 less than 0.8."""
    for frame in (predictions(F=f, M=m), predictions(F=m, M=f)):
        assert audit_row(frame, metric, confidence=None)["verdict"] == "within"


@pytest.mark.extras
@pytest.mark.parametrize("confidence", [0.95, None])
def test_without_sides_a_value_is_outside(confidence: float | None) -> None:
    """1 of 10 women and 9 of 10 men are accepted: every metric is far from its ideal."""
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 100 + ["M"] * 100,
            "y": [0, 1] * 100,
            "p": [1] * 10 + [0] * 90 + [1] * 90 + [0] * 10,
            "x": [*range(200)],
        }
    )
    bands = {
        "selection_rate_ratio": (0.8, 1),
        "selection_rate_gap": (0, 0.1),
        "fpsf": (0, 0.01),
        "ge": (0, 0.01),
        "ge_between": (0, 0.01),
    }
    question = {**QUESTION, "bands": bands, "confidence": confidence}
    answer = pf.audit(frame, *bands, **question)
    assert dict(answer.select("metric", "verdict").iter_rows()) == dict.fromkeys(bands, "outside")
    assert pf.audit(frame, *bands, **{**question, "bands": dict.fromkeys(bands, (-9, 9))})[
        "verdict"
    ].unique().to_list() == ["within"]


@pytest.mark.parametrize(
    ("f", "m", "against"),
    [
        # tp, fp, fn, tn
        ((10, 10, 40, 40), (40, 40, 10, 10), "F"),
        ((40, 40, 10, 10), (10, 10, 40, 40), "M"),
        ((50, 0, 0, 50), (0, 50, 50, 0), None),
    ],
)
def test_a_distance_is_read_with_the_rates_of_the_sides(
    f: tuple[int, int, int, int], m: tuple[int, int, int, int], against: str | None
) -> None:
    metric, frame = "average_abs_odds_difference", confusion(F=f, M=m)
    answer = audit_row(frame, metric, label="y", bands={metric: (0, 0.1)}, confidence=None)
    assert (answer["verdict"], answer["against"]) == ("outside", against)


def test_verdicts_are_uncertain_where_all_were_accepted() -> None:
    """Three of three on either side: no rejections among so few rows do not make it fair."""
    for p in (True, 1, 1.0, "yes"):
        frame = pl.DataFrame({"sex": ["F"] * 3 + ["M"] * 3, "p": [p] * 6})
        texts = (pl.String(), pl.Categorical(), pl.Enum(["yes", "no"])) if p == "yes" else ()
        for of_type in [frame, *(frame.cast({"p": dtype}) for dtype in texts)]:
            answer = pf.audit(
                of_type,
                "dppl",
                "di",
                facet="sex",
                disfavored="F",
                predicted="p",
                positive=p,
            )
            assert answer["verdict"].to_list() == ["uncertain", "uncertain"], (p, of_type.schema)
