"""Intervals of AUCs, DeLong's among them, against plain Python, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal
from scipy.stats import norm
from scipy.stats import t as student

import polars_fairness as pf
from polars_fairness.terms import auc, d_s, over_scores
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


Places = tuple[list[float], list[float]]
"""The places of the positive rows, and of the negative rows."""


def places_of(positive: Sequence[float], negative: Sequence[float]) -> Places:
    """The share of the other rows that each row is on the right side of; of equal scores, half."""
    won = [[1.0 if p > n else 0.5 if p == n else 0.0 for n in negative] for p in positive]
    of_positive = [sum(row) / len(negative) for row in won]
    return of_positive, [sum(column) / len(positive) for column in zip(*won, strict=True)]


def variance_of_mean(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)


def area_and_variance(places: Places) -> tuple[float, float]:
    """DeLong et al. 1988: the AUC is the mean of the places of either kind of row."""
    return sum(places[0]) / len(places[0]), sum(map(variance_of_mean, places))


def rows_out_of_order(places: Places) -> int:
    """Of the kind that has fewer of them, and in whichever order has fewer."""
    return min(min(sum(p < 1 for p in kind), sum(p > 0 for p in kind)) for kind in places)


def wilson_ends(places: Places) -> tuple[float, float]:
    """The bounds of one AUC by default, all that is possible if a kind of row is there once."""
    sizes = [*map(len, places)]
    if min(sizes) < 2:
        return 0.0, 1.0
    area, variance = area_and_variance(places)
    per_row = 0.0
    if variance:
        parts = [
            variance_of_mean(kind) ** 2 / (n - 1) for kind, n in zip(places, sizes, strict=True)
        ]
        freedom = max(2.0, variance**2 / sum(parts))
        widening = (student.ppf(0.975, freedom) / Z) ** 2
        per_row = variance * widening / (area * (1 - area))
    # Newcombe 2006, method 5: the variance for exponential scores.
    star = sum(sizes) / 2 - 1
    alike = 1 + star * (1 - area) / (2 - area) + star * area / (1 + area)
    errors = rows_out_of_order(places)
    share = min(1.0, 2 / sqrt(errors)) if errors else 1.0
    per_row += share * max(0.0, alike / (sizes[0] * sizes[1]) - per_row)
    middle, whole = area + Z**2 * per_row / 2, 1 + Z**2 * per_row
    reach = Z * sqrt(area * (1 - area) * per_row + (Z * per_row / 2) ** 2)
    return (middle - reach) / whole, (middle + reach) / whole


def compared_places(frame: pl.DataFrame, metric: str) -> list[Places]:
    return [
        places_of(
            frame.filter(pl.col("y"), sex=one)["s"].to_list(),
            frame.filter(~pl.col("y"), sex=other)["s"].to_list(),
        )
        for one, other in AREAS[metric]
    ]


def by_default(frame: pl.DataFrame, metric: str) -> tuple[float, float]:
    places = compared_places(frame, metric)
    (low, high), *others = map(wilson_ends, places)
    if not others:
        return low, high
    [(other_low, other_high)] = others
    area, other = (sum(of_positive) / len(of_positive) for of_positive, _ in places)
    return (
        area - other - hypot(area - low, other_high - other),
        area - other + hypot(high - area, other - other_low),
    )


def by_delong(frame: pl.DataFrame, metric: str) -> tuple[float, float]:
    (area, variance), *others = map(area_and_variance, compared_places(frame, metric))
    for other, of_other in others:
        area, variance = area - other, variance + of_other
    return area - Z * sqrt(variance), area + Z * sqrt(variance)


def many(rows: int = 240) -> pl.DataFrame:
    """Scores, many of them out of order."""
    random = np.random.default_rng(3)
    y = random.random(rows) < 0.5
    return pl.DataFrame(
        {"sex": random.choice(["F", "M"], rows), "y": y, "s": random.normal(0.8 * y).round(1)}
    )


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


@pytest.mark.parametrize("method", ["auto", "delong"])
@given(frame=frames(least=30))
@examples(25)
def test_bounds_of_few_rows_are_those_of_plain_python(method: str, frame: pl.DataFrame) -> None:
    """By DeLong too, as hardly any row is out of order."""
    answer = pf.audit(frame, *AREAS, **{**QUESTION, "method": method})
    for metric, value, lower, upper in answer.select("metric", "value", "lower", "upper").rows():
        if value is None:
            continue
        assert min(map(rows_out_of_order, compared_places(frame, metric))) < 20
        # Student's quantile is a series here: with two degrees of freedom it is 3.5 % below the
        # exact one, 0.014 of an interval from 0.56 to 1.
        assert (lower, upper) == pytest.approx(by_default(frame, metric), abs=0.02), metric


def test_bounds_of_many_rows_are_those_of_plain_python() -> None:
    frame = many()
    for method, expected in (("auto", by_default), ("delong", by_delong)):
        answer = pf.audit(frame, *AREAS, **{**QUESTION, "method": method})
        for metric, *bounds in answer.select("metric", "lower", "upper").rows():
            assert bounds == pytest.approx(expected(frame, metric), abs=1e-8), (method, metric)


@pytest.mark.parametrize("method", ["auto", "delong"])
def test_the_place_of_a_single_row_says_nothing_of_its_variance(method: str) -> None:
    frame = rows(M=([0.4], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.6]))
    answer = pf.audit(frame, "bpsn_auc", "bnsp_auc", **{**QUESTION, "method": method})
    low, high = answer.select("lower", "upper").rows()
    assert low == (0.0, 1.0)
    assert high == pytest.approx(by_default(frame, "bnsp_auc"), abs=0.01)


@pytest.mark.parametrize("method", ["auto", "delong"])
@pytest.mark.parametrize("size", [2, 30, 1_000])
def test_scores_without_error_are_not_certain(method: str, size: int) -> None:
    """Newcombe 2006: the lower bound of an AUC of 1 of m and n rows, 1/(1 + z²(m+n+2)/(4mn))."""
    counted = rows(M=([0.9], [0.1]), F=([0.9], [0.1])).with_columns(n=size)
    answer = pf.audit(counted, *AREAS, count="n", **{**QUESTION, "method": method})
    low = 1 / (1 + Z**2 * (2 * size + 2) / (4 * size**2))
    bounds = [(low - 1, 1 - low), (low - 1, 1 - low), (low, 1.0), (low, 1.0)]
    for found, expected in zip(answer.select("lower", "upper").rows(), bounds, strict=True):
        assert found == pytest.approx(expected, rel=1e-8)


def test_draws_without_error_say_nothing_where_one_side_holds_the_other() -> None:
    counted = rows(M=([0.9], [0.1]), F=([0.9], [0.1])).with_columns(n=30)
    question = {**QUESTION, "favored": pf.OVERALL, "method": "auto", "count": "n"}
    answer = pf.audit(counted, "auc_difference", "bpsn_auc", **question)
    assert answer.select("lower", "upper").rows() == [(-1.0, 1.0), (0.0, 1.0)]


def test_a_distance_of_areas_without_error_is_bounded_where_one_side_holds_the_other() -> None:
    """Half of all rows are those of d, so d is nearer to all rows than to the other half."""
    counted = rows(M=([0.9], [0.1]), F=([0.9], [0.1])).with_columns(n=30)
    question = {**QUESTION, "method": "auto", "count": "n"}
    apart, inside = (
        pf.audit(counted, "abroca", **{**question, "favored": favored})
        .select("lower", "upper")
        .row(0)
        for favored in ("M", pf.OVERALL)
    )
    assert apart[0] == inside[0] == 0
    assert 0.01 < inside[1] <= apart[1] < 1


def test_uneven_weights_are_worth_fewer_rows() -> None:
    """Each row four times, of weights whose effective number is the number of the rows."""
    frame = many().with_columns(w=2.5)
    weights = pl.Series("w", [0.0, 0.0, 0.0, 10.0])
    fewer = frame.drop("w").join(weights.to_frame(), how="cross")
    shown = ["metric", "value", "lower", "upper"]
    question = {**QUESTION, "method": "auto", "weight": "w"}
    equal = pf.audit(frame, *AREAS, **question).select(shown)
    assert_frame_equal(pf.audit(fewer, *AREAS, **question).select(shown), equal)
    plain = pf.audit(frame, *AREAS, **QUESTION | {"method": "auto"}).select(shown)
    assert_frame_equal(equal, plain)
    # Twice the rows, each of them twice, weigh the same, but have Σw² twice as large.
    half = frame.with_columns(n=1, w=1.0, w_sq=2.0).rename({"w": "weight", "w_sq": "weight_sq"})
    wide, narrow = (
        pf.audit(each, "auc_difference", count="n", **{**question, "weight": "weight"})
        for each in (half, half.with_columns(weight_sq=1.0))
    )
    widths = [(each["upper"] - each["lower"]).item() for each in (wide, narrow)]
    assert widths[0] / widths[1] == pytest.approx(sqrt(2), rel=0.05)


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("positives", "negatives", "auc", "least"),
    [
        (3, 30, 0.5, (0.92, 0.92)),
        (10, 10, 0.99, (0.94, 0.94)),
        pytest.param(3, 30, 0.95, (0.96, 0.96), marks=pytest.mark.nightly),
        pytest.param(30, 300, 0.99, (0.94, 0.94), marks=pytest.mark.nightly),
        # Mostly DeLong's own.
        pytest.param(200, 200, 0.99, (0.94, 0.88), marks=pytest.mark.nightly),
    ],
)
def test_areas_near_1_and_of_few_rows_are_covered(
    positives: int, negatives: int, auc: float, least: tuple[float, float]
) -> None:
    """Of normal scores; the standard deviation of a coverage is 1.3 %."""
    random, sets = np.random.default_rng(8), 300
    shift = sqrt(2) * norm.ppf(auc)
    parts = [
        pl.DataFrame(
            {
                "sample": np.repeat(np.arange(sets), n),
                "sex": sex,
                "y": y,
                "s": random.normal(shift * y, 1, sets * n),
            }
        )
        for sex, y, n in (("M", True, positives), ("F", False, negatives))
    ]
    for method, share in zip(("auto", "delong"), least, strict=True):
        question = {**QUESTION, "by": "sample", "method": method}
        answer = pf.audit(pl.concat(parts), "bpsn_auc", **question)
        assert answer.select(pl.lit(auc).is_between("lower", "upper").mean()).item() >= share
        width = pl.col("upper") - pl.col("lower")
        assert answer.select((width > 1 / (positives + negatives)).all()).item()


def test_an_area_of_ones_own_has_the_bounds() -> None:
    frame = rows(M=([0.4, 0.8, 0.5], [0.2, 0.6]), F=([0.1, 0.9], [0.2, 0.3, 0.6]))
    own = pf.Metric("own", "Own", over_scores(auc(d_s, d_s)), ideal=None)
    row = pf.audit(frame, own, **QUESTION).row(0, named=True)
    places = places_of([0.1, 0.9], [0.2, 0.3, 0.6])
    assert row["value"] == pytest.approx(area_and_variance(places)[0])
    assert (row["lower"], row["upper"]) == pytest.approx(wilson_ends(places), abs=0.01)
