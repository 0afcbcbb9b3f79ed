"""Exit codes, the line on stderr that explains them, and the gate of a policy."""

from __future__ import annotations

from pathlib import Path

from tests.cli.loans import SEX
from tests.conftest import Run

OF_LOANS = ["audit", "loans.parquet", *SEX]


POLICY = """\
name = "Loans"
version = "7"
metrics = ["di"]
facets = ["sex"]
rule = "significant"
[favored]
sex = "M"
[gate]
fail_on = "outside"
"""


def test_the_gate_of_a_policy_applies(run: Run) -> None:
    text = POLICY.replace("significant", "point")
    Path("fairness.toml").write_text(text, "utf-8")
    words = [*OF_LOANS, "--policy", "fairness.toml"]
    failed = "polars-fairness: --fail-on: 1 of 1 verdicts are outside: 'di'\n"
    for more in ([], ["--fail-on", "outside"]):
        code, _, err = run(*words, *more)
        assert (code, err) == (1, failed)
    code, _, err = run(*words, "--fail-on", "uncertain")
    assert code == 2
    assert "--fail-on: 'uncertain' contradicts 'outside' of the policy Loans, version 7 (" in err
    code, _, err = run(*words, "--allow-undefined")
    assert code == 2
    assert "--allow-undefined: True contradicts False of the policy Loans, version 7 (" in err
    Path("fairness.toml").write_text(text + "allow_undefined = true\n", "utf-8")
    assert run(*words, "--allow-undefined")[0] == 1
    Path("fairness.toml").write_text(text.partition("[gate]")[0], "utf-8")
    assert run(*words)[0] == 0
    assert run(*words, "--fail-on", "outside", "--allow-undefined")[0] == 1


UNJUDGED = (
    "'equalized_odds_gap' cannot be judged without an acceptable band; give --band, or leave the "
    "metric out"
)


def test_a_gate_names_what_it_could_not_judge(run: Run) -> None:
    """`equalized_odds_gap` has no band, whatever its value is."""
    words = ["audit", "loans.parquet", *SEX, "--label", "repaid", "--positive", "repaid=yes"]
    words += ["--metric", "di", "--metric", "equalized_odds_gap", "--band", "di=0.01:100"]
    code, _, err = run(*words, "--fail-on", "outside")
    assert (code, err) == (0, f"polars-fairness: --fail-on: {UNJUDGED}\n")
    code, _, err = run(*words, "--fail-on", "outside", "--unjudged", "fail")
    assert (code, err) == (1, f"polars-fairness: --fail-on: {UNJUDGED}\n")
    for more, tag in (([], "<skipped"), (["--unjudged", "fail"], "<error")):
        _, out, _ = run(*words, "--fail-on", "outside", "--format", "junit", *more)
        [case] = [
            part for part in out.split("<testcase")[1:] if 'name="equalized_odds_gap"' in part
        ]
        assert tag in case
    _, out, _ = run(*words, "--fail-on", "outside", "--format", "github")
    assert "::warning title=polars-fairness%3A equalized_odds_gap::" in out
