"""`polars-fairness intake`: its table, its gate, and baselines and policies in files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import polars_fairness as pf
from tests.conftest import Run


def test_a_shell_prints_the_findings_and_fails_its_gate(run: Run, tmp_path: Path) -> None:
    file, before = tmp_path / "loans.parquet", tmp_path / "before.parquet"
    loans = pf.datasets.loans()
    loans.write_parquet(file)
    loans.with_columns(pl.col("debt") * 2).write_parquet(before)
    call = ["intake", str(file), "--facet", "sex", "--label", "repaid", "--column", "branch"]
    code, out, err = run(*call, "--fail-on", "outside")
    assert code == 1
    assert "branch" in out
    assert err.startswith("polars-fairness: --fail-on: 1 of ")
    assert "outside their limits: reveals groups: branch" in err
    baseline = ("--column", "debt", "--baseline", str(before))
    code, _, err = run(*call[:-2], *baseline, "--fail-on", "uncertain")
    assert code == 1
    assert "has changed: debt: F and debt: M" in err
    policy = tmp_path / "fairness.toml"
    policy.write_text('name = "Data"\n[limits]\nproxy = 0.5\n[gate]\nfail_on = "outside"\n')
    assert run(*call, "--policy", str(policy))[0] == 0
    policy.write_text('name = "Data"\n[gate]\nfail_on = "outside"\n')
    assert run(*call, "--policy", str(policy))[0] == 1
