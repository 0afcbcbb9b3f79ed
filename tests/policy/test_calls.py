"""Audits and reports under a policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def test_a_path_is_a_policy_too(tmp_path: Path) -> None:
    file = tmp_path / "fairness.toml"
    file.write_text('name = "Hiring"\nmetrics = ["di"]\nconfidence = 0.9\n', "utf-8")
    for path in (file, str(file)):
        answer = pf.audit(people(), policy=path, **QUESTION)
        assert_frame_equal(answer, pf.audit(people(), "di", confidence=0.9, **QUESTION))
