"""Exit codes, the line on stderr that explains them, and the gate of a policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from polars_fairness.question.policy import FailOn
from polars_fairness.reporting.gate import Gate
from tests.cli.loans import GAP, SEX, answer_of, records
from tests.conftest import Run


@pytest.mark.parametrize(
    ("verdict", "unfair", "uncertain"),
    [
        ("fair", False, False),
        ("uncertain", False, True),
        ("undefined", True, True),
        ("against_disfavored", True, True),
        ("against_favored", True, True),
        ("outside", True, True),
    ],
)
def test_a_gate_fails_on_its_verdicts(verdict: str, unfair: bool, uncertain: bool) -> None:
    value = None if verdict == "undefined" else 0.5
    answer = answer_of(
        {
            "metric": ["di", "dppl", "ci"],
            "value": [value, 0.0, 0.1],
            "verdict": [verdict, "fair", None],
        }
    )
    gates: list[tuple[FailOn, bool]] = [("unfair", unfair), ("uncertain", uncertain)]
    for gate, fails in gates:
        complained = Gate((gate,), allow_undefined=False).complaint(answer)
        assert (complained is not None) is fails
        failed = {"unfair": "unfair", "uncertain": "not fair"}[gate]
        failed = "undefined" if verdict == "undefined" else failed
        assert complained in (None, f"fail_on: 1 of 2 verdicts are {failed}: 'di'")
        allowed = Gate((gate,), allow_undefined=True).complaint(answer)
        assert allowed == (None if verdict == "undefined" else complained)


def test_a_failed_gate_tells_unfair_from_undefined() -> None:
    verdicts = ["outside", "undefined", "uncertain", "undefined", "fair", None]
    values = [0.5, None, 0.1, None, 0.0, 0.2]
    metrics = ["di", "di", "rd", "rd", "te", "ci"]
    answer = answer_of({"metric": metrics, "value": values, "verdict": verdicts})
    undefined = "2 of 5 verdicts are undefined: 'di' and 'rd'"
    assert Gate(("unfair",), allow_undefined=False).complaint(answer) == (
        f"fail_on: 1 of 5 verdicts are unfair: 'di'; {undefined}"
    )
    assert Gate(("uncertain",), allow_undefined=False).complaint(answer) == (
        f"fail_on: 2 of 5 verdicts are not fair: 'di' and 'rd'; {undefined}"
    )


@pytest.mark.parametrize("threshold", ["0", "50"])
def test_a_gate_passes_no_comparison_of_rows_with_one_outcome(run: Run, threshold: str) -> None:
    """dppl alone is 0, since both sides are accepted in full or not at all."""
    words = ["--facet", "sex", "--disfavored", "F", "--predicted", "score", "--metric", "dppl"]
    call = ["audit", "loans.parquet", *words, "--threshold", threshold, "--confidence", "none"]
    assert run(*call)[0] == 0
    code, _, err = run(*call, "--fail-on", "unfair")
    assert code == 1
    assert err.endswith("polars-fairness: --fail-on: all rows have one outcome\n")
    assert run(*call, "--fail-on", "unfair", "--allow-undefined")[0] == 0


def test_a_gate_says_where_a_p_value_is_missing() -> None:
    answer = answer_of(
        {
            "metric": ["di", "tpr_gap", "rd"],
            "value": [1.0, 0.3, None],
            "verdict": ["fair", "undefined", "undefined"],
        }
    )
    assert Gate(("unfair",), allow_undefined=False).complaint(answer) == (
        "fail_on: 1 of 3 verdicts are undefined: 'rd'; "
        "1 of 3 verdicts are undefined without a p-value: 'tpr_gap'"
    )


OF_LOANS = ["audit", "loans.parquet", *SEX]


def test_a_positive_outcome_may_be_bad(run: Run, place: Path) -> None:
    """1 of 4 women and 3 of 4 men: who is approved less is who is denied less."""
    judged = [*OF_LOANS[1:], *GAP, "--rule", "point"]
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
    assert "fairness.toml: favorable: takes True or False, got 'no'" in err


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
    words = [*OF_LOANS, "--policy", "fairness.toml"]
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
