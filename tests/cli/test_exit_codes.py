"""Exit codes, the line on stderr that explains them, and the gate of a policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from polars_fairness.question.policy import FailOn
from polars_fairness.reporting.gate import Gate
from tests.cli.loans import SEX, answer_of
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
