"""Bands, rules and policies on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.loans import GAP, SEX, records
from tests.conftest import Run

AUDIT = ["audit", "loans.parquet", *SEX]


def test_a_positive_outcome_may_be_bad(run: Run, place: Path) -> None:
    """1 of 4 women and 3 of 4 men: who is approved less is who is denied less."""
    judged = [*AUDIT[1:], *GAP, "--rule", "point"]
    for options in (["--unfavorable"], ["--policy", "fairness.toml"]):
        place.joinpath("fairness.toml").write_text('name = "Denials"\nfavorable = false\n')
        rows = records(run, *judged, *options)
        assert [row["verdict"] for row in rows] == ["against_favored"] * 2
    place.joinpath("fairness.toml").write_text('name = "Loans"\nfavorable = true\n')
    code, _, err = run("audit", *judged, "--policy", "fairness.toml", "--unfavorable")
    assert code == 2
    assert "False contradicts True of the policy Loans" in err
    place.joinpath("fairness.toml").write_text('name = "Loans"\nfavorable = "no"\n')
    code, _, err = run("audit", *judged, "--policy", "fairness.toml")
    assert code == 2
    assert "fairness.toml, line 2: favorable: takes True or False, got 'no'" in err


POLICY = """\
name = "Loans"
version = "7"
metrics = ["di"]
facets = ["sex"]
rule = "significant"
[favored]
sex = "M"
[gate]
fail_on = "unfair"
"""


def test_the_gate_of_a_policy_applies(run: Run) -> None:
    text = POLICY.replace("significant", "point")
    Path("fairness.toml").write_text(text, "utf-8")
    words = [*AUDIT, "--policy", "fairness.toml"]
    failed = "polars-fairness: --fail-on: 1 of 1 verdicts are unfair: 'di'\n"
    for more in ([], ["--fail-on", "unfair"]):
        code, _, err = run(*words, *more)
        assert (code, err) == (1, failed)
    code, _, err = run(*words, "--fail-on", "uncertain")
    assert code == 2
    assert "--fail-on: 'uncertain' contradicts 'unfair' of the policy Loans, version 7 (" in err
    code, _, err = run(*words, "--allow-undefined")
    assert code == 2
    assert "--allow-undefined: True contradicts False of the policy Loans, version 7 (" in err
    Path("fairness.toml").write_text(text + "allow_undefined = true\n", "utf-8")
    assert run(*words, "--allow-undefined")[0] == 1
    Path("fairness.toml").write_text(text.partition("[gate]")[0], "utf-8")
    assert run(*words)[0] == 0
    assert run(*words, "--fail-on", "unfair", "--allow-undefined")[0] == 1
