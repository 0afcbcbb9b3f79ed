"""Scores, several thresholds and resolutions on the command line."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tests.cli.loans import LOANS, records
from tests.conftest import Run

SCORE = ["--score", "score", "--threshold"]
AUDIT = ["audit", "loans.parquet", "--facet", "sex", "--confidence", "none"]

# F have the scores 0.9, 0.2, 0.3 and 0.4, M have 0.8, 0.7, 0.6 and 0.1; one unknown has 0.9.
GAPS = {0.2: 1 / 4, 0.5: -2 / 4, 0.7: -1 / 4}
"""At some thresholds, the share of F with such a score less that of M."""


def gaps(run: Run, *words: str) -> dict[float, float]:
    """Return the difference in selection rates at each threshold."""
    options = ["--facet", "sex", "--metric", "dppl", "--confidence", "none"]
    found = records(run, "loans.parquet", *options, *words)
    return {each["threshold"]: -each["value"] for each in found}


@pytest.mark.parametrize(
    "words",
    [
        "--threshold 0.2 --threshold 0.5 --threshold 0.7",
        "--threshold 0.7,0.2,0.5",
        "--threshold 0.2,0.7 --threshold 0.5",
    ],
)
def test_several_thresholds(words: str, run: Run) -> None:
    for column, resolution in (("--score", []), ("--predicted", ["--resolution", "0.1"])):
        assert gaps(run, column, "score", *words.split(), *resolution) == pytest.approx(GAPS)


def test_every_score_or_multiple_is_a_threshold(run: Run) -> None:
    words = [*SCORE, "every"]
    assert [*gaps(run, *words)] == [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    assert [*gaps(run, *words, "--resolution", "0.4")] == [0.0, 0.4, 0.8]


def test_a_label_has_positive_values_beside_a_score(run: Run) -> None:
    """Of three F who repaid one has a score from 0.5 and from 0.85, of three M two and none."""
    words = ["--label", "repaid", "--positive", "yes", "--metric", "rd"]
    for column in ("--score", "--predicted"):
        found = records(run, *AUDIT[1:], column, "score", *words, "--threshold", "0.5,0.85")
        assert [each["value"] for each in found] == pytest.approx([2 / 3 - 1 / 3, 0 / 3 - 1 / 3])


def test_cells_by_score_answer_as_their_rows_do(run: Run) -> None:
    LOANS.with_columns(repaid=pl.col("repaid") == "yes").write_parquet("loans.parquet")
    words = ["--facet", "sex", "--score", "score", "--label", "repaid", "--resolution", "0.1"]
    assert run("cells", "loans.parquet", *words, "--output", "cells.parquet") == (0, "", "")
    question = [*words, "--threshold", "0.2,0.5", "--format", "json"]
    of_rows, of_cells = (
        json.loads(run("rates", *each, *question)[1])
        for each in (["loans.parquet"], ["cells.parquet", "--count", "n"])
    )
    assert of_rows == of_cells
    assert len(of_rows) == 2 * 4
