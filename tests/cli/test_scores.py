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
@pytest.mark.parametrize("column", ["--score", "--predicted"])
@pytest.mark.parametrize("resolution", [[], ["--resolution", "0.1"]])
def test_several_thresholds(words: str, column: str, resolution: list[str], run: Run) -> None:
    assert gaps(run, column, "score", *words.split(), *resolution) == pytest.approx(GAPS)


def test_every_score_or_multiple_is_a_threshold(run: Run) -> None:
    words = [*SCORE, "every"]
    assert [*gaps(run, *words)] == [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    assert [*gaps(run, *words, "--resolution", "0.4")] == [0.0, 0.4, 0.8]


def test_one_threshold_makes_no_column(run: Run) -> None:
    [gap] = records(run, *AUDIT[1:], *SCORE, "0.5", "--metric", "dppl")
    assert (gap["value"], "threshold" in gap) == (0.5, False)


def test_a_label_has_positive_values_beside_a_score(run: Run) -> None:
    """Of three F who repaid one has a score from 0.5 and from 0.85, of three M two and none."""
    words = ["--label", "repaid", "--positive", "yes", "--metric", "rd"]
    for column in ("--score", "--predicted"):
        found = records(run, *AUDIT[1:], column, "score", *words, "--threshold", "0.5,0.85")
        assert [each["value"] for each in found] == pytest.approx([2 / 3 - 1 / 3, 0 / 3 - 1 / 3])


def test_text_files_have_scores_too(run: Run) -> None:
    LOANS.write_csv("loans.csv")
    words = ["--facet", "sex", *SCORE, "0.5,0.7", "--metric", "dppl"]
    found = records(run, "loans.csv", *words, "--confidence", "none")
    assert [each["value"] for each in found] == [0.5, 0.25]


def test_rows_without_a_score_can_be_left_out(run: Run) -> None:
    unknown = pl.Series("score", [None, float("nan"), *LOANS["score"][2:]])
    LOANS.with_columns(unknown).write_parquet("loans.parquet")
    words = [*AUDIT[1:], *SCORE, "0.3,0.5", "--metric", "dppl"]
    found = records(run, *words, "--nulls", "drop")
    assert [each["value"] for each in found] == [3 / 4 - 2 / 2, 3 / 4]
    assert {each["rows_dropped"] for each in found} == {2}


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


def test_rates_have_a_table_of_what_is_known_about_scores(run: Run) -> None:
    labels = ["--label", "repaid", "--positive", "yes", "--where", "sex = 'F' OR sex = 'M'"]
    _, of_scores, err = run("rates", "loans.parquet", "--facet", "sex", *SCORE[:2], *labels)
    assert of_scores.split()[:4] == ["group", "rows", "base_rate", "mean_score"]
    _, out, _ = run("rates", "loans.parquet", "--facet", "sex", *SCORE, "0.5,0.7", *labels)
    assert (out.endswith(f"\n\n{of_scores}"), err) == (True, "")
    assert out.splitlines()[0].split()[:3] == ["group", "rows", "selection_rate"]
    assert out.count("by sex") == 3


def test_every_threshold_has_no_rates_of_groups(run: Run) -> None:
    _, out, err = run(*AUDIT, *SCORE, "every", "--metric", "dppl")
    assert err == ""
    assert out.splitlines()[-1] == (
        "polars-fairness rates shows the rates of groups at each threshold."
    )
    assert "by sex" not in out


def test_windows_and_comparisons_have_blocks_of_their_own(run: Run) -> None:
    """Of two F in branch n one has a score from 0.5 and from 0.85, of two M both and none."""
    words = [*AUDIT, *SCORE, "0.5,0.85", "--metric", "dppl", "--by", "branch"]
    blocks = run(*words)[1].split("\n\n")[1:-2]
    assert [block.splitlines()[0] for block in blocks] == [
        "branch n, sex: F (2) against M (2)",
        "branch s, sex: F (2) against M (2)",
    ]
    blocks = run(*words, "--reference", "highest", "--where", "branch = 'n'")[1].split("\n\n")
    assert blocks[1:-2] == [
        "branch n, sex: F (2) against M (2)\n"
        "  dppl          0.5  0.500      0  -0.1 to 0.1  against F",
        "branch n, sex: M (2) against F (2)\n"
        "  dppl         0.85  0.500      0  -0.1 to 0.1  against M",
    ]


@pytest.mark.parametrize(
    ("thresholds", "metrics", "said"),
    [
        ("0.25,0.5", "dppl,ci", "1 of 2 verdicts are unfair: 'dppl' at threshold 0.5"),
        (
            "0.5,0.7",
            "dppl,di",
            "4 of 4 verdicts are unfair: 'dppl' at thresholds 0.5 and 0.7, "
            "'di' at thresholds 0.5 and 0.7",
        ),
        (
            "0.15,0.25,0.5,0.6,0.65,0.7,0.85",
            "dppl",
            "6 of 7 verdicts are unfair: 'dppl' at thresholds 0.15, 0.5, 0.6, 0.65, 0.7 and 1 more",
        ),
        (
            "0.25,0.5",
            "dpl,dppl --band dpl=-0.1:0.1",
            "2 of 3 verdicts are unfair: 'dpl', 'dppl' at threshold 0.5",
        ),
    ],
)
def test_a_gate_says_at_which_thresholds_it_fails(
    thresholds: str, metrics: str, said: str, run: Run
) -> None:
    words = [*AUDIT, *SCORE, thresholds, "--label", "approved", "--metric", *metrics.split()]
    code, _, err = run(*words, "--fail-on", "unfair")
    assert (code, err) == (1, f"polars-fairness: --fail-on: {said}\n")


def test_a_gate_fails_at_a_typed_threshold_that_no_score_reaches(run: Run) -> None:
    words = [*AUDIT, *SCORE, "0.05,50", "--metric", "dppl", "--fail-on", "unfair"]
    same = "positive, so that groups have the same rate; compare the threshold with the values\n"
    code, _, err = run(*words)
    assert (code, err) == (
        1,
        f"polars-fairness: --threshold: 50 makes no row of 'score' {same}"
        f"polars-fairness: --threshold: 0.05 makes every row of 'score' {same}"
        "polars-fairness: --fail-on: all rows have one outcome\n",
    )
    assert run(*words, "--allow-undefined")[0] == 0
