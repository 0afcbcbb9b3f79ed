"""The command `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run

EXPLORE = ["explore", "loans.parquet", "--facet", "sex", "--score", "score"]
PAGE = ["--output", "page.html"]


class Page:
    """In place of the answer of `explore`: a page that shows its arguments."""

    def __init__(self, frame: pl.LazyFrame, *metrics: Any, **question: Any) -> None:
        names = [metric if isinstance(metric, str) else metric.definition for metric in metrics]
        self.received = (frame.collect().height, names, question)

    def write_html(self, path: Path) -> None:
        path.write_text(repr(self.received))


def received(run: Run, *words: str) -> tuple[int, list[str], dict[str, Any]]:
    assert run(*EXPLORE, *words, *PAGE, "--overwrite") == (0, "", "")
    found: tuple[int, list[str], dict[str, Any]] = eval(Path("page.html").read_text())
    return found


@pytest.mark.extras
def test_a_page_is_given_the_question(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pf, "explore", Page)
    words = [
        "--metric",
        "di,rd",
        "--band",
        "di=0.9:1.1",
        "--utility",
        "tp=1,fp=-5",
        "--by",
        "branch",
    ]
    rows, metrics, question = received(run, *words, "--threshold", "0.2,0.5", "--where", "age = 2")
    worth = "mean over all rows of 1 for each tp, -5 for each fp, 0 for each fn, 0 for each tn"
    assert (rows, metrics) == (5, ["di", "rd", worth])
    assert question == {
        "facet": ["sex"],
        "score": "score",
        "by": ["branch"],
        "threshold": [0.2, 0.5],
        "bands": {"di": (0.9, 1.1)},
    }


@pytest.mark.extras
def test_without_thresholds_a_page_has_some_hundred_round_ones(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pf, "explore", Page)
    assert received(run)[2]["threshold"] == [i / 100 for i in range(10, 91)]
    in_twentieths = received(run, "--resolution", "0.05")[2]["threshold"]
    assert in_twentieths == [i * 5 / 100 for i in range(2, 19)]
    assert received(run, "--threshold", "every")[2]["threshold"] == "every"


@pytest.mark.extras
def test_the_page_is_that_of_the_function(run: Run) -> None:
    assert run(*EXPLORE, "--threshold", "0.25,0.5", *PAGE) == (0, "", "")
    rows = pl.scan_parquet("loans.parquet")
    page = pf.explore(rows, facet="sex", score="score", threshold=[0.25, 0.5])
    page.write_html("expected.html")
    assert Path("page.html").read_text("utf-8") == Path("expected.html").read_text("utf-8")
    code, _, err = run(*EXPLORE, *PAGE)
    assert (code, "add --overwrite" in err) == (2, True)


@pytest.mark.extras
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "--threshold 0.5",
            "--threshold: a page that moves the threshold takes several; give several with "
            "commas, or 'every', or leave it out",
        ),
        ("--threshold 5,6", "--threshold: no score lies between 5 and 6; give several"),
        ("--utility tp", "--utility: takes the worth of outcomes"),
        ("--metric dii", "metrics: no metric 'dii'"),
        ("--score race", "--score: 'race' is String, not a number"),
        ("--resolution 0", "--resolution: takes a number above 0"),
        ("--output nowhere/page.html", "--output: there is no folder 'nowhere'"),
        ("--output loans.parquet", "--output: 'loans.parquet' is the input"),
    ],
)
def test_wrong_calls_are_explained_in_a_line(words: str, said: str, run: Run) -> None:
    code, out, err = run(*EXPLORE, *PAGE, *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"polars-fairness: {said}")
    assert not Path("page.html").exists()


def test_a_page_needs_a_name_and_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "required: --output; see polars-fairness explore --help" in run(*EXPLORE)[2]
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    code, _, err = run(*EXPLORE, *PAGE)
    assert code == 2
    assert 'pip install "polars-fairness[report]"' in err
