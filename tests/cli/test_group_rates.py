"""The rates of groups under the metrics of an audit."""

from __future__ import annotations

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
