"""Metrics of scores against plain Python, pair by pair and threshold by threshold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests import reference
from tests.reference.scores import FORMULAS
from tests.strategies import decisions, examples, frames

METRICS: Final = [formula.__name__ for formula in FORMULAS]
OF_PROBABILITIES: Final = [
    *("calibration_difference", "brier_difference", "brier_gap", "ece_gap", "miscalibration")
]
OF_ANY_SCORES: Final = [name for name in METRICS if name not in OF_PROBABILITIES]
QUESTION: Final[dict[str, Any]] = {"facet": ["sex", "branch"], "label": "y", "score": "s"}

RESOLUTIONS: Final = st.sampled_from([None, 0.25, 0.1, 0.01, 0.003])
# Each row once, or as many times as its number of copies; all alike, or each with its weight.
SIZES: Final = st.sampled_from(
    [{}, {"weight": "w"}, {"weight": "k"}, {"count": "k"}, {"count": "k", "weight": "w"}]
)
WINDOWS: Final = st.sampled_from([{}, {"by": "u"}])


def repeated(frame: pl.DataFrame, size: dict[str, str]) -> pl.DataFrame:
    """The rows that a counted frame stands for, which share the weight beside their count."""
    if "count" not in size:
        return frame
    copies = frame.with_columns(w=pl.col("w") / pl.col("k"))
    return copies[[row for row, k in enumerate(copies["k"]) for _ in range(k)]]


def rows_of_each(
    frame: pl.DataFrame, answer: pl.DataFrame, size: dict[str, str], resolution: float | None
) -> Iterator[tuple[dict[str, Any], list[reference.Row]]]:
    """Each row of an answer, with the rows of its window as they are for its facet."""
    rows = repeated(frame, size)
    for found in answer.iter_rows(named=True):
        window = rows.filter(pl.col("u").eq_missing(found["u"])) if "u" in found else rows
        facet = found["facet"] if found["facet"] in QUESTION["facet"] else "sex"
        yield found, decisions(window, size.get("weight"), facet, resolution)


def require_the_values_of_the_brute_force(
    frame: pl.DataFrame,
    metrics: list[str],
    size: dict[str, str],
    resolution: float | None,
    **window: Any,
) -> None:
    question = {**QUESTION, **size, **window, "resolution": resolution}
    # All are computed, as some of the metrics are refused by name, and null here.
    answer = pf.metrics(frame, **question)
    assert answer.height > 0
    for found, rows in rows_of_each(frame, answer, size, resolution):
        d = {found["disfavored"]}
        a = {found["favored"]} if found["favored"] is not None else None
        expected = {
            name: reference.metric(name, rows, d, a, resolution=resolution) for name in metrics
        }
        assert {name: found[name] for name in metrics} == close(expected), found


def close(expected: dict[str, float | None]) -> dict[str, Any]:
    return {
        name: None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
        for name, value in expected.items()
    }


@given(frames(least=3), RESOLUTIONS, SIZES, WINDOWS)
@examples(60)
def test_every_metric_of_scores(
    frame: pl.DataFrame, resolution: float | None, size: dict[str, str], window: dict[str, str]
) -> None:
    require_the_values_of_the_brute_force(frame, METRICS, size, resolution, **window)


@given(frames(least=3), st.sampled_from([None, 5, 0.25]), SIZES)
@examples(30)
def test_scores_below_0_and_above_1(
    frame: pl.DataFrame, resolution: float | None, size: dict[str, str]
) -> None:
    wide = frame.with_columns(s=(pl.col("s") * 80 - 20).round(3))
    require_the_values_of_the_brute_force(wide, OF_ANY_SCORES, size, resolution)


@given(frames(), RESOLUTIONS, SIZES, WINDOWS)
@examples(40)
def test_every_measure_of_a_groups_scores(
    frame: pl.DataFrame, resolution: float | None, size: dict[str, str], window: dict[str, str]
) -> None:
    question = {**QUESTION, **size, **window, "resolution": resolution}
    answer = pf.rates(frame, predicted="p", **question)
    assert answer.height > 0
    for found, rows in rows_of_each(frame, answer, size, resolution):
        is_of_all = found["facet"] == "(all)"
        members = [row for row in rows if is_of_all or row.facet == found["value"]]
        expected = reference.measures(members, resolution=resolution)
        assert {name: found[name] for name in expected} == close(expected), found


@given(frames(least=3), st.sampled_from([0.25, 0.1, 0.01, 0.003]))
@examples(30)
def test_rounding_moves_the_auc_by_no_more_than_its_error(
    frame: pl.DataFrame, resolution: float
) -> None:
    question = {**QUESTION, "predicted": "p"}
    exact, rounded = (pf.rates(frame, **question, resolution=r) for r in (None, resolution))
    for one, other in zip(exact.rows(named=True), rounded.rows(named=True), strict=True):
        assert (one["auc"] is None) == (other["auc_error"] is None)
        if one["auc"] is not None:
            assert abs(one["auc"] - other["auc"]) <= other["auc_error"] + 1e-12
