"""The rates of groups under the metrics of an audit."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.loans import GAP, LOANS, SEX
from tests.conftest import Run


def under_metrics(run: Run, *words: str) -> str:
    """Return what an audit prints below the line on its rows."""
    code, out, err = run("audit", "loans.parquet", *words)
    assert (code, err) == (0, "")
    _, begin, rates = out.partition("  group ")
    return begin + rates


def test_rates_of_groups_stand_under_the_metrics(run: Run) -> None:
    """One of four F, three of four M, and the one row of unknown sex are approved."""
    assert under_metrics(run, *SEX, *GAP) == (
        "  group    rows  selection_rate\n"
        "\n"
        "by sex\n"
        "  F           4           0.250\n"
        "  M           4           0.750\n"
        "  unknown     1           1.000\n"
        "  (all)       9           0.556\n"
    )


def test_each_facet_has_its_groups_and_all_rows(run: Run) -> None:
    shown = under_metrics(run, "--facet", "sex", "--facet", "race", "--predicted", "approved", *GAP)
    words = [line.split()[0] for line in shown.splitlines()[2:] if line.startswith("  ")]
    assert words == ["B", "W", "(all)", "F", "M", "unknown", "(all)"]
    assert [line for line in shown.splitlines() if line.startswith("by")] == ["by race", "by sex"]


def test_dropped_rows_have_a_column_where_there_are_any(run: Run) -> None:
    LOANS.with_columns(approved=pl.when(pl.col("score") > 0.2).then("approved")).write_parquet(
        "loans.parquet"
    )
    shown = under_metrics(run, *SEX, *GAP, "--nulls", "drop")
    assert shown.split()[:4] == ["group", "rows", "dropped", "selection_rate"]
    assert "  F           3        1           0.333\n" in shown


@pytest.mark.parametrize(
    ("columns", "rates"),
    [
        (40, ["selection_rate"]),
        (60, ["selection_rate", "base_rate", "tpr", "fpr"]),
        (80, ["selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy"]),
        (100, ["selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1", "tnr"]),
    ],
)
def test_a_narrow_terminal_shows_the_first_rates(
    columns: int, rates: list[str], monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = under_metrics(run, *SEX, "--label", "repaid", "--positive", "yes", *GAP)
    assert shown.splitlines()[0].split() == ["group", "rows", *rates]


def test_an_outcome_without_known_positive_values_is_left_out(run: Run) -> None:
    """`age` is 1 or 2, and nothing that this audit computes needs its positive values."""
    shown = under_metrics(run, *SEX, "--label", "age", *GAP)
    assert shown.split()[:4] == ["group", "rows", "selection_rate", "by"]
    text = ["--facet", "sex", "--label", "repaid", "--metric", "kl", "--confidence", "none"]
    assert under_metrics(run, *text) == ""


def test_the_metrics_of_a_policy_need_outcomes_too(run: Run) -> None:
    Path("fairness.toml").write_text('name = "bank"\nmetrics = ["dpl"]\n')
    LOANS.with_columns(paid=(pl.col("repaid") == "yes").cast(pl.Int8)).write_parquet(
        "loans.parquet"
    )
    words = [*SEX, "--label", "paid", *GAP]
    assert "base_rate" not in under_metrics(run, *words)
    shown = under_metrics(run, *words, "--policy", "fairness.toml")
    assert shown.split()[:4] == ["group", "rows", "selection_rate", "base_rate"]
    assert shown.splitlines()[-1].startswith("policy: bank")


def test_windows_have_a_line_in_place_of_rates(run: Run) -> None:
    _, out, err = run("audit", "loans.parquet", *SEX, *GAP, "--by", "branch")
    assert out.splitlines()[-1] == (
        "polars-fairness rates shows the rates of groups in each window."
    )
    assert (err, "by sex" in out) == ("", False)


def test_many_groups_are_cut_to_the_largest(run: Run) -> None:
    sizes = [3, 1, *[2] * 23]
    codes = [f"{code:02}" for code, n in enumerate(sizes) for _ in range(n)]
    rows = pl.DataFrame({"zip": codes, "sex": "F", "approved": True})
    rows.write_parquet("loans.parquet")
    words = ["--facet", "zip", "--disfavored", "00", "--predicted", "approved", *GAP]
    shown = under_metrics(run, *words).splitlines()
    assert shown[2] == "by zip, the 20 largest groups of 25"
    assert [line.split()[0] for line in shown[3:]] == [
        "00", *(f"{code:02}" for code in range(2, 21)), "(all)",
    ]  # fmt: skip


def test_weights_are_no_rows(run: Run) -> None:
    LOANS.with_columns(w=0.5).write_parquet("loans.parquet")
    shown = under_metrics(run, *SEX, *GAP, "--weight", "w")
    assert shown.split()[:3] == ["group", "weight", "selection_rate"]
    assert shown.splitlines()[3].split() == ["F", "2.0", "0.250"]


def test_a_facet_called_all_has_metrics_only(run: Run) -> None:
    LOANS.rename({"sex": "(all)"}).write_parquet("loans.parquet")
    assert under_metrics(run, "--facet", "(all)", "--predicted", "approved", *GAP) == ""


def test_answers_for_programs_are_the_audit_alone(run: Run) -> None:
    words = ["audit", "loans.parquet", *SEX, *GAP, "--format"]
    assert len(run(*words, "csv")[1].splitlines()) == 3
    assert len(run(*words, "markdown")[1].splitlines()) == 4


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("table", ["group", "group_size", "pprev"]),
        ("csv", ["attribute_name", "attribute_value", "group_size", "pprev"]),
        ("json", ["schema", "attribute_name", "attribute_value", "group_size", "pprev"]),
    ],
)
def test_columns_have_the_names_of_a_tool(run: Run, form: str, first: list[str]) -> None:
    words = () if form == "table" else ("--format", form)
    question = ("rates", "loans.parquet", "--facet", "sex", "--predicted", "approved")
    code, out, err = run(*question, "--names", "aequitas", *words)
    assert (code, err) == (0, "")
    header = out.partition("\n")[0]
    names = list(json.loads(out)[0]) if form == "json" else header.replace(",", " ").split()
    assert names[: len(first)] == first
