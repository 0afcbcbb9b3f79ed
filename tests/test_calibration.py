"""Calibration: scores beside the share of positive labels, by bin and group."""

from __future__ import annotations

from math import nan
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.reference.wilson import wilson
from tests.strategies import examples

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "s"}
NUMBERS: Final = ("n", "mean_score", "base_rate", "lower", "upper")


def close(*numbers: float | None) -> tuple[Any, ...]:
    return tuple(
        None if each is None else pytest.approx(each, rel=1e-12, abs=1e-15) for each in numbers
    )


def test_a_bin_holds_its_lower_end_and_the_last_one_both() -> None:
    edges = [0.0, -0.0, 0.1, 0.2, 0.3, 0.29, 0.7, 0.9, 1.0]
    answer = pf.calibration(pl.DataFrame({"s": edges}), score="s")
    assert answer["n"].to_list() == [2, 1, 2, 1, 0, 0, 0, 1, 0, 2]
    assert answer["bin_lower"].to_list() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert answer["bin_upper"].to_list() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


@pytest.mark.parametrize("bins", [1, 7, 49])
def test_scores_at_the_ends_of_bins_lie_in_the_bin_above(bins: int) -> None:
    scores = [place / bins for place in range(bins + 1)]
    for dtype in (pl.Float64, pl.Float32):
        frame = pl.DataFrame({"s": scores}, {"s": dtype})
        answer = pf.calibration(frame, bins=bins, score="s")
        assert answer["n"].to_list() == [1] * (bins - 1) + [2]


rows = st.tuples(
    st.sampled_from(["F", "M", None]),
    st.integers(0, 64).map(lambda step: step / 64),
    st.booleans(),
    st.integers(0, 16).map(lambda step: step / 8),
    st.integers(0, 3),
)
SCHEMA: Final = {"sex": pl.String, "s": pl.Float64, "y": pl.Boolean, "w": pl.Float64, "k": pl.Int64}


@example([("F", 1.0, True, 2.0, 0), ("F", 0.99, True, 0.0, 2), ("M", 0.0, False, 1.5, 3)], 8)
@given(st.lists(rows, min_size=1, max_size=30), st.sampled_from([1, 4, 5, 8]))
@examples(60)
def test_numbers_are_those_of_the_rows_in_a_bin(people: list[Any], bins: int) -> None:
    frame = pl.DataFrame(people, SCHEMA, orient="row")
    answer = pf.calibration(frame, bins=bins, weight="w", count="k", **QUESTION)
    used = [row for row in people if row[3] > 0 and row[4] > 0]
    for row in answer.iter_rows(named=True):
        is_all = row["facet"] == "(all)"
        inside = [
            each
            for each in used
            if (is_all or each[0] == row["value"])
            and min(int(each[1] * bins), bins - 1) == round(row["bin_lower"] * bins)
        ]
        mass = sum(w for *_, w, _ in inside)
        assert row["n"] == mass
        if not inside:
            assert [row[name] for name in NUMBERS[1:]] == [None] * 4
            continue
        rate = sum(w for _, _, y, w, _ in inside if y) / mass
        # The weight of a counted row is that of its k rows together.
        rows_worth = mass**2 / sum(w * w / k for *_, w, k in inside)
        mean = sum(s * w for _, s, _, w, _ in inside) / mass
        assert tuple(row[name] for name in NUMBERS[1:]) == close(
            mean, rate, *wilson(rate, rows_worth)
        )


def test_missing_scores_and_labels_follow_nulls() -> None:
    holes = pl.DataFrame({"s": [0.2, None, nan, 0.4], "y": [1, 1, 0, None]})
    answer = pf.calibration(holes, bins=1, label="y", score="s", nulls="drop")
    assert answer.select("n", "mean_score", "base_rate").row(0) == (1, 0.2, 1.0)
