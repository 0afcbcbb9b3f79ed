"""The command `choose`: thresholds beside each other, and the chosen one."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from polars_fairness.counting.decisions import round_thresholds
from tests.conftest import Run

LABEL = ["--label", "repaid", "--positive", "yes"]
CHOOSE = ["choose", "loans.parquet", "--score", "score", *LABEL, "--facet", "sex"]


def test_without_thresholds_round_ones_are_tried(run: Run) -> None:
    """Those of the selected rows; `test_options.py` has those of all rows."""
    code, out, err = run(*CHOOSE)
    assert (code, err) == (0, "")
    assert out.endswith(
        "\n\nWithout --threshold, 17 round thresholds are tried; --threshold every tries each "
        "score.\n"
    )
    found = json.loads(run(*CHOOSE, "--where", "score = 0.6", "--format", "json")[1])
    assert [each["threshold"] for each in found] == [0.6]


@pytest.mark.parametrize(
    ("scores", "resolution", "expected"),
    [
        ([0.0, 1.0], None, [i * 5 / 100 for i in range(21)]),
        ([0.003, 0.996], None, [i * 5 / 100 for i in range(1, 20)]),
        ([-1.0, 1.0], None, [i / 10 for i in range(-10, 11)]),
        ([1, 10], None, list(range(1, 11))),
        ([300, 850], None, list(range(300, 851, 50))),
        ([0.0, 0.0001], None, [i * 5 / 1_000_000 for i in range(21)]),
        ([0.0, 1.0], 0.001, [i * 5 / 100 for i in range(21)]),
        ([0.0, 1.0], 0.03, [i * 6 / 100 for i in range(17)]),
        ([0.2, 0.3], 0.25, [0.25]),
        ([0.31, 0.32], 0.25, [0.25]),
        ([7.0], None, [7.0]),
        ([0.1, None, float("nan")], None, [0.1]),
        ([None], None, []),
        ([], None, []),
        ([0.1, float("inf")], None, []),
    ],
)
def test_round_thresholds_fit_the_scale(
    scores: list[Any], resolution: float | None, expected: list[float]
) -> None:
    column = pl.LazyFrame({"s": scores})
    assert list(round_thresholds(column, resolution, about=20)) == expected
