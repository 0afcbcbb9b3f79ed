"""The command `choose`: thresholds beside each other, and the chosen one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.round_thresholds import round_thresholds
from polars_fairness.reporting.outputs.text_tables import text_of
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer
from tests.cli.loans import LOANS
from tests.conftest import Run

LABEL = ["--label", "repaid", "--positive", "yes"]
CHOOSE = ["choose", "loans.parquet", "--score", "score", *LABEL, "--facet", "sex"]


def printed(run: Run, *words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    return out


def thresholds(run: Run, *words: str) -> list[float]:
    found = json.loads(printed(run, *CHOOSE, *words, "--format", "json"))
    return [each["threshold"] for each in found]


def test_choices_are_coloured_on_a_terminal() -> None:
    question: dict[str, Any] = {"facet": "sex", "score": "score", "label": "approved"}
    answer = pf.choose(LOANS, "di", threshold=[0.05, 0.5, 1], **question)
    assert isinstance(answer, pl.DataFrame)
    shown = text_of(layout_of(Answer("choose", answer)), 100, in_colour=True)
    assert [line.count("\x1b[") for line in shown.splitlines()[3:]] == [2, 2, 0]
    assert shown.count("\x1b[32mchosen") == 1
    assert shown.count("\x1b[31moutside") == 1


def test_outcomes_without_a_worth_have_none(run: Run) -> None:
    """From 0.25 two of nine are accepted wrongly, and one is rejected rightly."""
    words = [*CHOOSE, "--threshold", "0.25", "--format", "json", "--utility"]
    worths = {"fp=9": 2, "tn=9": 1, "fp=9,tn=-9": 1, "tp=9": 5, "fn=9": 1}
    for worth, expected in worths.items():
        [record] = json.loads(printed(run, *words, worth))
        assert record["utility"] == pytest.approx(expected)


def test_formats_for_programs_have_the_columns_of_choose(run: Run) -> None:
    expected = pf.choose(
        LOANS,
        "di",
        "dppl",
        facet="sex",
        score="score",
        label="repaid",
        positive="yes",
        threshold=[0.25, 0.65],
    )
    assert isinstance(expected, pl.DataFrame)
    words = [*CHOOSE, "--metric", "di,dppl", "--threshold", "0.25,0.65"]
    schema = {"schema": "urn:polars-fairness:choose:1"}
    records = json.loads(printed(run, *words, "--format", "json"))
    assert records == [schema | record for record in expected.to_dicts()]
    assert printed(run, *words, "--format", "csv") == expected.write_csv()
    assert len(printed(run, *words, "--format", "markdown").splitlines()) == 4
    for name in ("choices.parquet", "choices.csv", "choices.ndjson"):
        assert printed(run, *words, "--output", name) == ""
    assert_frame_equal(pl.read_parquet("choices.parquet"), expected)
    code, _, err = run(*words, "--output", "choices.csv")
    assert (code, "add --overwrite" in err) == (2, True)
    assert printed(run, *words, "--output", "choices.csv", "--overwrite") == ""
    assert Path("choices.csv").read_text() == expected.write_csv()


def test_without_thresholds_round_ones_are_tried(run: Run) -> None:
    assert thresholds(run) == [i * 5 / 100 for i in range(2, 19)]
    assert printed(run, *CHOOSE).endswith(
        "\n\nWithout --threshold, 17 round ones are tried; --threshold every tries each score.\n"
    )
    assert thresholds(run, "--resolution", "0.04") == [i * 4 / 100 for i in range(3, 23)]
    assert thresholds(run, "--resolution", "0.5") == [0.5]
    assert thresholds(run, "--threshold", "every") == sorted({*LOANS["score"]})
    assert thresholds(run, "--where", "score = 0.6") == [0.6]


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


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_a_choice_fits_the_screen(columns: int, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = printed(run, *CHOOSE, "--metric", "di,average_odds_difference", "--threshold", "0.25,0.3")
    assert max(map(len, out.splitlines())) <= columns


def test_scores_that_are_not_finite_are_an_error_here_too(run: Run) -> None:
    for value, said in ((float("inf"), "infinite"), (float("nan"), "missing values")):
        scores = pl.Series("score", [value, *LOANS["score"][1:]])
        LOANS.with_columns(scores).write_parquet("loans.parquet")
        code, out, err = run(*CHOOSE)
        assert (code, out) == (2, "")
        assert err.startswith("polars-fairness: --score: ")
        assert said in err
    assert "threshold" in printed(run, *CHOOSE, "--nulls", "drop")
