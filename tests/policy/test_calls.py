"""Audits and reports under a policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import people

QUESTION: dict[str, Any] = {"facet": ["sex", "race"], "label": "y", "predicted": "p"}

POLICY = pf.Policy(
    name="Consumer credit",
    version="3",
    metrics=["di", "rd"],
    confidence=0.9,
    minimum_count=30,
    facets=["sex", "race"],
    favored={"sex": "M", "branch": "north"},
    bands={"di": (0.9, 1.1), "te": (-9, 9)},
    rules={"di": "point"},
)

# What the policy says, as arguments of a call.
DECIDED: dict[str, Any] = {
    "confidence": 0.9,
    "minimum_count": 30,
    "favored": {"sex": "M"},
    "bands": {"di": (0.9, 1.1)},
    "rule": {"di": "point"},
}


@pytest.mark.parametrize("lazy", [True, False])
def test_a_policy_stands_for_its_arguments(lazy: bool) -> None:
    frame = people().lazy() if lazy else people()
    by_hand = pf.audit(frame, "di", "rd", **QUESTION, **DECIDED)
    under_policy = pf.audit(frame, policy=POLICY, **QUESTION)
    assert type(under_policy) is type(by_hand)
    assert_frame_equal(under_policy.lazy().collect(), by_hand.lazy().collect())


def test_a_call_may_say_the_same_as_its_policy() -> None:
    expected = pf.audit(people(), policy=POLICY, **QUESTION)
    again = pf.audit(people(), "di", "rd", policy=POLICY, **QUESTION, **DECIDED)
    assert_frame_equal(again, expected)
    of_lists = {**DECIDED, "favored": {"sex": ["M"]}, "bands": {"di": [0.9, 1.1]}}
    assert_frame_equal(pf.audit(people(), policy=POLICY, **QUESTION, **of_lists), expected)


def test_metrics_of_the_call_come_beside_those_of_the_policy() -> None:
    answer = pf.audit(people(), "te", "rd", policy=POLICY, **QUESTION)
    assert answer["metric"].unique(maintain_order=True).to_list() == ["di", "te", "rd"]
    assert answer.filter(metric="te")["band_upper"].unique().to_list() == [9.0]
    by_alias = pf.audit(people(), ["disparate_impact"], policy=POLICY, **QUESTION)
    assert by_alias["metric"].unique(maintain_order=True).to_list() == ["rd", "disparate_impact"]
    of_alias = by_alias.filter(metric="disparate_impact")
    assert of_alias["band_upper"].unique().to_list() == [1.1]
    assert "uncertain" not in of_alias["verdict"].to_list()


def test_without_metrics_in_the_policy_all_are_computed() -> None:
    policy = pf.Policy(name="Bands", bands={"di": (0.9, 1.1)}, rule="point")
    question = {**QUESTION, "facet": "sex", "disfavored": "F", "confidence": None}
    by_hand = pf.audit(people(), bands={"di": (0.9, 1.1)}, rule="point", **question)
    assert_frame_equal(pf.audit(people(), policy=policy, **question), by_hand)


def test_favored_values_of_the_call_stay_where_the_policy_has_none() -> None:
    question = {**QUESTION, "favored": {"race": "White"}, "confidence": None}
    answer = pf.audit(people(), "di", policy=pf.Policy(name="Nothing"), **question)
    assert_frame_equal(answer, pf.audit(people(), "di", **question))


@pytest.mark.extras
def test_what_the_policy_leaves_open_is_free() -> None:
    answer = pf.audit(
        people(), policy=POLICY, bands={"rd": (-9, 9)}, rule={"rd": "significant"}, **QUESTION
    )
    assert answer.filter(metric="rd")["verdict"].unique().to_list() == ["fair"]
    only_race = {**QUESTION, "favored": {"race": "White"}}
    assert pf.audit(people(), policy=POLICY, **only_race)["favored"].unique().sort().to_list() == [
        *("M", "White")
    ]


def test_a_policy_may_name_a_reference() -> None:
    policy = pf.Policy(name="Highest", favored={"sex": pf.HIGHEST(minimum_count=30)})
    question = {**QUESTION, "facet": "sex", "confidence": None}
    expected = pf.audit(people(), "di", favored=pf.HIGHEST(minimum_count=30), **question)
    assert_frame_equal(pf.audit(people(), "di", policy=policy, **question), expected)
    with pytest.raises(pf.FairnessError, match=r"^favored: 'sex': pf.HIGHEST contradicts pf.HIGH"):
        pf.audit(people(), "di", policy=policy, favored=pf.HIGHEST, **question)


def test_facets_of_expressions_are_named_by_their_result() -> None:
    question = {**QUESTION, "facet": [pl.col("sex"), pl.col("branch").alias("race")]}
    assert pf.audit(people(), policy=POLICY, **question)["facet"].unique().sort().to_list() == [
        *("race", "sex")
    ]


def test_a_path_is_a_policy_too(tmp_path: Path) -> None:
    file = tmp_path / "fairness.toml"
    file.write_text('name = "Hiring"\nmetrics = ["di"]\nconfidence = 0.9\n', "utf-8")
    for path in (file, str(file)):
        answer = pf.audit(people(), policy=path, **QUESTION)
        assert_frame_equal(answer, pf.audit(people(), "di", confidence=0.9, **QUESTION))


def test_a_report_names_its_policy() -> None:
    report = pf.report(people(), policy=POLICY, **QUESTION)
    text = report.to_markdown()
    shown = f"Consumer credit, version 3 (sha256 {POLICY.hash[:12]})"
    assert f"Policy: {shown}\n" in text
    assert f"| policy | {shown} |" in text
    assert "| favored | sex: M |" in text
    assert "0.9 to 1.1" in text
    flat = report.to_dict()
    policy = {key: value for key, value in flat.items() if key.startswith("policy/")}
    assert policy == {
        "policy/name": "Consumer credit",
        "policy/version": "3",
        "policy/hash": POLICY.hash,
    }
    audited = pf.audit(people(), policy=POLICY, **QUESTION)
    assert_frame_equal(report.findings.audited, audited)
    assert "policy" not in pf.report(people(), "di", **QUESTION).to_markdown()
