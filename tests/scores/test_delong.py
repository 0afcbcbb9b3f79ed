"""DeLong's intervals against plain Python, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given

import polars_fairness as pf
from polars_fairness.terms import a_s, auc, d_s, over_scores
from tests.strategies import examples, frames

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "score": "s",
    "method": "delong",
}

# The sides of the positive and the negative rows of each AUC; the second is subtracted.
AREAS: Final = {
    "auc_difference": [("M", "M"), ("F", "F")],
    "xauc_difference": [("M", "F"), ("F", "M")],
    "bpsn_auc": [("M", "F")],
    "bnsp_auc": [("F", "M")],
}
Z: Final = 1.959963985


def variance_of_mean(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)


def area_and_variance(positive: Sequence[float], negative: Sequence[float]) -> tuple[float, float]:
    """DeLong et al. 1988: the AUC is the mean of the places of either kind of row."""
    won = [[1.0 if p > n else 0.5 if p == n else 0.0 for n in negative] for p in positive]
    of_positive = [sum(row) / len(negative) for row in won]
    of_negative = [sum(column) / len(positive) for column in zip(*won, strict=True)]
    variance = variance_of_mean(of_positive) + variance_of_mean(of_negative)
    return sum(of_positive) / len(positive), variance


def expected(frame: pl.DataFrame, metric: str) -> tuple[float, float]:
    """The bounds, or all that is possible if a kind of row is there once only."""
    lowest = 0.0 if metric.endswith("_auc") else -1.0
    value, variance = 0.0, 0.0
    for factor, (one, other) in zip((1, -1), AREAS[metric], strict=False):
        positive = frame.filter(pl.col("y"), sex=one)["s"].to_list()
        negative = frame.filter(~pl.col("y"), sex=other)["s"].to_list()
        if min(len(positive), len(negative)) < 2:
            return lowest, 1.0
        area, of_area = area_and_variance(positive, negative)
        value, variance = value + factor * area, variance + of_area
    return max(lowest, value - Z * sqrt(variance)), min(1.0, value + Z * sqrt(variance))


def rows(**sides: tuple[list[float], list[float]]) -> pl.DataFrame:
    """Rows from the scores of the positive and of the negative rows of each side."""
    return pl.DataFrame(
        [
            (sex, label, score)
            for sex, scores in sides.items()
            for label, of_label in zip((True, False), scores, strict=True)
            for score in of_label
        ],
        schema=["sex", "y", "s"],
        orient="row",
    )


@given(frames(least=30))
@examples(25)
def test_bounds_are_those_of_plain_python(frame: pl.DataFrame) -> None:
    answer = pf.audit(frame, *AREAS, **QUESTION)
    for metric, value, lower, upper in answer.select("metric", "value", "lower", "upper").rows():
        if value is not None:
            assert (lower, upper) == pytest.approx(expected(frame, metric), abs=1e-8), metric


def test_bounds_of_an_area_are_arithmetic() -> None:
    """Two positives have the places 1/2 and 1, two negatives too: the variance is 1/16 twice."""
    frame = rows(M=([0.4, 0.8], [0.9, 0.9]), F=([0.1, 0.1], [0.2, 0.6]))
    row = pf.audit(frame, "bpsn_auc", confidence=0.5, **QUESTION).row(0, named=True)
    assert row["value"] == 0.75
    # The quartile of the normal distribution is 0.67449.
    assert row["lower"] == pytest.approx(0.75 - 0.67449 * sqrt(1 / 8), abs=1e-5)
    assert row["upper"] == pytest.approx(0.75 + 0.67449 * sqrt(1 / 8), abs=1e-5)


def test_the_place_of_a_single_row_says_nothing_of_its_variance() -> None:
    frame = rows(M=([0.4], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.6]))
    answer = pf.audit(frame, *AREAS, **QUESTION)
    assert answer.select("metric", "lower", "upper").rows() == [
        ("auc_difference", -1.0, 1.0),
        ("xauc_difference", -1.0, 1.0),
        ("bpsn_auc", 0.0, 1.0),
        ("bnsp_auc", *expected(frame, "bnsp_auc")),
    ]


def test_counted_rows_are_rows() -> None:
    frame = rows(M=([0.4, 0.8, 0.8], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.2, 0.6]))
    counted = frame.group_by("sex", "y", "s").len("n")
    shown = ["metric", "lower", "upper"]
    by_rows = pf.audit(frame, *AREAS, **QUESTION).select(shown)
    assert pf.audit(counted, *AREAS, count="n", **QUESTION).select(shown).equals(by_rows)


def test_changing_places_mirrors_the_bounds() -> None:
    frame = rows(M=([0.4, 0.8, 0.5], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3, 0.6]))
    one, other = (
        pf.audit(frame, "auc_difference", **{**QUESTION, "disfavored": d, "favored": a}).row(
            0, named=True
        )
        for d, a in (("F", "M"), ("M", "F"))
    )
    assert (other["lower"], other["upper"]) == pytest.approx((-one["upper"], -one["lower"]))


def test_an_area_of_ones_own_has_the_bounds() -> None:
    frame = rows(M=([0.4, 0.8, 0.5], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3, 0.6]))
    own = pf.Metric("own", "Own", over_scores(auc(d_s, d_s)), ideal=None)
    row = pf.audit(frame, own, **QUESTION).row(0, named=True)
    area, variance = area_and_variance([0.1, 0.9], [0.2, 0.3, 0.6])
    assert row["value"] == pytest.approx(area)
    assert row["upper"] == pytest.approx(min(1, area + Z * sqrt(variance)))


def test_areas_of_the_same_rows_have_no_such_bounds() -> None:
    """Their variances do not add up."""
    frame = rows(M=([0.4, 0.8], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3]))
    own = pf.Metric("own", "Own", over_scores(auc(a_s, a_s) - auc(a_s, d_s)))
    with pytest.raises(pf.FairnessError, match="'delong' is for AUCs and differences of two AUCs"):
        pf.audit(frame, own, **QUESTION)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"weight": "w"}, "method: 'delong' takes counts, but weight= is given; use 'bootstrap'"),
        ({"favored": pf.OVERALL}, "method: 'delong' is for sides without rows in common"),
    ],
)
def test_what_the_formula_is_not_for_is_refused(more: dict[str, Any], message: str) -> None:
    frame = rows(M=([0.4, 0.8], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3])).with_columns(w=2.0)
    with pytest.raises(pf.FairnessError, match=message):
        pf.audit(frame, "auc_difference", **{**QUESTION, **more})


def test_other_metrics_keep_the_bootstrap() -> None:
    frame = rows(M=([0.4, 0.8], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3]))
    together = pf.audit(frame, "auc_difference", "abroca", **QUESTION)
    drawn = pf.audit(frame, "abroca", **{**QUESTION, "method": "bootstrap"})
    assert together.filter(metric="abroca").equals(drawn)
