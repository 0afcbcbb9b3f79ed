"""The intervals of the groups' rates."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.worst_groups.people import PEOPLE, QUESTION


def test_bounds_of_rates_are_wilsons() -> None:
    """Newcombe 1998: 81 of 263 are between 0.2553 and 0.3662."""
    frame = pl.DataFrame({"sex": "F", "p": [1] * 81 + [0] * 182})
    answer = pf.worst_groups(frame, "spsf", facet="sex", predicted="p")
    assert answer.select(pl.col("lower", "upper").round(4)).row(0) == (0.2553, 0.3662)
    narrow = pf.worst_groups(frame, "spsf", facet="sex", predicted="p", confidence=0.5)
    assert narrow["lower"].item() > answer["lower"].item()


def test_intervals_of_weighted_rows_are_of_their_effective_number() -> None:
    frame = PEOPLE.with_columns(w=pl.lit(3.0))
    bounds = ["lower", "upper"]
    weighted = pf.worst_groups(frame, "spsf", weight="w", **QUESTION)
    assert_frame_equal(
        weighted.select(bounds), pf.worst_groups(PEOPLE, "spsf", **QUESTION).select(bounds)
    )
    # Ten rows, one as heavy as the others together, are worth 18²/(9² + 9) = 3.6 rows.
    uneven = pl.DataFrame({"sex": "F", "p": [1] * 5 + [0] * 5, "w": [9.0] + [1.0] * 9})
    [row] = pf.worst_groups(uneven, "spsf", weight="w", facet="sex", predicted="p").rows(named=True)
    rate, n, z = 13 / 18, 3.6, 1.959963984540054
    middle = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * (rate * (1 - rate) / n + z**2 / (4 * n**2)) ** 0.5 / (1 + z**2 / n)
    assert row["lower"] == pytest.approx(middle - reach)
    assert row["upper"] == pytest.approx(middle + reach)


def test_squared_weights_are_of_the_rows_below_the_rates_line() -> None:
    """The heavy row is observed positive; below the line of fpr are four rows of weight 1."""
    frame = pl.DataFrame(
        {"sex": "F", "y": [1, 0, 0, 0, 0], "p": [1, 1, 1, 0, 0], "w": [90.0, 1, 1, 1, 1]}
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    weighted = pf.worst_groups(frame, "fpsf", weight="w", **question)
    expected = pf.worst_groups(frame, "fpsf", **question)
    assert_frame_equal(weighted.select("lower", "upper"), expected.select("lower", "upper"))
