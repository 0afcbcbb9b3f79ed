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


def test_a_facet_called_all_has_metrics_only(run: Run) -> None:
    LOANS.rename({"sex": "(all)"}).write_parquet("loans.parquet")
    assert under_metrics(run, "--facet", "(all)", "--predicted", "approved", *GAP) == ""


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
