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


def test_what_was_not_judged_has_not_passed(run: Run, tmp_path: Path) -> None:
    file, policy = tmp_path / "rows.parquet", tmp_path / "fairness.toml"
    rows = pf.datasets.loans().select(
        g=pl.int_range(pl.len()) % 3,
        y=pl.when(pl.int_range(pl.len()) % 3 > 0).then(pl.int_range(pl.len()) % 2),
        few=pl.int_range(pl.len()) // 3 % 4,
    )
    rows.write_parquet(file)
    call = ["intake", str(file), "--facet", "g", "--label", "y", "--nulls", "drop"]
    limits = 'name = "Data"\n[limits]\ncoverage = "none"\n[gate]\nfail_on = "outside"\n'
    policy.write_text(limits)
    code, _, err = run(*call, "--column", "few", "--policy", str(policy))
    assert code == 1
    assert "could not be judged: base rate: y: 0 (label: known for 0 % of 0, 100 %" in err
    policy.write_text(limits + "allow_undefined = true\n")
    assert run(*call, "--column", "few", "--policy", str(policy))[0] == 0
    policy.write_text(limits)
    code, _, err = run(*call, "--cluster", "few", "--policy", str(policy))
    assert code == 2
    assert "nothing was judged" in err
