"""How options of the command line become the question of an audit or a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli.commands import audit as command
from tests.cli.loans import GAP, LOANS, SEX, answer_of, records
from tests.conftest import Run


def sides(record: dict[str, Any]) -> tuple[str, str, str | None]:
    return record["facet"], record["disfavored"], record["favored"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--facet", "sex", "--disfavored", "F"], [("sex", "F", None)]),
        (["--facet", "sex", "--disfavored", "sex=F"], [("sex", "F", None)]),
        (["--facet", "sex", "--favored", "M"], [("sex", "F", "M")]),
        (["--facet", "age", "--disfavored", "1"], [("age", "1", None)]),
        (["--facet", "since", "--favored", "2025-01-01"], [("since", "2024-01-01", "2025-01-01")]),
        (["--facet", "approved", "--disfavored", "FALSE"], [("approved", "false", None)]),
        (
            ["--facet", "race", "--facet", "sex", "--favored", "sex=M", "--favored", "race=W"],
            [("race", "B", "W"), ("sex", "F", "M")],
        ),
    ],
)
def test_sides_are_values_of_their_columns(
    words: list[str], expected: list[tuple[str, str, str | None]], run: Run
) -> None:
    positive = ["--positive", "yes"] if "--predicted" not in words else []
    options = ["--label", "repaid", *positive, "--metric", "dpl", "--confidence", "none"]
    assert [sides(record) for record in records(run, "loans.parquet", *words, *options)] == expected


def test_several_values_are_one_side(run: Run) -> None:
    LOANS.with_columns(sex=pl.Series([*"abcdefgh", None])).write_parquet("loans.parquet")
    both = ["--disfavored", "a", "--disfavored", "b", "--predicted", "approved"]
    [gap, _] = records(run, "loans.parquet", "--facet", "sex", *both, *GAP)
    assert (gap["disfavored"], gap["n_disfavored"]) == ("a, b", 2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--facet race --reference highest", [("race", "W", "B")]),
        ("--facet race --reference race=LARGEST", [("race", "B", "W")]),
        ("--facet race --reference overall", [("race", "B", "(all)"), ("race", "W", "(all)")]),
        (
            "--facet race --facet sex --reference race=highest --favored sex=F",
            [("race", "W", "B"), ("sex", "M", "F")],
        ),
        (
            "--facet race --facet sex --reference race=largest --reference sex=highest",
            [("race", "B", "W"), ("sex", "F", "M")],
        ),
    ],
)
def test_a_reference_is_side_a(
    words: str, expected: list[tuple[str, str, str | None]], run: Run
) -> None:
    """B are accepted at 2/3 and W at 1/2; there are 3 and 6 of them."""
    options = [*words.split(), "--predicted", "approved", "--metric", "dppl", "--confidence"]
    assert [sides(each) for each in records(run, "loans.parquet", *options, "none")] == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--facet sex --reference highest --favored M", "'sex' has a side a already"),
        ("--facet sex --reference highest --reference largest", "'sex' has a side a already"),
        ("--facet sex --reference most", "takes 'highest', 'largest' or 'overall', got 'most'"),
        ("--facet sex --facet race --reference highest", "'highest' names no facet"),
        ("--reference highest", "without a facet"),
        ("--favored M --reference highest", "without a facet"),
    ],
)
def test_a_reference_that_is_none_is_refused(words: str, said: str, run: Run) -> None:
    code, _, err = run("audit", "loans.parquet", "--predicted", "approved", *words.split())
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_a_value_may_hold_an_equals_sign(run: Run) -> None:
    LOANS.select(
        "approved", sex=pl.when(sex="F").then(pl.lit("sex=F")).otherwise(pl.lit("a=b"))
    ).write_parquet("odd.parquet")
    options = ["--facet", "sex", "--predicted", "approved", *GAP]
    for typed, value in (("sex=sex=F", "sex=F"), ("a=b", "a=b"), ("sex=a=b", "a=b")):
        assert (
            records(run, "odd.parquet", *options, "--disfavored", typed)[0]["disfavored"] == value
        )


@pytest.mark.parametrize(
    "positive",
    [["yes", "true"], ["yes", "approved=TRUE"], ["repaid=yes", "approved=1"], ["yes", "1"]],
)
def test_a_positive_value_is_for_the_outcomes_of_its_type(positive: list[str], run: Run) -> None:
    words = [word for value in positive for word in ("--positive", value)]
    [record] = records(run, "loans.parquet", *SEX, "--label", "repaid", *words, "--metric", "rd")
    assert record["value"] == pytest.approx(2 / 3 - 1 / 3)


@pytest.mark.parametrize(
    "positive",
    [["repaid=yes", "denied=no"], ["denied=no", "repaid=yes"], ["yes", "denied=no"]],
)
def test_a_positive_value_with_a_column_is_for_this_column_only(
    positive: list[str], run: Run
) -> None:
    denied = pl.when("approved").then(pl.lit("no")).otherwise(pl.lit("yes"))
    LOANS.with_columns(denied=denied).write_parquet("denied.parquet")
    words = [word for value in positive for word in ("--positive", value)]
    options = ["--facet", "sex", "--disfavored", "F", "--label", "repaid", "--predicted", "denied"]
    gap, rd = records(run, "denied.parquet", *options, *words, "--metric", "dppl", "--metric", "rd")
    assert (gap["value"], rd["value"]) == (3 / 4 - 1 / 4, pytest.approx(2 / 3 - 1 / 3))


def test_a_positive_value_without_a_column_needs_an_outcome_without_values(run: Run) -> None:
    words = [*SEX, "--positive", "approved=true", "--positive", "false"]
    code, _, err = run("audit", "loans.parquet", *words)
    assert (code, err) == (
        2,
        "polars-fairness: --positive: 'false' names no outcome, and each outcome has a value "
        "already; write 'approved=false'\n",
    )


@pytest.mark.parametrize(
    "words",
    [["--metric", "di,dppl"], ["--metric", "di, dppl"], ["--metric", "di", "--metric", "dppl"]],
    ids=" ".join,
)
def test_names_of_metrics_may_stand_in_one_option(words: list[str], run: Run) -> None:
    found = records(run, "loans.parquet", *SEX, *words, "--confidence", "none")
    assert [record["metric"] for record in found] == ["di", "dppl"]


@pytest.mark.extras
def test_every_option_reaches_the_audit(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    received: dict[str, Any] = {}
    rows = LOANS.with_columns(w=1.0, k=1)
    rows.write_parquet("loans.parquet")

    def audit(frame: pl.LazyFrame, *metrics: str, **given: Any) -> pl.LazyFrame:
        received.update(given, metrics=metrics, columns=frame.collect_schema().names())
        return answer_of({}).lazy()

    monkeypatch.setattr(command, "audit_with_certainty", audit)
    typed = (
        "audit loans.parquet --facet sex --facet race --disfavored sex=F --favored race=W "
        "--label repaid --predicted score --positive yes --threshold 0.5 --subgroup branch "
        "--by since --weight w --count k --nulls drop --zero-division 0 --metric di "
        "--metric dppl --confidence 0.9 --method auto --replicates 7 --seed 3 "
        "--minimum-count 5 --p-values holm --feature age --format csv --rule point "
        "--band di=0.8:1.25 --band dppl=none"
    )
    assert run(*typed.split())[::2] == (0, "")
    assert received == {
        "columns": rows.columns,
        "facet": ["sex", "race"],
        "disfavored": {"sex": ["F"]},
        "favored": {"race": ["W"]},
        "label": "repaid",
        "predicted": "score",
        "positive": ["yes"],
        "threshold": 0.5,
        "subgroup": ["branch"],
        "by": ["since"],
        "weight": "w",
        "count": "k",
        "nulls": "drop",
        "zero_division": 0.0,
        "metrics": ("di", "dppl"),
        "confidence": 0.9,
        "method": "auto",
        "replicates": 7,
        "seed": 3,
        "minimum_count": 5,
        "p_values": "holm",
        "rule": "point",
        "bands": {"di": (0.8, 1.25), "dppl": None},
        "features": ["age"],
    }
    received.clear()
    run("audit", "loans.parquet", "--facet", "sex", "--confidence", "none")
    assert received == {
        "columns": rows.columns,
        "facet": ["sex"],
        "metrics": (),
        "confidence": None,
    }


def test_by_makes_windows_of_several_columns(run: Run) -> None:
    options = ["--facet", "sex", "--disfavored", "F", "--predicted", "score", "--threshold", "0.5"]
    found = records(run, "loans.parquet", *options, *GAP, "--by", "age", "--by", "branch")
    assert [(record["age"], record["branch"]) for record in found[::2]] == [
        (1, "n"), (1, "s"), (2, "n"), (2, "s"),
    ]  # fmt: skip


@pytest.mark.extras
def test_a_report_is_given_the_question_of_the_audit(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    class Report:
        def __init__(self, frame: pl.LazyFrame, *metrics: str, **question: Any) -> None:
            self.received = (frame.collect().height, metrics, question)

        def write_html(self, path: str) -> None:
            Path(path).write_text(repr(self.received))

        write_pdf = write_html

    monkeypatch.setattr(pf, "report", Report, raising=False)
    monkeypatch.setattr("polars_fairness.cli.outputs.require_printer", lambda: None)
    words = ["loans.parquet", *SEX, "--metric", "di", "--seed", "1", "--harm", "above"]
    assert run("audit", *words)[::2] == (
        2,
        "polars-fairness: --harm: is about a report, which was not requested; add --html, "
        "--pdf or --json\n",
    )
    words += ["--pdf", "report.pdf", "--html", "report.html"]
    code, out, _ = run("audit", *words)
    assert code == 0
    assert "against" in out
    question = {"facet": ["sex"], "predicted": "approved", "disfavored": {"sex": ["F"]}}
    expected = (9, ("di",), {"harm": "above", "seed": 1, **question})
    for name in ("report.html", "report.pdf"):
        assert eval(Path(name).read_text()) == expected
    code, _, err = run("audit", *words[:-1], "nowhere/report.html")
    assert code == 2
    assert "nowhere/report.html" in err


def test_notes_are_about_typed_thresholds_and_values(run: Run) -> None:
    """Windows and facets of any name are no part of a note."""
    LOANS.rename({"branch": "tpr"}).write_parquet("loans.parquet")
    words = ["audit", "loans.parquet", "--facet", "sex", "--disfavored", "F", "--by", "tpr"]
    of_scores = [*words, "--predicted", "score", "--metric", "dppl", "--confidence", "none"]
    assert run(*of_scores, "--threshold", "0.5")[2] == ""
    err = run(*of_scores, "--threshold", "0")[2]
    assert err.startswith("polars-fairness: --threshold: 0 makes every row of 'score' positive, so")
    labels = [*words, "--label", "repaid", "--confidence", "none"]
    assert run(*labels, "--metric", "kl")[2] == ""
    both = ["--positive", "yes", "--positive", "no", "--metric", "dpl"]
    assert (
        "--positive: 'yes' and 'no' make every row of 'repaid' positive" in run(*labels, *both)[2]
    )
