"""A policy as the question of a call: its arguments, its facets and its sides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.conftest import Run
from tests.frames import people

TEXT = """
name = "Credit"
metrics = ["di"]
confidence = 0.9

[question]
facet = "sex"
disfavored = "F"
predicted = "p"
by = ["branch"]
"""

BY_HAND: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "by": ["branch"]}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fairness.toml").write_text(TEXT, "utf-8")


def test_a_policy_may_be_the_whole_question() -> None:
    expected = pf.audit(people(), "di", confidence=0.9, **BY_HAND)
    assert_frame_equal(pf.audit(people(), policy="fairness.toml"), expected)
    assert_frame_equal(pf.of(people().lazy(), policy="fairness.toml").audit().collect(), expected)
    assert_frame_equal(pf.of(people(), policy="fairness.toml").audit(), expected)


def test_without_a_facet_the_required_ones_are_compared() -> None:
    """As in the file of an organisation that requires both."""
    question: dict[str, Any] = {"predicted": "p", "unknown": ["X"]}
    policy = pf.Policy(name="A", facets=["sex", "race"], metrics=["di"], question=question)
    expected = pf.audit(people(), "di", facet=["sex", "race"], **question)
    assert_frame_equal(pf.audit(people(), policy=policy), expected)
    more = pf.of(people(), policy=policy, facet=["sex", "race", "branch"])
    assert more.question["facet"] == ["sex", "race", "branch"]


def test_the_command_needs_the_policy_alone(run: Run) -> None:
    people().write_parquet("people.parquet")
    words = ["--format", "json", "--policy", "fairness.toml"]
    columns = ["--facet", "sex", "--predicted", "p", "--by", "branch"]
    by_hand = run("audit", "people.parquet", *words, *columns, "--disfavored", "F")
    assert by_hand[0] == 0
    assert run("audit", "people.parquet", *words) == by_hand
    assert run("audit", "people.parquet", *words, "--disfavored", "F") == by_hand
    code, _, err = run("audit", "people.parquet", *words, "--facet", "race")
    assert code == 2
    assert err.startswith("polars-fairness: --facet: ['race'] contradicts 'sex' of the policy")


OF_LOANS: dict[str, Any] = {"facet": ["sex", "race"], "label": "y", "predicted": "p"}

LOANS = pf.Policy(
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
    by_hand = pf.audit(frame, "di", "rd", **OF_LOANS, **DECIDED)
    under_policy = pf.audit(frame, policy=LOANS, **OF_LOANS)
    assert type(under_policy) is type(by_hand)
    assert_frame_equal(under_policy.lazy().collect(), by_hand.lazy().collect())


def test_a_call_may_say_the_same_as_its_policy() -> None:
    expected = pf.audit(people(), policy=LOANS, **OF_LOANS)
    again = pf.audit(people(), "di", "rd", policy=LOANS, **OF_LOANS, **DECIDED)
    assert_frame_equal(again, expected)
    of_lists = {**DECIDED, "favored": {"sex": ["M"]}, "bands": {"di": [0.9, 1.1]}}
    assert_frame_equal(pf.audit(people(), policy=LOANS, **OF_LOANS, **of_lists), expected)
