"""The rule of each verdict, in a report."""

from __future__ import annotations

from typing import Any

import pytest

import polars_fairness as pf
from polars_fairness.terms import a, d
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


@pytest.mark.extras
def test_a_report_says_which_rule_gave_a_verdict() -> None:
    # di is 0.75, and 3 of 10 against 4 of 10 have a p-value of 1.
    frame = predictions(F=(3, 7), M=(4, 6))
    full = F_AGAINST_M | {"detail": "full"}
    text = pf.report(frame, "di", "dppl", **full).to_markdown()
    assert "Verdicts follow the rule interval: a verdict is within or outside" in text
    assert "| rule | interval | How a verdict is reached: " in text
    assert text.count("A positive outcome is taken as good for the person.") == 1

    by_each = pf.report(frame, "di", "dppl", rule={"di": "significant"}, **full)
    text = by_each.to_markdown()
    assert "Verdicts follow the rule significant for di: a value outside the band counts" in text
    assert ". They follow the rule interval for dppl: " in text
    assert "| rule | di: significant |" in text
    assert "| p\\_values | exact |" in text or "| p_values | exact |" in text
    assert "| 0.8 to 1.25 | 1.0000 | not significantly outside the band |" in text
    assert "- 1 not significantly outside the band" in text

    point = pf.report(frame, "di", rule="point", **full).to_markdown()
    assert "the value alone is judged" in point
    assert "| outside, against F |" in point


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ("exact", "P-values are not adjusted for the number of tests."),
        ("holm", "the probability of one false alarm or more is at most 0.05."),
        ("bh", "the false discovery rate, is at most 0.05"),
        (None, None),
    ],
)
@pytest.mark.extras
def test_a_report_says_how_p_values_are_adjusted(p_values: Any, expected: str | None) -> None:
    frame = predictions(F=(3, 7), M=(4, 6))
    question: dict[str, Any] = {**F_AGAINST_M, "p_values": p_values, "confidence": None}
    text = pf.report(frame, "di", **question).to_markdown()
    assert ("P-values are" in text) == (expected is not None)
    assert expected is None or expected in text


@pytest.mark.extras
def test_the_edge_of_a_band_is_the_same_in_verdicts_and_in_words() -> None:
    frame = predictions(F=(3, 7), M=(4, 6))
    # 0.1 lies outside the band by 5e-10, far above rounding errors.
    question: dict[str, Any] = {"bands": {"dppl": (-0.1, 0.1 - 5e-10)}, **F_AGAINST_M}
    question["detail"] = "full"
    text = pf.report(frame, "dppl", rule="significant", **question).to_markdown()
    assert "| not significantly outside the band |" in text
    # A thousand million times 0.4 - 0.3 is 100000000.00000003 in floats.
    per_billion = pf.Metric("per_billion", "Parts", (a.selection_rate - d.selection_rate) * 1e9)
    question["bands"] = {"per_billion": (-1e8, 1e8)}
    text = pf.report(frame, per_billion, rule="point", **question).to_markdown()
    assert "| within the band |" in text
