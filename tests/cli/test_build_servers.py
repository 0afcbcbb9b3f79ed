"""Verdicts for build servers: what is red there is what makes the exit code 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import polars as pl
import pytest

from polars_fairness.cli.commands.audit import as_annotations, as_junit, shown_verdicts
from polars_fairness.question.policy import FailOn
from polars_fairness.reporting.gate import EXCUSED, NAMED, Gate
from tests.cli.loans import GAP, LOANS, SEX, answer_of
from tests.conftest import Run

AUDIT = ["audit", "loans.parquet", *SEX, *GAP]

VERDICTS = ["within", "outside", "uncertain", "undefined"]


def answer(*verdicts: str | None, **changes: list[Any]) -> pl.DataFrame:
    values = [None if verdict == "undefined" else 0.5 for verdict in verdicts]
    band: dict[str, list[Any]] = {"band_lower": [-0.1], "band_upper": [0.1], "metric": ["dppl"]}
    changes = {name: held * len(verdicts) for name, held in band.items()} | changes
    changes |= {NAMED: [True] * len(verdicts), EXCUSED: [False] * len(verdicts)}
    return answer_of({"verdict": [*verdicts], "value": values, **changes})


def outcome_of(test: Xml.Element) -> str:
    return next((each.tag for each in test), "passed")


def cases_of(text: str) -> list[Xml.Element]:
    """The tests of a suite, whose numbers agree with them."""
    root = Xml.fromstring(text)
    [suite] = root
    tests = list(suite)
    outcomes = [outcome_of(test) for test in tests]
    for element in (root, suite):
        assert element.attrib["tests"] == str(len(tests))
        for tag, number in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert element.attrib[number] == str(outcomes.count(tag))
    return tests


@pytest.mark.parametrize("allow_undefined", [False, True])
@pytest.mark.parametrize("fail_on", ["outside", "uncertain"])
@pytest.mark.parametrize("has_one_outcome", [False, True])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_red_is_what_fails_the_gate(
    verdict: str, fail_on: FailOn, allow_undefined: bool, has_one_outcome: bool
) -> None:
    gate = Gate((fail_on,), allow_undefined=allow_undefined)
    audited = answer(verdict, "within", None)
    fails = gate.complaint(audited, has_one_outcome=has_one_outcome) is not None
    shown = shown_verdicts(audited, gate, has_one_outcome=has_one_outcome)
    outcomes = [outcome_of(test) for test in cases_of(as_junit(shown))]
    assert bool({"failure", "error"} & {*outcomes}) is fails
    assert ("::error" in as_annotations(shown)) is fails
    # A metric without a band has no verdict, and what is not within has not passed.
    assert len(outcomes) == 2 + has_one_outcome
    assert outcomes.count("passed") == 1 + (verdict == "within")


def test_a_test_is_named_after_its_comparison_and_not_its_numbers(run: Run) -> None:
    code, out, _ = run(*AUDIT, "--by", "branch", "--format", "junit", "--fail-on", "outside")
    assert code == 1
    tests = cases_of(out)
    assert [test.attrib["name"] for test in tests] == [
        "branch n, sex: F against everyone else: dppl",
        "branch n, sex: F against everyone else: di",
        "branch s, sex: F against everyone else: dppl",
        "branch s, sex: F against everyone else: di",
    ]
    assert tests[1][0].attrib == {
        "type": "verdict outside",
        "message": "outside: value 0.500, band 0.8 to 1.25",
    }


def test_tests_need_a_gate(run: Run) -> None:
    code, out, err = run(*AUDIT, "--format", "junit")
    assert (code, out) == (2, "")
    assert err == (
        "polars-fairness: --format: junit reports the tests of a gate; add one, such as --fail-on "
        "outside\n"
    )
    Path("fairness.toml").write_text('name = "Loans"\n[gate]\nfail_on = "outside"\n', "utf-8")
    code, out, _ = run(*AUDIT, "--format", "junit", "--policy", "fairness.toml")
    assert (code, len(cases_of(out))) == (1, 2)


def test_a_group_may_be_called_anything(run: Run) -> None:
    name = "<&\"'\x00\x1b\n\ud7ff é]]>"
    LOANS.with_columns(sex=pl.col("sex").replace("F", name)).write_parquet("loans.parquet")
    words = ["audit", "loans.parquet", "--facet", "sex", "--favored", "M", "--predicted"]
    words += ["approved", *GAP, "--fail-on", "outside"]
    out = run(*words, "--format", "junit")[1]
    assert out.isascii()
    assert len(cases_of(out)) == 2
    assert "é]]>" in cases_of(out)[0].attrib["name"]
    assert len(run(*words, "--format", "github")[1].splitlines()) == 3


def test_annotations_are_errors_warnings_and_one_notice() -> None:
    gate = Gate(("outside",), allow_undefined=False)
    shown = shown_verdicts(answer(*VERDICTS[::-1]), gate, has_one_outcome=False)
    kinds = [line.partition(" ")[0] for line in as_annotations(shown).splitlines()]
    assert kinds == ["::error", "::error", "::warning", "::notice"]


def test_annotations_are_escaped() -> None:
    """As the toolkit of GitHub Actions does it: % before the others, and : and , in titles only."""
    shown = shown_verdicts(
        answer("outside", facet=["100%, a:b\r\n::error::c"]), None, has_one_outcome=False
    )
    title = "polars-fairness%3A 100%25%2C a%3Ab"
    [warning, notice] = as_annotations(shown).splitlines()
    assert warning.startswith(f"::warning title={title}\N{REPLACEMENT CHARACTER}")
    assert warning.endswith("dppl::outside: value 0.500, interval 0.100 to 0.800, band -0.1 to 0.1")
    assert warning.count("::") == 2
    assert notice == "::notice title=polars-fairness::0 of 1 comparisons pass"
