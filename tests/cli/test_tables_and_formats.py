"""Answers as a table on a terminal, and as JSON, CSV and Markdown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness.reporting.answer_tables import Answer, audit_table
from polars_fairness.reporting.tables import text_of
from tests.cli.loans import GAP, LOANS, SEX, answer_of
from tests.conftest import Run


def shown(width: int = 100, *, in_colour: bool = False, **changes: list[Any]) -> str:
    return text_of(audit_table(Answer("audit", answer_of(changes))), width, in_colour=in_colour)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"favored": [None]}, "sex: F (1,200) against everyone else (30)"),
        ({"favored": [None], "verdict": ["outside"]}, "against everyone else"),
        ({"disfavored": [None], "favored": [None]}, "sex: all groups"),
        ({"disfavored": [None], "verdict": ["outside"]}, "  0  -0.1 to 0.1  outside"),
        ({"facet": pl.Series([None], dtype=pl.String), "disfavored": [None]}, "all rows"),
        ({"is_small": [True]}, "sex: F (1,200) against M (30); few rows"),
        ({"p_value": [0.00001]}, "  < 0.0001  outside"),
        ({"value": [float("inf")], "verdict": ["undefined"]}, "    inf  "),
        ({"value": pl.Series([None], dtype=pl.Float64), "verdict": ["undefined"]}, "undefined"),
        ({"value": [-0.0]}, "  dppl    0.000  "),
        ({"value": [-0.0001]}, "  -1.0e-04  "),
        ({"n_favored": [30.25]}, "M (30.2)"),
        ({"disfavored": ["F\x1b[31m\n"]}, "sex: F\N{REPLACEMENT CHARACTER}[31m"),
    ],
)
def test_a_line_of_a_table_shows_its_row(changes: dict[str, Any], line: str) -> None:
    assert line in shown(**changes)


@pytest.mark.parametrize("name", ["since", "^s.*$"])
def test_the_rows_of_a_sequential_audit_are_those_of_the_last_time_of_each_branch(
    name: str, run: Run
) -> None:
    """Branch n has one loan of 2024 and four of 2025, which are counted up to each year."""
    LOANS.rename({"since": name}).write_parquet("loans.parquet")
    by = ["--by", name, "--by", "branch", "--sequential", "each"]
    code, out, _ = run("audit", "loans.parquet", *SEX, *GAP, *by)
    assert code == 0
    assert "2025-01-01, branch n, sex: F (2) against everyone else (2)" in out
    assert "sex: 9 rows seen, 0 dropped, 9 used, 1 of them unknown" in out


def test_colour_is_for_verdicts_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP)[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    painted = run("audit", "loans.parquet", *SEX, *GAP)[1]
    assert "  \x1b[31moutside\x1b[0m\n" in painted
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP, "--format", "csv")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP)[1]


COMMANDS_WITH_TABLES = {
    "audit": ["--metric", "di"],
    "rates": [],
    "bounds": ["--metric", "di"],
    "worst-groups": ["--metric", "spsf"],
    "lending": ["--favored", "M", "--table", "table"],
}


@pytest.mark.parametrize("command", COMMANDS_WITH_TABLES)
def test_an_output_is_what_its_ending_says(command: str, run: Run, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    people = {"sex": ["F", "F", "M", "M"] * 9, "race": ["B", "W"] * 18, "hired": [0, 1, 1] * 12}
    pl.DataFrame(people).write_csv(rows)
    sides = ["--facet", "sex", *(["--facet", "race"] if command == "worst-groups" else [])]
    typed = [command, str(rows), *sides, "--predicted", "hired", *COMMANDS_WITH_TABLES[command]]
    written = {}
    for ending in ("parquet", "csv", "md", "html"):
        output = tmp_path / f"answer.{ending}"
        assert run(*typed, "--output", str(output))[0] == 0
        written[ending] = output
    answer = pl.read_parquet(written["parquet"])
    assert pl.read_csv(written["csv"]).height == answer.height
    assert len(written["md"].read_text().splitlines()) == answer.height + 2
    page = written["html"].read_text()
    assert page.lower().startswith("<!doctype html>")
    groups = next((name for name in ("disfavored", "value") if name in answer.columns), None)
    for group in answer[groups].drop_nulls() if groups else ():
        assert group in page
