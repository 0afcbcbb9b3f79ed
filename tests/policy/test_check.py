"""A check: the audit where it passes its gate, an error that holds it where it does not."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.conftest import Run
from tests.frames import shared

LOANS = pf.datasets.loans()
QUESTION: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "approved"}
WIDE = {"di": (0.5, 2.0)}


@pytest.mark.parametrize("frame", [LOANS, LOANS.lazy()], ids=["DataFrame", "LazyFrame"])
def test_an_audit_that_fails_is_in_the_error(frame: Any) -> None:
    with pytest.raises(
        pf.OutsideBandError, match=r"^fail_on: 1 of 1 verdicts are outside: 'di'"
    ) as info:
        pf.check(frame, "di", **QUESTION)
    assert_frame_equal(info.value.audit, pf.audit(LOANS, "di", **QUESTION))
    assert isinstance(info.value, pf.FairnessError)
    copy = pickle.loads(pickle.dumps(info.value))
    assert str(copy) == str(info.value)
    assert_frame_equal(copy.audit, info.value.audit)


def test_what_could_not_be_judged_has_not_passed() -> None:
    never = LOANS.with_columns(repaid=False)
    with pytest.raises(pf.OutsideBandError, match="1 of 2 verdicts are undefined: 'rd'"):
        pf.check(never, "di", "rd", **QUESTION, label="repaid", bands=WIDE)
    allowed = pf.check(
        never, "di", "rd", **QUESTION, label="repaid", bands=WIDE, allow_undefined=True
    )
    assert {*allowed["verdict"]} == {"within", "undefined"}


def test_a_gate_of_uncertain_verdicts_fails_for_what_is_outside() -> None:
    with pytest.raises(pf.OutsideBandError, match="1 of 1 verdicts are not within: 'di'"):
        pf.check(LOANS, "di", **QUESTION, rule="point", fail_on="uncertain")


def test_changes_for_the_worse() -> None:
    better = LOANS.with_columns(approved=pl.col("score") > 0.35)
    gate: dict[str, Any] = {"fail_on": "worse"}
    with pytest.raises(pf.OutsideBandError, match="1 of 1 changes are worse: 'di'"):
        pf.check(LOANS, "di", **QUESTION, baseline=better, **gate)
    assert pf.check(better, "di", **QUESTION, baseline=LOANS, **gate)["change"].item() == "better"


POLICY = """
name = "Credit"
metrics = ["di"]
facets = ["sex"]

[favored]
sex = "M"

[bands]
di = [0.5, 2.0]

[gate]
fail_on = "uncertain"
"""


def test_a_policy_decides_the_gate(tmp_path: Path) -> None:
    path = tmp_path / "fairness.toml"
    path.write_text(POLICY)
    question: dict[str, Any] = {"facet": "sex", "predicted": "approved"}
    assert pf.check(LOANS, **question, policy=path)["verdict"].to_list() == ["within"]
    strict = POLICY.replace("0.5, 2.0", "0.68, 1.47")
    path.write_text(strict)
    with pytest.raises(pf.OutsideBandError, match="1 of 1 verdicts are not within: 'di'"):
        pf.of(LOANS, **question, policy=path).check()


BY_BRANCH = ["--by", "branch"]
SAME_QUESTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"fail_on": "uncertain"}, ["--fail-on", "uncertain"]),
    ({"by": "branch"}, BY_BRANCH),
    ({"score": "score", "threshold": [0.3, 0.5]}, ["--score", "score", "--threshold", "0.3,0.5"]),
    (
        {"by": "branch", "baseline": "first", "fail_on": "worse"},
        [*BY_BRANCH, "--baseline", "first", "--fail-on", "worse"],
    ),
]


# Every question about one metric, and every metric by one question.
@pytest.mark.parametrize(
    ("metric", "words", "options"),
    [
        *(("di", *each) for each in SAME_QUESTIONS),
        *((name, *SAME_QUESTIONS[2]) for name in ("rd", "tpr_gap", "cmh")),
    ],
)
def test_the_command_line_has_the_same_gate(
    metric: str, words: dict[str, Any], options: list[str], tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "loans.parquet"
    loans = LOANS.head(4_000)
    loans.write_parquet(path)
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "label": "repaid"}
    question["subgroup"] = "race"
    shell = ["--facet", "sex", "--favored", "M", "--label", "repaid", "--subgroup", "race"]
    if "score" not in words:
        question["predicted"], shell = "approved", [*shell, "--predicted", "approved"]
    given = [] if "--fail-on" in options else ["--fail-on", "outside"]
    code, _, err = run("audit", str(path), "--metric", metric, *shell, *options, *given)
    if code == 0:
        shared(pf.check, loans, metric, **{**question, **words})
        return
    raised = pf.OutsideBandError if code == 1 else pf.FairnessError
    with pytest.raises(raised) as info:
        shared(pf.check, loans, metric, **{**question, **words})
    first, _, _ = str(info.value).partition(";")
    assert first.removeprefix("fail_on: ") in err or code == 2


# 47 % and 50 %: within four fifths, and 4.2 standard deviations apart.
CLOSE = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M"],
        "p": [True, False] * 2,
        "n": [4_700, 5_300, 5_000, 5_000],
    }
)
OF_CLOSE: dict[str, Any] = {"facet": "sex", "predicted": "p", "favored": "M", "count": "n"}


def test_a_test_is_judged_where_it_is_named() -> None:
    """(0.5 − 0.47) / √(0.485 · 0.515 · 2 / 10,000) = 4.2 standard deviations."""
    passed = pf.check(CLOSE, **OF_CLOSE)
    tests = [name for name, metric in pf.CATALOGUE.items() if metric.is_test]
    assert tests == ["two_sd", "z_ratio", "cmh"]
    outside = passed.filter(pl.col("verdict") == "outside")["metric"]
    assert outside.to_list() == tests[:2]
    for name in outside:
        with pytest.raises(pf.OutsideBandError, match=name):
            pf.check(CLOSE, "di", name, **OF_CLOSE)
        with pytest.raises(pf.OutsideBandError, match=name):
            pf.check(CLOSE, bands={name: (-3, 3)}, **OF_CLOSE)
        with pytest.raises(pf.OutsideBandError, match=name):
            pf.check(CLOSE, policy=pf.Policy(name="Tests", metrics=["di", name]), **OF_CLOSE)


NO_BANDS = [name for name, metric in pf.CATALOGUE.items() if metric.acceptable is None]


@pytest.mark.parametrize("name", ["ci", "selection_rate_gap"])
def test_what_was_requested_and_has_no_verdict_may_fail(name: str, tmp_path: Path) -> None:
    assert name in NO_BANDS
    metrics = ("di", name)
    assert pf.check(CLOSE, *metrics, **OF_CLOSE)["verdict"].null_count() == 1
    words = f"^fail_on: '{name}' cannot be judged without an acceptable band"
    with pytest.raises(pf.OutsideBandError, match=words):
        pf.check(CLOSE, *metrics, **OF_CLOSE, unjudged="fail")
    path = tmp_path / "fairness.toml"
    gate = '[gate]\nfail_on = "outside"\nunjudged = "fail"\n'
    path.write_text(f'name = "Strict"\nmetrics = ["di", "{name}"]\n{gate}')
    with pytest.raises(pf.OutsideBandError, match=words):
        pf.check(CLOSE, policy=path, **OF_CLOSE)
    band = {name: (-0.9, 0.9)}
    assert not pf.check(CLOSE, *metrics, **OF_CLOSE, unjudged="fail", bands=band).is_empty()
    # Without names nothing was requested, and no metric without a band is missing.
    assert pf.check(CLOSE, **OF_CLOSE, unjudged="fail")["verdict"].null_count() > 0


def test_unjudged_is_a_word_of_a_gate() -> None:
    with pytest.raises(pf.FairnessError, match=r"^unjudged: takes 'pass' or 'fail', got 'no'"):
        pf.Policy(name="p", fail_on="outside", unjudged="no")  # type: ignore[arg-type]
    with pytest.raises(pf.FairnessError, match=r"^unjudged: has no effect without fail_on"):
        pf.Policy(name="p", unjudged="fail")
    lax = pf.Policy(name="p", fail_on="outside")
    with pytest.raises(pf.FairnessError, match=r"^unjudged: 'fail' contradicts 'pass'"):
        pf.check(CLOSE, "di", **OF_CLOSE, policy=lax, unjudged="fail")
