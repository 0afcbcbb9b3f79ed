"""Bands, rules and policies on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polars_fairness as pf
from tests.cli.loans import GAP, SEX, records
from tests.conftest import Run

AUDIT = ["audit", "loans.parquet", *SEX]


def bands(run: Run, *typed: str) -> dict[str, tuple[float | None, float | None]]:
    options = [word for text in typed for word in ("--band", text)]
    rows = records(run, *AUDIT[1:], *GAP, *options)
    return {row["metric"]: (row["band_lower"], row["band_upper"]) for row in rows}


def test_a_band_is_typed_by_its_ends(run: Run) -> None:
    assert bands(run, "di=0.9:1.1", "dppl=-0.05:") == {"dppl": (-0.05, "inf"), "di": (0.9, 1.1)}
    assert bands(run, "di=none", "dppl=:0.05") == {"dppl": ("-inf", 0.05), "di": (None, None)}


@pytest.mark.extras
def test_a_rule_is_for_all_metrics_or_for_one(run: Run) -> None:
    """1 of 4 women and 3 of 4 men are approved: p is 0.49 (Fisher)."""
    typed = {
        ("--rule", "point"): ["against_disfavored", "against_disfavored"],
        ("--rule", "significant"): ["fair", "fair"],
        ("--rule", "di=significant"): ["against_disfavored", "fair"],
        ("--rule", "di=significant", "--rule", "dppl=point"): ["against_disfavored", "fair"],
    }
    for options, expected in typed.items():
        rows = records(run, *AUDIT[1:], *GAP, *options)
        assert [row["verdict"] for row in rows] == expected


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


@pytest.mark.extras
def test_a_page_and_worst_groups_follow(run: Run, place: Path) -> None:
    code, *_ = run(*AUDIT, *GAP[2:], "--unfavorable", "--html", "page.html")
    assert code == 0
    page = place.joinpath("page.html").read_text("utf-8")
    assert "F (4 rows) is flagged 0.33 times as often as M" in page
    worst = ["worst-groups", "loans.parquet", "--metric", "spsf", "--facet", "sex"]
    decided = ["--predicted", "approved", "--format", "json"]
    shown = {
        options: json.loads(run(*worst, *decided, *options)[1])[0]["direction"]
        for options in ((), ("--unfavorable",))
    }
    assert shown == {(): "below", ("--unfavorable",): "above"}


WRONG: list[tuple[list[str], str]] = [
    (["--band", "di"], "--band: takes METRIC=LOW:HIGH, .* got 'di'"),
    (["--band", "di=0.8"], "--band: takes METRIC=LOW:HIGH, .* got 'di=0.8'"),
    (["--band", "di=a:b"], "--band: takes METRIC=LOW:HIGH, .* got 'di=a:b'"),
    (["--band", "=0:1"], "--band: takes METRIC=LOW:HIGH, .* got '=0:1'"),
    (["--band", "di=1:0"], r"--band: 'di' takes LOW:HIGH or none"),
    (["--band", "di=nan:1"], "--band: takes numbers for 'di', got nan"),
    (["--band", "dii=0:1"], "--band: 'dii' is not among the metrics; did you mean 'di'"),
    (["--band", "di=0:1", "--band", "di=0:2"], "--band: 'di' is given twice; give it once"),
    (["--rule", "points"], "--rule: takes 'interval', "),
    (["--rule", "di=points"], "--rule: 'di' takes 'interval', "),
    (
        ["--rule", "point", "--rule", "di=point"],
        "--rule: takes one rule for all metrics, or METRIC=",
    ),
    (["--rule", "=point"], "--rule: takes one rule for all metrics, or METRIC=RULE for each"),
    (["--policy", "none.toml"], "--policy: cannot read 'none.toml': No such file"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_a_wrong_band_or_rule_is_refused(words: list[str], message: str, run: Run) -> None:
    code, out, err = run(*AUDIT, *GAP, *words)
    assert (code, out) == (2, "")
    with pytest.raises(AssertionError, match=f"polars-fairness: {message}"):
        raise AssertionError(err)


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


def test_a_table_names_a_rule_that_is_not_the_default(run: Run) -> None:
    for words, line in (
        (["--rule", "point"], "\n\nrule: point\n"),
        (["--rule", "di=point"], "\n\nrule: di point; else interval\n"),
    ):
        assert run(*AUDIT, *GAP, *words)[1].endswith(line)
    for words in ([], ["--rule", "interval"]):
        assert "rule:" not in run(*AUDIT, *GAP, *words)[1]


@pytest.mark.extras
def test_a_policy_decides(run: Run) -> None:
    Path("fairness.toml").write_text(POLICY, "utf-8")
    policy = pf.Policy.read("fairness.toml")
    words = ["audit", "loans.parquet", "--facet", "sex", "--predicted", "approved"]
    code, out, err = run(*words, "--policy", "fairness.toml")
    assert (code, err) == (0, "")
    assert "sex: F (4) against M (4)" in out
    judged_by = f"policy: Loans, version 7 (sha256 {policy.hash[:12]})\n"
    assert out.endswith(f"\n\nrule: di significant; else interval\n{judged_by}")
    [row] = records(run, *words[1:], "--policy", "fairness.toml")
    assert (row["metric"], row["verdict"]) == ("di", "fair")
    code, _, err = run(*words, "--policy", "fairness.toml", "--rule", "point")
    assert (code, "contradicts 'significant' of the policy Loans" in err) == (2, True)


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
    assert "--allow-undefined: contradicts the gate of the policy Loans, version 7 (" in err
    Path("fairness.toml").write_text(text + "allow_undefined = true\n", "utf-8")
    assert run(*words, "--allow-undefined")[0] == 1
    Path("fairness.toml").write_text(text.partition("[gate]")[0], "utf-8")
    assert run(*words)[0] == 0
    assert run(*words, "--fail-on", "unfair", "--allow-undefined")[0] == 1


@pytest.mark.extras
def test_a_report_is_made_under_the_policy_too(run: Run) -> None:
    Path("fairness.toml").write_text(POLICY, "utf-8")
    code, _, err = run(*AUDIT, "--policy", "fairness.toml", "--html", "page.html")
    assert (code, err) == (0, "")
    assert "Policy: Loans, version 7" in Path("page.html").read_text("utf-8")
