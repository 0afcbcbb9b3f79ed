"""The commands `rates`, `worst_groups` and `decompose`: their tables, formats and options."""

from __future__ import annotations

import polars as pl
import pytest

from tests.cli.loans import LOANS
from tests.conftest import Run

RATES = ["rates", "loans.parquet", "--facet", "sex", "--predicted", "approved"]
GROUPS = [
    *("worst-groups", "loans.parquet", "--metric", "spsf", "--facet", "sex", "--facet", "race"),
    *("--predicted", "approved"),
]


def printed(run: Run, *words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    return out


def test_windows_that_are_no_number_have_all_their_groups(run: Run) -> None:
    since = pl.when(pl.col("branch") == "n").then(float("nan")).otherwise(1.0)
    LOANS.with_columns(since=since).write_parquet("loans.parquet")
    headings = [line for line in printed(run, *RATES, "--by", "since").splitlines() if "by" in line]
    assert headings == ["since 1.0, by sex", "since nan, by sex"]


def test_a_difference_of_two_sides_ranks_by_its_gap(run: Run) -> None:
    words = [*GROUPS[:-2], "--estimated", "score", "--metric"]
    shown = printed(run, *words, "estimate_difference")
    assert shown == printed(run, *words, "estimate_gap")
    assert "estimated_mean of all rows" in shown


@pytest.mark.extras
@pytest.mark.parametrize("command", ["audit", "lending", "rates"])
@pytest.mark.parametrize("form", ["table", "csv"])
def test_unknown_values_go_with_a_threshold(command: str, form: str, run: Run) -> None:
    """Of X, who is unknown, there is no row; the notes on the threshold are about all rows."""
    rows = {"sex": ["F", "F", "M", "M", "X", "X"], "score": [0.1, 0.9, 0.8, 0.9, 0.2, 0.9]}
    pl.DataFrame(rows).write_parquet("scores.parquet")
    words = ["--facet", "sex", "--unknown", "X", "--predicted", "score", "--threshold", "0.5"]
    side = [] if command == "rates" else ["--favored", "M"]
    code, out, err = run(command, "scores.parquet", *words, *side, "--format", form)
    assert (code, err) == (0, "")
    assert "X" not in out
